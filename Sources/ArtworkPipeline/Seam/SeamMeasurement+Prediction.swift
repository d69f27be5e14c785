extension SeamMeasurement.Prediction {
  /// Below this many code values a block's surprise is noise.
  private static let blockFloor = 3.0

  /// Follows blocks through the pictures of both ends and across the seam, forwards and backwards.
  ///
  /// Searches four block motions a picture: about 1 ms for two ends of three pictures, 6 ms for 16.
  ///
  /// - Returns: `nil` unless there are three pictures at one end at least, and two at the other.
  init?(_ pictures: SeamPictures) {
    guard pictures.head.count > 1, pictures.tail.count > 1 else { return nil }
    let head = Walk(pictures.head, lengths: pictures.headLengths)
    let tail = Walk(pictures.tail, lengths: pictures.tailLengths)
    let inside = head.predictions() + tail.predictions()
    guard !inside.isEmpty, let first = pictures.head.first else { return nil }

    let seam = Walk(
      between: tail, and: head, length: pictures.seamLength)
    let across = seam.predictions()
    let surprises = zip(across[0].surprise, across[1].surprise).map { ($0 + $1) / 2 }
    let worst = Self.ratios(surprises, to: inside.map(\.surprise))
    let region = pictures.region
    let ranked = region.blocks.sorted { worst[$0] > worst[$1] }
    let third = ranked[min(2, ranked.count - 1)]

    let before = tail.steps[tail.steps.count - 1].forward
    let after = head.steps[0].forward
    let alignment = Self.alignment(before, after)
    self.init(
      seamSurprise: region.mean(surprises),
      usualSurprise: inside.map { region.mean($0.surprise) }.largestButCuts(floor: 0.3),
      blockSurprise: worst[third],
      seamError: across.map { region.mean($0.error) }.mean ?? 0,
      usualError: inside.map { region.mean($0.error) }.largestButCuts(floor: 0.5),
      texture: Self.texture(of: first),
      worstBlock: Self.block(ranked[0], surprise: worst[ranked[0]]),
      motionBefore: Self.motion(before), motionAcross: Self.motion(seam.steps[1].forward),
      motionAfter: Self.motion(after), alignment: alignment.cosine,
      movingBlocks: alignment.blocks)
  }

  /// How well one picture is foretold from two others, by block.
  private struct Outcome {
    var surprise: [Double]
    var error: [Double]
  }

  /// Consecutive pictures and the motion between them.
  private struct Walk {
    struct Step {
      var forward: BlockMotion
      var backward: BlockMotion
      var length: Double
    }

    var pictures: [MotionPicture]
    var steps: [Step]

    init(_ frames: [Thumbnail], lengths: [Double]) {
      pictures = frames.map(MotionPicture.init)
      steps = []
      for (index, length) in zip(pictures.indices.dropLast(), lengths) {
        steps.append(Self.step(pictures[index], pictures[index + 1], length))
      }
    }

    /// The last two pictures of one walk and the first two of the other: the outer steps lead to the seam.
    init(between tail: Walk, and head: Walk, length: Double) {
      pictures = tail.pictures.suffix(2) + head.pictures.prefix(2)
      steps =
        tail.steps.suffix(1) + [Self.step(pictures[1], pictures[2], length)]
        + head.steps.prefix(1)
      isSeam = true
    }

    private var isSeam = false

    private static func step(_ a: MotionPicture, _ b: MotionPicture, _ length: Double) -> Step {
      Step(
        forward: BlockMotion(from: a, to: b), backward: BlockMotion(from: b, to: a), length: length)
    }

    /// Every picture that two others predict; of a seam only the two beside it.
    func predictions() -> [Outcome] {
      var outcomes: [Outcome] = []
      for index in steps.indices.dropFirst() where !isSeam || index == 1 {
        outcomes.append(
          outcome(
            from: pictures[index], to: pictures[index + 1], actual: steps[index].forward,
            expected: steps[index - 1].forward,
            stretch: steps[index].length / steps[index - 1].length))
      }
      for index in steps.indices.dropLast() where !isSeam || index == 1 {
        outcomes.append(
          outcome(
            from: pictures[index + 1], to: pictures[index], actual: steps[index].backward,
            expected: steps[index + 1].backward,
            stretch: steps[index].length / steps[index + 1].length))
      }
      return outcomes
    }

    private func outcome(
      from: MotionPicture, to: MotionPicture, actual: BlockMotion, expected: BlockMotion,
      stretch: Double
    ) -> Outcome {
      // Times are rounded by up to a tenth.
      let motion =
        abs(stretch - 1) > 0.1 ? expected.scaled(by: Float(min(4, max(0.25, stretch)))) : expected
      let best = zip(actual.misses(from: from, to: to), actual.errors).map { Double(min($0, $1)) }
      let foretold = motion.misses(from: from, to: to)
      return Outcome(surprise: zip(foretold, best).map { max(0, Double($0) - $1) }, error: best)
    }
  }

  /// Each block's surprise as a multiple of the worst of its neighbourhood inside, a tenth of them left out
  /// where there are many.
  private static func ratios(_ seam: [Double], to inside: [[Double]]) -> [Double] {
    let across = PictureRegion.blocksAcross
    return seam.indices.map { block in
      let (x, y) = (block % across, block / across)
      let neighbours = inside.map { blocks in
        var worst = 0.0
        for row in max(0, y - 1)...min(across - 1, y + 1) {
          for column in max(0, x - 1)...min(across - 1, x + 1) {
            worst = max(worst, blocks[row * across + column])
          }
        }
        return worst
      }
      let usual = neighbours.quantile(neighbours.count > 8 ? 0.9 : 1) ?? 0
      return seam[block] / max(usual, blockFloor)
    }
  }

  private static func block(_ index: Int, surprise: Double) -> SeamMeasurement.WorstBlock {
    let side = 1 / Double(PictureRegion.blocksAcross)
    return SeamMeasurement.WorstBlock(
      x: Double(index % PictureRegion.blocksAcross) * side,
      y: Double(index / PictureRegion.blocksAcross) * side, width: side, height: side,
      surprise: surprise)
  }

  /// Blocks that move less than this many pixels of the thumbnail stand still.
  private static let leastMotion = 0.15

  private static func alignment(
    _ before: BlockMotion, _ after: BlockMotion
  ) -> (cosine: Double, blocks: Int) {
    var (product, squareBefore, squareAfter, blocks) = (0.0, 0.0, 0.0, 0)
    for (a, b) in zip(before.displacements, after.displacements) {
      let (ax, ay, bx, by) = (Double(a.x), Double(a.y), Double(b.x), Double(b.y))
      let (squareA, squareB) = (ax * ax + ay * ay, bx * bx + by * by)
      guard min(squareA, squareB) > leastMotion * leastMotion else { continue }
      product += ax * bx + ay * by
      squareBefore += squareA
      squareAfter += squareB
      blocks += 1
    }
    let length = (squareBefore * squareAfter).squareRoot()
    return (length > 0 ? product / length : 0, blocks)
  }

  private static func motion(_ motion: BlockMotion) -> SeamMeasurement.Motion {
    let moving = motion.displacements.filter {
      Double($0.x * $0.x + $0.y * $0.y) > leastMotion * leastMotion
    }
    func share(_ values: [Float]) -> Double {
      Double(values.reduce(0, +)) / Double(max(1, values.count)) / Double(Thumbnail.lumaSide)
    }
    return SeamMeasurement.Motion(x: share(moving.map(\.x)), y: share(moving.map(\.y)))
  }

  /// The mean standard deviation of luma within blocks.
  private static func texture(of frame: Thumbnail) -> Double {
    let means = PictureRegion.blockMeans(frame.luma, side: Thumbnail.lumaSide)
    let squares = PictureRegion.blockMeans(frame.luma.map { $0 * $0 }, side: Thumbnail.lumaSide)
    let deviations = zip(squares, means).map { max(0, $0 - $1 * $1).squareRoot() }
    return PictureRegion.all.mean(deviations)
  }
}
