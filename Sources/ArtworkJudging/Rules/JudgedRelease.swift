/// Everything that belongs to one artworkID: the input of rules across files.
package struct JudgedRelease: Sendable {
  package struct Video: Sendable {
    package var path: FilePath
    package var key: ArtworkKey
    /// `nil` if the file could not be inspected.
    package var inspection: Inspection?
    /// Another video of the same key under the same artworkID that holds other bytes, and comes earlier.
    package var contradicts: FilePath?
    /// A video that holds the same bytes under another artworkID, and comes earlier.
    package var repeats: Release.Repetition?

    package init(
      path: FilePath, key: ArtworkKey, inspection: Inspection? = nil, contradicts: FilePath? = nil,
      repeats: Release.Repetition? = nil
    ) {
      (self.path, self.key, self.inspection) = (path, key, inspection)
      (self.contradicts, self.repeats) = (contradicts, repeats)
    }
  }

  package var artworkID: String
  /// Whether the artworkID comes from a manifest, and not from file names.
  package var isFromManifest: Bool
  /// Whether the search covered every place that may hold files of this release.
  package var isWhole: Bool
  /// All keys of the release, including those of videos that are not judged in this run.
  package var keys: Set<ArtworkKey>
  package var videos: [Video]
  /// The static cover, if there is one.
  package var cover: SuppliedPicture?

  /// The first video of a key.
  package func video(_ key: ArtworkKey) -> Video? { videos.first { $0.key == key } }

  package init(
    artworkID: String, isFromManifest: Bool, isWhole: Bool, keys: Set<ArtworkKey>, videos: [Video],
    cover: SuppliedPicture? = nil
  ) {
    self.artworkID = artworkID
    self.isFromManifest = isFromManifest
    self.isWhole = isWhole
    self.keys = keys
    self.videos = videos
    self.cover = cover
  }
}

/// A check across the files of a release: a pure function of it and a profile.
package protocol ReleaseRule: RuleDescription {
  /// Findings, each with the index of its video in ``JudgedRelease/videos``.
  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)]
}
