/// A loop that fades in or out blinks at every repeat.
enum FadeRule: Rule {
  static let id = "fade"
  static let title = "the clip neither fades in nor out"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.seam?.verdict == .fade, let seam = candidate.inspection.seam,
      candidate.inspection.decoding.missingFrames == 0
    else { return [] }
    let start = LoopSeamRule.fades(seam.headContrast, among: seam, thresholds: profile.seam)
    let end = LoopSeamRule.fades(
      seam.tailContrast.reversed(), among: seam, thresholds: profile.seam)
    let message =
      switch (start, end) {
      case (true, true): "the clip fades in from \(flat(seam.headLuma.first)) and out again"
      case (true, false): "the clip fades in from \(flat(seam.headLuma.first))"
      default: "the clip fades out to \(flat(seam.tailLuma.last))"
      }
    func list(_ contrasts: [Double]) -> String {
      contrasts.map { decimal($0, places: 0) }.joined(separator: ", ")
    }
    return [
      finding(
        .error, message, help: "cut the fade off: a loop must not blink when it repeats",
        measured:
          "contrast \(list(seam.headContrast)) in the first frames, \(list(seam.tailContrast)) in the last",
        limit: "full contrast from the first frame to the last", profile: profile)
    ]
  }

  private static func flat(_ luma: Double?) -> String {
    guard let luma else { return "nothing" }
    return luma < 64 ? "black" : luma > 192 ? "white" : "a flat picture"
  }
}
