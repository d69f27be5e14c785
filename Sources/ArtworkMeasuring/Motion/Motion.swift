/// The parameters that turn a still cover into a loop: effect, duration, strength.
///
/// The first picture of the loop is the cover itself. ``Effect`` draws the others, and ``Motion/effect(on:)`` chooses
/// the effect.
public struct Motion: Sendable, Equatable, Codable {
  /// The moving part: the whole picture, its light, or its parts by their depth, so little that no shape is
  /// distorted.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// The one that suits the cover.
    case auto
    /// The view comes closer, wanders across the picture and goes back.
    case drift
    /// The view comes closer to the middle and goes back.
    case breathe
    /// The view zooms in and sways, and near parts move more.
    case parallax
    /// A light goes once around the picture.
    case light

    /// The quality, 1 to 100, at which nothing is seen to be lost, at about 4 Mbit/s in 1080 pixels.
    package var quality: Int { self == .light ? 66 : 60 }
  }

  public var kind: Kind
  /// Frames of the loop, all with the same duration; at least 2.
  public var frameCount: Int
  /// The number of frames per second.
  public var rate: Rational
  /// How far the picture moves, or how much its light changes; 1 is gentle, 0 is nothing.
  public var strength: Double

  /// Allowed duration of a loop in seconds. Apple prefers less than 30 s.
  public static let seconds = 2.0...30
  /// Strengths that look like artwork rather than a fault.
  public static let strengths = 0.25...2

  /// A loop of at least two pictures, as near to `seconds` as whole pictures allow.
  public init(
    _ kind: Kind, seconds: Double = 8, rate: Rational = Rational(30), strength: Double = 1
  ) {
    (self.kind, self.rate, self.strength) = (kind, rate, strength)
    frameCount = max(2, wholeNumber((seconds * rate.value).rounded()) ?? 2)
  }

  /// The effect of this kind on a cover.
  ///
  /// - Parameter shapes: all that are made of the cover, always in the same order. On all of them ``Kind/auto`` is the first
  ///   motion that suits each, and differs only if none does.
  /// - Throws: `video-not-written` for one that nobody would see, `out-of-memory`.
  package func effect(
    on cover: CoverView, alike shapes: [CoverView] = []
  ) throws(InspectionError) -> any Effect {
    if kind == .auto, let common = try common(shapes),
      let effect = try visible(common, on: cover)
    {
      return effect
    }
    let look = CoverLook(try cover.whole())
    if kind != .auto, look.isFit(for: kind), let effect = try visible(kind, on: cover) {
      return effect
    }
    for other in look.motions where other != kind {
      guard let effect = try visible(other, on: cover) else { continue }
      if kind == .auto { return effect }
      throw InspectionError(
        .videoNotWritten, "\(kind.rawValue) does not suit this cover",
        advice: "use --motion \((try common(shapes) ?? other).rawValue)")
    }
    throw InspectionError(
      .videoNotWritten, "no motion would be seen on this cover",
      advice: "use a cover with more detail")
  }

  /// The first motion that suits all of these shapes, in the order of the first one.
  private func common(_ shapes: [CoverView]) throws(InspectionError) -> Kind? {
    let suited = try shapes.map { shape throws(InspectionError) in
      CoverLook(try shape.whole()).motions
    }
    kinds: for kind in suited.first ?? [] where suited.allSatisfy({ $0.contains(kind) }) {
      for shape in shapes where try visible(kind, on: shape) == nil { continue kinds }
      return kind
    }
    return nil
  }

  /// - Returns: `nil` for an effect that nobody would see.
  private func visible(_ kind: Kind, on cover: CoverView) throws(InspectionError) -> (any Effect)? {
    var effect: (any Effect)?
    switch kind {
    case .auto, .drift: effect = ViewEffect(.drift, cover, self)
    case .breathe: effect = ViewEffect(.breathe, cover, self)
    case .parallax: effect = try ParallaxEffect(cover, self)
    case .light: effect = try LightEffect(cover, self)
    }
    guard let effect, try isSeen(effect, on: cover) else { return nil }
    return effect
  }

  /// The mean change of light, in code values, that is seen as one.
  private static let leastChange = 1.5
  /// The one that cannot be taken for coding noise. Fine lines that move change by 40 or more.
  private static let plainChange = 8.0
  /// How much further from a still picture than ``SeamThresholds/isStatic(_:)`` wants it: encoding changes little.
  private static let margin = 1.6

  /// Whether viewers see it, and ``StaticRule`` does.
  private func isSeen(_ effect: any Effect, on cover: CoverView) throws(InspectionError) -> Bool {
    let still = try cover.whole()
    let cells = still.compared.cells
    var (light, inside, step) = (0.0, 0.0, 0.0)
    for phase in [0.5, 0.35, 0.65] {
      let picture = try effect.picture(at: phase)
      var sum = 0
      for place in still.bytes.indices {
        sum += abs(Int(picture.bytes[place]) - Int(still.bytes[place]))
      }
      light = max(light, Double(sum) / Double(max(1, still.bytes.count)))
      let frame = picture.compared
      inside = max(inside, FrameChange.busy(cells, frame.cells))
      if phase < 0.5 {
        let next = try effect.picture(at: phase - 1 / Double(frameCount))
        step = FrameChange.busy(next.compared, frame)
      }
    }
    let motion = SeamMeasurement.Motion(
      seam: 0, usual: 0, live: 0, largest: step, inside: inside / Self.margin, anywhere: step)
    return light >= Self.plainChange
      || light >= Self.leastChange * min(1, strength) && !SeamThresholds.standard.isStatic(motion)
  }

  /// How far a view goes: less in a short loop, so that it is no quicker than in one of four seconds.
  var reach: Double { strength * min(1, Double(frameCount) / rate.value / 4) }
}

extension PixelImage {
  /// The picture as rules compare frames.
  fileprivate var compared: ComparedFrame {
    unsafe ComparedFrame(CodedPicture(self).withPlanes(BoxAverage.thumbnail))
  }
}

/// Sets a cover in motion: draws the picture of any moment of a loop.
///
/// A new effect is one file in this folder, a case of ``Motion/Kind``, and its line in ``Motion/effect(on:)``.
package protocol Effect: Sendable {
  var kind: Motion.Kind { get }

  /// The picture at a moment. Every effect is a closed curve: 1 is the same moment as 0, and nothing jumps in
  /// between.
  ///
  /// - Parameter phase: 0 to 1; 0 is the cover itself.
  /// - Returns: R, G, B in the size of the loop.
  /// - Throws: `out-of-memory`.
  func picture(at phase: Double) throws(InspectionError) -> PixelImage
}
