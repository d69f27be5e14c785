/// Motion artwork should begin like the static cover that it replaces.
enum ComplementaryRule: ReleaseRule {
  static let id = "complementary"
  static let title = "the first frame resembles the static cover"
  static let explanation = Explanation(
    meaning: """
      The first frame resembles the static cover, if there is one beside the videos. **Warning**. Deliveries to \
      Apple Music need the cover itself: **error** if the frame does not resemble it, **warning** if it is a \
      changed version.
      """,
    why: """
      people know the release by its cover, and see it until the video plays. A video that begins with \
      something else looks like another release.
      """,
    measured: """
      the likeness of the two pictures, from 0 to 1, as described in [measurements.md](measurements.md): one may be a part of \
      the other, graded differently or carry a title. A cover is a PNG or JPEG file called `cover`, `folder`, \
      `front`, `artwork` or `album` in the same folder, `<id>.jpg` beside `<id>_1x1.mp4`, or the file that a \
      manifest names.
      """,
    fix: """
      begin with the picture on the cover, or put the right cover beside the video.
      """,
    source: """
      distributors ask for it. The measure and its limit are our own, chosen on labelled pairs.
      """)
  static let settings = [
    RuleSetting(
      "likeness", "required likeness of the first frame and the cover, 0 to 1",
      .number(\.coverLikeness, unit: "")),
    RuleSetting(
      "match", "required likeness where the first frame must be the cover itself",
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
            : "the first frame resembles the cover \(cover.name), but is a changed version",
          help: "begin with the picture of the cover, or put the right cover beside the video",
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
