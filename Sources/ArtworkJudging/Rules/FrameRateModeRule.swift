/// A variable frame rate is legal, but makes motion uneven. It is often an accident of screen recording.
enum FrameRateModeRule: Rule {
  static let id = "frame-rate-mode"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    guard facts.frameRateMode == .variable, candidate.inspection.decoding.missingFrames == 0,
      let low = facts.minFrameRate,
      let high = facts.maxFrameRate
    else { return [] }
    return [
      finding(
        .info, "the frame rate varies", help: "export it at a constant frame rate",
        .encode(facts, for: profile, ClipEdit(rate: constant(facts, profile))),
        of: candidate, measured: "\(decimal(low, places: 2)) to \(decimal(high, places: 2)) fps",
        limit: "a constant frame rate", profile: profile)
    ]
  }

  /// The lowest usual rate at which no two frames share a place, within the profile's limit.
  static func constant(_ facts: MediaFacts, _ profile: Profile) -> Rational {
    let most = profile.frameRates?.last ?? min(profile.maxFrameRate ?? Rational(60), Rational(60))
    // Timers are up to 5 % early.
    let wanted = (facts.maxFrameRate ?? 30) / 1.05
    return (profile.frameRates ?? [24, 25, 30, 50, 60].map { Rational($0) })
      .first { $0.value >= wanted && $0 <= most } ?? most
  }
}
