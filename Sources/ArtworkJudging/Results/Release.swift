/// The candidates of a run that belong to one artworkID; with what was measured of them, the input of rules across files.
package struct Release: Sendable {
  package struct Video: Sendable {
    /// Its index among the candidates.
    package var candidate: Int
    /// `nil` if only the picture tells.
    package var key: ArtworkKey?
    /// Another video of the same key under the same artworkID that holds other bytes, and comes earlier.
    package var contradicts: FilePath?
    /// A video that holds the same bytes under another artworkID, and comes earlier.
    package var repeats: Repetition?
    /// Where it is, for commands and messages, once it is judged.
    package var path = FilePath()
    /// `nil` if it is not judged yet, or could not be inspected.
    package var inspection: Inspection?

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
  /// The picture of the cover, once the release is judged.
  package var coverPicture: SuppliedPicture?
  /// How its pictures relate by the usual limits, for several profiles; `nil` if that was not compared.
  package var pictures: PicturePair?

  /// The first video of a key.
  package func video(_ key: ArtworkKey) -> Video? { videos.first { $0.key == key } }

  package init(
    name: Name, isWhole: Bool, keys: Set<ArtworkKey>, videos: [Video], cover: Candidate? = nil
  ) {
    (self.name, self.isWhole, self.keys) = (name, isWhole, keys)
    (self.videos, self.cover) = (videos, cover)
  }
}
