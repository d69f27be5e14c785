/// The candidates of a run that belong to one artworkID.
public struct Release: Sendable {
  public struct Video: Sendable {
    /// Its index among the candidates.
    public var candidate: Int
    public var key: ArtworkKey
    /// See ``JudgedRelease/Video``.
    public var contradicts: FilePath?
    public var repeats: Repetition?

    package init(
      candidate: Int, key: ArtworkKey, contradicts: FilePath? = nil, repeats: Repetition? = nil
    ) {
      (self.candidate, self.key) = (candidate, key)
      (self.contradicts, self.repeats) = (contradicts, repeats)
    }
  }

  /// Another video with the same bytes.
  public struct Repetition: Sendable, Equatable {
    public var path: FilePath
    public var artworkID: String

    package init(path: FilePath, artworkID: String) {
      (self.path, self.artworkID) = (path, artworkID)
    }
  }

  /// What makes it one release: files with the same name belong to it.
  public struct Name: Sendable, Hashable {
    /// The folder that names the artwork, absolute; `nil` for a release of a manifest.
    public var folder: FilePath?
    public var artworkID: String

    public init(folder: FilePath? = nil, artworkID: String) {
      self.folder = folder
      self.artworkID = artworkID
    }
  }

  public var name: Name
  public var artworkID: String { name.artworkID }
  public var isFromManifest: Bool { name.folder == nil }
  /// Whether all its files were searched for.
  public var isWhole: Bool
  /// The keys of all its videos, including those that are not candidates.
  public var keys: Set<ArtworkKey>
  public var videos: [Video]
  public var cover: Candidate?

  package init(
    name: Name, isWhole: Bool, keys: Set<ArtworkKey>, videos: [Video], cover: Candidate? = nil
  ) {
    (self.name, self.isWhole, self.keys) = (name, isWhole, keys)
    (self.videos, self.cover) = (videos, cover)
  }
}
