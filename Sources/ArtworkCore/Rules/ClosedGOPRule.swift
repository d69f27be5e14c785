/// A player that loops back to a keyframe has to be able to start decoding there.
enum ClosedGOPRule: Rule {
  static let id = "closed-gop"
  static let title = "all GOPs are closed"
  static let explanation = Explanation(
    meaning: """
      All GOPs are closed: no frame that is decoded after a keyframe is shown before it. **Warning**, only in \
      `web`.
      """,
    why: """
      players seek and loop to keyframes. In an open GOP, the frames shown before the keyframe refer to the \
      previous GOP, so they are dropped or shown broken after a seek.
      """,
    measured: """
      the presentation timestamps of the packets that follow each keyframe except the first. RADL pictures in \
      HEVC do not refer back, but they count too.
      """,
    fix: """
      encode with closed GOPs, the default of x264; x265 needs `open-gop=0`. `artworkd repair --unsafe` does it.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let count = candidate.facts.leadingFrameCount, count > 0 else { return [] }
    return [
      finding(
        .warning, "there are open GOPs: frames shown before a keyframe refer to the previous GOP",
        help: "encode with closed GOPs, which is the default of x264",
        .encode(candidate.facts, for: profile), of: candidate,
        measured: "\(count) leading frame\(count == 1 ? "" : "s")", limit: "no leading frames",
        profile: profile)
    ]
  }
}
