/// The parameters that turn a still cover into a loop: effect, duration, strength.
///
/// The first picture of the loop is the cover itself. ``Effect`` draws the others, and ``Motion/effect(on:)`` chooses
/// the effect.
public struct Motion: Sendable, Equatable, Codable {
  /// The moving part: the whole picture, its light, or its parts by their depth, so little that no shape is
  /// distorted.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The view comes closer, wanders across the picture and goes back.
    case drift
    /// The view comes closer to the middle and goes back.
    case breathe
    /// The view zooms in and sways, and near parts move more. ``drift`` if the cover has no usable depth.
    case parallax
    /// A light goes once around the picture.
    case light
    /// Film grain that moves.
    case grain
    /// Soft bands of light sweep over the highlights.
    case shimmer
  }

  public var kind: Kind
  /// Frames of the loop, all with the same duration; at least 2.
  public var frameCount: Int
  /// The number of frames per second.
  public var rate: Rational
  /// How far the picture moves, or how much its light changes; 1 is gentle, 0 is nothing.
  public var strength: Double
  /// Chooses directions and noise. The same seed makes the same loop.
  public var seed: UInt32

  /// Allowed duration of a loop in seconds. Apple prefers less than 30 s.
  public static let seconds = 2.0...30
  /// Strengths that look like artwork rather than a fault.
  public static let strengths = 0.25...2

  /// A loop of at least two pictures, as near to `seconds` as whole pictures allow.
  public init(
    _ kind: Kind, seconds: Double = 8, rate: Rational = Rational(30), strength: Double = 1,
    seed: UInt32 = 1
  ) {
    (self.kind, self.rate, self.strength, self.seed) = (kind, rate, strength, seed)
    frameCount = max(2, wholeNumber((seconds * rate.value).rounded()) ?? 2)
  }

  /// The effect of this kind on a cover; another one if the cover does not allow it.
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
