/// Parses numbers in the forms that people use in a configuration, and on a command line.
package enum Quantity {
  /// The word for no limit.
  package static let none = "none"

  /// Digits with at most one point: neither signs nor exponents, which no limit needs.
  static func number(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), text.utf8.count <= 18,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(String(text))
  }

  /// `4`, `4 s` or `4s`; for `%` also `0.5 %`, which is 0.005. A share without its sign is at most 1, so that `2` for
  /// `2 %` is reported as a mistake.
  static func number(_ text: String, unit: String) -> Double? {
    guard let (number, suffix) = split(text) else { return nil }
    if unit == "%" {
      if suffix == "%" { return number / 100 }
      return suffix.isEmpty && number <= 1 ? number : nil
    }
    return suffix.isEmpty || suffix == unit ? number : nil
  }

  /// `50000000`, `400MB`, `20 Mbit/s` or `1.5 GiB`, rounded to a whole number.
  static func large(_ text: String, unit: String) -> Int64? {
    guard let (number, suffix) = split(text) else { return nil }
    if suffix.isEmpty { return wholeNumber(number.rounded(), as: Int64.self) }
    for (prefix, factor) in prefixes where suffix == prefix + unit {
      return wholeNumber((number * factor).rounded(), as: Int64.self)
    }
    return nil
  }

  static func count(_ text: String) -> Int? {
    guard let number = number(text), !text.contains(".") else { return nil }
    return wholeNumber(number)
  }

  /// 1 to 10^12: no limit is worth more, and none overflows when it is multiplied.
  static func limit(_ text: some StringProtocol) -> Int? {
    count(String(text)).flatMap { (1...1_000_000_000_000).contains($0) ? $0 : nil }
  }

  /// Whole seconds, minutes or hours: `90`, `90s`, `10m`, `1h`.
  static func seconds(_ text: String) -> Int? {
    let factor = ["s": 1, "m": 60, "h": 3600][text.suffix(1)]
    guard let count = limit(factor == nil ? text[...] : text.dropLast()) else { return nil }
    let seconds = count * (factor ?? 1)
    return seconds > 1 << 50 ? nil : seconds
  }

  /// A product such as `8192x8192`, or a number.
  static func pixels(_ text: String) -> Int64? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { limit($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else {
      return limit(text).map(Int64.init)
    }
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : limit("\(pixels)").map(Int64.init)
  }

  private static let byteUnits = [
    "": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9,
    "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824,
  ]

  /// Bytes, or with a unit: `500000`, `512MiB`, `4GiB`, `400MB`, `8M`, `1.5MB`. At least 1, and at most 2^50; parts of
  /// a byte are rounded. `nil` for anything else.
  package static func bytes(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = number(digits), let factor = byteUnits[String(text.dropFirst(digits.count))],
      let bytes = wholeNumber((number * factor).rounded(), as: Int64.self),
      (1...1 << 50).contains(bytes)
    else { return nil }
    return bytes
  }

  /// `60`, `23.976`, which is 24000/1001, or `30000/1001`. Not zero.
  static func rate(_ text: String) -> Rational? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let top = count(String(parts[0])), let bottom = count(String(parts[1])), top > 0
      else { return nil }
      return Rational(Int64(top), Int64(bottom))
    }
    guard let number = number(text), number > 0 else { return nil }
    let whole = (number * 1001 / 1000).rounded()
    // 23.98 is how some write 24000/1001.
    if text.contains("."), whole > 0, abs(number - whole * 1000 / 1001) < 0.005,
      let numerator = wholeNumber(whole * 1000, as: Int64.self)
    {
      return Rational(numerator, 1001)
    }
    return wholeNumber((number * 1_000_000).rounded(), as: Int64.self)
      .flatMap { $0 > 0 ? Rational($0, 1_000_000) : nil }
  }

  /// `3000x2000`, each side 1 to 16384 pixels.
  static func size(_ text: String) -> PixelSize? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = count(String(sides[0])),
      let height = count(String(sides[1])),
      (1...16384).contains(width), (1...16384).contains(height)
    else { return nil }
    return PixelSize(width: width, height: height)
  }

  static let prefixes: KeyValuePairs<String, Double> = [
    "": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
    "Ki": 1024, "Mi": 1_048_576, "Gi": 1_073_741_824, "Ti": 1_099_511_627_776,
  ]

  private static func split(_ text: String) -> (number: Double, suffix: String)? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = number(digits) else { return nil }
    return (number, String(text.dropFirst(digits.count)).trimmed)
  }
}
