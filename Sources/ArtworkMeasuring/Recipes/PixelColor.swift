/// An opaque colour in sRGB.
public struct PixelColor: Sendable, Hashable, Codable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let black = PixelColor(red: 0, green: 0, blue: 0)
}

extension PixelSize {
  /// This size with each odd side one pixel longer: 4:2:0 needs even sides.
  package var even: PixelSize {
    PixelSize(width: width + width % 2, height: height + height % 2)
  }
}
