/// A variable frame rate is legal but makes motion uneven and is often an accident of a recording.
enum FrameRateModeRule: Rule {
  static let id = "frame-rate-mode"
  static let title = "the frame rate is constant"
  static let explanation = Explanation(
    meaning: """
      The frame rate is constant. **Info.**
      """,
    why: """
      a variable rate is legal, but motion becomes uneven. It is often an accident of a screen recording.
      """,
    measured: """
      constant when a standard rate fits, or when no step differs from the usual one by more than 5 %.
      """,
    fix: """
      export it at a constant rate: `-r 30`.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard facts.frameRateMode == .variable, candidate.inspection.decoding.missingFrames == 0,
      let low = facts.minFrameRate,
      let high = facts.maxFrameRate
    else { return [] }
    return [
      finding(
        .info, "the frame rate varies", help: "export it at a constant rate",
        measured: "\(decimal(low, places: 2)) to \(decimal(high, places: 2)) fps",
        limit: "a constant rate", profile: profile)
    ]
  }
}
