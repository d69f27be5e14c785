/// A loop that fades in or out blinks at every repeat.
enum FadeRule: Rule {
  static let id = "fade"
  static let title = "the clip neither fades in nor out"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard candidate.seam?.verdict == .fade, let seam = candidate.inspection.seam,
      let start = seam.headContrast.first, let end = seam.tailContrast.last,
      let startLuma = seam.headLuma.first, let endLuma = seam.tailLuma.last
    else { return [] }
    let isFadeIn = start < end
    let flatLuma = isFadeIn ? startLuma : endLuma
    let target = flatLuma < 64 ? "black" : flatLuma > 192 ? "white" : "a flat picture"
    return [
      finding(
        .error,
        isFadeIn ? "the clip fades in from \(target)" : "the clip fades out to \(target)",
        help: "cut the fade off: a loop must not blink when it repeats",
        measured:
          "contrast \(decimal(start, places: 1)) in the first frame, \(decimal(end, places: 1)) in the last",
        limit: "alike within a factor of \(decimal(1 / profile.seam.fadeContrast, places: 1))",
        profile: profile)
    ]
  }
}
