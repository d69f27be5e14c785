/// How many pixels a player has to decode each second.
enum DecodeCostRule: Rule {
  static let id = "decode-cost"
  static let title = "devices can decode it in time"
  static let explanation = Explanation(
    meaning: """
      No more pixels a second than the profile's limit. **Warning.**
      """,
    why: """
      artwork plays beside music, on battery, for as long as somebody looks. What is beyond the decoder \
      stutters or is not played: 3840x3840 at 60 frames a second are 885 million pixels a second, nearly \
      twice 4K video at 60.
      """,
    measured: """
      the size of the decoded picture, times the frame rate (the mean of a variable one).
      """,
    fix: """
      export it smaller, or at 30 frames a second.
      """,
    source: """
      ours: the limit is what level 5.2 of H.264 allows (ITU-T H.264, table A-1: 2,073,600 macroblocks of \
      16x16 pixels a second), which is 3840x2160 at 60.
      """)
  static let settings = [
    RuleSetting("at-most", "pixels to be decoded a second", .large(\.maxPixelRate, unit: "px/s"))
  ]

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let most = profile.maxPixelRate, let rate = facts.frameRate, facts.frameCount > 1 else {
      return []
    }
    let cost = Double(facts.codedWidth) * Double(facts.codedHeight) * rate
    guard cost > Double(most) else { return [] }
    return [
      finding(
        .warning, "decoding it is more than devices are made for",
        help: "export it smaller, or at a lower frame rate",
        measured:
          "\(megapixels(cost)) (\(facts.codedWidth)x\(facts.codedHeight) at \(decimal(rate, places: 3)) fps)",
        limit: "at most \(megapixels(Double(most)))", profile: profile)
    ]
  }

  private static func megapixels(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 0)) Mpx/s"
  }
}
