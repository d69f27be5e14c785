/// The number of pixels that a player decodes per second.
enum DecodeCostRule: Rule {
  static let id = "decode-cost"
  static let settings = [
    RuleSetting("at-most", \.maxPixelRate, .large("px/s", such: "500 Mpx/s"))
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
