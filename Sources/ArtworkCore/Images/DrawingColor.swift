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

  // The palette of all pictures: light on dark, so that frames stand out and thin lines are visible.
  static let background = DrawingColor(18, 19, 23)
  static let panel = DrawingColor(28, 30, 36)
  static let grid = DrawingColor(52, 55, 64)
  static let quiet = DrawingColor(150, 155, 168)
  static let text = DrawingColor(232, 234, 240)
  static let curve = DrawingColor(104, 170, 255)
  static let good = DrawingColor(88, 214, 141)
  static let warning = DrawingColor(255, 190, 70)
  static let bad = DrawingColor(255, 92, 92)
  /// The frame around the worst block: a colour that the heat map does not use.
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
