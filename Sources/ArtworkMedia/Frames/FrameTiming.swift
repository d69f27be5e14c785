/// Rates and durations of displayed frames, computed from their presentation timestamps.
package struct FrameTiming: Equatable {
  package var mode: FrameRateMode
  /// Exact for a constant rate, the mean for a variable one.
  package var rate: Rational?
  /// The inverse of the shortest and of the longest step.
  package var highestRate: Double?
  var lowestRate: Double?
  package var durationSeconds: Double
  package var startSeconds: Double
  /// The duration of the last frame.
  var lastFrameSeconds: Double
  /// The usual step between frames in time base units; zero for a single frame.
  package var medianStep: Int64

  /// Rates that cameras, editors and encoders mean when rounded timestamps only come close.
  package static let standardRates: [Rational] = [
    (8, 1), (10, 1), (12, 1), (12_500, 1000), (15, 1), (15_000, 1001), (20, 1), (24_000, 1001),
    (24, 1), (25, 1), (30_000, 1001), (30, 1), (48_000, 1001), (48, 1), (50, 1), (60_000, 1001),
    (60, 1), (72, 1), (90, 1), (100, 1), (120_000, 1001), (120, 1), (240, 1),
  ].compactMap { Rational($0.0, $0.1) }

  /// Steps may differ this much from the usual one before the rate counts as variable: phones jitter
  /// by a few percent around a constant rate.
  static let jitter = 0.05

  /// - Parameters:
  ///   - timestamps: of the displayed frames in presentation order, in units of `timeBase` seconds.
  ///   - lastDuration: of the last frame in the same units; zero if unknown.
  ///   - declaredDuration: the duration that the container states of the stream, in the same units.
  ///   - longestHold: by how many seconds the container's duration may exceed that of the frames, because the last
  ///     one is held.
  ///   - rounding: the unit to which times were rounded before they were written, in units of `timeBase`.
  package init(
    timestamps: [Int64], timeBase: Rational, lastDuration: Int64, declaredDuration: Int64?,
    longestHold: Double = 0, rounding: Int64 = 1
  ) {
    let tick = timeBase.value
    guard let first = timestamps.first, let last = timestamps.last else {
      self.init(
        mode: .constant, durationSeconds: 0, startSeconds: 0, lastFrameSeconds: 0, medianStep: 0)
      return
    }
    let steps = zip(timestamps, timestamps.dropFirst()).map { $1.subtractingClamped($0) }
    let positive = steps.filter { $0 > 0 }.sorted()
    let median = positive.isEmpty ? 0 : positive[positive.count / 2]
    let ownLast = lastDuration > 0 ? lastDuration : median
    // Damaged files hold times that run backwards: they have no rate, and no negative length.
    let span = max(0, last.subtractingClamped(first))
    let computed = span.addingClamped(ownLast)
    // The duration in the container counts if it differs by less than a frame, or is longer because the last frame is
    // held: an edit list may cut or stretch it. In real files it may also be plainly wrong.
    let slack = max(median, ownLast)
    let duration =
      declaredDuration.flatMap { declared in
        let excess = declared.subtractingClamped(computed)
        return excess.magnitude <= slack.magnitude
          || (excess > 0 && Double(excess) * tick <= longestHold)
          ? declared : nil
      } ?? computed

    self.init(
      mode: .constant, durationSeconds: Double(duration) * tick,
      startSeconds: Double(first) * tick,
      lastFrameSeconds: Double(max(0, duration.subtractingClamped(span))) * tick,
      medianStep: median)
    if timestamps.count == 1, ownLast > 0 { rate = timeBase.inverse?.scaled(by: 1, over: ownLast) }
    guard let shortest = positive.first, let longest = positive.last,
      let clock = timeBase.inverse, let mean = clock.scaled(by: Int64(positive.count), over: span)
    else { return }
    highestRate = 1 / (Double(shortest) * tick)
    lowestRate = 1 / (Double(longest) * tick)
    if shortest == longest, positive.count == steps.count {
      rate =
        Self.isClock(timeBase)
        ? Self.standardRate(timestamps, timeBase: timeBase, near: mean) ?? mean : mean
    } else if let standard = Self.standardRate(
      timestamps, timeBase: timeBase, near: mean, rounding: rounding)
    {
      rate = standard
    } else {
      let allowed = max(1, Double(median) * Self.jitter)
      let isSteady =
        Double(median - shortest) <= allowed && Double(longest - median) <= allowed
        && positive.count == steps.count
      if isSteady {
        let nearest = Self.standardRates.min {
          abs($0.value - mean.value) < abs($1.value - mean.value)
        }
        rate = nearest.flatMap { abs($0.value / mean.value - 1) < 0.0025 ? $0 : nil } ?? mean
      } else {
        mode = .variable
        // A last frame that is held for long is no evidence of the rate.
        let isHeld = duration.subtractingClamped(computed) > slack
        rate = clock.scaled(by: Int64(timestamps.count), over: isHeld ? computed : duration) ?? mean
      }
    }
  }

  private init(
    mode: FrameRateMode, durationSeconds: Double, startSeconds: Double, lastFrameSeconds: Double,
    medianStep: Int64
  ) {
    self.mode = mode
    self.durationSeconds = durationSeconds
    self.startSeconds = startSeconds
    self.lastFrameSeconds = lastFrameSeconds
    self.medianStep = medianStep
  }

  /// Whether a time base counts hundredths, milliseconds or another clock's ticks, to which frame times are rounded.
  /// Any other was made for the rate (1/61 in an AVI file at 61 fps), so that even steps are exact.
  private static func isClock(_ timeBase: Rational) -> Bool {
    timeBase.numerator == 1 && timeBase.denominator % 100 == 0
  }

  /// The standard rate whose frame times, rounded to the time base, are these timestamps: every one within one tick
  /// of its place. Only needed for time bases too coarse to express the rate exactly.
  private static func standardRate(
    _ timestamps: [Int64], timeBase: Rational, near mean: Rational, rounding: Int64 = 1
  ) -> Rational? {
    guard let first = timestamps.first else { return nil }
    let candidates =
      standardRates
      .filter { abs($0.value / mean.value - 1) < 0.05 }
      .sorted { abs($0.value - mean.value) < abs($1.value - mean.value) }
    return candidates.first { rate in
      let ticksPerFrame = 1 / (rate.value * timeBase.value)
      return timestamps.enumerated().allSatisfy { number, timestamp in
        abs(Double(timestamp.subtractingClamped(first)) - Double(number) * ticksPerFrame)
          <= 1.001 * Double(rounding)
      }
    }
  }
}

extension Rational {
  /// `self * count / divisor`; `nil` for a zero divisor or when it does not fit.
  fileprivate func scaled(by count: Int64, over divisor: Int64) -> Rational? {
    Rational(count, divisor).flatMap { multiplied(by: $0) }
  }
}

extension ClipClock {
  /// The duration of each frame: exact for a constant rate, else from its timestamps.
  ///
  /// - Parameter resting: whether a last frame of a constant rate keeps a duration of its own, as its author means it.
  ///   In other files it is a gap at the repeat.
  package func durations(resting: Bool) -> [Rational] {
    let timing = FrameTiming(
      timestamps: timestamps, timeBase: timeBase, lastDuration: lastDuration,
      declaredDuration: nil)
    let last = lastDuration > 0 ? lastDuration : max(1, timing.medianStep)
    if timing.mode == .constant, let rate = timing.rate {
      let step = unrounded(rate, timing).inverse ?? .one
      var durations = [Rational](repeating: step, count: count)
      let difference = last.subtractingClamped(timing.medianStep)
      if resting, difference.magnitude > 1, let rest = timeBase.multiplied(by: Rational(last)) {
        durations[count - 1] = rest
      }
      return durations
    }
    let steps = zip(timestamps, timestamps.dropFirst()).map { $1.subtractingClamped($0) } + [last]
    // Damaged files contain times that run backwards: such a frame gets a tick.
    return steps.map { timeBase.multiplied(by: Rational(max(1, $0))) ?? .one }
  }

  /// The rate that a step was rounded from: libavformat rounds each delay of an APNG to a 100,000th of a second, so
  /// that 12 fps becomes 12.0005. A coarser clock, as that of GIF, is taken literally.
  private func unrounded(_ rate: Rational, _ timing: FrameTiming) -> Rational {
    let finest: Int64 = 1000
    guard timing.medianStep >= finest else { return rate }
    return FrameTiming.standardRates.first { standard in
      abs(1 / (standard.value * timeBase.value) - Double(timing.medianStep)) < 0.5
    } ?? rate
  }
}
