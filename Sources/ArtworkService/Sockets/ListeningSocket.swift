import ArtworkModel
import ArtworkPipeline
import CSystemCalls
import Glibc
package import SystemPackage

/// A listening socket with its address.
package struct ListeningSocket: Sendable {
  package enum Place: Sendable, Hashable, CustomStringConvertible {
    case local(FilePath)
    case loopback(LoopbackAddress)

    var isLocal: Bool { if case .local = self { true } else { false } }

    package var description: String {
      switch self {
      case .local(let path): path.string
      case .loopback(let address): "http://\(address)"
      }
    }
  }

  let descriptor: Int32
  package let place: Place
  /// Whether the service manager created it, and keeps it when the service stops.
  let isInherited: Bool

  /// Connections that may wait for acceptance.
  static let backlog: Int32 = 1024

  /// Listens at a path. Replaces the socket of a dead service; only the holder of `lock` may do that.
  ///
  /// - Throws: ``StartError`` for a path that is too long or that names something other than a socket.
  static func local(_ path: FilePath, holding lock: ProcessLock) throws(StartError)
    -> ListeningSocket
  {
    try checkLength(path)
    try removeStale(path)
    let result = unsafe path.withPlatformString { unsafe artwork_listen_unix($0, backlog) }
    guard result >= 0 else { throw .failed("listen at \(path)", Errno(rawValue: -result)) }
    return ListeningSocket(descriptor: result, place: .local(path), isInherited: false)
  }

  static func loopback(_ address: LoopbackAddress) throws(StartError) -> ListeningSocket {
    let result = artwork_listen_loopback(address.version.rawValue, address.port, backlog)
    guard result >= 0 else { throw .failed("listen at \(address)", Errno(rawValue: -result)) }
    return try inspect(result, isInherited: false)
  }

  /// Takes over a socket that already listens.
  static func inspect(_ descriptor: Int32, isInherited: Bool) throws(StartError) -> ListeningSocket {
    var port: UInt16 = 0
    var path = [CChar](repeating: 0, count: 256)
    let kind = unsafe artwork_listening_place(descriptor, &port, &path, UInt(path.count))
    let place: Place
    switch kind {
    case 1 where path[0] != 0: place = .local(FilePath(platformString: path))
    case 4: place = .loopback(LoopbackAddress(version: .four, port: port))
    case 6: place = .loopback(LoopbackAddress(version: .six, port: port))
    default: throw .unusableSocket(descriptor)
    }
    return ListeningSocket(descriptor: descriptor, place: place, isInherited: isInherited)
  }

  /// Bytes of a path that fit into a Unix socket's address beside the final zero: `sun_path` of sockaddr_un.
  static var longestPath: Int {
    MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
  }

  static func checkLength(_ path: FilePath) throws(StartError) {
    if path.string.utf8.count > longestPath {
      throw .socketPathTooLong(path, limit: longestPath)
    }
  }

  private static func removeStale(_ path: FilePath) throws(StartError) {
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
    guard unsafe path.withPlatformString({ unsafe unlink($0) }) == 0 else {
      throw .failed("remove \(path)", Errno(rawValue: errno))
    }
  }
}

/// The limit of open files and sockets of this process.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard limit.
  ///
  /// - Returns: the limit that applies now.
  @discardableResult
  package static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return 256 }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if unsafe setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}

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
