/// The file has fewer frames than its container declares, or the decoder rejects some.
enum TruncatedRule: Rule {
  static let id = "truncated"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let effort = candidate.inspection.decoding
    if candidate.facts.isMisnumbered == true, !effort.isCutShort {
      return [
        finding(
          .error, "the frames are numbered wrongly, and browsers stop at the first such number",
          help: "export it again", measured: "sequence numbers out of order",
          limit: "0, 1, 2 and so on", profile: profile)
      ]
    }
    guard effort.isCutShort || effort.errorCount > 0 else { return [] }
    let measured =
      effort.rest(of: candidate.facts.frameCount)
      ?? "\(effort.errorCount) decoding error\(effort.errorCount == 1 ? "" : "s")"
    return [
      finding(
        .error,
        effort.isCutShort
          ? "frames are missing: the file is truncated or damaged" : "some frames are damaged",
        help: "copy or export it again",
        measured: measured, limit: "every frame intact", profile: profile)
    ]
  }
}
