public import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Only one service at a time has a socket's path. The lock is taken before the socket is touched, and goes with the
/// process.
final class InstanceLock: Sendable {
  private let file: FileDescriptor

  /// - Throws: ``StartError/alreadyRunning(lock:process:)``.
  init(_ path: FilePath) throws(StartError) {
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: .ownerReadWrite)
    } catch {
      throw .failed("open \(path)", error as? Errno ?? .ioError)
    }
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      let reason = Errno(rawValue: errno)
      let holder = Self.holder(file)
      try? file.close()
      if reason == .wouldBlock { throw .alreadyRunning(lock: path, process: holder) }
      throw .failed("lock \(path)", reason)
    }
    do {
      try file.resize(to: 0)
      _ = try file.writeAll(toAbsoluteOffset: 0, Array("\(getpid())\n".utf8))
    } catch {
      try? file.close()
      throw .failed("write \(path)", error as? Errno ?? .ioError)
    }
  }

  deinit { try? file.close() }

  private static func holder(_ file: FileDescriptor) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = try? bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
    let text = String(decoding: bytes.prefix(count ?? 0), as: UTF8.self)
    return text.split(separator: "\n").first.flatMap { Int32(plainDigits: $0) }
  }
}
