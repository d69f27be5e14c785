/// A file to check.
package struct Candidate: Sendable, Hashable {
  package var path: FilePath
  /// The searched folder, which contains the file after links are resolved. Links that lead out of it and
  /// absolute links are rejected; hard links count as files. On systems without openat2 every link is rejected.
  /// `nil` for a file that the caller named itself.
  package var folder: FilePath?
  /// The path of its preview below the preview folder, without key and extension: its path below the searched
  /// folder, or its own stem.
  package var previewStem: FilePath
  /// Whether it is the movie that a playlist joins.
  package var isPlaylist = false

  /// - Parameter folder: a prefix of `path`.
  package init(path: FilePath, folder: FilePath? = nil, previewStem: FilePath) {
    self.path = path
    self.folder = folder
    self.previewStem = previewStem
  }

  /// A file that the caller named itself.
  package init(path: FilePath) {
    // Not through String, because a name need not be UTF-8.
    var stem = FilePath(root: nil, path.lastComponent.map { [$0] } ?? ["preview"])
    stem.extension = nil
    self.init(path: path, previewStem: stem)
  }
}
