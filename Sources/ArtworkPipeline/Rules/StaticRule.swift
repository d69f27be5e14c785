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
      the clip has one frame, or no frame differs from the first by more than neighbouring frames differ, \
      which is noise (see [seam.md](seam.md)). A light that blinks in a corner is motion. Every frame is \
      decoded before a clip is called static.
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
