public import SystemPackage

/// A file to be checked.
public struct Candidate: Sendable, Hashable {
  public var path: FilePath
  /// Where its preview goes below a preview folder, without key and extension: its path below the
  /// folder that was named, or its own stem.
  public var previewStem: FilePath

  public init(path: FilePath, previewStem: FilePath) {
    self.path = path
    self.previewStem = previewStem
  }

  /// A file named by itself.
  public init(path: FilePath) {
    self.init(path: path, previewStem: FilePath(path.stem ?? "preview"))
  }
}
