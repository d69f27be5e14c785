/// One artworkID names one video per key, because the system notices changes by the ID alone.
package enum ArtworkIDReuseRule: ReleaseRule {
  package static let id = "artwork-id-reuse"
  package static let title = "an artworkID always names the same video"
  package static let explanation = Explanation(
    meaning: """
      Each artworkID has one video per key. **Warning** if the IDs come from names, **error** if a manifest \
      states them.
      """,
    why: """
      the system detects changes by the ID alone. If the video changes and the ID does not, devices keep \
      showing the old video, or show either one.
      """,
    measured: """
      the bytes of the files. Identical bytes are fine: the songs of an album share an ID. IDs come from a \
      manifest, or else from the folder name (`<id>/1x1.mp4`) or the file name (`<id>_1x1.mp4`).
      """,
    fix: """
      give a new video a new artworkID. If folders with the same name are different releases, set \
      `artwork-ids: folder-path` in artwork.yml.
      """,
    source: """
      Apple (`MPMediaItemAnimatedArtwork`, artworkID).
      """)

  package static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    release.videos.enumerated().compactMap { place, video in
      guard let other = video.contradicts else { return nil }
      return (
        place,
        finding(
          release.isFromManifest ? .error : .warning,
          "the artworkID \(release.artworkID) also names a different video: \(other.string)",
          help:
            "give a new video a new artworkID; if folders share a name, set `artwork-ids: folder-path` in artwork.yml",
          measured: "different bytes", limit: "one video per ID and key", profile: profile)
      )
    }
  }
}
