/// Bits a second, where a destination limits them.
enum BitRateRule: Rule {
  static let id = "bitrate"
  static let title = "the bit rate is not too high"
  static let explanation = Explanation(
    meaning: """
      The file needs no more bits a second than the profile's limit. **Warning.** Now Playing has none.
      """,
    why: """
      what arrives more slowly than it plays stops. Artwork is fetched when somebody looks.
      """,
    measured: """
      the bytes of the whole file over its length.
      """,
    fix: """
      export it with a lower bit rate: `-crf 23` and up.
      """,
    source: """
      ours: 20 Mbit/s in `web` is what a good connection brings.
      """)
  static let settings = [
    RuleSetting("at-most", "bits a second", .large(\.maxBitRate, unit: "bit/s"))
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
        help: "export it with a lower bit rate, for example -crf 23", measured: megabits(rate),
        limit: "at most \(megabits(Double(most)))", profile: profile)
    ]
  }

  private static func megabits(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 1)) Mbit/s"
  }
}
