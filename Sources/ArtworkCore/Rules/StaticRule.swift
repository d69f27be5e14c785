/// Artwork without motion is a still picture in an expensive format.
enum StaticRule: Rule {
  static let id = "static"
  static let title = "something moves"
  static let explanation = Explanation(
    meaning: """
      Something moves. **Warning.**
      """,
    why: """
      a clip without motion uses power to show a still picture. Often the export went wrong.
      """,
    measured: """
      the clip has one frame, or its busiest blocks change by less than 0.6 code values from any frame to the next, and \
      from the first frame to any other. Coding noise may be higher, up to 8 code values, if it does not add up (see \
      [measurements.md](measurements.md)).
      """,
    fix: """
      publish a still cover, or export the animation again.
      """,
    source: """
      ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let frames = candidate.facts.frameCount
    guard frames == 1 || candidate.seam?.verdict == .static else { return [] }
    return [
      finding(
        .warning,
        frames == 1 ? "there is only one frame" : "nothing moves",
        help: "publish a still cover instead, or export the animation again",
        measured: frames == 1 ? "1 frame" : "no change in \(frames) frames",
        limit: "visible motion", profile: profile)
    ]
  }
}
