public import ArtworkModel
public import SystemPackage

/// What rules across files may look at: everything that belongs to one artworkID.
public struct JudgedRelease: Sendable {
  public struct Video: Sendable {
    public var path: FilePath
    public var key: ArtworkKey
    /// `nil` where it could not be inspected.
    public var inspection: Inspection?
    /// Another video of the same key under the same artworkID that holds other bytes, and comes earlier.
    public var contradicts: FilePath?
    /// A video that holds the same bytes under another artworkID, and comes earlier.
    public var repeats: Release.Repetition?
  }

  public var artworkID: String
  /// Whether a manifest says so, and not names alone.
  public var isFromManifest: Bool
  /// Whether every file of it was looked for, so that what is not here does not exist.
  public var isWhole: Bool
  /// Keys that it has, also of videos that are not judged now.
  public var keys: Set<ArtworkKey>
  public var videos: [Video]
  /// The static cover, if there is one.
  public var cover: SuppliedPicture?

  /// The first video of a key.
  func video(_ key: ArtworkKey) -> Video? { videos.first { $0.key == key } }
}

/// A check across the files of a release: a pure function of it and a profile.
public protocol ReleaseRule: RuleDescription {
  /// Findings, each with the video that it is told of: a place in ``JudgedRelease/videos``.
  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)]
}
