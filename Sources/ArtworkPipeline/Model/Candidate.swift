public import SystemPackage

/// A file to be checked.
public struct Candidate: Sendable, Hashable {
  public var path: FilePath
  /// The folder that was searched and that the file must lie in, links followed: a link in it that
  /// leads elsewhere is refused, and so is an absolute one. Hard links are files. Where the system has
  /// no openat2, every link is refused. `nil` for a file that was named by itself.
  public var folder: FilePath?
  /// Where its preview goes below a preview folder, without key and extension: its path below the
  /// folder that was named, or its own stem.
  public var previewStem: FilePath

  /// - Parameter folder: a prefix of `path`.
  public init(path: FilePath, folder: FilePath? = nil, previewStem: FilePath) {
    self.path = path
    self.folder = folder
    self.previewStem = previewStem
  }

  /// A file named by itself.
  public init(path: FilePath) {
    // Not through text: a name need not be UTF-8.
    var stem = FilePath(root: nil, path.lastComponent.map { [$0] } ?? ["preview"])
    stem.extension = nil
    self.init(path: path, previewStem: stem)
  }
}
