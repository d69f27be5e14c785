/// An estimate of how a loop of the frames `start..<end` would look at its seam.
///
/// Two kinds of evidence favour a loop. After its last frame the clip itself continues with `end`, `end + 1`...: the
/// loop continues with `start`, `start + 1`..., so these should be alike (*after*). And `start` itself follows
/// `start - 1`, `start - 2`...: the frames before `end` should be like those (*before*). Either is enough, because the clip
/// contains that transition. Three frames are compared, so that motion has to agree and not only a picture: a
/// pendulum passes each point in both directions.
struct LoopGuess {
  /// The step across the seam, in 8-bit code values.
  var seamStep: Double
  var ownStep: Double
  var mismatch: Double

  /// Frames compared on each side.
  static let reach = 3
  /// Fewer frames contain no motion.
  static let fewest = 2

  /// Steps below this are grain and coding noise, in 8-bit code values (as in ``SeamMeasurement``).
  static let noiseFloor = SeamMeasurement.noiseFloor
  /// Steps below this are noise when choosing among loops that all pass: a small object moves the average by little.
  /// Twice the error of rounding to bytes.
  private static let choiceFloor = 0.5

  /// - Parameter distance: of any two frames, in 8-bit code values.
  init(
    start: Int, end: Int, count: Int, motion: ClipMotion, distance: (Int, Int) -> Double
  ) {
    let after = (0..<min(Self.reach, count - end)).map { distance(start + $0, end + $0) }
    let before = (1...Self.reach).prefix { start - $0 >= 0 }
      .map { distance(start - $0, end - $0) }
    let seam = distance(end - 1, start)
    let own = motion.own(start, end)
    var sides = [after, before].filter { $0.count >= Self.fewest }
      .map { $0.reduce(0, +) / Double($0.count) }
    if sides.isEmpty {
      // (Nearly) the whole clip: only its own steps show how it would continue. Two frames that are two steps apart
      // across the seam should differ as such frames do elsewhere.
      var errors = [abs(seam - own)]
      let double = motion.ownDouble(start, end)
      if end - start > 3 {
        errors.append(abs(distance(end - 2, start) - double))
        errors.append(abs(distance(end - 1, start + 1) - double))
      }
      sides = [errors.max() ?? 0]
    }
    self.init(seamStep: seam, ownStep: own, mismatch: sides.min() ?? 0)
  }

  init(seamStep: Double, ownStep: Double, mismatch: Double) {
    self.seamStep = seamStep
    self.ownStep = ownStep
    self.mismatch = mismatch
  }

  /// The step across the seam in multiples of the clip's own step.
  var score: Double { seamStep / max(ownStep, Self.noiseFloor) }

  /// The criterion for choosing loops, lower is better; see ``TrimSearch``.
  var error: Double {
    let own = max(ownStep, Self.choiceFloor)
    return max(mismatch / own, seamStep / own - Self.likelyScore)
  }

  /// A step across the seam up to this multiple of the clip's own may go unseen, and so may a motion that is
  /// off by less than this share of a frame.
  private static let likelyScore = 1.5
  private static let likelyMismatch = 0.75

  /// Whether it is worth refining before others.
  var isLikely: Bool {
    let own = max(ownStep, Self.noiseFloor)
    return seamStep <= Self.likelyScore * own && mismatch <= Self.likelyMismatch * own
  }
}
