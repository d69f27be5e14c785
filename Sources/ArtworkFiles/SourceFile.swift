import Glibc

/// A regular file that is read from start to end; closed with this object.
package final class SourceFile: Sendable {
  package let descriptor: FileDescriptor
  /// When it was opened.
  package let state: FileState
  /// Its hard links when it was opened, this path included.
  package let names: Int

  /// 1 MiB: large enough that calls cost nothing, small enough for the processor's cache.
  private static let chunk = 1 << 20

  /// Opens without ever waiting; links are followed. FIFOs, sockets and devices are not opened.
  package init(_ path: FilePath) throws(OpenError) {
    descriptor = try Folder.openNamed(path)
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else {
      let error = Errno(rawValue: errno)
      try? descriptor.close()
      throw .system(error)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      try? descriptor.close()
      throw .notAFile
    }
    state = FileState(status)
    names = Int(clamping: status.st_nlink)
  }

  deinit { try? descriptor.close() }

  /// Whether the file is unchanged since it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor.rawValue, &status) == 0 && FileState(status) == state
  }

  /// The next bytes, at most a mebibyte; none at the end.
  package func read(at offset: Int64) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
      do {
        count = try descriptor.read(
          fromAbsoluteOffset: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error as? Errno ?? .ioError
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// The first bytes; `nil` if they cannot be read.
  package func start(_ count: Int) -> [UInt8]? {
    (try? read(at: 0)).map { Array($0.prefix(count)) }
  }
}
