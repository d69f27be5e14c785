/// A player that loops back to a keyframe has to be able to start decoding there.
enum ClosedGOPRule: Rule {
  static let id = "closed-gop"

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
