import Glibc

/// A file that one process at a time can lock. The lock is released with this object, and when the process ends in
/// any way.
package final class ProcessLock: Sendable {
  package enum Failure: Error {
    /// Another process holds the lock. Its number, `nil` if it wrote none.
    case heldBy(Int32?)
    case system(Errno)
  }

  private let file: FileDescriptor

  /// Does not wait, and follows no link.
  package init(_ path: FilePath) throws(Failure) {
    let descriptor = path.withPlatformString {
      open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }
    guard descriptor >= 0 else { throw .system(Errno(rawValue: errno)) }
    file = FileDescriptor(rawValue: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = Errno(rawValue: errno)
      throw reason == .wouldBlock ? .heldBy(holder) : .system(reason)
    }
    let number = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0,
      number.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == number.count
    else { throw .system(Errno(rawValue: errno)) }
  }

  deinit { try? file.close() }

  private var holder: Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = bytes.withUnsafeMutableBytes { pread(file.rawValue, $0.baseAddress, $0.count, 0) }
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return text.split(separator: "\n").first.flatMap { Int32(plainDigits: $0) }
  }
}
