/// The timestamps of a clip's packets in a copy: starting at zero, and as even as they were meant.
///
/// Presentation times are those of the container. If every one is within a tick of its place in a constant rate, each
/// gets exactly that place: containers that count milliseconds round them. Decoding times are recomputed from the
/// decoding order and the reorder depth, because containers omit or round them, too.
struct CopiedTimes: Equatable {
  /// The unit of times, in seconds.
  var timeBase: Rational
  /// Presentation times by packet in decoding order, in units of `timeBase`. Decoding times may be negative.
  var pts: [Int64]
  var dts: [Int64]
  var durations: [Int64]

  /// Timescales have 32 bits, and constant rates in practice need far less.
  private static let finestRate: Int64 = 1_000_000

  /// - Parameters:
  ///   - order: see ``PacketTable/presentationOrder``; every packet is in it.
  ///   - timeBase: of the table.
  ///   - lastDuration: the duration of the last frame, in units of `timeBase`; zero if unknown.
  init(table: PacketTable, order: [Int], timeBase: Rational, lastDuration: Int64) {
    let even = Self.even(
      order.map { table.packets[$0].pts ?? 0 }, timeBase: timeBase, lastDuration: lastDuration)
    let times = even.times
    self.timeBase = even.timeBase
    let depth = table.reorderDepth(of: order)
    let step = order.count > 1 ? max(1, times[1]) : 1
    pts = [Int64](repeating: 0, count: order.count)
    durations = pts
    for (number, index) in order.enumerated() {
      pts[index] = times[number]
      durations[index] = times[number + 1].subtractingClamped(times[number])
    }
    dts = order.indices.map { number in
      number >= depth ? times[number - depth] : Int64(number - depth) * step
    }
  }

  /// The presentation times of the frames, starting at zero, with the end of the last one: as even as they were
  /// meant.
  ///
  /// - Parameter shown: of each frame in presentation order, in units of `timeBase`; at least one.
  static func even(
    _ shown: [Int64], timeBase: Rational, lastDuration: Int64
  ) -> (timeBase: Rational, times: [Int64]) {
    let timing = FrameTiming(
      timestamps: shown, timeBase: timeBase, lastDuration: lastDuration, declaredDuration: nil)
    let hold = lastDuration > 0 ? lastDuration : max(1, timing.medianStep)
    let first = shown.first ?? 0
    let times = shown.map { $0.subtractingClamped(first) }
    let end = (times.last ?? 0).addingClamped(hold)
    guard let rate = steadyRate(timing, times, timeBase), let base = Rational(1, rate.numerator)
    else { return (timeBase, times + [end]) }
    let ticks = timeBase.value * Double(rate.numerator)
    let held = Double(hold) * ticks
    // A held last frame remains held.
    let isHeld = abs(held - Double(rate.denominator)) > 1.5 * max(1, ticks)
    let last = isHeld ? wholeNumber(held.rounded(), as: Int64.self) : nil
    let even = times.indices.map { Int64($0) * rate.denominator }
    return (base, even + [(even.last ?? 0) + (last ?? rate.denominator)])
  }

  /// The rate in whose places, within a tick, all frames are.
  private static func steadyRate(
    _ timing: FrameTiming, _ times: [Int64], _ timeBase: Rational
  ) -> Rational? {
    guard timing.mode == .constant, times.count > 1, let rate = timing.rate, rate > Rational(0),
      rate.numerator <= finestRate, rate.denominator <= finestRate
    else { return nil }
    let step = 1 / (rate.value * timeBase.value)
    let isSteady = times.enumerated().allSatisfy { number, time in
      abs(Double(time) - Double(number) * step) <= 1.001
    }
    return isSteady ? rate : nil
  }
}
