/// A colour in sRGB, 8 bits per channel.
struct DrawingColor: Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  static let background = DrawingColor(18, 19, 23)
  /// The frame around a crop.
  static let mark = DrawingColor(64, 255, 230)

  /// A mixture of this colour and `share` (0...1) of `other`.
  func mixed(with other: DrawingColor, share: Double) -> DrawingColor {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      let value = Double(a) + (Double(b) - Double(a)) * max(0, min(1, share))
      return wholeNumber(value.rounded(), as: UInt8.self) ?? a
    }
    return DrawingColor(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }
}
