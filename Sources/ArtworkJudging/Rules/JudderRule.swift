/// Repeated frames in a regular pattern stutter, or cost decoding for nothing.
enum JudderRule: Rule {
  static let id = "judder"

  /// Motion is fluent from this many different frames per second on.
  private static let fluent = 20.0

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard facts.frameRateMode == .constant, let stored = facts.frameRateRatio,
      let cadence = candidate.inspection.looks?.cadence,
      let rate = stored.multiplied(by: cadence.share)
    else { return [] }
    let (original, shown) = (decimal(rate.value, places: 3), decimal(stored.value, places: 3))
    let repeats = cadence.period - cadence.distinct
    let pattern =
      repeats == 1
      ? "one of \(cadence.period) frames repeats the one before"
      : "\(repeats) of \(cadence.period) frames repeat the one before"
    let isUneven = !cadence.isEven
    return [
      finding(
        isUneven || rate.value < fluent ? .warning : .info,
        "\(original) fps stored as \(shown): \(pattern)\(isUneven ? ", so motion stutters" : "")",
        help: "leave out the repeated frames, or export it again at \(original) fps",
        .leaveOut(cadence, facts, for: profile), of: candidate,
        otherwise:
          "export it again from the source, at the rate of its frames or of the destination",
        measured: "\(original) different frames per second", limit: "no repeated frames",
        profile: profile)
    ]
  }
}
