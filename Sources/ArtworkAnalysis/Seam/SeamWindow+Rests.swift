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
  package func rests(live: Double, _ limits: SeamThresholds) throws(MissingFrames)
    -> [SeamMeasurement.Rest]
  {
    // Where both ends rest, all of their steps are noise.
    let still = live < limits.still ? limits.still : max(0.03, Self.restShare * live)
    var rests: [SeamMeasurement.Rest] = []
    for isAtStart in [false, true] {
      let steps = isAtStart ? headSteps : tailSteps.reversed()
      let length = steps.prefix { $0 < still }.count
      guard length >= min(Self.fewest, window - 1), length > 0 else { continue }
      if var rest = try rest(isAtStart: isAtStart, from: length, below: still, live: live) {
        if limits.isAbrupt(rest) {
          rest.longestInside = try longestInside(like: rest, below: still)
        }
        rests.append(rest)
      }
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
      if let known = clip.knownStep(to: frame(length)) {
        guard known < still else { break }
        length += 1
      } else {
        // Twice as far each time: every look decodes from a key frame on. A clip with a single one is decoded once more, so
        // then all of it is looked at.
        let ahead = (length..<min(longest, 2 * length)).map(frame)
        try clip.requireSteps(isOneGroup ? Array(1..<clip.count) : ahead)
      }
    }
    guard length < longest else { return nil }
    let ahead = (length..<min(longest, length + Self.stepsBeside)).map(frame)
    // It is not decoded once more for steps farther away.
    if !isOneGroup { try clip.requireSteps(ahead) }
    let beside = ahead.map(clip.knownStep).prefix { $0 != nil }.compactMap(\.self)
    // The second largest: a single one may be a cut.
    let grown = beside.sorted(by: >).dropFirst().first ?? 0
    return SeamMeasurement.Rest(
      isAtStart: isAtStart, frames: length, seconds: Double(length) * clip.interval,
      stepBeside: beside.prefix(2).max() ?? 0, usualStep: max(live, grown))
  }

  /// Repeated frames of the longest rest inside, from its begin to its end.
  ///
  /// A clip of a single group of pictures is not decoded again for that: the data that its frames take has to tell.
  private func longestInside(
    like rest: SeamMeasurement.Rest, below still: Double
  ) throws(MissingFrames) -> Int {
    let range = window..<max(window, clip.count - window)
    if isOneGroup, !clip.isWhole {
      let resting = rest.isAtStart ? 1..<rest.frames + 1 : clip.count - rest.frames..<clip.count
      return clip.packetSizes?.longestRest(in: range, like: resting) ?? 0
    }
    let inside = try clip.sample(of: range)
    return inside.indices.dropFirst().map { index -> Bool? in
      let (before, number) = (inside[index - 1], inside[index])
      guard number == before + 1, let step = clip.knownStep(to: number) else { return nil }
      return step < still
    }.longestRun
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
