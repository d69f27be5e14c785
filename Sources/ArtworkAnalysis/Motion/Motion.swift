/// How a still cover becomes a loop: which effect, for how long, how strong.
///
/// The first picture of the loop is the cover itself. ``Effect`` draws the others, and ``Motion/effect(on:)`` says which one.
public struct Motion: Sendable, Equatable, Codable {
  /// What moves: the whole picture, its light, or its parts by their depth, so little that no shape is bent.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The view comes closer, wanders across the picture and goes back.
    case drift
    /// The view comes closer to the middle and goes back.
    case breathe
    /// The view comes closer and sways, and what is near moves more. ``drift`` where the cover gives no depth.
    case parallax
    /// A light goes once around the picture.
    case light
    /// Film grain, alive.
    case grain
    /// Soft bands of light run over what is bright.
    case shimmer
  }

  public var kind: Kind
  /// Pictures of the loop, all shown equally long; at least 2.
  public var frameCount: Int
  /// Pictures a second.
  public var rate: Rational
  /// How far the picture moves, or how much its light changes; 1 is gentle, 0 is nothing.
  public var strength: Double
  /// Chooses directions and noise. The same seed makes the same loop.
  public var seed: UInt32

  /// Seconds that a loop may last. Apple asks for less than 30 s.
  public static let seconds = 2.0...30
  /// The strengths that look like artwork and not like a fault.
  public static let strengths = 0.25...2

  /// A loop of at least two pictures, as near to `seconds` as whole pictures allow.
  public init(
    _ kind: Kind, seconds: Double = 8, rate: Rational = Rational(30), strength: Double = 1,
    seed: UInt32 = 1
  ) {
    (self.kind, self.rate, self.strength, self.seed) = (kind, rate, strength, seed)
    frameCount = max(2, wholeNumber((seconds * rate.value).rounded()) ?? 2)
  }

  /// The effect of this kind on a cover; another one where the cover does not allow it.
  ///
  /// - Throws: `out-of-memory`.
  package func effect(on cover: CoverView) throws(InspectionError) -> any Effect {
    switch kind {
    case .drift: DriftEffect(cover, self)
    case .breathe: BreatheEffect(cover, self)
    case .parallax: try ParallaxEffect(cover, self) ?? DriftEffect(cover, self)
    case .light: try LightEffect(cover, self)
    case .grain: try GrainEffect(cover, self)
    case .shimmer: try ShimmerEffect(cover, self)
    }
  }
}
