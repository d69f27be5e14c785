/// A video with several artworkIDs is fetched and stored several times.
package enum DuplicateContentRule: ReleaseRule {
  package static let id = "duplicate-content"
  package static let title = "identical videos share one artworkID"
  package static let explanation = Explanation(
    meaning: """
      Different artworkIDs have different videos. **Warning.**
      """,
    why: """
      the system compares only IDs. It asks again for a video that it already has, and the player fetches, \
      stores and serves the same bytes again.
      """,
    measured: """
      the bytes of the files: equal size and equal SHA-256.
      """,
    fix: """
      use one artworkID for unchanged artwork, also across items.
      """,
    source: """
      Apple: unchanged artwork should keep its ID across items.
      """)

  package static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    release.videos.enumerated().compactMap { place, video in
      guard let other = video.repeats else { return nil }
      return (
        place,
        finding(
          .warning,
          "an identical video has a different artworkID: \(other.artworkID) (\(other.path.string))",
          help: "use one artworkID for unchanged artwork; otherwise it is fetched again",
          measured: "identical bytes", limit: "one artworkID per video", profile: profile)
      )
    }
  }
}
