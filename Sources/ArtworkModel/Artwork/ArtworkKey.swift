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
  /// `tall_animated_artwork.mp4`, `FrontCover.mp4`, `PortraitCover.mp4` and `song_1080x1080.mp4`.
  public init?(fileName: String) {
    let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    let words = stem.split { !($0.isLetter || $0.isNumber) }
    // "Portrait of a Lady" is a title.
    let marks = words.indices.filter {
      $0 == words.count - 1 || !["portrait", "vertical"].contains(words[$0].lowercased())
    }
    let keys = Set(
      (marks.map { ArtworkKey(word: words[$0]) } + [ArtworkKey(stem: stem)]).compactMap(\.self))
    guard let key = keys.first, keys.count == 1 else { return nil }
    self = key
  }

  /// The key that a whole name without its extension states.
  package init?(stem: Substring) {
    switch stem.lowercased() {
    case "frontcover": self = .square
    case "portraitcover": self = .tall
    default: return nil
    }
  }

  /// The key that a word of a name states: by its name, or by a size in pixels that has its shape.
  package init?(word: Substring) {
    switch word.lowercased() {
    case "1x1", "1×1", "square":
      self = .square
      return
    case "3x4", "3×4", "tall", "portrait", "vertical":
      self = .tall
      return
    default: break
    }
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ (3...4).contains($0.count) }),
      let width = Int(sides[0]), let height = Int(sides[1]), width > 0, height > 0
    else { return nil }
    // Apple's sizes are up to two pixels off their shape.
    let aspect = Double(width) / Double(height)
    guard let key = Self.allCases.first(where: { abs(aspect / $0.aspect.value - 1) < 0.005 })
    else { return nil }
    self = key
  }

  /// The key whose aspect is nearer to `aspect` (width over height, positive) on a logarithmic scale.
  public init(nearestTo aspect: Rational) {
    // The geometric mean of 1 and 3/4 divides the two: aspect^2 against 3/4.
    self = aspect.value * aspect.value >= 0.75 ? .square : .tall
  }
}
