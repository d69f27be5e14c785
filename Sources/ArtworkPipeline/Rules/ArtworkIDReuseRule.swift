import SystemPackage

/// One artworkID stands for one video of a key: the system notices changes by the ID only.
enum ArtworkIDReuseRule: ReleaseRule {
  static let id = "artwork-id-reuse"
  static let title = "an artworkID stands for one content"
  static let explanation = Explanation(
    meaning: """
      Under one artworkID there is one video of each key. **Warning** where the IDs are read from names, \
      **error** where a manifest states them.
      """,
    why: """
      the system detects changes by the ID alone. Other content under the same ID is not noticed: it goes on \
      showing the old one, or shows either.
      """,
    measured: """
      the bytes of the files. The same bytes twice are fine: the songs of an album share an ID. IDs come \
      from a manifest, else from the folder's name (`<id>/1x1.mp4`) or the file's (`<id>_1x1.mp4`).
      """,
    fix: """
      give new content a new artworkID. If folders of one name are different releases, say so: \
      `artwork-ids: folder-path` in artwork.yml.
      """,
    source: """
      Apple (`MPMediaItemAnimatedArtwork`, artworkID).
      """)

  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    release.videos.enumerated().compactMap { place, video in
      guard let other = video.contradicts else { return nil }
      return (
        place,
        finding(
          release.isFromManifest ? .error : .warning,
          "the artworkID \(release.artworkID) stands for another video, too: \(other.string)",
          help:
            "give new content a new artworkID; for folders of one name, say `artwork-ids: folder-path` in artwork.yml",
          measured: "other bytes", limit: "one video for each ID and key", profile: profile)
      )
    }
  }
}
