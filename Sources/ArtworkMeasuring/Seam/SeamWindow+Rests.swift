extension SeamWindow {
  /// A rest's steps are below this share of the moving ones.
  private static let restShare = 0.15
  /// Shorter runs are not examined: see ``SeamThresholds/freezeSeconds``.
  private static let fewest = 4

  /// The number of steps that determine the speed beside a rest: an eased start still grows over them.
  private static let stepsBeside = 8
  /// Motion that slows down before it stops has both steps beside the rest below this share of the usual one.
  private static let eased = 0.6
  /// A keyframe in a rest is coded again, which changes less than this share of the moving steps.
  private static let recoded = 0.35

  /// The rests that touch the seam, with the speed beside each, in a clip that moves; empty if one takes more than
  /// half of the clip, which is then a still.
  ///
  /// - Parameter live: the usual moving step near the seam.
  package func rests(live: Double, _ limits: SeamThresholds) throws(MissingFrames)
    -> [SeamMeasurement.Rest]
  {
    // If both ends rest, all of their steps are noise.
    let still = live < limits.still ? limits.still : max(0.03, Self.restShare * live)
    var rests: [SeamMeasurement.Rest] = []
    for isAtStart in [false, true] {
      let steps = isAtStart ? headSteps : tailSteps.reversed()
      let length = steps.enumerated().prefix { index, step in
        let number = isAtStart ? index + 1 : clip.count - 1 - index
        return isStill(number, step, below: still, live: live)
      }.count
      guard length >= min(Self.fewest, window - 1), length > 0 else { continue }
      guard let rest = try rest(isAtStart: isAtStart, from: length, below: still, live: live) else {
        return []
      }
      rests.append(rest)
    }
    guard rests.contains(where: limits.isAbrupt) else { return rests }
    let inside = try inside(below: still)
    let straight = try straightness(rests)
    for index in rests.indices {
      let rest = rests[index]
      rests[index].longestInside = inside.longest
      rests[index].share = inside.share
      rests[index].straightness = straight
      let other = rests.first { $0.isAtStart != rest.isAtStart }
      let across = rest.isAtStart ? tailSteps.reversed() : headSteps
      rests[index].stepAcross = other?.stepBeside ?? Self.speed(across, live: live)
    }
    return rests
  }

  /// Follows a rest inwards until something moves; `nil` for one that takes more than half of the clip.
  private func rest(
    isAtStart: Bool, from shortest: Int, below still: Double, live: Double
  ) throws(MissingFrames) -> SeamMeasurement.Rest? {
    /// The later frame of step number `index` inwards from the seam.
    func frame(_ index: Int) -> Int { isAtStart ? index + 1 : clip.count - 1 - index }
    var length = shortest
    let longest = clip.count / 2
    while length < longest {
      if let known = clip.measuredStep(to: frame(length)) {
        guard isStill(frame(length), known, below: still, live: live) else { break }
        length += 1
      } else {
        // Twice as far each time, because every step decodes from a keyframe on. A clip with a single keyframe is
        // decoded once more, so then all of it is examined.
        let ahead = (length..<min(longest, 2 * length)).map(frame)
        try clip.requireSteps(isOneGroup ? Array(1..<clip.count) : ahead)
      }
    }
    guard length < longest else { return nil }
    let ahead = (length..<min(longest, length + Self.stepsBeside)).map(frame)
    // It is not decoded once more for steps farther away.
    if !isOneGroup { try clip.requireSteps(ahead) }
    let beside = ahead.map(clip.measuredStep).prefix { $0 != nil }.compactMap(\.self)
    // The second largest: a single one may be a cut.
    let grown = beside.sorted(by: >).dropFirst().first ?? 0
    return SeamMeasurement.Rest(
      isAtStart: isAtStart, frames: length, seconds: Double(length) * clip.interval,
      stepBeside: Self.speed(beside, live: live), usualStep: max(live, grown))
  }

  /// The first step beside a rest; or the second, unless that is slower than usual as well: coding leaves a small step after
  /// motion stops.
  private static func speed(_ steps: [Double], live: Double) -> Double {
    let speed = steps.prefix(2).max() ?? 0
    return speed < eased * live ? steps.first ?? 0 : speed
  }

  private func isStill(_ number: Int, _ step: Double, below still: Double, live: Double) -> Bool {
    step < still
      || step < Self.recoded * live && clip.clock?.keyFrames.contains(number) == true
  }

  /// Repeated frames of the longest rest inside, from its begin to its end, and the share of the whole clip that stands
  /// still for at least four frames.
  private func inside(below still: Double) throws(MissingFrames) -> (longest: Int, share: Double) {
    try clip.requireWhole()
    let isStill = (1..<clip.round).map { clip.measuredStep(to: $0).map { $0 < still } }
    let resting = isStill.map { $0 ?? false }.runLengths.filter { $0 >= Self.fewest }.reduce(0, +)
    let inside = isStill.dropFirst(window - 1).dropLast(window - 1)
    return (inside.longestRun, Double(resting) / Double(clip.round))
  }

  /// How straight the motion continues over the rests at both ends together, as in
  /// ``SeamMeasurement/Repeats/straightness``.
  private func straightness(_ rests: [SeamMeasurement.Rest]) throws(MissingFrames) -> Double {
    func frames(_ isAtStart: Bool) -> Int { rests.first { $0.isAtStart == isAtStart }?.frames ?? 0 }
    let (ending, starting) = (clip.count - 1 - frames(false), frames(true))
    guard ending > 0, starting + 1 < clip.count else { return 0 }
    // Pictures far from the ends are released, cells of every frame are kept.
    func change(_ one: Int, _ other: Int) throws(MissingFrames) -> Double {
      FrameChange.busy(try clip.trace(one).cells, try clip.trace(other).cells)
    }
    let beside = try change(ending - 1, ending) + change(starting, starting + 1)
    return try change(ending - 1, starting + 1) / (beside + 1e-6)
  }

  private var isOneGroup: Bool { clip.clock?.isOneGroup ?? true }
}

extension Sequence<Bool?> {
  /// The longest run of `true` between two `false`; `nil` breaks it off.
  var longestRun: Int {
    var (longest, length): (Int, Int?) = (0, nil)
    for element in self {
      switch element {
      case true: length = length.map { $0 + 1 }
      case false:
        longest = Swift.max(longest, length ?? 0)
        length = 0
      case nil: length = nil
      }
    }
    return longest
  }
}
