/// A shape that a destination accepts, for one key or for both.
public struct ArtworkShape: Sendable, Hashable {
  /// Name for people, for example `9:16`.
  public var name: String
  /// Width over height.
  public var aspect: Rational
  /// The only accepted size; `nil` if any size with this aspect ratio is accepted.
  public var size: PixelSize?
  /// The key that it is for; `nil` if the destination has no keys.
  public var key: ArtworkKey?

  public init(name: String, aspect: Rational, size: PixelSize? = nil, key: ArtworkKey? = nil) {
    self.name = name
    self.aspect = aspect
    self.size = size
    self.key = key
  }

  /// The shape of a key.
  public init(_ key: ArtworkKey, size: PixelSize? = nil) {
    self.init(name: key.rawValue, aspect: key.aspect, size: size, key: key)
  }
}

extension Profile {
  /// The shape that a picture must have: that of the key, or the nearest one if the destination has no shape for
  /// the key. `nil` for a profile without shapes.
  ///
  /// - Parameter aspect: width over height, positive.
  package func shape(nearestTo aspect: Double, key: ArtworkKey) -> ArtworkShape? {
    func distance(_ shape: ArtworkShape) -> Double {
      let ratio = shape.aspect.value / aspect
      return max(ratio, 1 / ratio)
    }
    let own = shapes.filter { $0.key == key }
    return (own.isEmpty ? shapes : own).min { distance($0) < distance($1) }
  }
}
