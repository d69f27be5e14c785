import Glibc

/// A downloaded file, for the duration of its check. It is unlinked, so nothing of it remains however the process
/// ends.
package final class FetchedFile: Sendable {
  package let descriptor: FileDescriptor

  /// Makes an empty file.
  ///
  /// - Parameter folder: on the disk that has room for it.
  package init(in folder: FilePath) throws(Errno) {
    let path = folder.appending(".artworkd-\(UInt64.random(in: .min ... .max))")
    do {
      descriptor = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch {
      throw error as? Errno ?? .ioError
    }
    guard path.withPlatformString({ unlink($0) }) == 0 else {
      // It is closed with this object.
      throw Errno(rawValue: errno)
    }
  }

  deinit { try? descriptor.close() }

  /// The open file under its name in /proc.
  var candidate: Candidate {
    Candidate(path: FilePath("/proc/self/fd/\(descriptor.rawValue)"))
  }
}
