/// Fewer frames came out than the container promises, or the decoder refused some.
enum TruncatedRule: Rule {
  static let id = "truncated"
  static let title = "every promised frame is there"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let effort = candidate.inspection.decoding
    guard effort.missingFrames > 0 || effort.errorCount > 0 || effort.endsEarly else { return [] }
    let shown = candidate.facts.frameCount
    let measured =
      if effort.missingFrames > 0 {
        "\(shown) of \(shown.addingClamped(effort.missingFrames)) frames"
      } else if effort.endsEarly {
        "\(shown) frames and no more"
      } else {
        "\(effort.errorCount) decoding errors"
      }
    return [
      finding(
        .error,
        effort.missingFrames > 0 || effort.endsEarly
          ? "frames are missing: the file is cut short or damaged" : "some frames are damaged",
        help: "copy or export it again",
        measured: measured, limit: "every frame intact", profile: profile)
    ]
  }
}
