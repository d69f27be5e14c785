extension SeamMeasurement.Prediction {
  /// Blocks that count: a quarter of the picture, and a part as small as ``FrameChange/busyBlocks``.
  private static let (quarter, few) = (64, 8)
  /// Squared errors below this do not count: four code values.
  private static let floor = 16.0
  /// The paces at which motion may continue over the seam besides its own: a quarter of a frame more or less is
  /// invisible.
  private static let paces: [Float] = [0.8, 1.25]

  /// Predicts every frame from its neighbour with the motion of that neighbour, forwards and backwards, if they are
  /// consecutive in time.
  ///
  /// Takes four to twenty searches and as many predictions for six frames at each end, until it is settled that the
  /// picture does not jump, and 24 more predictions if the surprise may be a hitch.
  ///
  /// - Returns: `nil` if an end has fewer than two frames, or none has three.
  init?(_ frames: DistinctFrames, _ limits: SeamThresholds) throws(MissingFrames) {
    let loop = frames.loop
    let seam = frames.tail.count
    guard frames.tail.count > 1, frames.head.count > 1, loop.count > 4 else { return nil }
    let clip = frames.clip
    /// Predicts `loop[index]` by `loop[from]` with the motion that led there from `loop[before]`.
    func transition(
      _ index: Int, _ from: Int, _ before: Int
    ) throws(MissingFrames) -> Transition {
      try Transition(clip, of: loop[index], from: loop[from], before: loop[before])
    }
    var all = Transitions(
      onwards: try transition(seam, seam - 1, seam - 2),
      inwards: try transition(seam - 1, seam, seam + 1))
    let inTime = frames.followsInTime
    let onwards = loop.indices.filter { index in
      index >= 2 && (index < seam || index >= seam + 2) && inTime[index - 1] && inTime[index]
    }
    let inwards = loop.indices.filter { index in
      index < loop.count - 2 && (index >= seam || index <= seam - 3) && inTime[index + 1]
        && inTime[index + 2]
    }
    for number in 0..<max(onwards.count, inwards.count) {
      if number < onwards.count {
        let index = onwards[number]
        all.forwards.append(try transition(index, index - 1, index - 2))
      }
      if number < inwards.count {
        let index = inwards[number]
        all.backwards.append(try transition(index, index + 1, index + 2))
      }
      // The clip's own errors are at least as large as those across the seam: more of them change nothing.
      if all.surprise(\.worstQuarter) <= 1, all.surprise(\.worstFew) <= 1 { break }
    }
    self.init(all)
    guard limits.mayJump(self) else { return }
    // If motion at its own pace surprises, a slightly slower or faster one may fit.
    try all.tryPaces(clip)
    self.init(all)
    guard limits.mayJump(self) else { return }
    // First at the seam alone: with the others' whole errors it is the least that it can be.
    try all.subtractBestMotionAcross(clip)
    excess = all.excess
    guard !limits.exceeds(self, limits.excess) else { return }
    try all.subtractBestMotionNearBy(clip)
    excess = all.excess
  }

  private init(_ all: Transitions) {
    self.init(
      surprise: all.surprise(\.worstQuarter), smallSurprise: all.surprise(\.worstFew),
      worstBlock: Self.worst(
        zip(all.onwards.errors, all.inwards.errors).map { $0 + $1 },
        usual: (all.forwards + all.backwards).map(\.errors)))
  }

  /// The transitions near the seam, forwards and backwards, and those across it.
  private struct Transitions {
    var onwards: Transition
    var inwards: Transition
    var forwards: [Transition] = []
    var backwards: [Transition] = []

    /// - Parameter worst: of the worst quarter of the blocks, or of the worst few.
    func surprise(_ worst: (Transition) -> Double) -> Double {
      func ratio(_ seam: Transition, _ others: [Transition]) -> Double {
        (worst(seam) + floor) / ((others.map(worst).max() ?? 0) + floor)
      }
      // Errors are squared: the fourth root of the product is the geometric mean of both directions.
      return (ratio(onwards, forwards) * ratio(inwards, backwards)).squareRoot().squareRoot()
    }

    /// Leaves across the seam the errors at the pace that fits best.
    mutating func tryPaces(_ clip: SeamClip) throws(MissingFrames) {
      try onwards.tryPaces(clip)
      try inwards.tryPaces(clip)
    }

    var excess: SeamMeasurement.Excess {
      SeamMeasurement.Excess(
        surprise: surprise(\.worstQuarter), smallSurprise: surprise(\.worstFew))
    }

    /// Keeps only the errors in excess of those of the best motion.
    mutating func subtractBestMotionAcross(_ clip: SeamClip) throws(MissingFrames) {
      try onwards.subtractBestMotion(clip)
      try inwards.subtractBestMotion(clip)
    }

    mutating func subtractBestMotionNearBy(_ clip: SeamClip) throws(MissingFrames) {
      for index in forwards.indices { try forwards[index].subtractBestMotion(clip) }
      for index in backwards.indices { try backwards[index].subtractBestMotion(clip) }
    }
  }

  /// How badly a frame predicts another with the motion that led to it.
  private struct Transition {
    let current: Int
    let reference: Int
    let before: Int
    private(set) var errors: [Float] = [] {
      didSet {
        worstQuarter = errors.meanOfLargest(quarter)
        worstFew = errors.meanOfLargest(few)
      }
    }
    private(set) var worstQuarter = 0.0
    private(set) var worstFew = 0.0

    init(
      _ clip: SeamClip, of current: Int, from reference: Int, before: Int
    ) throws(MissingFrames) {
      (self.current, self.reference, self.before) = (current, reference, before)
      try predict(clip, pace: 1)
    }

    private mutating func predict(_ clip: SeamClip, pace: Float) throws(MissingFrames) {
      errors = try errors(clip, pace: pace)
    }

    private func errors(_ clip: SeamClip, pace: Float) throws(MissingFrames) -> [Float] {
      try clip.errors(
        of: current, from: reference, motion: (to: reference, from: before), pace: pace)
    }

    mutating func tryPaces(_ clip: SeamClip) throws(MissingFrames) {
      for pace in paces {
        let other = try errors(clip, pace: pace)
        if other.meanOfLargest(quarter) < worstQuarter { errors = other }
      }
    }

    mutating func subtractBestMotion(_ clip: SeamClip) throws(MissingFrames) {
      let best = try clip.errors(
        of: current, from: reference, motion: (to: current, from: reference))
      errors = zip(errors, best).map { max(0, $0 - $1) }
    }
  }

  /// The bounding box of the few worst blocks that lie together.
  private static func worst(_ errors: [Float], usual: [[Float]]) -> SeamMeasurement.WorstBlock {
    let across = Flow.blocksAcross
    let centre = errors.indices.max { errors[$0] < errors[$1] } ?? 0
    let (x, y) = (centre % across, centre / across)
    let columns = max(0, x - 1)...min(across - 1, x + 1)
    let rows = max(0, y - 1)...min(across - 1, y + 1)
    let side = 1 / Double(across)
    let most = usual.map { $0.meanOfLargest(few) }.max() ?? 0
    let seam = Double(errors[centre]) / 2
    return SeamMeasurement.WorstBlock(
      x: Double(columns.lowerBound) * side, y: Double(rows.lowerBound) * side,
      width: Double(columns.count) * side, height: Double(rows.count) * side,
      ratio: ((seam + floor) / (most + floor)).squareRoot())
  }
}

extension SeamMeasurement.Content {
  /// A frame that motion explains as badly as the first has this share of its error.
  private static let asBadly = 0.6

  /// Predicts the first frame from the last with the best motion, and the last from the first: content that appears
  /// is in one of them only. Does the same with the other neighbours near the seam, if that leaves so much that it
  /// may be another picture.
  init(_ frames: DistinctFrames, _ limits: SeamThresholds) throws(MissingFrames) {
    let (loop, seam, clip) = (frames.loop, frames.tail.count, frames.clip)
    func errors(_ current: Int, _ reference: Int) throws(MissingFrames) -> [Float] {
      try clip.errors(
        of: loop[current], from: loop[reference],
        motion: (to: loop[current], from: loop[reference]))
    }
    func left(_ current: Int, _ reference: Int) throws(MissingFrames) -> Double {
      try errors(current, reference).mean
    }
    let (last, first) = (
      try clip.frame(loop[seam - 1]).thumbnail, try clip.frame(loop[seam]).thumbnail
    )
    let (ofFirst, ofLast) = (try left(seam, seam - 1), try left(seam - 1, seam))
    let shares = (
      first: ofFirst / (first.varianceInBlocks + 0.25),
      last: ofLast / (last.varianceInBlocks + 0.25)
    )
    self.init(
      unexplained: max(shares.first, shares.last), likeness: last.likeness(to: first),
      colours: try clip.trace(loop[seam]).cells.colours(to: clip.trace(loop[seam - 1]).cells))
    guard unexplained > limits.cutUnexplained else { return }
    let isForwards = shares.first >= shares.last
    spread = (isForwards ? try errors(seam, seam - 1) : try errors(seam - 1, seam)).spread
    let seamError = isForwards ? ofFirst : ofLast
    var others: [Double] = []
    for index in loop.indices.dropFirst() where index != seam {
      others.append(try isForwards ? left(index, index - 1) : left(index - 1, index))
    }
    alike = others.count { $0 > Self.asBadly * seamError }
  }
}

extension [Float] {
  /// How many equal values would have the same sum and sum of squares, as a share of all.
  var spread: Double {
    let sum = reduce(0) { $0 + Double($1) }
    let squares = reduce(0) { $0 + Double($1) * Double($1) }
    return squares > 0 ? sum * sum / squares / Double(count) : 1
  }

  package var mean: Double { reduce(0) { $0 + Double($1) } / Double(Swift.max(1, count)) }
}

extension Thumbnail {
  /// The mean variance of detailed luma inside blocks.
  fileprivate var varianceInBlocks: Double {
    let (side, block) = (Thumbnail.detailSide, Thumbnail.detailSide / Flow.blocksAcross)
    var sum = 0.0
    for corner in 0..<Flow.blockCount {
      let start = corner / Flow.blocksAcross * block * side + corner % Flow.blocksAcross * block
      var (total, squares): (Float, Float) = (0, 0)
      for y in 0..<block {
        for x in 0..<block {
          let value = detail[start + y * side + x] - 128
          total += value
          squares += value * value
        }
      }
      let mean = total / Float(block * block)
      sum += Double(squares / Float(block * block) - mean * mean)
    }
    return sum / Double(Flow.blockCount)
  }

  /// The correlation of the detailed luma of two frames; 0 if one is flat.
  fileprivate func likeness(to other: Thumbnail) -> Double {
    let (a, b) = (detail, other.detail)
    let (meanA, meanB) = (Float(a.mean), Float(b.mean))
    var (product, squareA, squareB) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      product += Double((x - meanA) * (y - meanB))
      squareA += Double((x - meanA) * (x - meanA))
      squareB += Double((y - meanB) * (y - meanB))
    }
    return product / (squareA * squareB + 1e-6).squareRoot()
  }
}
