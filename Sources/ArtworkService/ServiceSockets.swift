import ArtworkPipeline
package import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Everything that must be the service's own before it serves: the lock, the sockets, the token.
package struct ServiceSockets: Sendable {
  /// Where to listen.
  package struct Wishes: Sendable {
    /// The Unix socket; its folder has the lock and the token, also when nothing listens there.
    package var socket: FilePath
    package var usesSocket = true
    package var loopback: LoopbackAddress?

    package init(socket: FilePath) { self.socket = socket }
  }

  package let listening: [ListeningSocket]
  /// What writes over TCP need; `nil` when nothing listens there.
  package let token: WriteToken?
  /// One service at a time has a socket's path: taken before the socket is touched.
  private let lock: ProcessLock

  /// Takes the lock, then the sockets. Sockets that the service manager passes on take the place of the Unix socket.
  ///
  /// - Parameter environment: of the process, for the service manager's variables.
  /// - Throws: ``StartError``; ``StartError/alreadyRunning(lock:process:)`` leaves the other's socket alone.
  package init(_ wishes: Wishes, environment: [String: String]) throws(StartError) {
    let inherited = try ActivatedSockets.take(environment)
    var place = wishes.socket
    for case .local(let path) in inherited.map(\.place) { place = path }
    guard let name = place.lastComponent else { throw .notASocket(place) }
    if wishes.usesSocket { try ListeningSocket.checkLength(place) }
    let folder = try RuntimeFolder(place.removingLastComponent()).path
    lock = try Self.takeLock(folder.appending("\(name.string).lock"))

    var sockets = inherited
    if wishes.usesSocket, inherited.isEmpty { sockets.append(try .local(place, holding: lock)) }
    if let address = wishes.loopback, !inherited.contains(where: { $0.place == .loopback(address) })
    {
      sockets.append(try .loopback(address))
    }
    listening = sockets
    let isOnTCP = listening.contains { if case .loopback = $0.place { true } else { false } }
    token = isOnTCP ? WriteToken() : nil
    try token?.write(to: folder.appending("token"))
  }

  private static func takeLock(_ path: FilePath) throws(StartError) -> ProcessLock {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(path)
    } catch {
      switch error {
      case .system(let reason): throw .failed("lock \(path)", reason)
      case .heldBy(let process): throw .alreadyRunning(lock: path, process: process)
      }
    }
  }

  /// Removes the socket that this process made. The lock stays until the end of the process.
  func tidy() {
    for case .local(let path) in listening.filter({ !$0.isInherited }).map(\.place) {
      _ = path.withPlatformString { unlink($0) }
    }
  }
}
