import ArtworkModel

/// Motion artwork should begin like the static cover that it replaces.
enum ComplementaryRule: ReleaseRule {
  static let id = "complementary"
  static let title = "the first frame resembles the static cover"
  static let explanation = Explanation(
    meaning: """
      The first frame resembles the static cover beside the videos, if there is one. **Warning.** Distributors \
      to Apple Music require the cover itself: **error** if the frame does not resemble it, **warning** if it \
      is only similar.
      """,
    why: """
      listeners know the release by its cover, and see the cover until the video plays. A video that starts \
      with something else looks like another release.
      """,
    measured: """
      the likeness of the two pictures, from 0 to 1, as described in [pairs.md](pairs.md). One may be a crop \
      of the other, be graded differently or carry a title. The cover is a PNG or JPEG named `cover`, \
      `folder`, `front`, `artwork` or `album` in the same folder, `<id>.jpg` beside `<id>_1x1.mp4`, or the \
      file that a manifest names.
      """,
    fix: """
      start the video with the cover picture, or put the right cover beside it.
      """,
    source: """
      distributors require it. The measurement and its limits are ours, chosen on labelled pairs.
      """)
  static let settings = [
    RuleSetting(
      "likeness", "minimum likeness of the first frame and the cover, 0 to 1",
      .number(\.coverLikeness, unit: "")),
    RuleSetting(
      "match", "minimum likeness if the first frame has to be the cover",
      .limit(\.coverMatch, unit: "")),
  ]

  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    guard let cover = release.cover else { return [] }
    guard let picture = cover.picture else { return unreadable(cover, release, profile: profile) }
    return release.videos.enumerated().compactMap { place, video in
      guard let inspection = video.inspection, let frame = inspection.firstFrame,
        frame.hasContrast
      else { return nil }
      let likeness = PictureLikeness.of(
        picture.signature, aspect: picture.aspect, frame,
        aspect: inspection.facts.displayAspect,
        enough: max(profile.coverLikeness, profile.coverMatch ?? 0))
      let isOther = likeness < profile.coverLikeness
      let limit = isOther ? profile.coverLikeness : profile.coverMatch ?? 0
      guard likeness < limit else { return nil }
      return (
        place,
        finding(
          isOther && profile.coverMatch != nil ? .error : .warning,
          isOther
            ? "the first frame does not resemble the cover \(cover.name)"
            : "the first frame resembles the cover \(cover.name), but is a different picture",
          help: "start the video with the cover picture, or put the right cover beside it",
          measured: "likeness \(decimal(likeness, places: 2))",
          limit: "at least \(decimal(limit, places: 2))", profile: profile)
      )
    }
  }

  /// Reported once, with the first video.
  private static func unreadable(
    _ cover: SuppliedPicture, _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    guard let error = cover.error, let place = release.videos.indices.first else { return [] }
    return [
      (
        place,
        finding(
          .warning, "the cover \(cover.name) cannot be read: \(error.message)",
          help: "export the cover again as PNG or JPEG", measured: error.code.rawValue,
          limit: "a PNG or JPEG picture", profile: profile)
      )
    ]
  }
}
