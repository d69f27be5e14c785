/// Parses untrusted JSON (RFC 8259). Bounded in depth and in the number of values, so that neither the stack nor
/// memory is at the mercy of a file; time grows with the length.
package struct JSONReader {
  /// Levels of lists and objects. Groups inside groups of real animations are a few dozen deep.
  package static let deepest = 128
  /// Values in all: several times those of the largest public animations, in at most 200 MB.
  package static let mostValues = 4_000_000

  private let bytes: [UInt8]
  private var place = 0
  private var values = 0
  private let allowsInfinity: Bool

  /// - Parameter allowsInfinity: whether a number beyond the range of `Double` is infinite.
  /// - Throws: `not-a-movie` for invalid JSON or a number beyond the range of `Double`, `too-large` beyond the
  ///   limits.
  package static func read(
    _ bytes: [UInt8], allowingInfinity allowsInfinity: Bool = false
  ) throws(InspectionError) -> JSONNode {
    var reader = JSONReader(bytes, allowsInfinity)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.place == bytes.count else { throw reader.fault("something follows the end") }
    return value
  }

  private init(_ bytes: [UInt8], _ allowsInfinity: Bool) {
    self.bytes = bytes
    self.allowsInfinity = allowsInfinity
    // A byte order mark, which some editors write.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
  }

  private mutating func value(depth: Int) throws(InspectionError) -> JSONNode {
    values += 1
    guard values <= Self.mostValues, depth <= Self.deepest else {
      throw InspectionError(
        .tooLarge,
        depth > Self.deepest
          ? "the JSON is more than \(Self.deepest) levels deep"
          : "the JSON has more than \(Self.mostValues) values", operation: "read the animation")
    }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object(_ depth: Int) throws(InspectionError) -> JSONNode {
    var fields: [JSONNode.Field] = []
    place += 1
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw fault("a field has no name") }
      let name = try text()
      guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
      fields.append(JSONNode.Field(name: name, value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("an object does not end") }
    return .object(fields)
  }

  private mutating func list(_ depth: Int) throws(InspectionError) -> JSONNode {
    var items: [JSONNode] = []
    place += 1
    if take(UInt8(ascii: "]")) { return .list([]) }
    repeat { items.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a list does not end") }
    return .list(items)
  }

  private mutating func word(
    _ word: StaticString, _ node: JSONNode
  ) throws(InspectionError) -> JSONNode {
    guard bytes[place...].starts(with: word.description.utf8) else {
      throw fault("an unknown word")
    }
    place += word.utf8CodeUnitCount
    return node
  }

  /// Spelt as RFC 8259 does it, which is stricter than `Double`.
  private mutating func number() throws(InspectionError) -> Double {
    let start = place
    _ = skip(UInt8(ascii: "-"))
    let whole = place
    var isNumber = skipDigits()
    if place > whole + 1, bytes[whole] == UInt8(ascii: "0") { isNumber = false }
    if skip(UInt8(ascii: ".")), !skipDigits() { isNumber = false }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
      if !skipDigits() { isNumber = false }
    }
    guard place > start else { throw fault("a value is missing") }
    guard isNumber, let number = Double(String(decoding: bytes[start..<place], as: UTF8.self))
    else { throw fault("a number is not spelt as one") }
    guard number.isFinite || allowsInfinity else {
      throw InspectionError(
        .notAMovie, "the JSON has a number at byte \(start) that is too large",
        operation: "read the animation")
    }
    return number
  }

  /// Whether there are any.
  private mutating func skipDigits() -> Bool {
    let start = place
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { place += 1 }
    return place > start
  }

  private mutating func text() throws(InspectionError) -> String {
    place += 1
    let start = place
    while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      place += 1
    }
    var text = Array(bytes[start..<place])
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault("a text has a control character") }
      place += 1
      if byte == UInt8(ascii: "\\") {
        text += try escape()
      } else {
        text.append(byte)
      }
    }
    guard peek != nil else { throw fault("a text does not end") }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads the character after a backslash.
  private mutating func escape() throws(InspectionError) -> [UInt8] {
    guard let byte = peek else { throw fault("a text does not end") }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "u"):
      var units = [try unit()]
      // The second half of a character beyond the first 65,536.
      if (0xd800..<0xdc00).contains(units[0]), bytes[place...].starts(with: "\\u".utf8) {
        place += 2
        units.append(try unit())
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    default: throw fault("an unknown escape")
    }
  }

  /// Takes four hexadecimal digits.
  private mutating func unit() throws(InspectionError) -> UInt16 {
    let digits = bytes[place...].prefix(4)
    guard digits.count == 4,
      digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("an escape is not hexadecimal") }
    place += 4
    return unit
  }

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipSpace() {
    while peek == 0x20 || peek == 0x0a || peek == 0x0d || peek == 0x09 { place += 1 }
  }

  /// Takes this byte, if it comes next.
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  /// Skips space, then takes this byte, if it comes next.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return skip(byte)
  }

  private func fault(_ what: String) -> InspectionError {
    InspectionError(.notAMovie, "this is not JSON: \(what) at byte \(place)")
  }
}
