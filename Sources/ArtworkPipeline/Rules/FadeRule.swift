/// A loop that fades in or out blinks at every repeat.
enum FadeRule: Rule {
  static let id = "fade"
  static let title = "the clip neither fades in nor out"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.seam?.verdict == .fade, let seam = candidate.inspection.seam else { return [] }
    let start = LoopSeamRule.fades(seam.headContrast, among: seam, thresholds: profile.seam)
    let end = LoopSeamRule.fades(
      seam.tailContrast.reversed(), among: seam, thresholds: profile.seam)
    let message =
      switch (start, end) {
      case (true, true): "the clip fades in from \(flat(seam.headLuma.first)) and out again"
      case (true, false): "the clip fades in from \(flat(seam.headLuma.first))"
      default: "the clip fades out to \(flat(seam.tailLuma.last))"
      }
    let contrasts = [seam.headContrast.first ?? 0, seam.tailContrast.last ?? 0]
      .map { decimal($0, places: 1) }
    return [
      finding(
        .error, message, help: "cut the fade off: a loop must not blink when it repeats",
        measured: "contrast \(contrasts[0]) in the first frame, \(contrasts[1]) in the last",
        limit: "no ramp of contrast at either end", profile: profile)
    ]
  }

  private static func flat(_ luma: Double?) -> String {
    guard let luma else { return "nothing" }
    return luma < 64 ? "black" : luma > 192 ? "white" : "a flat picture"
  }
}
