/// Artwork starts at zero, and no edit list hides frames or changes their speed. Players handle these differently.
enum StartOffsetRule: Rule {
  static let id = "start-offset"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    if let edit = facts.retimedEdit, let rate = edit.rate {
      return [
        finding(
          .warning,
          rate == 0
            ? "an edit list holds a frame, which only some players do"
            : "an edit list changes the speed, which only some players follow",
          help:
            "export it again with the times that it is to have; `--unsafe` keeps those of browsers",
          .encode(facts, for: profile), of: candidate,
          measured: "rate \(decimal(rate, places: 3)) for "
            + "\(decimal(edit.durationSeconds, places: 3)) s",
          limit: "rate 1", profile: profile)
      ]
    }
    // A millisecond is shorter than any frame interval and longer than the rounding of any time base.
    if abs(facts.startSeconds) > 0.001 {
      return [
        finding(
          .warning, "the first frame is not shown at 0 s, so the loop pauses",
          help: "start its timestamps at the first frame",
          .copy(facts, for: profile) ?? .encode(facts, for: profile), of: candidate,
          measured: "\(decimal(facts.startSeconds, places: 3)) s", limit: "0 s", profile: profile)
      ]
    }
    guard facts.discardedFrameCount > 0 else { return [] }
    return [
      finding(
        .info, "an edit list hides frames of the file",
        help: "export it again, which leaves out the hidden frames; a copy would keep them",
        .encode(facts, for: profile), of: candidate,
        measured: "\(facts.discardedFrameCount) hidden", limit: "no hidden frames",
        profile: profile)
    ]
  }
}
