/// The average bit rate, for destinations that limit it.
enum BitRateRule: Rule {
  static let id = "bitrate"
  static let title = "the bit rate is within the limit"
  static let explanation = Explanation(
    meaning: """
      The average bit rate is within the profile's limit. **Warning.** Now Playing has no limit.
      """,
    why: """
      video stalls if it arrives more slowly than it plays. Artwork is fetched at the moment it is shown.
      """,
    measured: """
      the size of the whole file divided by its length.
      """,
    fix: """
      export with a lower bit rate. `artworkd repair --unsafe` caps it.
      """,
    source: """
      ours: the 20 Mbit/s of `web` suit a good connection.
      """)
  static let settings = [
    RuleSetting("at-most", "bits per second", .large(\.maxBitRate, unit: "bit/s"))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let most = profile.maxBitRate, facts.frameCount > 1, facts.durationSeconds > 0 else {
      return []
    }
    let rate = Double(facts.fileBytes) * 8 / facts.durationSeconds
    guard rate > Double(most) else { return [] }
    return [
      finding(
        .warning, "the bit rate is too high",
        help: "export with a lower bit rate", .encode(facts, for: profile), of: candidate,
        measured: megabits(rate),
        limit: "at most \(megabits(Double(most)))", profile: profile)
    ]
  }

  private static func megabits(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 1)) Mbit/s"
  }
}
