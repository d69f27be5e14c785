/// A video that was made of an animation.
public struct ImportedMovie: Sendable {
  public var report: ImportReport
  /// The bytes of an MP4 or QuickTime file.
  public var bytes: [UInt8]

  /// A worker holds the file in memory: an eighth of what it has (``Limits/memoryBytes``), because the file grows by
  /// doubling and is copied once.
  static let mostBytes = 128 << 20
}
