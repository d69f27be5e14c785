import Glibc

/// The file that a path leads to: equal for all names of one file, also of one that does not exist yet.
package struct FileIdentity: Sendable, Hashable {
  private var device: UInt64
  private var inode: UInt64
  /// The name in the folder that the numbers stand for; `nil` if they stand for the file.
  private var name: FilePath.Component?

  /// Returns `nil` for devices, pipes and folders, and if the folder does not exist. Links are followed.
  package init?(_ path: FilePath) {
    var status = stat()
    if path.withPlatformString({ stat($0, &status) }) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    } else {
      guard let last = path.lastComponent else { return nil }
      let folder = path.removingLastComponent()
      guard (folder.isEmpty ? "." : folder).withPlatformString({ stat($0, &status) }) == 0 else {
        return nil
      }
      name = last
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
  }
}
