public import ArtworkModel

/// A shape that a destination takes, for one key or for either.
public struct ArtworkShape: Sendable, Hashable {
  /// As people write it, for example `9:16`.
  public var name: String
  /// Width over height.
  public var aspect: Rational
  /// The only size that is taken; `nil` where any size of the aspect is.
  public var size: PixelSize?
  /// The key that it is for; `nil` where the destination knows no keys.
  public var key: ArtworkKey?

  public init(name: String, aspect: Rational, size: PixelSize? = nil, key: ArtworkKey? = nil) {
    self.name = name
    self.aspect = aspect
    self.size = size
    self.key = key
  }

  /// A key's own shape.
  public init(_ key: ArtworkKey, size: PixelSize? = nil) {
    self.init(name: key.rawValue, aspect: key.aspect, size: size, key: key)
  }
}

extension Profile {
  /// The shape that a picture must have: the key's own, or the nearest where the destination knows no keys or
  /// not this one. `nil` for a profile without shapes.
  ///
  /// - Parameter aspect: width over height, positive.
  func shape(nearestTo aspect: Double, key: ArtworkKey) -> ArtworkShape? {
    func distance(_ shape: ArtworkShape) -> Double {
      let ratio = shape.aspect.value / aspect
      return max(ratio, 1 / ratio)
    }
    let own = shapes.filter { $0.key == key }
    return (own.isEmpty ? shapes : own).min { distance($0) < distance($1) }
  }
}
