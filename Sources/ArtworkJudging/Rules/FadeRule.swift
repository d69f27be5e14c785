/// A loop that fades in or out blinks at every repeat.
package enum FadeRule: Rule {
  package static let id = "fade"

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let judgement = candidate.seam, judgement.verdict == .fade,
      let seam = candidate.inspection.seam, candidate.inspection.decoding.missingFrames == 0
    else { return [] }
    func list(_ contrasts: some Sequence<Double>) -> String {
      contrasts.map { decimal($0, places: 0) }.joined(separator: ", ")
    }
    return [
      finding(
        judgement.certainty == .certain ? .error : .warning, judgement.sentence,
        help: "cut off the fade: a loop must not blink when it repeats",
        .loop(candidate.facts, for: profile), of: candidate,
        measured:
          "contrast \(list(seam.headContrast.prefix(5))) in the first frames, \(list(seam.tailContrast.suffix(5))) in the last",
        limit: "full contrast from the first frame to the last", profile: profile)
    ]
  }
}
