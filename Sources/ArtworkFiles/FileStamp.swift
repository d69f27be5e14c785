import Glibc

/// A ``FileState`` with the status-change time, which also covers permissions and names. That time cannot be set
/// back, so two equal stamps mean the same bytes under the same permissions.
package struct FileStamp: Sendable, Equatable, Codable {
  package var state: FileState
  /// The time of the last change of the status, since 1970.
  package var statusChanged: Duration

  /// Returns `nil` if the path is not a regular file, cannot be read, or is outside `folder`. Resolves the path as
  /// opening would, and opens nothing for reading.
  ///
  /// - Parameter folder: see ``Candidate/folder``.
  package init?(of path: FilePath, beneath folder: FilePath? = nil) {
    guard let status = try? Self.status(of: path, beneath: folder),
      status.st_mode & S_IFMT == S_IFREG,
      path.withPlatformString({ faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) }) == 0
    else { return nil }
    state = FileState(status)
    let time = status.st_ctim
    statusChanged = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Whether a change after `now` would show, however coarse the clock of the file system is: file systems
  /// keep times by 2 seconds at worst (FAT). git calls the others "racily clean".
  package func isSettled(at now: Duration) -> Bool {
    max(state.modified, statusChanged) + .seconds(2) < now
  }

  private static func status(
    of path: FilePath, beneath folder: FilePath?
  ) throws(OpenError) -> stat {
    guard let folder else {
      var status = stat()
      guard path.withPlatformString({ stat($0, &status) }) == 0 else {
        throw .system(Errno(rawValue: errno))
      }
      return status
    }
    let opened: Folder
    do throws(Errno) {
      opened = try Folder(opening: folder)
    } catch {
      throw .system(error)
    }
    var below = path
    guard below.removePrefix(folder) else { throw .leadsOut }
    return try opened.status(of: below)
  }
}
