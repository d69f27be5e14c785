/// Whether all lines of a frame are of one moment.
enum FieldOrderRule: Rule {
  static let id = "field-order"
  static let title = "the frames are progressive"
  static let explanation = Explanation(
    meaning: """
      The video is not interlaced. **Error.**
      """,
    why: """
      every other line of an interlaced frame shows a later moment, so that things that move have combs for edges. No \
      player of artwork deinterlaces them, and no destination accepts them.
      """,
    measured: """
      the first decoded frame: how its bitstream says that its lines belong together. A video that is coded in fields but \
      shows progressive pictures counts as interlaced, too.
      """,
    fix: """
      deinterlace it in your editor and export it progressively. No command fixes it: which of several ways is right \
      depends on the picture.
      """,
    source: """
      Apple for its own (HLS Authoring Specification: content is deinterlaced); known for the rest.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let order = candidate.facts.fieldOrder, order != .progressive else { return [] }
    return [
      finding(
        .error, "the video is interlaced",
        help: "deinterlace it in your editor and export it again",
        measured: order == .upperFirst ? "upper field first" : "lower field first",
        limit: "progressive", profile: profile)
    ]
  }
}
