public import ArtworkModel
public import SystemPackage

/// What belongs to one artworkID among the candidates of a run.
public struct Release: Sendable {
  public struct Video: Sendable {
    /// Its place among the candidates.
    public var candidate: Int
    public var key: ArtworkKey
    /// See ``JudgedRelease/Video``.
    public var contradicts: FilePath?
    public var repeats: Repetition?
  }

  /// Another video with the same bytes.
  public struct Repetition: Sendable, Equatable {
    public var path: FilePath
    public var artworkID: String
  }

  public var artworkID: String
  public var isFromManifest: Bool
  /// Whether every file of it was looked for.
  public var isWhole: Bool
  /// Keys that it has, also of videos that are not among the candidates.
  public var keys: Set<ArtworkKey>
  public var videos: [Video]
  public var cover: Candidate?
}
