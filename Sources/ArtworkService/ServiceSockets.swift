import ArtworkPipeline
import Glibc
package import SystemPackage

/// The lock, the sockets and the token, which a service must own before it serves.
package struct ServiceSockets: Sendable {
  /// The addresses to listen on.
  package struct Addresses: Sendable {
    /// The Unix socket. Its folder has the lock and the token, even if the service does not listen there.
    package var socket: FilePath
    package var usesSocket = true
    package var loopback: LoopbackAddress?

    package init(socket: FilePath) { self.socket = socket }
  }

  package let listening: [ListeningSocket]
  /// Needed over TCP; `nil` if the service does not listen on TCP.
  package let token: AccessToken?
  /// The file that holds ``token``.
  package let tokenFile: FilePath
  /// Locked before the socket is touched: only one service at a time uses a path.
  private let lock: ProcessLock

  /// Acquires the lock, then listens. Sockets from the service manager replace the Unix socket.
  ///
  /// - Parameter environment: the process's environment, for the service manager's variables.
  /// - Throws: ``StartError``; ``StartError/alreadyRunning(lock:process:)`` leaves the other service's socket alone.
  package init(_ addresses: Addresses, environment: [String: String]) throws(StartError) {
    let inherited = try ActivatedSockets.take(environment)
    var place = addresses.socket
    for case .local(let path) in inherited.map(\.place) { place = path }
    guard let name = place.lastComponent else { throw .notASocket(place) }
    if addresses.usesSocket { try ListeningSocket.checkLength(place) }
    let folder = try RuntimeFolder(place.removingLastComponent()).path
    lock = try Self.takeLock(folder.appending("\(name.string).lock"))

    // Before anyone can connect, so that no client finds an earlier token.
    let isOnTCP = addresses.loopback != nil || inherited.contains { !$0.place.isLocal }
    token = isOnTCP ? AccessToken() : nil
    tokenFile = folder.appending("token")
    try token?.write(to: tokenFile)

    var sockets = inherited
    if addresses.usesSocket, inherited.isEmpty { sockets.append(try .local(place, holding: lock)) }
    if let address = addresses.loopback,
      !inherited.contains(where: { $0.place == .loopback(address) })
    {
      sockets.append(try .loopback(address))
    }
    listening = sockets
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

  /// Removes the socket that this process created. The lock is held until the process ends.
  package func removeOwnSocket() {
    for case .local(let path) in listening.filter({ !$0.isInherited }).map(\.place) {
      _ = unsafe path.withPlatformString { unsafe unlink($0) }
    }
  }
}
