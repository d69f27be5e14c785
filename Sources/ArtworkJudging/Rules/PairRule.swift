/// The square and the tall variant of a release belong together.
package enum PairRule: ReleaseRule {
  package static let id = "pair"

  package static func breaches(
    of release: Release, _ profile: Profile
  ) -> [(video: Int, breach: Breach)] {
    if release.keys.count == 1, release.isWhole,
      let missing = ArtworkKey.allCases.first(where: { !release.keys.contains($0) })
    {
      let command = release.videos.first.flatMap { derivation(of: $0, missing) }
      var found = Breach(
        .warning, "the release has no \(missing.rawValue) variant",
        help: (command == nil
          ? "export it under the same artworkID" : "crop it out of the other, and look at it")
          + "; until then some players show the static cover. A label that delivers one shape writes `rules: {pair: off}` into artwork.yml",
        measured: "\(release.keys.map(\.rawValue).joined()) only", limit: "1x1 and 3x4")
      found.command = command
      return [(0, found)]
    }
    guard let first = release.videos.firstIndex(where: { $0.key == .square }),
      let place = release.videos.firstIndex(where: { $0.key == .tall }),
      let square = release.videos[first].inspection,
      let tall = release.videos[place].inspection
    else { return [] }
    let isUsual =
      profile.variantLikeness == Profile.nowPlaying.variantLikeness
      && profile.coverLikeness == Profile.nowPlaying.coverLikeness
    let pair =
      (isUsual ? release.pictures : nil)
      ?? PicturePair(square, tall, cover: release.coverPicture?.picture, profile: profile)
    var found = differences(square, tall).map { (video: place, breach: $0) }
    // Other pictures have other detail.
    if pair?.relation == .same, let (isSquare, breach) = detail(square, tall) {
      found.append((isSquare ? first : place, breach))
    }
    guard let pair, var breach = pictures(pair, profile) else { return found }
    if let odd = pair.odd {
      let facts = odd == .square ? square.facts : tall.facts
      // By its header, or cropped out of the other one.
      breach.kind =
        pair.clockwiseTurn != nil && !facts.mirrored
          && Remedy.copy(facts, for: profile) != nil ? .lossless : .unsafe
    }
    found.append((pair.odd == .square ? first : place, breach))
    return found
  }

  private static func pictures(_ pair: PicturePair, _ profile: Profile) -> Breach? {
    guard let words = pair.words else { return nil }
    let measured = "likeness \(decimal(pair.likeness, places: 2))"
    let limit = "\(atLeast) \(decimal(profile.variantLikeness, places: 2))"
    if pair.relation == .other, pair.odd == nil {
      return Breach(
        .warning, "1x1 and 3x4 begin with different pictures",
        help: "start both variants at the same moment of the same artwork", measured: measured,
        limit: limit)
    }
    let (one, other) = pair.odd == .square ? ("1x1", "3x4") : ("3x4", "1x1")
    return Breach(
      .warning,
      "\(one) \(words), \(pair.relation == .other ? "unlike" : "beside") \(other)"
        + (pair.odd == nil ? "" : " and the cover"),
      help: "export it again from the same artwork as \(other)", measured: measured, limit: limit)
  }

  /// The command that crops the missing variant out of the existing one, beside it.
  private static func derivation(
    of video: Release.Video, _ missing: ArtworkKey
  ) -> String? {
    guard video.path.percentEncodedUnlessText == nil,
      video.inspection.map({ !$0.facts.isAnimation }) ?? false
    else { return nil }
    return "artworkd derive \(ShellWord.quoted(video.path)) --key \(missing.rawValue) -o "
      + ShellWord.quoted(ArtworkName.variant(of: video.path, as: missing))
  }

  private static func differences(_ square: Inspection, _ tall: Inspection) -> [Breach] {
    var found: [Breach] = []
    let lengths = (square.facts.durationSeconds, tall.facts.durationSeconds)
    let rates = (square.facts.frameRateRatio, tall.facts.frameRateRatio)
    let frame = 1 / max(1, min(rates.0?.value ?? 24, rates.1?.value ?? 24))
    // Another rule reports truncated files.
    if !square.decoding.isCutShort, !tall.decoding.isCutShort,
      abs(lengths.0 - lengths.1) > frame + 0.001
    {
      found.append(
        Breach(
          .warning, "1x1 and 3x4 have different lengths",
          help: "export both from one project with the same length",
          measured: "1x1 \(seconds(lengths.0)), 3x4 \(seconds(lengths.1))", limit: "the same length"
        ))
    }
    if let first = rates.0, let second = rates.1, abs(first.value / second.value - 1) > 0.0005 {
      found.append(
        Breach(
          .warning, "1x1 and 3x4 have different frame rates",
          help: "export both from one project with the same rate",
          measured: "1x1 \(FrameRateRule.describe(first)), 3x4 \(FrameRateRule.describe(second))",
          limit: "the same rate"))
    }
    return found
  }

  /// The shape with much less detail than the other, which a crop of that one has not.
  private static func detail(
    _ square: Inspection, _ tall: Inspection
  ) -> (isSquare: Bool, breach: Breach)? {
    let details = [square, tall].map { ($0.looks?.sharpness ?? 0) * Double($0.facts.displayHeight) }
    let share = (details.min() ?? 0) / max(1e-9, details.max() ?? 0)
    guard share > 0, share < leastDetail else { return nil }
    let isSquare = details[0] < details[1]
    let (one, other) = isSquare ? ("1x1", "3x4") : ("3x4", "1x1")
    var breach = Breach(
      .warning, "\(one) has less than half of the detail of \(other): it was enlarged or blurred",
      help: "export \(one) from the original artwork at its own size",
      measured: "\(decimal(100 * share, places: 0)) %",
      limit: "\(atLeast) \(decimal(100 * leastDetail, places: 0)) %")
    breach.kind = .unsafe
    return (isSquare, breach)
  }

  /// Whether a finding compares what the shapes show, which the same frames in both do not change.
  static func comparesPictures(_ finding: Finding) -> Bool {
    finding.rule == id && finding.limit?.hasPrefix(atLeast) == true
  }

  private static let atLeast = "at least"
  /// The share of the other shape's detail that one has: differences of neighbouring samples, in pictures of one height. Of
  /// 36 pairs of footage that show the same it is at least 0.68, of one enlarged 6.7 times 0.39.
  private static let leastDetail = 0.45

  package static let settings = [
    RuleSetting("likeness", \.variantLikeness, .number())
  ]

  private static func seconds(_ value: Double) -> String { "\(decimal(value, places: 3)) s" }
}
