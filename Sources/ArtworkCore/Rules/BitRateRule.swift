/// The average bit rate, for destinations that set a maximum or a minimum.
enum BitRateRule: Rule {
  static let id = "bitrate"
  static let title = "the bit rate is within the limit"
  static let explanation = Explanation(
    meaning: """
      The average bit rate is within the profile's limits. **Warning.** Now Playing has none.
      """,
    why: """
      video stalls if it arrives more slowly than it plays. Artwork is fetched at the moment it is shown. \
      Masters below a delivery's least rate are sent back: too little detail is left for what is made of them.
      """,
    measured: """
      the size of the whole file divided by its length.
      """,
    fix: """
      export with a lower bit rate. `artworkd repair --unsafe` caps it. A rate that is too low is raised in a new export \
      from the source only: encoding the same file again adds bytes and no detail. What is encoded for other reasons has the \
      minimum rate, with filler data where the pictures need less.
      """,
    source: """
      ours: the 20 Mbit/s of `web` suit a good connection. The profile's sources for deliveries.
      """)
  static let settings = [
    RuleSetting("at-least", "least bits per second", .large(\.minBitRate, unit: "bit/s")),
    RuleSetting("at-most", "most bits per second", .large(\.maxBitRate, unit: "bit/s")),
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
