import SystemPackage

/// The same video under several artworkIDs is fetched and kept several times.
enum DuplicateContentRule: ReleaseRule {
  static let id = "duplicate-content"
  static let title = "a content has one artworkID"
  static let explanation = Explanation(
    meaning: """
      Different artworkIDs hold different videos. **Warning.**
      """,
    why: """
      the system knows nothing but the ID: it asks again for what it has, and the player fetches, keeps and \
      hands out the same bytes once more.
      """,
    measured: """
      the bytes of the files: of equal length, and of equal SHA-256.
      """,
    fix: """
      use one artworkID for unchanged artwork, also across items.
      """,
    source: """
      Apple: unchanged artwork should keep its ID across items.
      """)

  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    release.videos.enumerated().compactMap { place, video in
      guard let other = video.repeats else { return nil }
      return (
        place,
        finding(
          .warning,
          "the same video has another artworkID, too: \(other.artworkID) (\(other.path.string))",
          help: "use one artworkID for unchanged artwork: otherwise it is fetched again",
          measured: "the same bytes", limit: "one artworkID for each content", profile: profile)
      )
    }
  }
}
