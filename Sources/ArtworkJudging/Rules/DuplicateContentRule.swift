/// A video with several artworkIDs is fetched and stored several times.
package enum DuplicateContentRule: ReleaseRule {
  package static let id = "duplicate-content"

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
