import ArtworkModel

/// Motion artwork should begin like the static cover that it replaces.
enum ComplementaryRule: ReleaseRule {
  static let id = "complementary"
  static let title = "the first frame resembles the static cover"
  static let explanation = Explanation(
    meaning: """
      The first frame resembles the static cover, if one lies beside the videos. **Warning**. Distributors of \
      Apple Music want it to be the cover: **error** where it does not resemble it, **warning** where it is not it.
      """,
    why: """
      the cover is what people know the release by, and what is shown until the video plays. A video that \
      begins with something else looks like another release.
      """,
    measured: """
      the likeness of the two pictures, 0 to 1, as [pairs.md](pairs.md) says: one may be a part of the \
      other, graded otherwise or carry a title. A cover is `cover`, `folder`, `front`, `artwork` or `album` \
      as PNG or JPEG in the same folder, `<id>.jpg` beside `<id>_1x1.mp4`, or what a manifest names.
      """,
    fix: """
      begin with the picture of the cover, or put the right cover beside it.
      """,
    source: """
      distributors ask for it; the measure and its limit are ours, chosen on labelled pairs.
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
            : "the first frame resembles the cover \(cover.name), but is not it",
          help: "begin with the picture of the cover, or put the right cover beside it",
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
