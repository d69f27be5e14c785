/// Above 60 fps the system may not show the artwork.
enum FrameRateRule: Rule {
  static let id = "frame-rate"

  static let settings = [
    RuleSetting("at-least", \.minFrameRate, .rate),
    RuleSetting("at-most", \.maxFrameRate, .rate),
    RuleSetting("only", \.frameRates, .rates),
  ]

  /// Timer jitter: single intervals of a variable clip may exceed the limit by this factor.
  private static let burstTolerance = 1.05

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    let facts = candidate.facts
    func found(
      _ severity: Finding.Severity, _ message: String, help: String, _ repair: Repair?,
      otherwise: String? = nil, measured: String
    ) -> [Finding] {
      [
        finding(
          severity, message, help: help, repair, of: candidate, otherwise: otherwise,
          measured: measured, limit: limit(of: profile), profile: profile)
      ]
    }
    guard let rate = facts.frameRateRatio else {
      guard facts.frameCount > 1 else { return [] }
      return found(
        .error, "the frames have no usable timestamps",
        help: "export it again at a constant frame rate; `artworkd repair` uses 30 fps",
        .encode(facts, for: profile, ClipEdit(rate: Rational(30), ignoresTimes: true)),
        otherwise: "export it again at a constant frame rate",
        measured: "no frame rate")
    }
    // Exact: 60000/1001 is below 60, 60001/1000 is above.
    if let most = profile.maxFrameRate, rate > most {
      return found(
        .error, "the frame rate is above \(name(most)) fps",
        help: "export it at \(name(most)) fps or less",
        .encode(facts, for: profile, ClipEdit(rate: lowered(facts, profile))),
        measured: describe(rate))
    }
    if let least = profile.minFrameRate, rate < least {
      return found(
        .error, "the frame rate is below \(name(least)) fps",
        help: "export it at \(name(least)) fps or more; repeating frames adds no motion",
        raised(rate, profile).flatMap { .encode(facts, for: profile, ClipEdit(rate: $0)) },
        measured: describe(rate))
    }
    if let rates = profile.frameRates, !profile.lists(rate) {
      return found(
        .error, "the frame rate is not one that the destination takes",
        help: "export it at \(names(rates)) fps, best from a project with that rate",
        .encode(facts, for: profile, ClipEdit(rate: listed(facts, rates, profile))),
        measured: describe(rate))
    }
    guard facts.frameRateMode == .variable, let highest = facts.maxFrameRate,
      let most = profile.maxFrameRate, highest > most.value * burstTolerance
    else { return [] }
    return found(
      .warning, "the variable frame rate exceeds \(name(most)) fps in places",
      help: "export it at a constant frame rate of \(name(most)) fps or less",
      .encode(facts, for: profile, ClipEdit(rate: FrameRateModeRule.constant(facts, profile))),
      measured: "up to \(decimal(highest, places: 2)) fps")
  }

  /// Every second, third, ... frame if that rate is accepted, or else the highest rate.
  private static func lowered(_ facts: MediaFacts, _ profile: Profile) -> Rational {
    guard facts.frameRateMode == .constant, let rate = facts.frameRateRatio else {
      return FrameRateModeRule.constant(facts, profile)
    }
    let most = profile.maxFrameRate ?? rate
    if let step = wholeNumber((rate.value / most.value).rounded(.up), as: Int64.self), step > 1,
      let kept = Rational(rate.numerator, rate.denominator.multipliedClamped(by: step)),
      kept <= most, profile.minFrameRate.map({ kept >= $0 }) ?? true, profile.lists(kept)
    {
      return kept
    }
    return profile.frameRates?.last { $0 <= most } ?? most
  }

  /// Every frame several times, or every second, third, ... if that rate is listed; or else the next listed rate
  /// above, or the highest.
  private static func listed(
    _ facts: MediaFacts, _ rates: [Rational], _ profile: Profile
  ) -> Rational {
    guard facts.frameRateMode == .constant, let rate = facts.frameRateRatio else {
      return FrameRateModeRule.constant(facts, profile)
    }
    let factors = (2...60).lazy
    let multiple = factors.compactMap { factor in
      Rational(rate.numerator.multipliedClamped(by: Int64(factor)), rate.denominator)
    }.first(where: profile.lists)
    let part = factors.compactMap { factor in
      Rational(rate.numerator, rate.denominator.multipliedClamped(by: Int64(factor)))
    }.first(where: profile.lists)
    return multiple ?? part ?? rates.first { $0 >= rate } ?? rates.last ?? rate
  }

  /// Every frame twice, three times, ... if that rate is accepted.
  private static func raised(_ rate: Rational, _ profile: Profile) -> Rational? {
    guard let least = profile.minFrameRate,
      let times = wholeNumber((least.value / rate.value).rounded(.up), as: Int64.self),
      let raised = Rational(rate.numerator.multipliedClamped(by: times), rate.denominator),
      raised >= least, profile.maxFrameRate.map({ raised <= $0 }) ?? true, profile.lists(raised)
    else { return nil }
    return raised
  }

  private static func limit(of profile: Profile) -> String? {
    if let rates = profile.frameRates { return "\(names(rates)) fps" }
    return switch (profile.minFrameRate, profile.maxFrameRate) {
    case (nil, nil): nil
    case (nil, let most?): "at most \(name(most)) fps"
    case (let least?, nil): "at least \(name(least)) fps"
    case (let least?, let most?): "\(name(least)) to \(name(most)) fps"
    }
  }

  /// The rate in frames per second, for example `30` or `23.976`.
  private static func name(_ rate: Rational) -> String { decimal(rate.value, places: 3) }

  private static func names(_ rates: [Rational]) -> String { rates.map(name).listed("or") }

  static func describe(_ rate: Rational) -> String {
    rate.denominator == 1
      ? "\(rate) fps" : "\(decimal(rate.value, places: 3)) fps (\(rate))"
  }
}

extension Profile {
  /// Whether a video may have this rate.
  package func accepts(_ rate: Rational) -> Bool {
    maxFrameRate.map { rate <= $0 } ?? true && minFrameRate.map { rate >= $0 } ?? true
      && lists(rate)
  }

  /// Whether the destination lists this rate, or lists none. 23.98 is how some write 24000/1001: the tolerance is 0.02 %.
  fileprivate func lists(_ rate: Rational) -> Bool {
    frameRates?.contains { abs(rate.value / $0.value - 1) < 0.0002 } ?? true
  }
}
