/// Artwork without motion is a still picture in an expensive format.
enum StaticRule: Rule {
  static let id = "static"

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
