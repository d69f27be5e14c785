import Glibc

/// Soft bands of light sweep over the highlights of the picture, as over foil: they fade in, pass and fade out, so
/// that the loop begins with the cover and nothing gets darker than it.
struct ShimmerEffect: Effect {
  static let kind = Motion.Kind.shimmer

  /// How much bright places gain at strength 1.
  private static let depth = 0.45
  /// Bands across the picture, and how far noise bends them, in bands.
  private static let bands = 1.3
  private static let bend = 0.1
  /// The interval of the bands, in seconds of the loop.
  private static let secondsForBand = 4.0

  private let cover: PixelImage
  private let fields: LightFields
  private let rounds: Double
  private let depth: Double

  init(_ cover: CoverView, _ motion: Motion) throws(InspectionError) {
    let picture = try cover.whole()
    self.cover = picture
    let seconds = Double(motion.frameCount) / motion.rate.value
    rounds = max(1, (seconds / Self.secondsForBand).rounded())
    depth = Self.depth * motion.strength
    var random = SeededNumbers(seed: motion.seed)
    let phases = BandPhases(size: cover.size, bands: Self.bands, bend: Self.bend, &random)
    let lights = picture.lights()
    let shine = Shine(lights)
    let width = cover.size.width
    fields = LightFields(covering: cover.size, patterns: 3) { x, y in
      let turn = phases[x, y]
      let weight = shine.weights[Int(lights[y * width + x])]
      return SIMD4(weight, weight * cos(turn), weight * sin(turn), 0)
    }
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    let turn = 2 * Double.pi * rounds * phase
    // Up and down once.
    let light = depth * (1 - cos(2 * .pi * phase)) / 4
    return try fields.relight(cover, [light, light * cos(turn), light * sin(turn)])
  }
}

/// The phase of each pixel in its band, as an angle. Sums of waves, whose sines and cosines are known for each row
/// and column.
private struct BandPhases {
  private struct Wave {
    var height: Double
    var columns: [SIMD2<Double>] = []
    var rows: [SIMD2<Double>] = []
  }

  private let (across, down): (Double, Double)
  private var waves: [Wave] = []

  init(size: PixelSize, bands: Double, bend: Double, _ random: inout SeededNumbers) {
    let side = Double(min(size.width, size.height))
    let direction = random.angle()
    across = 2 * .pi * bands / side * cos(direction)
    down = 2 * .pi * bands / side * sin(direction)
    for _ in 0..<3 {
      let (angle, start) = (random.angle(), random.angle())
      let turns = 2 * Double.pi * (0.8 + random.fraction()) / side
      func circle(_ count: Int, _ step: Double, _ start: Double) -> [SIMD2<Double>] {
        (0..<count).map { SIMD2(cos(start + Double($0) * step), sin(start + Double($0) * step)) }
      }
      waves.append(
        Wave(
          height: 2 * .pi * bend, columns: circle(size.width, turns * cos(angle), start),
          rows: circle(size.height, turns * sin(angle), 0)))
    }
  }

  subscript(x: Int, y: Int) -> Double {
    var turn = across * Double(x) + down * Double(y)
    for wave in waves {
      let (column, row) = (wave.columns[x], wave.rows[y])
      // The sine of a sum.
      turn += wave.height * (column.y * row.x + column.x * row.y)
    }
    return turn
  }
}

/// The response to light by code value: parts brighter than most of the picture shine.
private struct Shine {
  /// 256 weights, 0.2 to 1.
  let weights: [Double]

  init(_ lights: [UInt8]) {
    var counts = [Int](repeating: 0, count: 256)
    for light in lights { counts[Int(light)] += 1 }
    func quantile(_ share: Double) -> Double {
      var left = share * Double(lights.count)
      for (code, count) in counts.enumerated() {
        left -= Double(count)
        if left <= 0 { return Double(code) }
      }
      return 255
    }
    let (dark, bright) = (quantile(0.4), quantile(0.95))
    weights = (0..<256).map { code in
      let place = max(0, min(1, (Double(code) - dark) / max(16, bright - dark)))
      return 0.2 + 0.8 * place * place * (3 - 2 * place)
    }
  }
}

extension PixelImage {
  /// The light of each pixel in code values, by the weights of BT.709.
  fileprivate func lights() -> [UInt8] {
    let depth = channels.rawValue
    return (0..<size.area).map { pixel in
      let place = pixel * depth
      let sum =
        54 * Int(bytes[place]) + 183 * Int(bytes[place + 1]) + 19 * Int(bytes[place + 2])
      return UInt8(clamping: sum >> 8)
    }
  }
}
