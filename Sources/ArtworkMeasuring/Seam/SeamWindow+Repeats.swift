extension SeamWindow {
  private static let mostReplayed = 4
  /// The tolerance for replayed frames, as a share of the clip's own step, which is at least `leastStep` code values.
  private static let (replayShare, leastStep) = (0.3, 0.8)

  /// - Parameters:
  ///   - still: see ``stillStep(_:)``.
  ///   - live: the usual moving step near the seam.
  package func repeats(
    _ frames: DistinctFrames, still: Double, live: Double, _ limits: SeamThresholds
  ) throws(MissingFrames) -> SeamMeasurement.Repeats {
    let last = clip.count - 1
    let (ending, starting) = held(still: still, live: live, limits)
    guard let before = tailSteps.dropLast(ending).last,
      let after = headSteps.dropFirst(starting).first
    else {
      return SeamMeasurement.Repeats(
        replayed: 0, stepRatio: 1, straightness: 1, stepBeside: 0, repeatElsewhere: nil)
    }
    let beside = min(before, after)
    var repeats = SeamMeasurement.Repeats(
      replayed: try replayed(frames), heldBefore: ending, heldAfter: starting,
      stepRatio: seamStep / (beside + 1e-6),
      straightness: try clip.step(last - 1 - ending, 1 + starting) / (before + after + 1e-6),
      stepBeside: beside, repeatElsewhere: nil)
    try findDoubled(&repeats, still: still, live: live, limits)
    // Frames that repeat near by are the clip's own way.
    let isDoubled = repeats.doubledBefore + repeats.doubledAfter > 0
    if frames.hold == 1, isDoubled || beside > Self.leastStep,
      isDoubled || repeats.stepRatio < 0.5
    {
      let (ending, starting) = (ending + repeats.doubledBefore, starting + repeats.doubledAfter)
      let share = 0.12 * (near.quantile(0.8) ?? 0)
      let others = tailSteps.dropLast(ending) + headSteps.dropFirst(starting)
      let isRegular = others.contains { $0 < share }
      if isDoubled, !isRegular {
        try clip.requireWhole()
        repeats.repeatElsewhere = (window..<max(window, clip.round - window)).contains {
          clip.measuredStep(to: $0) ?? 0 < still
        }
      } else {
        repeats.repeatElsewhere = isRegular ? true : try repeatsInside(below: still)
      }
    }
    return repeats
  }

  /// The number of steps on each side of the seam that repeat the same frame, with motion immediately beyond them.
  private func held(
    still: Double, live: Double, _ limits: SeamThresholds
  ) -> (ending: Int, starting: Int) {
    // More of them are a rest.
    guard seamStep < still, let beside = stillBeside(still),
      (1..<Self.mostReplayed).contains(beside.ending + beside.starting),
      min(beside.before, beside.after) > limits.freezeOnset * live
    else { return (0, 0) }
    return (beside.ending, beside.starting)
  }

  /// The steps without motion on each side of the seam, and the first step beyond them.
  private func stillBeside(
    _ still: Double
  ) -> (ending: Int, starting: Int, before: Double, after: Double)? {
    let ending = tailSteps.reversed().prefix { $0 < still }.count
    let starting = headSteps.prefix { $0 < still }.count
    guard let before = tailSteps.dropLast(ending).last,
      let after = headSteps.dropFirst(starting).first
    else { return nil }
    return (ending, starting, before, after)
  }

  /// Nobody sees a frame that stays for less than this longer, as one at 50 or 60 fps does, or in motion of less than
  /// this many code values.
  private static let (seenSeconds, seenStep) = (0.03, 2.0)

  /// Finds frames beside the seam that are shown more than once while everything around them moves, straight on.
  private func findDoubled(
    _ repeats: inout SeamMeasurement.Repeats, still: Double, live: Double, _ limits: SeamThresholds
  ) throws(MissingFrames) {
    let moving = max(limits.freezeOnset * live, Self.seenStep)
    guard seamStep > moving, let (ending, starting, before, after) = stillBeside(still),
      (1...Self.mostReplayed).contains(ending + starting), ending < tailSteps.count - 1,
      starting < headSteps.count - 1, min(before, after) > moving,
      Double(ending + starting) * clip.interval > Self.seenSeconds
    else { return }
    let last = clip.count - 1
    let straightness =
      try clip.step(last - ending - 1, 0) / (before + seamStep + 1e-6)
    let other = try clip.step(last, starting + 1) / (seamStep + after + 1e-6)
    guard min(straightness, other) > limits.heldStraightness else { return }
    (repeats.doubledBefore, repeats.doubledAfter) = (ending, starting)
  }

  /// The first frames play the last ones once more, although something moves in them: how many.
  private func replayed(_ frames: DistinctFrames) throws(MissingFrames) -> Int {
    let (tail, head) = (frames.tail, frames.head)
    let most = min(Self.mostReplayed, tail.count - 1, head.count - 1)
    guard most >= 2, let last = tail.last else { return 0 }
    for count in 2...most {
      let (old, new) = (Array(tail.suffix(count)), Array(head.prefix(count)))
      var difference = 0.0
      for (one, other) in zip(old, new) { difference = max(difference, try clip.step(one, other)) }
      var own = 0.0
      for frames in [old, new] {
        for (one, other) in zip(frames, frames.dropFirst()) {
          own = max(own, try clip.step(one, other))
        }
      }
      // A clip that repeats every few frames does so everywhere.
      let period = min(try clip.step(tail[tail.count - 1 - count], last), seamStep)
      if own > Self.leastStep, difference < Self.replayShare * own, period > 2 * difference {
        return count
      }
    }
    return 0
  }

  /// Whether a frame inside the clip repeats the one before, with motion immediately before or after it: checked for
  /// those with the smallest packets.
  private func repeatsInside(below still: Double) throws(MissingFrames) -> Bool {
    let inside = window..<max(window, clip.count - window)
    let windows = clip.packetSizes?.quietWindows(in: inside) ?? []
    try clip.requireSteps(windows.flatMap { $0.dropFirst() })
    for window in windows {
      let steps = window.dropFirst().compactMap(clip.measuredStep)
      if steps.count == 3, steps[1] < still, max(steps[0], steps[2]) >= still { return true }
    }
    return false
  }
}
