/// Artwork starts at zero and has no frames hidden by an edit list. Players handle both differently.
enum StartOffsetRule: Rule {
  static let id = "start-offset"
  static let title = "the video starts at zero"
  static let explanation = Explanation(
    meaning: """
      The first frame is shown at 0 s (**warning**), and no edit list hides frames (**info**).
      """,
    why: """
      players handle a gap at the start differently, and the loop pauses at each repeat. Hidden frames waste \
      decoding, and players that ignore edit lists show them.
      """,
    measured: """
      the timestamp of the first displayed frame, with a tolerance of a millisecond; the number of frames that \
      the edit list hides.
      """,
    fix: """
      `artworkd repair` copies the video track and starts its timestamps at its own first frame. Hidden frames need \
      encoding, with `--unsafe`, because a copy keeps them.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
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
