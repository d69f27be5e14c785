/// One artworkID names one video per key, because the system notices changes by the ID alone.
package enum ArtworkIDReuseRule: ReleaseRule {
  package static let id = "artwork-id-reuse"

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
