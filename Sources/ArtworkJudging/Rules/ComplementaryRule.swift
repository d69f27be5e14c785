/// Motion artwork should begin like the static cover that it replaces.
enum ComplementaryRule: ReleaseRule {
  static let id = "complementary"
  static let settings = [
    RuleSetting("likeness", \.coverLikeness, .number()),
    RuleSetting("match", \.coverMatch, .number()),
  ]

  static func check(
    _ release: JudgedRelease, profile: Profile
  ) -> [(video: Int, finding: Finding)] {
    guard let cover = release.cover else { return [] }
    guard let picture = cover.picture else { return unreadable(cover, release, profile: profile) }
    return release.videos.enumerated().compactMap {
      place, video -> (video: Int, finding: Finding)? in
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
          limit: "a \(FileFormat.stillTitles) picture", profile: profile)
      )
    ]
  }
}
