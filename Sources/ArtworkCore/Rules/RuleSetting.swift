/// A limit of a rule that a configuration can change, with its name there and its place in a profile.
package struct RuleSetting: Sendable {
  /// The property of a profile for the value, which also determines its type.
  package enum Place: Sendable {
    /// A number, or a share if `unit` is `%`. The unit may follow the number.
    case number(any WritableKeyPath<Profile, Double> & Sendable, unit: String)
    /// The same for an optional limit; `none` removes it.
    case limit(any WritableKeyPath<Profile, Double?> & Sendable, unit: String)
    case count(any WritableKeyPath<Profile, Int> & Sendable)
    case countLimit(any WritableKeyPath<Profile, Int?> & Sendable)
    /// A whole number with an optional factor and unit, for example `400MB`, `20 Mbit/s` or `500 Mpx/s`.
    case large(any WritableKeyPath<Profile, Int64?> & Sendable, unit: String)
    /// Frames per second: `60`, `23.976` (which means 24000/1001), `30000/1001`.
    case rate(any WritableKeyPath<Profile, Rational?> & Sendable)
    /// A list of them, in any order.
    case rates(any WritableKeyPath<Profile, [Rational]?> & Sendable)
    case words(any WritableKeyPath<Profile, [String]> & Sendable)
    case wordsLimit(any WritableKeyPath<Profile, [String]?> & Sendable)
    case flag(any WritableKeyPath<Profile, Bool> & Sendable)
  }

  /// The setting's name, for example `at-most`.
  package let name: String
  /// The limited quantity, in a few words, with the unit.
  package let summary: String
  package let place: Place

  /// The limit that this one replaces when a configuration sets it.
  package let replaced: (any WritableKeyPath<Profile, Double?> & Sendable)?

  package init(
    _ name: String, _ summary: String, _ place: Place,
    replacing replaced: (any WritableKeyPath<Profile, Double?> & Sendable)? = nil
  ) {
    self.replaced = replaced
    self.name = name
    self.summary = summary
    self.place = place
  }
}

extension RuleSetting {
  /// The value that removes an optional limit.
  package static let none = "none"

  /// The value in a profile, as a configuration writes it.
  package func value(in profile: Profile) -> String {
    switch place {
    case .number(let path, let unit): Self.formatted(profile[keyPath: path], unit)
    case .limit(let path, let unit):
      profile[keyPath: path].map { Self.formatted($0, unit) } ?? Self.none
    case .count(let path): "\(profile[keyPath: path])"
    case .countLimit(let path): profile[keyPath: path].map { "\($0)" } ?? Self.none
    case .large(let path, let unit):
      profile[keyPath: path].map { Self.formatted($0, unit) } ?? Self.none
    case .rate(let path): profile[keyPath: path].map { "\($0)" } ?? Self.none
    case .rates(let path):
      profile[keyPath: path].map { "[\($0.map(\.description).joined(separator: ", "))]" }
        ?? Self.none
    case .words(let path): "[\(profile[keyPath: path].joined(separator: ", "))]"
    case .wordsLimit(let path):
      profile[keyPath: path].map { "[\($0.joined(separator: ", "))]" } ?? Self.none
    case .flag(let path): "\(profile[keyPath: path])"
    }
  }

  private static func formatted(_ value: Double, _ unit: String) -> String {
    let number = decimal(unit == "%" ? value * 100 : value, places: 6)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }

  /// Formats a value, with a factor if that loses no digits.
  private static func formatted(_ value: Int64, _ unit: String) -> String {
    // Not a loop over the three: the compiler makes other code of it from build to build, and packages would differ.
    let (prefix, factor): (String, Int64) =
      switch value {
      case 0: ("", 1)
      case _ where value.isMultiple(of: 1_000_000_000): ("G", 1_000_000_000)
      case _ where value.isMultiple(of: 1_000_000): ("M", 1_000_000)
      case _ where value.isMultiple(of: 1000): ("k", 1000)
      default: ("", 1)
      }
    return "\(value / factor) \(prefix)\(unit)"
  }
}
