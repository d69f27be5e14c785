/// A limit on one file as `--limit NAME=VALUE` and the configuration write it.
package struct LimitSetting: Sendable {
  package let name: String
  /// The expected value in messages: `a size such as 4GiB or 400MB`.
  package let expected: String
  /// The regular expression in the JSON Schema.
  let pattern: String
  /// The value that `artworkd init` writes.
  package let example: String
  private let read: @Sendable (String) -> (@Sendable (inout Limits) -> Void)?

  private init<Value: Sendable>(
    _ name: String, _ expected: String, pattern: String, example: String,
    _ read: @escaping @Sendable (String) -> Value?,
    _ set: @escaping @Sendable (inout Limits, Value) -> Void
  ) {
    self.name = name
    self.expected = expected
    self.pattern = pattern
    self.example = example
    self.read = { text in
      guard let value = read(text) else { return nil }
      return { limits in set(&limits, value) }
    }
  }

  /// The change that a value makes; `nil` for one that is not allowed.
  package func change(to text: String) -> (@Sendable (inout Limits) -> Void)? { read(text) }

  /// All limits, in the order of the documents.
  package static let all: [LimitSetting] = [
    LimitSetting(
      "file-size", "a size such as 4GiB or 400MB", pattern: bytePattern, example: "4GiB", bytes
    ) { $0.fileBytes = $1 },
    LimitSetting(
      "pixels", "a product such as 8192x8192, or a number", pattern: "^[0-9]+(x[0-9]+)?$",
      example: "8192x8192", pixels
    ) { $0.pixels = $1 },
    LimitSetting(
      "duration", "a time in whole seconds, minutes or hours, such as 90s or 10m",
      pattern: timePattern, example: "10m", seconds
    ) { $0.durationSeconds = Double($1) },
    LimitSetting(
      "frames", "a whole number, at least 1", pattern: "^[0-9]+$", example: "20000", count
    ) { $0.frames = $1 },
    LimitSetting(
      "streams", "a whole number, at least 1", pattern: "^[0-9]+$", example: "64", count
    ) { $0.streams = $1 },
    LimitSetting(
      "cpu", "a time in whole seconds, minutes or hours, such as 60s", pattern: timePattern,
      example: "60s", seconds
    ) {
      $0.cpuSeconds = $1
      $0.cpuSecondsForEverything = $1
    },
    LimitSetting(
      "memory", "a size of at least 128MiB, such as 2GiB", pattern: bytePattern, example: "1GiB",
      memory
    ) { $0.memoryBytes = $1 },
  ]

  private static let bytePattern = "^[0-9]+([.][0-9]+)?([KMG]iB|[kKMG]B?)?$"
  private static let timePattern = "^[0-9]+[smh]?$"

  /// 1 to 10^12: no limit is worth more, and none overflows when it is multiplied.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let number = Int(text), (1...1_000_000_000_000).contains(number) else { return nil }
    return number
  }

  @Sendable private static func count(_ text: String) -> Int? { number(text) }

  /// Less than a worker has available when it starts would change nothing.
  @Sendable private static func memory(_ text: String) -> Int64? {
    bytes(text).flatMap { $0 >= 128 << 20 ? $0 : nil }
  }

  private static func scaled(_ text: String, _ units: KeyValuePairs<String, Int>) -> Int? {
    for (unit, factor) in units where text.hasSuffix(unit) {
      guard let count = number(text.dropLast(unit.count)) else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: factor)
      return overflow || product > 1 << 50 ? nil : product
    }
    return number(text)
  }

  /// Digits with at most one point between them.
  private static func decimal(_ text: Substring) -> Double? {
    let isPlain = text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    return isPlain && text.first != "." && text.last != "." ? Double(text) : nil
  }

  private static let byteUnits: KeyValuePairs<String, Int> = [
    "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1000, "KB": 1000, "MB": 1_000_000,
    "GB": 1_000_000_000, "k": 1000, "K": 1000, "M": 1_000_000, "G": 1_000_000_000, "": 1,
  ]

  /// Bytes, or with a unit: `500000`, `512MiB`, `4GiB`, `400MB`, `8M`, `1.5MB`. At least 1, and at most 2^50; parts of
  /// a byte are rounded. `nil` for anything else.
  @Sendable package static func bytes(_ text: String) -> Int64? {
    guard let (unit, factor) = byteUnits.first(where: { text.hasSuffix($0.key) }),
      let number = decimal(text.dropLast(unit.count)),
      let bytes = wholeNumber((number * Double(factor)).rounded(), as: Int64.self),
      (1...1 << 50).contains(bytes)
    else { return nil }
    return bytes
  }

  /// Seconds, or with a unit: 90s, 10m, 1h.
  @Sendable private static func seconds(_ text: String) -> Int? {
    scaled(text, ["s": 1, "m": 60, "h": 3600])
  }

  /// A product like 8192x8192, or a number.
  @Sendable private static func pixels(_ text: String) -> Int64? {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2 else { return number(text).map(Int64.init) }
    guard let width = number(sides[0]), let height = number(sides[1]) else { return nil }
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : number("\(product)").map(Int64.init)
  }
}
