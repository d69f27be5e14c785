import ArtworkModel
import ArtworkPipeline
import Glibc

/// Sockets from the service manager (sd_listen_fds(3)).
enum ActivatedSockets {
  /// - Parameter environment: `LISTEN_PID` names this process and `LISTEN_FDS` counts the descriptors, which start at 3.
  /// - Throws: ``StartError/unusableSocket(_:)``.
  static func take(_ environment: [String: String]) throws(StartError) -> [ListeningSocket] {
    guard let process = environment["LISTEN_PID"], Int32(plainDigits: process) == getpid(),
      let text = environment["LISTEN_FDS"], let count = Int32(plainDigits: text),
      (1...64).contains(count)
    else { return [] }
    var sockets: [ListeningSocket] = []
    for descriptor in 3..<(3 + count) {
      guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
      else { throw .unusableSocket(descriptor) }
      sockets.append(try ListeningSocket.inspect(descriptor, isInherited: true))
    }
    return sockets
  }
}
