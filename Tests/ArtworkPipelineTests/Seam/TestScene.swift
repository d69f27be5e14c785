/// Small moving pictures that are known to loop, rendered without a codec.
enum TestScene {
  /// After so many pixels of the detail a texture comes round.
  static let period = 384

  /// A texture, as far as it goes: two pixels of it are one of a thumbnail, so that it can be seen from half pixels.
  private struct Panorama {
    let values: [Float]
    private static let (columns, rows) = (2 * period, period)

    /// - Parameter phase: another one is another picture.
    init(phase: Double) {
      // Waves of whole numbers to a period, so that it comes round: across, down, phase and height.
      let waves: [(Double, Double, Double, Double)] = [
        (3, 5, 0, 22), (7, -4, 1, 19), (11, 3, 2, 17), (-5, 9, 3, 16), (13, -8, 4, 14), (2, 14, 5, 14), (23, 17, 0.5, 11),
        (-19, 27, 1.5, 11), (31, -11, 2.5, 9), (8, 37, 3.5, 9),
      ]
      var values = [Float](repeating: 128, count: Self.columns * Self.rows)
      for (across, down, own, height) in waves {
        // The sine of a sum from those of its parts.
        let x = (0..<Self.columns).map { 2 * .pi * across * Double($0) / Double(Self.columns) + own + phase * across }
        let y = (0..<Self.rows).map { 2 * .pi * down * Double($0) / Double(Self.rows) }
        let (sineX, cosineX) = (x.map { Float(height * sin($0)) }, x.map { Float(height * cos($0)) })
        let (sineY, cosineY) = (y.map { Float(sin($0)) }, y.map { Float(cos($0)) })
        unsafe values.withUnsafeMutableBufferPointer { values in
          for row in 0..<Self.rows {
            for column in 0..<Self.columns {
              unsafe values[row * Self.columns + column] += sineX[column] * cosineY[row] + cosineX[column] * sineY[row]
            }
          }
        }
      }
      self.values = values
    }

    func detail(x: Double, y: Int) -> [Float] {
      let side = Thumbnail.detailSide
      let left = Int((2 * x).rounded()) % Self.columns + Self.columns
      return unsafe [Float](unsafeUninitializedCapacity: side * side) { cells, used in
        unsafe values.withUnsafeBufferPointer { values in
          for row in 0..<side {
            let start = ((row + y) % Self.rows + Self.rows) % Self.rows * Self.columns
            for column in 0..<side {
              unsafe cells[row * side + column] = unsafe values[start + (left + 2 * column) % Self.columns]
            }
          }
        }
        used = side * side
      }
    }
  }

  private static let one = Panorama(phase: 0)
  private static let other = Panorama(phase: 1.7)
  private static let grey = [Float](repeating: 128, count: 32 * 32)

  /// A picture seen from a place, in pixels of the detail and halves of them.
  static func texture(x: Double, y: Int = 0, brighter: Float = 0, contrast: Float = 1, sharpness: Float = 2) -> Thumbnail {
    var detail = one.detail(x: x, y: y)
    if brighter != 0 || contrast != 1 {
      unsafe detail.withUnsafeMutableBufferPointer { detail in
        for index in detail.indices { unsafe detail[index] = unsafe 128 + contrast * (detail[index] - 128) + brighter }
      }
    }
    return Thumbnail(detail: detail, blue: grey, red: grey, sharpness: sharpness)
  }

  /// Another picture, in other colours.
  static func otherTexture(x: Double) -> Thumbnail {
    let (blue, red) = (grey.map { $0 + 24 }, grey.map { $0 - 16 })
    return Thumbnail(detail: other.detail(x: x, y: 0), blue: blue, red: red, sharpness: 2)
  }

  /// A pan that comes round after `count` frames, which divides twice the period.
  static func pan(count: Int) -> [Thumbnail] { (0..<count).map { texture(x: Double(period * $0) / Double(count)) } }

  /// Something soft that moves over a picture that stands still: it goes round once in `count` frames.
  static func orbit(count: Int, size: Double = 12) -> [Thumbnail] {
    let ground = texture(x: 0, contrast: 0.6)
    return (0..<count).map { number in
      let turn = 2 * Double.pi * Double(number) / Double(count)
      return withSpot(ground, x: 64 + 36 * cos(turn), y: 64 + 36 * sin(turn), size: size)
    }
  }

  /// A hill of light around a place, in pixels of the detail.
  static func withSpot(_ frame: Thumbnail, x: Double, y: Double, size: Double = 12, height: Float = 110) -> Thumbnail {
    frame.changed { detail in
      for row in 0..<128 {
        for column in 0..<128 {
          let (dx, dy) = ((Double(column) - x) / size, (Double(row) - y) / size)
          let distance = dx * dx + dy * dy
          if distance < 1 { detail[row * 128 + column] += height * Float((1 - distance) * (1 - distance)) }
        }
      }
    }
  }

  static func grain(_ frames: [Thumbnail], amplitude: Float, seed: UInt64 = 1) -> [Thumbnail] {
    var noise = Noise(seed: seed)
    return frames.map { frame in
      frame.changed { detail in
        unsafe detail.withUnsafeMutableBufferPointer { detail in
          for index in detail.indices {
            let share = Float(noise.next() >> 40) / 16_777_216
            unsafe detail[index] += (share - 0.5) * 2 * amplitude
          }
        }
      }
    }
  }

  /// Repeats each frame several times.
  static func drawn(_ frames: some Sequence<Thumbnail>, times: Int) -> [Thumbnail] {
    frames.flatMap { Array(repeating: $0, count: times) }
  }
}

// MARK: - Measuring them

extension TestScene {
  /// How the frames of a scene come to a measurement.
  enum Way: CaseIterable {
    /// The ends, then the requested frames, as from a clip with only keyframes.
    case onDemand
    /// Every frame on the way to the ends, then the requested ones again: a clip with a single GOP.
    case oneGroup
    /// Every frame, once.
    case everyFrame
  }

  struct Examination {
    var seam: SeamMeasurement
    /// The numbers of the frames that came, in order.
    var came: [Int]
    /// The number of requests for frames, including the ends.
    var times: Int

    var judgement: SeamJudgement { LoopSeamRule.judge(seam, thresholds: .standard) }
  }

  struct UnknownFrames: Error { var numbers: Set<Int> }

  /// Measures frames that come in a way.
  ///
  /// - Throws: ``UnknownFrames`` where every frame came and the measurement wants more.
  static func measure(
    _ frames: [Thumbnail], _ way: Way = .onDemand, ends: Int = SeamMeasurement.ends,
    seconds: Rational = Rational(1, 30) ?? .one, sizes: [Int] = []
  ) throws -> Examination? {
    let clip = SeamClip()
    var came: [Int] = []
    var times = 1
    func take(_ numbers: some Sequence<Int>) {
      for number in numbers {
        clip.add(frames[number], number: number)
        came.append(number)
      }
    }
    let numbers = frames.indices
    take(way == .onDemand ? Set(numbers.prefix(ends)).union(numbers.suffix(ends)).sorted() : Array(numbers))
    clip.finish(
      ClipClock(
        timestamps: numbers.map(Int64.init), lastDuration: 1, timeBase: seconds, medianStep: 1,
        keyFrames: way == .onDemand ? Array(numbers) : [0], sizes: sizes))
    while true {
      do throws(MissingFrames) {
        return try SeamMeasurement(clip, ends: ends).map { Examination(seam: $0, came: came, times: times) }
      } catch {
        if way == .everyFrame || times > 20 { throw UnknownFrames(numbers: error.numbers) }
        if error.needsPictures { clip.keep(error.numbers) }
        take(error.numbers.sorted())
        times += 1
      }
    }
  }

  /// The verdict of every way of measuring a scene, which must be the same.
  static func judge(_ frames: [Thumbnail], sourceLocation: SourceLocation = #_sourceLocation) throws -> SeamJudgement {
    let judged = try Way.allCases.map { try #require(try measure(frames, $0)).judgement }
    #expect(
      judged.allSatisfy { $0.verdict == judged[0].verdict && $0.certainty == judged[0].certainty },
      "\(zip(Way.allCases, judged).map { "\($0): \($1.verdict), \($1.certainty)" })", sourceLocation: sourceLocation)
    return judged[0]
  }

  static func verdict(_ frames: [Thumbnail], sourceLocation: SourceLocation = #_sourceLocation) throws -> SeamJudgement.Verdict
  { try judge(frames, sourceLocation: sourceLocation).verdict }
}
