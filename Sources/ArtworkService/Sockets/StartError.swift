package import SystemPackage

/// Why the service cannot start, and what to do.
package enum StartError: Error, Sendable, Equatable {
  /// Another service has the lock. `process` is its process, if the lock file names it.
  case alreadyRunning(lock: FilePath, process: Int32?)
  case socketPathTooLong(FilePath, limit: Int)
  /// The path names something other than a socket, for example a symbolic link.
  case notASocket(FilePath)
  /// The folder of the socket belongs to another user, or is open to others.
  case folderNotPrivate(FilePath, String)
  case notLoopback(String)
  /// A system call failed.
  case failed(String, Errno)
  /// A descriptor from the service manager cannot be used.
  case unusableSocket(Int32)
}

extension StartError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .alreadyRunning(let lock, let process):
      "another artworkd is running\(process.map { " as process \($0)" } ?? ""): it holds \(lock); "
        + "stop it, or choose other places with --socket and --store"
    case .socketPathTooLong(let path, let limit):
      "the socket path has \(path.string.utf8.count) bytes, and the system allows \(limit): "
        + "choose a shorter one with --socket (\(path))"
    case .notASocket(let path):
      "\(path) exists and is not a socket: move it away, or choose another path with --socket"
    case .folderNotPrivate(let folder, let reason):
      "\(folder) \(reason): the socket's folder must belong to you and have mode 0700"
    case .notLoopback(let text):
      "\(text) is not a loopback address and a port: "
        + "use 127.0.0.1:PORT, [::1]:PORT or localhost:PORT, with a port up to 65535"
    case .failed(let step, .addressInUse):
      "cannot \(step): another program listens there; choose another port"
    case .failed(let step, let errno): "cannot \(step): \(errno)"
    case .unusableSocket(let number):
      "descriptor \(number) is not a listening Unix or loopback socket"
    }
  }
}
