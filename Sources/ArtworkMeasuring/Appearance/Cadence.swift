/// Frames that repeat the one before in a regular pattern: a clip with a low frame rate that is stored at a higher one.
///
/// The pattern is that of a conversion which shows, at each stored time, the latest original frame.
package struct Cadence: Sendable, Equatable, Codable {
  /// The stored frames after which the pattern repeats, and the original ones among them: 5 and 4 for 24 fps in 30.
  package var period: Int
  package var distinct: Int
  /// The place of the first frame in the pattern, from 0 to ``period`` - 1.
  package var phase: Int
  /// Whether nearly every frame follows the pattern, so that the repeated ones can be left out.
  package var isRegular: Bool

  /// The usual rates of films, television, animation and displays, in frames per second.
  private static let originalRates: [Int64] = [12, 15, 24, 25, 30, 48, 50]
  /// Rates up to this may show each drawing for two or three frames.
  private static let mostDrawn: Int64 = 30
  private static let longestPeriod: Int64 = 25
  /// A frame repeats the one before if its step is below this share of the others around it; coding leaves that much of
  /// slow motion. A structure of B-frames resembles frames that are stored equally often, but its steps are larger.
  private static let (stillShare, evenShare) = (0.55, 0.3)
  /// Less motion than this reveals no pattern, in code values of busy steps.
  private static let leastMotion = 1.0
  /// Frames on each side that show how much moves.
  private static let reach = 15
  /// The share of steps that follow the pattern: of all to find it, of repeated frames to leave them out.
  private static let (found, regular) = (0.85, 0.97)

  /// Finds the pattern.
  ///
  /// - Parameters:
  ///   - steps: busy steps to each frame from the one before; `nil` where unknown.
  ///   - rate: stored frames per second.
  ///   - least: repeated frames that must be seen.
  package init?(_ steps: [Double?], rate: Double, least: Int) {
    let known = steps.indices.filter { steps[$0] != nil }
    let values = steps.map { $0 ?? 0 }
    let decided = known.filter { place in
      let near = values[max(0, place - Self.reach)...min(values.count - 1, place + Self.reach)]
      return near.sorted().dropLast(near.count / 10).last ?? 0 >= Self.leastMotion
    }
    guard decided.count > least else { return nil }
    var best: (cadence: Cadence, share: Double)?
    for (period, distinct) in Self.patterns(rate) {
      for phase in 0..<period {
        let cadence = Cadence(period: period, distinct: distinct, phase: phase, isRegular: true)
        let (still, moved) = cadence.shares(of: decided, values, least: least)
        if min(still, moved) > max(best?.share ?? 0, Self.found) {
          best = (cadence, min(still, moved))
          best?.cadence.isRegular = still >= Self.regular
        }
      }
    }
    guard let best else { return nil }
    self = best.cadence
  }

  private init(period: Int, distinct: Int, phase: Int, isRegular: Bool) {
    (self.period, self.distinct, self.phase) = (period, distinct, phase)
    self.isRegular = isRegular
  }

  /// Periods, and the original frames in each, for a stored rate.
  private static func patterns(_ rate: Double) -> [(period: Int, distinct: Int)] {
    guard let stored = wholeNumber(rate.rounded(), as: Int64.self), stored > 0 else { return [] }
    return originalRates.compactMap { original in
      guard original < stored, let share = Rational(original, stored),
        share.denominator <= longestPeriod, share.numerator > 1 || stored > mostDrawn
      else { return nil }
      return (Int(share.denominator), Int(share.numerator))
    }
  }

  /// The shares of the repeated frames that stand still, and of the others that move; 0 for too few.
  private func shares(
    of places: [Int], _ steps: [Double], least: Int
  ) -> (still: Double, moved: Double) {
    let limit = isEven ? Self.evenShare : Self.stillShare
    var (repeats, still, others, moved) = (0, 0, 0, 0)
    // The motion around a frame changes quickly.
    let near = min(max(period, 4), 8)
    var latest: [(place: Int, step: Double)] = []
    let moving = places.filter { !isRepeat($0) }
    var next = 0
    for place in places {
      while next < moving.count, moving[next] <= place + near {
        latest.append((moving[next], steps[moving[next]]))
        next += 1
      }
      latest.removeAll { $0.place < place - near }
      let usual = latest.filter { $0.place != place }.map(\.step).median ?? 0
      let isStill = steps[place] < limit * usual
      if isRepeat(place) {
        (repeats, still) = (repeats + 1, still + (isStill ? 1 : 0))
      } else {
        (others, moved) = (others + 1, moved + (isStill ? 0 : 1))
      }
      // Nothing can save it.
      if repeats - still > max(1, places.count / 6) { return (0, 0) }
    }
    guard still >= least else { return (0, 0) }
    return (Double(still) / Double(repeats), Double(moved) / Double(max(1, others)))
  }

  /// Whether the frame with this number repeats the one before. The first one does not.
  package func isRepeat(_ number: Int) -> Bool {
    number > 0
      && (number + phase) * distinct / period == (number - 1 + phase) * distinct / period
  }

  /// The share of the stored frames that are original.
  package var share: Rational { Rational(Int64(distinct), Int64(max(1, period))) ?? .one }

  /// Whether each original frame is stored equally often.
  package var isEven: Bool { distinct == 1 }

  /// Whether numbers are in the ranges of ``init(_:rate:least:)``. A compromised worker may report anything.
  package var isPossible: Bool {
    (2...Int(Self.longestPeriod)).contains(period) && (1..<period).contains(distinct)
      && (0..<period).contains(phase)
  }
}

extension SeamClip {
  /// The repeated frames that confirm a pattern, of ``Cadence/init(_:rate:least:)``: among the ends, and in the first
  /// frames.
  private static let (suspected, confirmed) = (2, 6)
  private static let firstFrames = 61

  /// The pattern in which frames repeat; `nil` unless every frame was seen.
  package var cadence: Cadence? {
    isWhole ? cadence(least: min(Self.confirmed, max(Self.suspected + 1, count / 16))) : nil
  }

  /// The frames that show whether frames repeat in a pattern, if those so far suggest it.
  package var framesForCadence: Set<Int> {
    let first = Set(0..<min(count, Self.firstFrames))
    guard !isWhole, cadence(least: Self.suspected) != nil else { return [] }
    let missing = first.filter { $0 > 0 && measuredStep(to: $0) == nil }
    if !missing.isEmpty { return first }
    return cadence(least: Self.confirmed) == nil ? [] : Set(0..<count)
  }

  private func cadence(least: Int) -> Cadence? {
    guard interval > 0 else { return nil }
    return Cadence(
      (0..<count).map { $0 == 0 ? nil : measuredStep(to: $0) }, rate: 1 / interval, least: least)
  }
}
