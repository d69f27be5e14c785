/// A loop that fades in or out blinks at every repeat.
enum FadeRule: Rule {
  static let id = "fade"
  static let title = "the clip neither fades in nor out"
  static let explanation = Explanation(
    meaning: """
      The clip fades neither in nor out. **Error.**
      """,
    why: """
      a fade from or to black makes the loop blink at every repeat.
      """,
    measured: """
      contrast (the standard deviation of luma) grows steadily from the seam inwards, from almost nothing, \
      or from clearly less than the other end has; or it dips at both ends of a clip that is even between \
      them.
      """,
    fix: """
      cut the fade off.
      """,
    source: """
      Apple for the requirement; the measurement is ours.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let judgement = candidate.seam, judgement.verdict == .fade,
      let seam = candidate.inspection.seam, candidate.inspection.decoding.missingFrames == 0
    else { return [] }
    func list(_ contrasts: some Sequence<Double>) -> String {
      contrasts.map { decimal($0, places: 0) }.joined(separator: ", ")
    }
    return [
      finding(
        .error, judgement.sentence, help: "cut the fade off: a loop must not blink when it repeats",
        measured:
          "contrast \(list(seam.headContrast.prefix(5))) in the first frames, \(list(seam.tailContrast.suffix(5))) in the last",
        limit: "full contrast from the first frame to the last", profile: profile)
    ]
  }
}
