/// How a configuration writes a value of a type.
struct ValueFormat<Value: Sendable>: Sendable {
  let shape: ValueShape
  /// The value of the right shape; `nil` for another.
  let read: @Sendable (YAMLValue) -> Value?
  let written: @Sendable (Value) -> String

  private init(
    shape: ValueShape, read: @escaping @Sendable (YAMLValue) -> Value?,
    written: @escaping @Sendable (Value) -> String
  ) {
    (self.shape, self.read, self.written) = (shape, read, written)
  }

  /// A scalar, which is valid if `read` returns a value.
  ///
  /// - Parameter hint: what is wrong with another; empty if `expected` states it.
  init(
    _ expected: String, pattern: String? = nil, alternatives: Set<TextForm.JSONType> = [],
    hint: @escaping @Sendable (String) -> String = { _ in "" },
    written: @escaping @Sendable (Value) -> String = { "\($0)" },
    read: @escaping @Sendable (String) -> Value?
  ) {
    self.init(
      shape: .text(
        TextForm(expected: expected, pattern: pattern, alternatives: alternatives) {
          read($0) == nil ? hint($0) : nil
        }),
      read: { $0.text.flatMap(read) }, written: written)
  }

  /// A list of values, or one alone.
  private init<Item>(
    of item: ValueFormat<Item>, inOrder: @escaping @Sendable ([Item]) -> [Item] = { $0 }
  ) where Value == [Item] {
    self.init(
      shape: .list(item.shape),
      read: { value in
        let given = value.items.filter { $0.text != nil }
        let items = given.compactMap(item.read)
        return items.isEmpty || items.count < given.count ? nil : inOrder(items)
      },
      written: { "[\($0.map(item.written).joined(separator: ", "))]" })
  }

  /// The format of a limit that `none` removes.
  var orNone: ValueFormat<Value?> {
    ValueFormat<Value?>(
      shape: shape.orNone,
      read: { value in
        value.items.compactMap(\.text) == [Quantity.none]
          ? .some(nil) : read(value).map(Optional.some)
      },
      written: { $0.map(written) ?? Quantity.none })
  }
}

extension ValueFormat<Double> {
  /// A number, or a share if `unit` is `%`. The unit may follow the number.
  static func number(_ unit: String = "") -> Self {
    let isShare = unit == "%"
    return Self(
      isShare ? "a share such as 0.5 % or 0.005" : "a number such as 4 \(unit)".trimmed,
      pattern: #"^[0-9]+(\.[0-9]+)?"# + (unit.isEmpty ? "$" : "( *\(unit))?$"),
      alternatives: [.number],
      hint: { text in
        isShare && Quantity.number(text) != nil
          ? "a share above 1; did you mean `\(text) %`?" : ""
      },
      written: { "\(decimal(isShare ? $0 * 100 : $0, places: 6)) \(unit)".trimmed },
      read: { Quantity.number($0, unit: unit) })
  }
}

extension ValueFormat where Value: Numeric {
  /// A time of whole seconds.
  static func seconds(such example: String) -> Self {
    Self(
      "a time in whole seconds, minutes or hours, such as \(example)", pattern: "^[0-9]+[smh]?$",
      alternatives: [.integer]
    ) { Quantity.seconds($0).flatMap { Value(exactly: $0) } }
  }
}

extension ValueFormat<Int> {
  static var count: Self {
    Self("a whole number", pattern: "^[0-9]+$", alternatives: [.integer]) { Quantity.count($0) }
  }

  static var positive: Self {
    Self("a whole number, at least 1", pattern: "^[0-9]+$", alternatives: [.integer]) {
      Quantity.limit($0)
    }
  }
}

extension ValueFormat<Int64> {
  /// A whole number with an optional factor and unit, for example `400MB`, `20 Mbit/s` or `500 Mpx/s`.
  static func large(_ unit: String, such example: String) -> Self {
    Self(
      "a number such as \(example)", pattern: #"^[0-9]+(\.[0-9]+)?( *([kKMGT]i?)?\#(unit))?$"#,
      alternatives: [.number],
      written: { value in
        // With a factor if that loses no digits. Not a loop over the three: the compiler makes other code of it from
        // build to build, and packages would differ.
        let (prefix, factor): (String, Int64) =
          switch value {
          case 0: ("", 1)
          case _ where value.isMultiple(of: 1_000_000_000): ("G", 1_000_000_000)
          case _ where value.isMultiple(of: 1_000_000): ("M", 1_000_000)
          case _ where value.isMultiple(of: 1000): ("k", 1000)
          default: ("", 1)
          }
        return "\(value / factor) \(prefix)\(unit)"
      },
      read: { Quantity.large($0, unit: unit) })
  }
}

extension ValueFormat<Int64> {
  /// A size of a file or of memory, such as `400MB` or `4GiB`.
  static func bytes(_ expected: String, atLeast least: Int64 = 1) -> Self {
    Self(
      expected, pattern: "^[0-9]+([.][0-9]+)?([KMG]iB|[kKMG]B?)?$", alternatives: [.integer]
    ) { Quantity.bytes($0).flatMap { $0 >= least ? $0 : nil } }
  }

  static var pixels: Self {
    Self(
      "a product such as 8192x8192, or a number", pattern: "^[0-9]+(x[0-9]+)?$",
      alternatives: [.integer]
    ) { Quantity.pixels($0) }
  }
}

extension ValueFormat<Rational> {
  /// Frames per second: `60`, `23.976` (which means 24000/1001), `30000/1001`.
  static var rate: Self {
    Self(
      "frames a second such as 60, 23.976 or 30000/1001",
      pattern: #"^([0-9]+(\.[0-9]+)?|[0-9]+/[0-9]+)$"#, alternatives: [.number]
    ) { Quantity.rate($0) }
  }
}

extension ValueFormat<[Rational]> {
  /// Rates in any order.
  static var rates: Self { Self(of: .rate) { $0.sorted() } }
}

extension ValueFormat<[String]> {
  static var words: Self {
    Self(of: .text("a word"))
  }
}

extension ValueFormat<String> {
  /// Any text but an empty one.
  static func text(
    _ expected: String, pattern: String? = nil, alternatives: Set<TextForm.JSONType> = []
  ) -> Self {
    Self(expected, pattern: pattern, alternatives: alternatives) { $0.isEmpty ? nil : $0 }
  }
}

extension ValueFormat<Bool> {
  static var flag: Self {
    Self(
      "`true` or `false`", pattern: "^(true|false|yes|no|on|off)$", alternatives: [.boolean]
    ) { text in
      switch text.lowercased() {
      case "true", "yes", "on": true
      case "false", "no", "off": false
      default: nil
      }
    }
  }
}
