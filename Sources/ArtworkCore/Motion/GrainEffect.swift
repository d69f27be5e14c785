import Glibc

/// Living film grain: cyclic noise, so that the loop has no visible start.
///
/// Each layer of noise is a circle between two patterns. The loop goes round it a whole number of times, so that it
/// is always equally strong. All of it fades in slowly from the first picture, which is the cover, and out as slowly.
struct GrainEffect: Effect {
  static let kind = Motion.Kind.grain

  /// Grains of one size.
  private struct Layer {
    /// Pixels between the numbers that are drawn, in a picture of up to 1600 pixels; a power of two.
    var spacing: Int
    /// The deviation at middle light at strength 1, 1 being white.
    var depth: Double
    /// The number of rounds per second.
    var speed: Double
  }

  /// Fine grain, and the clumps that it forms in film, which are visible on small screens.
  private static let layers = [
    Layer(spacing: 1, depth: 0.011, speed: 1.7), Layer(spacing: 2, depth: 0.011, speed: 1.1),
    Layer(spacing: 4, depth: 0.012, speed: 0.8), Layer(spacing: 8, depth: 0.015, speed: 0.6),
  ]
  /// The seconds in which grain comes up, and goes: at most a third of the loop each.
  private static let swell = 2.5
  /// The deviation that patterns are kept with.
  private static let deviation = 0.25

  private let cover: PixelImage
  private let fields: LightFields
  private let layers: [(rounds: Double, depth: Double)]
  /// The share of the loop in which grain comes up.
  private let swell: Double

  init(_ cover: CoverView, _ motion: Motion) throws(InspectionError) {
    var random = SeededNumbers(seed: motion.seed)
    self.cover = try cover.whole()
    let seconds = Double(motion.frameCount) / motion.rate.value
    swell = min(1.0 / 3, Self.swell / seconds)
    let width = self.cover.size.width
    let times = width > 1600 ? 2 : 1
    // On a small picture, clumps of the larger layers look like clouds: the others are as strong as all.
    let side = max(width, self.cover.size.height)
    let fine = Self.layers.filter { $0.spacing <= 2 || $0.spacing * times * 60 <= side }
    let gain = (Self.power(Self.layers) / Self.power(fine)).squareRoot()
    layers = fine.map { layer in
      (
        rounds: max(1, (layer.speed * seconds).rounded()),
        depth: layer.depth * gain / Self.deviation * motion.strength
      )
    }
    let period = 256 * times
    var samples: [Int16] = []
    var places: [(left: Int, top: Int)] = []
    for layer in fine {
      for _ in 0..<2 {
        samples += Self.pattern(side: period, spacing: layer.spacing * times, &random)
        places.append(
          (Int.random(in: 0..<period, using: &random), Int.random(in: 0..<period, using: &random)))
      }
    }
    fields = LightFields(width: period, height: period, places: places, samples: samples)
  }

  private static func power(_ layers: [Layer]) -> Double {
    layers.reduce(0) { $0 + $1.depth * $1.depth }
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    // From rest to rest, so that the seam is invisible.
    let share = min(1, min(phase, 1 - phase) / swell)
    let strength = (1 - cos(.pi * share)) / 2
    let weights = layers.flatMap { layer in
      let turn = 2 * Double.pi * layer.rounds * phase
      return [strength * layer.depth * cos(turn), strength * layer.depth * sin(turn)]
    }
    return try fields.addGrain(to: cover, weights)
  }

  /// Smooth noise that repeats without an edge.
  private static func pattern(
    side: Int, spacing: Int, _ random: inout SeededNumbers
  ) -> [Int16] {
    let count = side / spacing
    var noise = (0..<count * count).map { _ in random.normal() }
    noise = smoothed(noise, count: count, step: 1)
    noise = smoothed(noise, count: count, step: count)
    let power = noise.reduce(0) { $0 + $1 * $1 } / Double(noise.count)
    let scale = deviation / max(1e-9, power.squareRoot())
    // Between the numbers on a straight line.
    func share(_ place: Int) -> (first: Int, next: Int, weight: Double) {
      let first = place / spacing
      return (first, (first + 1) % count, Double(place % spacing) / Double(spacing))
    }
    let places = (0..<side).map(share)
    return places.flatMap { row in
      places.map { column in
        func line(_ row: Int) -> Double {
          noise[row * count + column.first] * (1 - column.weight)
            + noise[row * count + column.next] * column.weight
        }
        let value = line(row.first) * (1 - row.weight) + line(row.next) * row.weight
        return LightFields.sample(value * scale)
      }
    }
  }

  /// Each number with half of its neighbours in one direction.
  private static func smoothed(_ noise: [Double], count: Int, step: Int) -> [Double] {
    noise.indices.map { index in
      let line = step == 1 ? index / count * count : index % count
      let place = step == 1 ? index % count : index / count
      let before = line + (place + count - 1) % count * step
      let after = line + (place + 1) % count * step
      return noise[index] + (noise[before] + noise[after]) / 2
    }
  }
}
