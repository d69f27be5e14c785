import FoundationEssentials

/// A picture reduced to 24x24 colours for comparison: upright, as displayed, and stretched to a square.
package struct PictureSignature: Sendable, Equatable {
  /// The number of cells in each direction.
  package static let side = 24

  /// `3 * side * side` bytes: red, green and blue of each cell in sRGB, row by row. Transparent parts are black.
  package let cells: [UInt8]

  /// The same picture without colours.
  package init(grey other: PictureSignature) {
    self.init(cells: other.luma.flatMap { Array(repeating: UInt8(max(0, min(255, $0))), count: 3) })
  }

  /// The one colour of the picture's left and right side, or of its upper and lower side; `nil` if they have several.
  package func ground(ofColumns: Bool) -> PixelColor? {
    let places = (0..<Self.side).flatMap { cell in
      [0, Self.side - 1].map { ofColumns ? cell * Self.side + $0 : $0 * Self.side + cell }
    }
    let colors = (0..<3).compactMap { channel -> UInt8? in
      let levels = places.map { cells[3 * $0 + channel] }
      guard let least = levels.min(), let most = levels.max(), most - least <= Self.plain else {
        return nil
      }
      return UInt8(levels.reduce(0) { $0 + Int($1) } / levels.count)
    }
    return colors.count == 3 ? PixelColor(red: colors[0], green: colors[1], blue: colors[2]) : nil
  }

  /// Code values between which a colour is one.
  private static let plain: UInt8 = 8

  package init(cells: [UInt8]) {
    precondition(cells.count == 3 * Self.side * Self.side, "a signature has a fixed shape")
    self.cells = cells
  }
}

/// Base64 of the cells.
extension PictureSignature: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let data = Data(base64Encoded: try container.decode(String.self)),
      data.count == 3 * Self.side * Self.side
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no signature")
    }
    self.init(cells: Array(data))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(cells).base64EncodedString())
  }
}
