/// Artwork should start at zero and hold nothing that an edit list hides: players disagree about both.
enum StartOffsetRule: Rule {
  static let id = "start-offset"
  static let title = "the video starts at zero"
  static let explanation = Explanation(
    meaning: """
      The first frame is shown at zero. **Warning.** An edit list hides no frames. **Info.**
      """,
    why: """
      players disagree about a gap at the start: some show nothing, some the first frame for longer, and \
      the loop pauses at each repeat. Hidden frames are decoded for nothing, and shown by players that \
      ignore edit lists.
      """,
    measured: """
      the timestamp of the first displayed frame, beyond a millisecond; the number of frames that the edit \
      list cuts.
      """,
    fix: """
      for an offset, `ffmpeg -i IN -c copy -an OUT.mp4`. With hidden frames export it again: a copy may \
      show them.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    // A millisecond is below every frame interval and above every rounding of time bases.
    if abs(facts.startSeconds) > 0.001 {
      return [
        finding(
          .warning, "the first frame is not shown at zero: a loop pauses there",
          help: "remux it without encoding: ffmpeg -i IN -c copy -an OUT.mp4",
          measured: "\(decimal(facts.startSeconds, places: 3)) s", limit: "0 s", profile: profile)
      ]
    }
    guard facts.discardedFrameCount > 0 else { return [] }
    return [
      finding(
        .info, "an edit list hides frames that the file holds",
        help: "encode it again: the hidden frames are then left out",
        measured: "\(facts.discardedFrameCount) hidden", limit: "none", profile: profile)
    ]
  }
}
