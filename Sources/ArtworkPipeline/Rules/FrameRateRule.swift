/// Above 60 frames a second the system may not show the artwork.
enum FrameRateRule: Rule {
  static let id = "frame-rate"
  static let title = "at most 60 frames a second"

  /// A variable clip may hold single steps this much shorter than the limit's: timer jitter.
  private static let burstTolerance = 1.05

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    let limit = "at most \(profile.maxFrameRate) fps"
    let target = profile.maxFrameRate
    guard let rate = facts.frameRateRatio else {
      guard facts.frameCount > 1 else { return [] }
      return [
        finding(
          .error, "the frames have no usable timestamps",
          help: "export it again at a constant rate, for example with ffmpeg -r 30",
          measured: "no frame rate", limit: limit, profile: profile)
      ]
    }
    // Exact: 60000/1001 is below 60, 60001/1000 is above.
    if rate > profile.maxFrameRate {
      return [
        finding(
          .error, "the frame rate is above \(target) frames a second",
          help: "export it at \(target) fps or less",
          measured: describe(rate), limit: limit, profile: profile)
      ]
    }
    guard facts.frameRateMode == .variable, let highest = facts.maxFrameRate,
      highest > profile.maxFrameRate.value * burstTolerance
    else { return [] }
    return [
      finding(
        .warning, "some frames follow each other faster than \(target) frames a second",
        help: "export it at a constant rate of \(target) fps or less",
        measured: "up to \(decimal(highest, places: 2)) fps", limit: limit, profile: profile)
    ]
  }

  static func describe(_ rate: Rational) -> String {
    rate.denominator == 1
      ? "\(rate) fps" : "\(decimal(rate.value, places: 3)) fps (\(rate))"
  }
}
