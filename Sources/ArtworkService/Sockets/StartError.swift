package import SystemPackage

/// Why the service cannot start, with what to do about it.
package enum StartError: Error, Sendable, Equatable {
  /// Another service has the lock; its process, when the lock file says it.
  case alreadyRunning(lock: FilePath, process: Int32?)
  case socketPathTooLong(FilePath, limit: Int)
  /// Something that is no socket lies in its place, a symbolic link for example.
  case notASocket(FilePath)
  /// The folder of the socket is somebody else's, or open to others.
  case folderNotPrivate(FilePath, String)
  case notLoopback(String)
  /// What the system says to one step.
  case failed(String, Errno)
  /// A descriptor that the service manager passed on cannot be used.
  case unusableSocket(Int32)
}

extension StartError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .alreadyRunning(let lock, let process):
      "another artworkd is running\(process.map { " as process \($0)" } ?? ""): it holds \(lock)"
    case .socketPathTooLong(let path, let limit):
      "the socket's path has \(path.string.utf8.count) bytes, and the system allows \(limit): "
        + "choose a shorter one with --socket (\(path))"
    case .notASocket(let path):
      "\(path) is in the socket's place and is no socket: move it away, or choose another path with --socket"
    case .folderNotPrivate(let folder, let reason):
      "\(folder) \(reason): the socket's folder must be yours with mode 0700"
    case .notLoopback(let text):
      "\(text) is no loopback address: use 127.0.0.1:PORT, [::1]:PORT or localhost:PORT"
    case .failed(let step, let errno): "cannot \(step): \(errno)"
    case .unusableSocket(let number):
      "descriptor \(number) is not a listening Unix or loopback socket"
    }
  }
}
