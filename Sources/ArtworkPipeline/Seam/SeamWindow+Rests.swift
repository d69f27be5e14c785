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
        if limits.isAbrupt(rest) {
          rest.longestInside = try longestInside(like: rest, below: still)
        }
        rests.append(rest)
      }
    }
    return rests
  }

  /// Follows a rest inwards until something moves; `nil` for one that takes more than half of the clip, or if nothing was seen
  /// beside it in a clip that is not decoded again.
  private func rest(
    isAtStart: Bool, from shortest: Int, below still: Double, live: Double
  ) throws(MissingFrames) -> SeamMeasurement.Rest? {
    let inwards = isAtStart ? 1 : -1
    /// Number `index` of the frames inwards from the seam.
    func frame(_ index: Int) -> Int { isAtStart ? index : clip.count - 1 - index }
    /// The later frames of steps between those frames.
    func steps(_ range: Range<Int>) -> [Int] { range.map { max(frame($0), frame($0 + 1)) } }
    var length = shortest
    let longest = clip.count / 2
    while length < longest {
      if clip.knownStep(to: max(frame(length), frame(length + 1))) == nil {
        // Twice as far each time: every look decodes from a key frame on.
        try clip.requireSteps(steps(length..<min(longest, 2 * length)))
      }
      guard let change = clip.change(from: frame(length), inwards) else { return nil }
      guard change.size < still else { break }
      length += change.frames
    }
    guard length < longest else { return nil }
    let end = min(longest, length + Self.stepsBeside)
    try clip.requireSteps(steps(length..<end))
    var beside: [Double] = []
    while length + beside.count < end,
      let change = clip.change(from: frame(length + beside.count), inwards)
    {
      beside += repeatElement(change.size / Double(change.frames), count: change.frames)
    }
    // The second largest: a single one may be a cut.
    let grown = beside.sorted(by: >).dropFirst().first ?? 0
    return SeamMeasurement.Rest(
      isAtStart: isAtStart, frames: length, seconds: Double(length) * clip.interval,
      stepBeside: beside.prefix(2).max() ?? 0, usualStep: max(live, grown))
  }

  /// Repeated frames of the longest rest inside, from its begin to its end.
  ///
  /// A clip of a single group of pictures is not decoded again for that: it is what passed by, or the data that frames take
  /// shows.
  private func longestInside(
    like rest: SeamMeasurement.Rest, below still: Double
  ) throws(MissingFrames) -> Int {
    let range = window..<max(window, clip.count - window)
    let inside = try clip.sample(of: range)
    let rests = zip(inside, inside.dropFirst()).flatMap { number, next -> [Bool?] in
      guard let change = clip.change(from: number, 1), change.frames == next - number else {
        return [nil]
      }
      return Array(repeating: change.size < still, count: change.frames)
    }
    guard isOneGroup, !clip.isWhole else { return rests.longestRun }
    let resting = rest.isAtStart ? 1..<rest.frames + 1 : clip.count - rest.frames..<clip.count
    let most = clip.clock.flatMap(PacketSizes.init)?.longestRest(in: range, like: resting) ?? 0
    return max(rests.longestRun, most)
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
