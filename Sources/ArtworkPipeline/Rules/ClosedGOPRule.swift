/// A loop that jumps back to a key frame must be able to start there.
enum ClosedGOPRule: Rule {
  static let id = "closed-gop"
  static let title = "every GOP stands for itself"
  static let explanation = Explanation(
    meaning: """
      No frame is shown before a key frame that was decoded before it: every GOP is closed. **Warning**; \
      only in `web`.
      """,
    why: """
      players that seek or loop start at a key frame. Frames that are shown before it and refer to the GOP \
      before cannot be decoded then, and are dropped or shown broken.
      """,
    measured: """
      the presentation timestamps of the packets that follow each key frame but the first. HEVC has leading \
      pictures that do not refer back (RADL): they count, too.
      """,
    fix: """
      encode it with closed GOPs: `-flags +cgop`, for x264 `-x264-params open-gop=0`, for x265 \
      `-x265-params open-gop=0`.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let count = candidate.facts.leadingFrameCount, count > 0 else { return [] }
    return [
      finding(
        .warning, "frames before a key frame refer to the GOP before it: the GOPs are open",
        help: "encode it with closed GOPs: -flags +cgop",
        measured: "\(count) leading frame\(count == 1 ? "" : "s")", limit: "none",
        profile: profile)
    ]
  }
}
