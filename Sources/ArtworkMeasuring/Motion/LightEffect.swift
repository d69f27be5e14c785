import Glibc

/// A light circles the picture once: its side gets brighter, the other one darker, but never what is near white. It
/// lingers where it begins, so that the loop begins and ends at rest.
struct LightEffect: Effect {
  let kind = Motion.Kind.light

  /// How much the edges change at strength 1.
  private static let depth = 0.11
  /// The share of its mean speed by which it is slower at the beginning, and quicker half way.
  private static let ease = 0.8
  /// Where it begins, as an angle.
  private static let start = 2.7113703706918337

  private let cover: PixelImage
  private let fields: LightFields
  private let depth: Double

  init(_ cover: CoverView, _ motion: Motion) throws(InspectionError) {
    let (right, down) = (cos(Self.start), sin(Self.start))
    self.cover = try cover.whole()
    let size = cover.size
    depth = Self.depth * motion.strength
    // From -1 to 1 across the shorter side. The light falls off towards the edges, so that no boundary is visible.
    let reach = 2 / Double(min(size.width, size.height))
    func soft(_ value: Double) -> Double { sin(max(-1, min(1, value / 1.4)) * .pi / 2) }
    fields = LightFields(covering: size, patterns: 2) { x, y in
      let across = (Double(x) + 0.5 - Double(size.width) / 2) * reach
      let along = (Double(y) + 0.5 - Double(size.height) / 2) * reach
      return SIMD4(
        soft(across * right + along * down), soft(along * right - across * down), 0, 0)
    }
  }

  func picture(at phase: Double) throws(InspectionError) -> PixelImage {
    let turn = 2 * Double.pi * phase - Self.ease * sin(2 * .pi * phase)
    return try fields.relight(cover, [depth * (cos(turn) - 1), depth * sin(turn)])
  }
}
