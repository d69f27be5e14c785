/// The average bit rate, for destinations that set a maximum or a minimum.
enum BitRateRule: Rule {
  static let id = "bitrate"
  static let settings = [
    RuleSetting("at-least", \.minBitRate, .large("bit/s", such: "20 Mbit/s")),
    RuleSetting("at-most", \.maxBitRate, .large("bit/s", such: "20 Mbit/s")),
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard facts.frameCount > 1, facts.durationSeconds > 0 else { return [] }
    let rate = Double(facts.fileBytes) * 8 / facts.durationSeconds
    let limit = limit(of: profile)
    if let least = profile.minBitRate, rate < Double(least) {
      return [
        finding(
          .warning, "the bit rate is too low",
          help: "export it again from its source with at least \(megabits(Double(least))); "
            + "encoding this file again adds no detail",
          measured: megabits(rate), limit: limit, profile: profile)
      ]
    }
    guard let most = profile.maxBitRate, rate > Double(most) else { return [] }
    return [
      finding(
        .warning, "the bit rate is too high",
        help: "export with a lower bit rate", .encode(facts, for: profile), of: candidate,
        measured: megabits(rate), limit: limit, profile: profile)
    ]
  }

  private static func limit(of profile: Profile) -> String? {
    let (least, most) = (profile.minBitRate.map(Double.init), profile.maxBitRate.map(Double.init))
    return switch (least, most) {
    case (nil, nil): nil
    case (nil, let most?): "at most \(megabits(most))"
    case (let least?, nil): "at least \(megabits(least))"
    case (let least?, let most?): "\(decimal(least / 1e6, places: 1)) to \(megabits(most))"
    }
  }

  private static func megabits(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 1)) Mbit/s"
  }
}
