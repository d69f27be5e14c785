/// The candidates of a run that belong to one artworkID.
package struct Release: Sendable {
  package struct Video: Sendable {
    /// Its index among the candidates.
    package var candidate: Int
    /// `nil` if only the picture tells.
    package var key: ArtworkKey?
    /// See ``JudgedRelease/Video``.
    package var contradicts: FilePath?
    package var repeats: Repetition?

    package init(
      candidate: Int, key: ArtworkKey?, contradicts: FilePath? = nil, repeats: Repetition? = nil
    ) {
      (self.candidate, self.key) = (candidate, key)
      (self.contradicts, self.repeats) = (contradicts, repeats)
    }
  }

  /// Another video with the same bytes.
  package struct Repetition: Sendable, Equatable {
    package var path: FilePath
    package var artworkID: String

    package init(path: FilePath, artworkID: String) {
      (self.path, self.artworkID) = (path, artworkID)
    }
  }

  /// The identity of a release: files with the same name belong to it.
  package struct Name: Sendable, Hashable {
    /// The folder that names the artwork, absolute; `nil` for a release of a manifest.
    package var folder: FilePath?
    package var artworkID: String

    package init(folder: FilePath? = nil, artworkID: String) {
      self.folder = folder
      self.artworkID = artworkID
    }
  }

  package var name: Name
  package var artworkID: String { name.artworkID }
  package var isFromManifest: Bool { name.folder == nil }
  /// Whether all its files were searched for.
  package var isWhole: Bool
  /// Whether only the folder makes one of it: two videos of one shape are two works.
  package var isGuessed = false
  /// The keys of all its videos, including those that are not candidates.
  package var keys: Set<ArtworkKey>
  package var videos: [Video]
  package var cover: Candidate?

  package init(
    name: Name, isWhole: Bool, keys: Set<ArtworkKey>, videos: [Video], cover: Candidate? = nil
  ) {
    (self.name, self.isWhole, self.keys) = (name, isWhole, keys)
    (self.videos, self.cover) = (videos, cover)
  }
}
