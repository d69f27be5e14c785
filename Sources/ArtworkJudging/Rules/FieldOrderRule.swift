/// Whether all lines of a frame are of one moment.
enum FieldOrderRule: Rule {
  static let id = "field-order"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard let order = facts.fieldOrder, order != .progressive else { return [] }
    return [
      finding(
        .error, "the video is interlaced",
        help: "deinterlace it in your editor and export it again",
        facts.bitDepth == 8 && facts.chroma.hasPrefix("4:") && !facts.color.isHDR && !facts.hasAlpha
          ? .encode(facts, for: profile) : nil,
        of: candidate,
        measured: order == .upperFirst ? "upper field first" : "lower field first",
        limit: "progressive", profile: profile)
    ]
  }
}
