extension SeamWindow {
  /// A rest's steps are below this share of the moving ones.
  private static let restShare = 0.15
  /// Shorter runs are not looked at: see ``SeamThresholds/freezeSeconds``.
  private static let fewest = 4

  /// The speed beside a rest is taken from so many steps: an eased start still grows over them.
  private static let stepsBeside = 8

  /// The rests that touch the seam, with the speed beside each, in a clip that moves.
  ///
  /// - Parameter live: the usual moving step near the seam.
  func rests(live: Double, _ limits: SeamThresholds) throws(MissingFrames) -> [SeamMeasurement.Rest]
  {
    // Where both ends rest, all of their steps are noise.
    let still = live < limits.still ? limits.still : max(0.03, Self.restShare * live)
    var rests: [SeamMeasurement.Rest] = []
    for isAtStart in [false, true] {
      let steps = isAtStart ? headSteps : tailSteps.reversed()
      let length = steps.prefix { $0 < still }.count
      guard length >= min(Self.fewest, window - 1), length > 0 else { continue }
      if var rest = try rest(isAtStart: isAtStart, from: length, below: still, live: live) {
        if limits.isAbrupt(rest) { rest.longestInside = try longestRestInside(below: still) }
        rests.append(rest)
      }
    }
    return rests
  }

  /// Follows a rest inwards until something moves; `nil` for one that takes more than half of the clip.
  private func rest(
    isAtStart: Bool, from shortest: Int, below still: Double, live: Double
  ) throws(MissingFrames) -> SeamMeasurement.Rest? {
    /// The step number `index` inwards from the seam.
    func step(_ index: Int) throws(MissingFrames) -> Double {
      isAtStart
        ? try clip.step(index, index + 1)
        : try clip.step(clip.count - 2 - index, clip.count - 1 - index)
    }
    var length = shortest
    let longest = clip.count / 2
    while length < longest {
      // Twice as far each time: every look decodes from a key frame on. A clip with a single one is looked at once.
      let ahead = (clip.clock?.keyFrames.count ?? 0) > 1 ? min(longest, 2 * length) : longest
      try clip.requireSteps(
        (length..<ahead).map { isAtStart ? $0 + 1 : clip.count - 1 - $0 })
      while length < ahead, try step(length) < still { length += 1 }
      if length < ahead { break }
    }
    guard length < longest else { return nil }
    let ahead = length..<min(longest, length + Self.stepsBeside)
    try clip.requireSteps(ahead.map { isAtStart ? $0 + 1 : clip.count - 1 - $0 })
    var beside: [Double] = []
    for index in ahead { beside.append(try step(index)) }
    // The second largest: a single one may be a cut.
    let grown = beside.sorted(by: >).dropFirst().first ?? 0
    return SeamMeasurement.Rest(
      isAtStart: isAtStart, frames: length, seconds: Double(length) * clip.interval,
      stepBeside: beside.prefix(2).max() ?? 0, usualStep: max(live, grown))
  }

  /// Repeated frames of the longest rest inside that was seen from its begin to its end.
  private func longestRestInside(below still: Double) throws(MissingFrames) -> Int {
    let inside = try clip.sample(of: window..<max(window, clip.count - window))
    var (longest, length): (Int, Int?) = (0, nil)
    for (before, number) in zip(inside, inside.dropFirst()) {
      guard number == before + 1, let step = try clip.trace(number).busyStep else {
        length = nil
        continue
      }
      if step < still {
        length = length.map { $0 + 1 }
      } else {
        longest = max(longest, length ?? 0)
        length = 0
      }
    }
    return longest
  }
}
