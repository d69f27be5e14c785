/// The two variants of animated artwork a media item can carry (MediaPlayer framework:
/// `MPNowPlayingInfoProperty1x1AnimatedArtwork` and `MPNowPlayingInfoProperty3x4AnimatedArtwork`).
public enum ArtworkKey: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
  case square = "1x1"
  case tall = "3x4"

  /// Width over height.
  public var aspect: Rational {
    switch self {
    case .square: .one
    case .tall: Rational(3, 4) ?? .one
    }
  }

  /// The key a file name states, or `nil` if it states none (or both). Understands the schemes seen
  /// in the wild: `1x1.mp4`, `cover_3x4.mp4`, `square_animated_artwork.mp4`,
  /// `tall_animated_artwork.mp4`, `FrontCover.mp4` and `PortraitCover.mp4`.
  public init?(fileName: String) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    let lowered = stem.lowercased()
    let words = Set(lowered.split { !($0.isLetter || $0.isNumber) }.map(String.init))
    let square = !words.isDisjoint(with: ["1x1", "square"]) || lowered == "frontcover"
    let tall = !words.isDisjoint(with: ["3x4", "tall"]) || lowered == "portraitcover"
    guard square != tall else { return nil }
    self = square ? .square : .tall
  }

  /// The key whose aspect is nearer to `aspect` (width over height, positive) on a logarithmic scale.
  public init(nearestTo aspect: Rational) {
    // The geometric mean of 1 and 3/4 divides the two: aspect^2 against 3/4.
    self = aspect.value * aspect.value >= 0.75 ? .square : .tall
  }
}
