/// The number of pixels that a player decodes per second.
enum DecodeCostRule: Rule {
  static let id = "decode-cost"
  static let title = "devices can decode the video in real time"
  static let explanation = Explanation(
    meaning: """
      The video has no more pixels per second than the profile allows, and H.264 states at most level 5.2, HEVC at most \
      5.1. **Warning.**
      """,
    why: """
      artwork plays beside music, on battery, for as long as it is on screen. Video beyond the capacity of the \
      decoder stutters or does not play.
      """,
    measured: """
      the size of the decoded picture times the frame rate (the mean of a variable rate), and the level in the bitstream.
      """,
    fix: """
      export it smaller, or at 30 fps. `artworkd repair --unsafe` makes it smaller.
      """,
    source: """
      Apple for the levels (HLS Authoring Specification); ours for the rest. The limit is that of H.264 level 5.2 (ITU-T H.264, table A-1: 2,073,600 macroblocks of 16x16 \
      pixels per second), which equals 4096x2160 at 60 fps.
      """)
  static let settings = [
    RuleSetting("at-most", "decoded pixels per second", .large(\.maxPixelRate, unit: "px/s"))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let most = profile.maxPixelRate, let rate = facts.frameRate, facts.frameCount > 1 else {
      return []
    }
    let cost = Double(facts.codedWidth) * Double(facts.codedHeight) * rate
    guard cost > Double(most) else { return level(candidate, profile) }
    return [
      finding(
        .warning, "the video has more pixels per second than hardware decoders are built for",
        help: "export it smaller, or at a lower frame rate",
        smaller(candidate, by: (Double(most) / cost).squareRoot(), profile), of: candidate,
        measured:
          "\(megapixels(cost)) (\(facts.codedWidth)x\(facts.codedHeight) at \(decimal(rate, places: 3)) fps)",
        limit: "at most \(megapixels(Double(most)))", profile: profile)
    ]
  }

  /// Returns the finding of a video that states a level which not every hardware decoder takes.
  private static func level(_ candidate: JudgedCandidate, _ profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let codec = VideoCodec.named(facts.codec), let most = codec.safeFormats?.level,
      let stated = facts.level, let level = Double(stated), let limit = Double(most), level > limit
    else { return [] }
    return [
      finding(
        .warning, "the video states a level that not every hardware decoder takes",
        help: "export it with a level of at most \(most)", .encode(facts, for: profile),
        of: candidate, measured: "\(codec.title) level \(stated)", limit: "at most \(most)",
        profile: profile)
    ]
  }

  /// - Parameter factor: of both sides.
  private static func smaller(
    _ candidate: JudgedCandidate, by factor: Double, _ profile: Profile
  ) -> Repair? {
    let facts = candidate.facts
    func even(_ side: Int) -> Int { max(2, (wholeNumber(Double(side) * factor) ?? side) / 2 * 2) }
    var size = PixelSize(width: even(facts.displayWidth), height: even(facts.displayHeight))
    // Exactly in shape if the video approximately is.
    if let shape = profile.shape(
      nearestTo: facts.displayAspectRatio.value, key: candidate.key),
      abs(facts.displayAspect / shape.aspect.value - 1) <= profile.aspectTolerance
    {
      var area = CropArea(facts)
      (area.width, area.height) = (size.width, size.height)
      if let exact = area.largest(shape) {
        size = PixelSize(width: exact.width, height: exact.height)
      }
    }
    return .encode(facts, for: profile, ClipEdit(size: size))
  }

  private static func megapixels(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 0)) Mpx/s"
  }
}
