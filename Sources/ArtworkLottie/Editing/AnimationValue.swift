/// The value of a property.
public enum AnimationValue: Sendable, Equatable, Codable {
  case number(Double)
  /// Pixels of the composition, or percent for a scale.
  case point(x: Double, y: Double)
  /// sRGB components from 0 to 1. Opacity is a separate property.
  case color(red: Double, green: Double, blue: Double)
}

extension AnimationValue: CustomStringConvertible {
  /// Text that ``init(_:shape:)`` reads, with numbers rounded to thousandths: `12.5`, `10,20` or `#ff3300`.
  public var description: String {
    switch self {
    case .number(let number): Self.text(number)
    case .point(let x, let y): "\(Self.text(x)),\(Self.text(y))"
    case .color(let red, let green, let blue):
      "#"
        + [red, green, blue].map { part in
          let digits = String(UInt8(max(0, min(255, (part * 255).rounded()))), radix: 16)
          return digits.count < 2 ? "0" + digits : digits
        }.joined()
    }
  }

  private static func text(_ number: Double) -> String {
    let rounded = (number * 1000).rounded() / 1000
    return Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }

  enum Shape {
    case number
    case point
    /// A point whose coordinates are both given by one number.
    case scale
    case color

    var expected: String {
      switch self {
      case .number: "a number"
      case .point: "two numbers such as 10,20"
      case .scale: "one percentage, or two such as 50,100"
      case .color: "a colour such as #ff3300"
      }
    }
  }

  /// Parses the text form of a value.
  ///
  /// - Returns: `nil` for a text that is not a value of this shape.
  init?(_ text: String, shape: Shape) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop { $0 == " " })
    }
    guard
      let values = numbers.reduce(
        [Double]?([]),
        { list, number in
          number.flatMap { $0.isFinite ? $0 : nil }.flatMap { number in list.map { $0 + [number] } }
        }) ?? (shape == .color ? [] : nil)
    else { return nil }
    switch (shape, values.count) {
    case (.number, 1): self = .number(values[0])
    case (.scale, 1): self = .point(x: values[0], y: values[0])
    case (.point, 2), (.scale, 2): self = .point(x: values[0], y: values[1])
    case (.color, _):
      let digits = text.dropFirst()
      guard text.hasPrefix("#"), digits.count == 6, let code = UInt32(digits, radix: 16) else {
        return nil
      }
      func part(_ shift: UInt32) -> Double { Double(code >> shift & 0xff) / 255 }
      self = .color(red: part(16), green: part(8), blue: part(0))
    default: return nil
    }
  }

  /// The value that a document's numbers mean; `nil` for too few.
  init?(_ numbers: [Double], shape: Shape) {
    switch (shape, numbers.count) {
    case (.number, 1...): self = .number(numbers[0])
    case (.point, 2...), (.scale, 2...): self = .point(x: numbers[0], y: numbers[1])
    case (.color, 3...):
      // Exporters before 2016 counted to 255.
      let most = numbers.prefix(3).contains { $0 > 1 } ? 255.0 : 1
      self = .color(red: numbers[0] / most, green: numbers[1] / most, blue: numbers[2] / most)
    default: return nil
    }
  }

  /// Numbers of the value, as a document stores them.
  var numbers: [Double] {
    switch self {
    case .number(let number): [number]
    case .point(let x, let y): [x, y]
    case .color(let red, let green, let blue): [red, green, blue, 1]
    }
  }

  func fits(_ shape: Shape) -> Bool {
    switch (self, shape) {
    case (.number, .number), (.point, .point), (.point, .scale), (.color, .color): true
    default: false
    }
  }
}
