/// One artworkID names one video per key, because the system notices changes by the ID alone.
package enum ArtworkIDReuseRule: ReleaseRule {
  package static let id = "artwork-id-reuse"

  package static func breach(
    _ video: Int, of release: Release, _ profile: Profile
  ) -> Breach? {
    release.videos[video].contradicts.map { other in
      Breach(
        release.isFromManifest ? .error : .warning,
        "the artworkID \(release.artworkID) also names a different video: \(other.string)",
        help:
          "give a new video a new artworkID; if folders share a name, set `artwork-ids: folder-path` in artwork.yml",
        measured: "different bytes", limit: "one video per ID and key")
    }
  }
}

/// A video with several artworkIDs is fetched and stored several times.
package enum DuplicateContentRule: ReleaseRule {
  package static let id = "duplicate-content"

  package static func breach(
    _ video: Int, of release: Release, _ profile: Profile
  ) -> Breach? {
    release.videos[video].repeats.map { other in
      Breach(
        .warning,
        "an identical video has a different artworkID: \(other.artworkID) (\(other.path.string))",
        help: "use one artworkID for unchanged artwork; otherwise it is fetched again",
        measured: "identical bytes", limit: "one artworkID per video")
    }
  }
}

/// Motion artwork should begin like the static cover that it replaces.
enum ComplementaryRule: ReleaseRule {
  static let id = "complementary"
  static let settings = [
    RuleSetting("likeness", \.coverLikeness, .number()),
    RuleSetting("match", \.coverMatch, .number()),
  ]

  static func breach(_ video: Int, of release: Release, _ profile: Profile) -> Breach? {
    guard let cover = release.coverPicture else { return nil }
    guard let picture = cover.picture else {
      // Reported once, with the first video.
      guard let error = cover.error, video == 0 else { return nil }
      return Breach(
        .warning, "the cover \(cover.name) cannot be read: \(error.message)",
        help: "export the cover again as PNG or JPEG", measured: error.code.rawValue,
        limit: "a \(FileFormat.stillTitles) picture")
    }
    guard let inspection = release.videos[video].inspection, let frame = inspection.firstFrame,
      frame.hasContrast
    else { return nil }
    let likeness = PictureLikeness.of(
      picture.signature, aspect: picture.aspect, frame, aspect: inspection.facts.displayAspect,
      enough: max(profile.coverLikeness, profile.coverMatch ?? 0))
    let isOther = likeness < profile.coverLikeness
    let limit = isOther ? profile.coverLikeness : profile.coverMatch ?? 0
    guard likeness < limit else { return nil }
    return Breach(
      isOther && profile.coverMatch != nil ? .error : .warning,
      isOther
        ? "the first frame does not resemble the cover \(cover.name)"
        : "the first frame resembles the cover \(cover.name), but is a changed version",
      help: "begin with the picture of the cover, or put the right cover beside the video",
      measured: "likeness \(decimal(likeness, places: 2))",
      limit: "at least \(decimal(limit, places: 2))")
  }
}
