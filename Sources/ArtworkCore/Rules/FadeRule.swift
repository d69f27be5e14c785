/// A loop that fades in or out blinks at every repeat.
enum FadeRule: Rule {
  static let id = "fade"
  static let title = "the clip does not fade in or out"
  static let explanation = Explanation(
    meaning: """
      The clip does not fade in or out. **Error.**
      """,
    why: """
      a fade from or to black makes the loop blink at every repeat.
      """,
    measured: """
      contrast, which is the standard deviation of luma. A clip fades if two of the three frames beside the loop \
      point have less than a quarter of the contrast that the clip usually has, and contrast grows away from it.
      """,
    fix: """
      cut off the fade. `artworkd repair --unsafe` cuts out the best loop, and `artworkd loop` lists all of them.
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
        .error, judgement.sentence, help: "cut off the fade: a loop must not blink when it repeats",
        .loop(candidate.facts, for: profile), of: candidate,
        measured:
          "contrast \(list(seam.headContrast.prefix(5))) in the first frames, \(list(seam.tailContrast.suffix(5))) in the last",
        limit: "full contrast from the first frame to the last", profile: profile)
    ]
  }
}
