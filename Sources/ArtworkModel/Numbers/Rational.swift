/// An exact fraction in lowest terms with a positive denominator, as media containers count time,
/// rates and aspects. Encoded as `[numerator, denominator]`.
public struct Rational: Sendable, Hashable, Codable {
  public let numerator: Int64
  public let denominator: Int64

  /// Reduces `numerator/denominator`. Returns `nil` for a zero denominator and for values whose
  /// sign cannot be normalised in 64 bits: containers hold both.
  public init?(_ numerator: Int64, _ denominator: Int64) {
    guard denominator != 0, numerator != .min, denominator != .min else { return nil }
    let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    let sign: Int64 = denominator < 0 ? -1 : 1
    self.numerator = sign * (numerator / Int64(divisor))
    self.denominator = sign * (denominator / Int64(divisor))
  }

  private init(reduced numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public static let one = Rational(reduced: 1, 1)

  /// A whole number.
  public init(_ value: Int64) { self.init(reduced: value, 1) }

  /// The nearest `Double`.
  public var value: Double { Double(numerator) / Double(denominator) }

  /// The reciprocal; `nil` for zero.
  public var inverse: Rational? { Rational(denominator, numerator) }

  /// `nil` if the product does not fit in 64 bits.
  public func multiplied(by other: Rational) -> Rational? {
    // Crosswise reduction first keeps the intermediate products small.
    guard let a = Rational(numerator, other.denominator),
      let b = Rational(other.numerator, denominator)
    else { return nil }
    let (top, overTop) = a.numerator.multipliedReportingOverflow(by: b.numerator)
    let (bottom, overBottom) = a.denominator.multipliedReportingOverflow(by: b.denominator)
    return overTop || overBottom ? nil : Rational(top, bottom)
  }

  private static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return max(a, 1)
  }

  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    let numerator = try container.decode(Int64.self)
    let denominator = try container.decode(Int64.self)
    guard let value = Rational(numerator, denominator) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "not a fraction: \(numerator)/\(denominator)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(numerator)
    try container.encode(denominator)
  }
}

extension Rational: Comparable {
  /// Exact: compares the full 128-bit cross products.
  public static func < (left: Rational, right: Rational) -> Bool {
    let a = left.numerator.multipliedFullWidth(by: right.denominator)
    let b = right.numerator.multipliedFullWidth(by: left.denominator)
    return (a.high, a.low) < (b.high, b.low)
  }
}

extension Rational: CustomStringConvertible {
  public var description: String {
    denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
  }
}
