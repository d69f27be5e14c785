package import Glibc

/// The identity and state of a file: two equal ones mean the same bytes, unless the clock was set back.
package struct FileState: Sendable, Equatable, Codable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// Since 1970, of the last change of the content: that of status would also move with a new hard link.
  package var modified: Duration

  /// `nil` if the path does not exist or is not accessible. Opens nothing; links are followed.
  package init?(of path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both are states of one file, under whichever names.
  package func isSameFile(as other: FileState) -> Bool {
    device == other.device && inode == other.inode
  }

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    let time = status.st_mtim
    modified = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension Duration {
  /// The time of day, as files are stamped with it.
  package static var sinceEpoch: Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
