/// Finds frames that repeat the one before: held drawings, rests and freezes.
struct StillFrames {
  /// A run of steps.
  private struct Run {
    var start: Int
    var length: Int
  }

  /// Steps below this repeat a frame.
  let stillStep: Double
  /// The median of the steps above.
  let usualStep: Double
  private let head: [Double]
  private let tail: [Double]
  private let headRuns: [Run]
  private let tailRuns: [Run]
  /// Runs between moving steps.
  private let inside: [Run]
  let areRegular: Bool

  /// - Parameters:
  ///   - head, tail: the steps at both ends in order; both of the whole clip when `isWhole`.
  init(head: [Double], tail: [Double], isWhole: Bool) {
    let all = isWhole ? head : head + tail
    // A compressed frame that repeats another differs by less than 0.12 code values. The upper part of the
    // others is real motion, unless almost everything is held; flashes are rarer.
    let moving = all.filter { $0 > 0.12 }.quantile(0.7) ?? 0
    let still = min(2, max(0.12, 0.2 * moving))
    func runs(_ steps: [Double]) -> [Run] {
      var runs: [Run] = []
      for (index, step) in steps.enumerated() where step < still {
        if let last = runs.last, last.start + last.length == index {
          runs[runs.count - 1].length += 1
        } else {
          runs.append(Run(start: index, length: 1))
        }
      }
      return runs
    }
    func isInside(_ run: Run, of steps: [Double]) -> Bool {
      run.start > 0 && run.start + run.length < steps.count
    }
    stillStep = still
    usualStep = all.filter { $0 >= still }.median ?? 0
    (self.head, self.tail) = (head, tail)
    headRuns = runs(head)
    tailRuns = isWhole ? headRuns : runs(tail)
    inside =
      headRuns.filter { isInside($0, of: head) }
      + (isWhole ? [] : tailRuns.filter { isInside($0, of: tail) })
    // Twos repeat half of the frames, threes two thirds.
    let runCount = headRuns.count + tailRuns.count
    let longest = (headRuns + tailRuns).map(\.length).max() ?? 0
    let share = Double(all.count { $0 < still }) / Double(max(1, all.count))
    areRegular =
      (0.3...0.85).contains(share) && longest <= 4 && runCount >= 2 && moving > 0.5
  }

  /// The steps from the seam inwards: from the start, and from the end backwards.
  private var outward: (head: [Double], tail: [Double]) { (head, tail.reversed()) }

  /// Which frames are not repeats, given the steps between them.
  func distinct(_ steps: [Double]) -> [Int] {
    [0] + steps.indices.filter { steps[$0] >= stillStep }.map { $0 + 1 }
  }

  var measured: SeamMeasurement.Holds {
    func run(_ steps: [Double]) -> Int { steps.prefix { $0 < stillStep }.count }
    let restStep = 0.35 * usualStep
    func rest(_ steps: [Double]) -> (length: Int, next: Double?) {
      let length = steps.prefix { $0 < restStep }.count
      let others = steps[length...]
      let next = Array(others.prefix(2))
      let movingShare =
        Double(others.count { $0 >= restStep }) / Double(max(1, others.count))
      guard areRegular || movingShare > 0.5 else { return (length, nil) }
      return (length, areRegular ? next.max() : next.median)
    }
    let (head, tail) = outward
    let (headRest, tailRest) = (rest(head), rest(tail))
    return SeamMeasurement.Holds(
      stillStep: stillStep, areRegular: areRegular,
      longestInside: inside.map(\.length).max() ?? 0, countInside: inside.count, head: run(head),
      tail: run(tail), headRest: headRest.length, tailRest: tailRest.length,
      stepAfterHeadRest: headRest.next, stepBeforeTailRest: tailRest.next)
  }

  /// The speeds of the clip, but for what takes pictures: see ``SeamMeasurement/Pace``.
  func pace(
    seamStep: Double, largestDifference: Double, farthest: Double?, overFirst: Double,
    overLast: Double, all: [Double]
  ) -> SeamMeasurement.Pace {
    let (head, tail) = outward
    func near(_ steps: [Double]) -> ArraySlice<Double> {
      steps.prefix(6).filter { $0 >= stillStep }.prefix(3)
    }
    func calm(_ steps: [Double]) -> ArraySlice<Double> {
      steps.drop { $0 < stillStep }.prefix(8)
    }
    let largest = all.max() ?? 0
    return SeamMeasurement.Pace(
      ownStep: Array(near(head) + near(tail)).median ?? 0, usualStep: usualStep,
      calmStep: Array(calm(head) + calm(tail)).quantile(0.25) ?? 0, largestStep: largest,
      largestDifference: max(largest, seamStep, largestDifference), farthest: farthest,
      stepOverFirst: overFirst, stepOverLast: overLast,
      stepsNearSeams: all.count { $0 > 0.6 * seamStep },
      stepsLikeSeam: all.count { $0 > 0.7 * seamStep })
  }
}
