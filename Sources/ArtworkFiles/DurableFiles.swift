import CSystemCalls
import Glibc

/// The steps of changes that survive a crash at any moment: new data is written and synced where no reader looks,
/// then renamed into place, and the folder is synced.
package enum DurableFiles {
  /// Creates a folder with access for this user only; an existing one is not changed.
  package static func makeFolder(_ folder: FilePath) throws(Errno) {
    if folder.withPlatformString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
    throw Errno(rawValue: errno)
  }

  /// Writes a file that is not there yet, and syncs it.
  package static func create(
    _ path: FilePath, _ bytes: [UInt8]
  ) throws(Errno) {
    let file = try create(path)
    do {
      try file.closeAfter {
        _ = try file.writeAll(bytes)
        try sync(file)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Opens a file that is not there yet, for this user alone.
  package static func create(_ path: FilePath) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
        permissions: .ownerReadWrite)
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Replaces a file by `bytes` atomically. `temporary` is an unused path on the same file system.
  package static func replace(
    _ path: FilePath, _ bytes: [UInt8], temporary: FilePath
  ) throws(Errno) {
    do throws(Errno) {
      try create(temporary, bytes)
      try rename(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
    try syncFolder(path.removingLastComponent())
  }

  /// Syncs the file to disk.
  package static func sync(_ file: FileDescriptor) throws(Errno) {
    let result = artwork_sync(file.rawValue)
    if result != 0 { throw Errno(rawValue: -result) }
  }

  /// Has the disk keep the names in a folder.
  package static func syncFolder(_ folder: FilePath) throws(Errno) {
    let descriptor = folder.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    defer { close(descriptor) }
    try sync(FileDescriptor(rawValue: descriptor))
  }

  /// Moves a file or folder over an empty place, or a file over a file.
  package static func rename(_ source: FilePath, to target: FilePath) throws(Errno) {
    let result = source.withPlatformString { source in
      target.withPlatformString { systemRename(source, $0) }
    }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Creates a hard link; if `source` is a symbolic link, to its target.
  package static func link(_ source: FilePath, to target: FilePath) throws(Errno) {
    let result = source.withPlatformString { source in
      target.withPlatformString { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
    }
    if result != 0 { throw Errno(rawValue: errno) }
  }

  /// Moves a file to a name that nothing has.
  ///
  /// - Throws: ``Errno``; `.fileExists`.
  package static func moveToNew(_ source: FilePath, _ target: FilePath) throws(Errno) {
    let result = source.withPlatformString { source in
      target.withPlatformString { artwork_rename_new(source, $0) }
    }
    switch -result {
    case 0: return
    case EINVAL, ENOSYS:
      // NFS has hard links instead.
      try link(source, to: target)
      remove(source)
    case let error: throw Errno(rawValue: error)
    }
  }

  /// Exchanges two files on one file system, atomically for all readers.
  package static func exchange(_ one: FilePath, _ other: FilePath) throws(Errno) {
    let result = one.withPlatformString { one in
      other.withPlatformString { artwork_exchange(one, $0) }
    }
    if result != 0 { throw Errno(rawValue: -result) }
  }

  /// Leaves a folder to its owner.
  package static func makePrivate(_ folder: FilePath) throws(Errno) {
    if folder.withPlatformString({ chmod($0, 0o700) }) != 0 { throw Errno(rawValue: errno) }
  }

  /// Leaves a file's owner nothing but reading, under each of its names.
  package static func makeReadOnly(_ path: FilePath) throws(Errno) {
    if path.withPlatformString({ chmod($0, 0o400) }) != 0 { throw Errno(rawValue: errno) }
  }

  /// Appends the bytes of a file to an open one. Does not sync.
  package static func copy(_ source: SourceFile, to target: FileDescriptor) throws(Errno) {
    var offset: Int64 = 0
    while true {
      let bytes = try source.read(at: offset)
      if bytes.isEmpty { return }
      do { _ = try target.writeAll(bytes) } catch { throw error as? Errno ?? .ioError }
      offset += Int64(bytes.count)
    }
  }

  /// Creates a file with `bytes` allocated on disk, so that overwriting it needs no more space.
  package static func allocate(_ path: FilePath, _ bytes: Int) throws(Errno) {
    let file = try create(path)
    defer { try? file.close() }
    let result = posix_fallocate(file.rawValue, 0, off_t(bytes))
    if result != 0 { throw Errno(rawValue: result) }
  }

  /// Overwrites the start of an existing file, and syncs it.
  package static func overwrite(_ path: FilePath, _ bytes: [UInt8]) throws(Errno) {
    do {
      let file = try FileDescriptor.open(path, .writeOnly, options: [.closeOnExec, .noFollow])
      try file.closeAfter {
        _ = try file.writeAll(toAbsoluteOffset: 0, bytes)
        try sync(file)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Appends to an existing file. Does not sync.
  package static func append(_ bytes: [UInt8], to path: FilePath) throws(Errno) {
    do {
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.append, .closeOnExec, .noFollow])
      _ = try file.closeAfter { try file.writeAll(bytes) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Whether `to`, which is empty, now shares the blocks of `from`.
  package static func shareBlocks(from: FileDescriptor, to: FileDescriptor) -> Bool {
    artwork_share_blocks(from.rawValue, to.rawValue) == 0
  }

  /// Removes a file, or a folder of files and folders; returns whether everything was removed. Links are removed, not
  /// followed.
  @discardableResult
  package static func remove(_ path: FilePath) -> Bool {
    if path.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT { return true }
    guard errno == EISDIR || errno == EPERM else { return false }
    for name in (try? names(in: path)) ?? [] { remove(path.appending(name)) }
    return path.withPlatformString { rmdir($0) } == 0
  }

  /// The names in a folder, in no order, without `.` and `..`.
  package static func names(in folder: FilePath) throws(Errno) -> [FilePath.Component] {
    let opened = try Folder(opening: folder)
    do throws(OpenError) {
      return try opened.entries(of: "").map(\.name)
    } catch {
      if case .system(let reason) = error { throw reason }
      throw .notDirectory
    }
  }
}

// Inside the type, the name of its function hides this.
private func systemRename(_ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>) -> CInt {
  rename(source, target)
}
