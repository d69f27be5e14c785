import Glibc

/// Film grain that lives: noise of a ring, so that the loop has no place where it begins.
///
/// Each layer of noise is a circle between two patterns, which the loop goes round a whole number of times. Its place at the
/// start is taken away, so that the first picture is the cover.
struct GrainEffect: Effect {
  /// The deviation at middle light at strength 1, 1 being white.
  private static let depth = 0.011
  /// Pixels each way of a pattern.
  private static let side = 256
  /// Rounds a second of each layer.
  private static let speeds = [0.6, 1.1, 1.7, 2.4]

  private let cover: PixelImage
  private let fields: LightFields
  private let rounds: [Double]
  private let depth: Double

  init(_ cover: CoverView, _ motion: Motion) throws(InspectionError) {
    var random = SeededNumbers(seed: motion.seed)
    self.cover = try cover.whole()
    let seconds = Double(motion.frameCount) / motion.rate.value
    rounds = Self.speeds.map { max(1, ($0 * seconds).rounded()) }
    // The patterns have deviation 1/4, and each layer half of the whole.
    depth = Self.depth * motion.strength * 4 / Double(Self.speeds.count).squareRoot()
    var samples: [Int16] = []
    var places: [(left: Int, top: Int)] = []
    let softness = max(1, cover.size.width / 720)
    for _ in 0..<2 * Self.speeds.count {
      samples += Self.pattern(softness: softness, &random)
      places.append(
        (Int(random.fraction() * Double(Self.side)), Int(random.fraction() * Double(Self.side))))
    }
    fields = LightFields(width: Self.side, height: Self.side, places: places, samples: samples)
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    let weights = rounds.flatMap { round in
      let turn = 2 * Double.pi * round * phase
      return [depth * (cos(turn) - 1), depth * sin(turn)]
    }
    return try fields.addGrain(to: cover, weights)
  }

  /// Noise with grains of some pixels, which repeats without an edge.
  private static func pattern(softness: Int, _ random: inout SeededNumbers) -> [Int16] {
    var noise = (0..<side * side).map { _ in random.normal() }
    for _ in 0..<softness {
      noise = smoothed(noise, step: 1)
      noise = smoothed(noise, step: side)
    }
    let power = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
    let scale = 0.25 / max(1e-9, power.squareRoot())
    return noise.map { LightFields.sample($0 * scale) }
  }

  /// Each number with half of its neighbours in one direction.
  private static func smoothed(_ noise: [Double], step: Int) -> [Double] {
    noise.indices.map { index in
      let line = step == 1 ? index / side * side : index % side
      let place = step == 1 ? index % side : index / side
      let before = line + (place + side - 1) % side * step
      let after = line + (place + 1) % side * step
      return noise[index] + (noise[before] + noise[after]) / 2
    }
  }
}
