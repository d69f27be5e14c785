import FoundationEssentials
import Glibc
import Synchronization

/// Writes whole files so that no reader ever sees a partial one: into a temporary file beside the target, which is
/// then renamed over it. Not synced to disk, because these files can be made again.
package enum AtomicFile {
  private struct State {
    /// Temporary files and folders that exist right now.
    var live: Set<FilePath> = []
    var isAbandoned = false
  }

  private static let state = Mutex(State())

  /// Writes through a symbolic link to the file behind it, and directly into a device or a pipe.
  ///
  /// - Throws: ``Errno``; `.canceled` after ``abandonAll()``. The temporary file is removed.
  package static func write(_ bytes: [UInt8], to target: FilePath) throws(Errno) {
    do {
      try write(to: target) { _ = try $0.writeAll(bytes) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Writes a file in parts like ``write(_:to:)``: it gets its name when all of it is written.
  ///
  /// - Throws: also the errors of `write`.
  package static func write(
    to target: FilePath, _ write: (FileDescriptor) throws -> Void
  ) throws {
    var status = stat()
    let exists = unsafe target.withPlatformString { unsafe stat($0, &status) } == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      // Devices and pipes cannot be replaced. A folder is refused by `open`.
      let file = try FileDescriptor.open(target, .writeOnly, options: [.closeOnExec])
      return try file.closeAfter { try write(file) }
    }
    let path = resolvingLink(target)
    let temporary = try temporary(beside: path)
    let file = try openNew(temporary)
    defer { state.withLock { _ = $0.live.remove(temporary) } }
    do {
      try file.closeAfter {
        // Gives the new file the permissions of the old one.
        if exists, fchmod(file.rawValue, status.st_mode & 0o777) != 0 {
          throw Errno(rawValue: errno)
        }
        try write(file)
      }
      try move(temporary, to: path)
    } catch {
      remove(temporary)
      throw error
    }
  }

  /// Checks that a file can be written, before it is made. The disk may still be full later.
  ///
  /// - Throws: why its folder accepts no file. Devices and pipes are written directly, whatever their folder allows.
  package static func requirePlace(for target: FilePath) throws(Errno) {
    var status = stat()
    let exists = unsafe target.withPlatformString { unsafe stat($0, &status) } == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw .isDirectory }
    if exists, status.st_mode & S_IFMT != S_IFREG { return }
    let folder = resolvingLink(target).removingLastComponent()
    let place = folder.isEmpty ? "." : folder
    guard unsafe place.withPlatformString({ unsafe stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory }
    guard unsafe place.withPlatformString({ unsafe access($0, W_OK | X_OK) }) == 0 else {
      throw Errno(rawValue: errno)
    }
  }

  /// Writes a file that does not exist yet.
  ///
  /// - Parameter mayGo: whether ``abandonAll()`` removes it, too, until ``keep(_:)``.
  /// - Throws: `video-not-written`, also if the name exists, even as a dangling link.
  package static func create(
    _ bytes: [UInt8], as target: FilePath, mayGo: Bool = false
  ) throws(InspectionError) {
    func failure(_ error: any Error) -> InspectionError {
      let reason = (error as? Errno ?? .ioError).description.lowercased()
      return InspectionError(.videoNotWritten, "cannot write \(target.string): \(reason)")
    }
    let (temporary, file): (FilePath, FileDescriptor)
    do {
      temporary = try Self.temporary(beside: target)
      file = try openNew(temporary)
    } catch {
      throw failure(error)
    }
    defer { state.withLock { _ = $0.live.remove(temporary) } }
    defer { remove(temporary) }
    do {
      try file.closeAfter { _ = try file.writeAll(bytes) }
      try state.withLock { state in
        if state.isAbandoned { throw Errno.canceled }
        try DurableFiles.moveToNew(temporary, target)
        if mayGo { state.live.insert(target) }
      }
    } catch {
      throw failure(error)
    }
  }

  /// Keeps files from now on, whatever happens to the process.
  package static func keep(_ paths: [FilePath]) {
    state.withLock { $0.live.subtract(paths) }
  }

  /// Removes every temporary file and folder, and refuses new files: for a process that is about to exit while
  /// other threads still write.
  package static func abandonAll() {
    state.withLock { state in
      state.isAbandoned = true
      state.live.forEach(remove)
    }
  }

  /// Creates a folder for temporary files, which ``abandonAll()`` removes with all that is in it, until ``removeFolder(_:)``
  /// does.
  package static func temporaryFolder() throws(Errno) -> FilePath {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("artworkd-\(UUID().uuidString)")
    guard unsafe folder.withPlatformString({ unsafe mkdir($0, 0o700) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    state.withLock { _ = $0.live.insert(folder) }
    return folder
  }

  /// Removes a folder of ``temporaryFolder()`` with all that is in it.
  package static func removeFolder(_ folder: FilePath) {
    remove(folder)
    keep([folder])
  }

  /// Creates `folder` and its parents.
  ///
  /// - Throws: ``Errno``; `.notDirectory` if a file is in the way.
  package static func makeFolder(_ folder: FilePath) throws(Errno) {
    if folder.isEmpty { return }
    var partial = FilePath(root: folder.root, [])
    for component in folder.components {
      partial.append(component)
      let status = unsafe partial.withPlatformString { unsafe mkdir($0, 0o777) }
      if status != 0, errno != EEXIST, errno != EISDIR { throw Errno(rawValue: errno) }
    }
    var status = stat()
    guard unsafe folder.withPlatformString({ unsafe stat($0, &status) }) == 0 else {
      throw Errno(rawValue: errno)
    }
    if status.st_mode & S_IFMT != S_IFDIR { throw .notDirectory }
  }

  private static func temporary(beside path: FilePath) throws(Errno) -> FilePath {
    guard let name = path.lastComponent else { throw .isDirectory }
    let number = String(UInt32.random(in: .min ... .max), radix: 16)
    // A long name must not make the temporary one too long: 32 scalars are 128 bytes at most, while a
    // single character may have any number of accents.
    let stem = String(name.string.unicodeScalars.prefix(32))
    return path.removingLastComponent().appending(".\(stem).\(getpid())-\(number).tmp")
  }

  /// Opens a temporary file, which is live from then on.
  private static func openNew(_ temporary: FilePath) throws -> FileDescriptor {
    try state.withLock { state in
      if state.isAbandoned { throw Errno.canceled }
      let file = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      state.live.insert(temporary)
      return file
    }
  }

  private static func resolvingLink(_ path: FilePath) -> FilePath {
    guard let resolved = unsafe path.withPlatformString({ unsafe realpath($0, nil) }) else {
      return path
    }
    defer { unsafe free(resolved) }
    return unsafe FilePath(platformString: resolved)
  }

  private static func move(_ source: FilePath, to target: FilePath) throws(Errno) {
    let status = unsafe source.withPlatformString { source in
      unsafe target.withPlatformString { unsafe rename(source, $0) }
    }
    if status != 0 { throw Errno(rawValue: errno) }
  }

  private static func remove(_ path: FilePath) {
    if unsafe path.withPlatformString({ unsafe unlink($0) }) != 0, errno == EISDIR {
      try? FileManager.default.removeItem(atPath: path.string)
    }
  }
}
