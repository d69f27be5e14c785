/// Damage that keeps the text valid JSON, so that it reaches the readers of its contents.
extension Mutator {
  mutating func mutateJSON(_ bytes: inout Bytes) -> String {
    let start = pick(bytes.count)
    switch pick(12) {
    case 0..<8: return replaceNumber(&bytes, from: start)
    case 8: return replaceValue(&bytes, from: start)
    case 9: return copyValue(&bytes, from: start)
    case 10: return renameKey(&bytes, from: start)
    default:
      guard let value = Self.value(in: bytes, from: start) else { return "nothing" }
      let depth = [10, 100, 200][pick(3)]
      bytes.insert(contentsOf: Bytes(repeating: UInt8(ascii: "]"), count: depth), at: value.upperBound)
      bytes.insert(contentsOf: Bytes(repeating: UInt8(ascii: "["), count: depth), at: value.lowerBound)
      return "nest \(value) \(depth) deep"
    }
  }

  private mutating func replaceNumber(_ bytes: inout Bytes, from start: Int) -> String {
    func isNumber(_ byte: UInt8) -> Bool { "0123456789+-.eE".utf8.contains(byte) }
    guard
      let before = bytes[start...].indices.dropLast().first(where: { ":,[".utf8.contains(bytes[$0]) && isNumber(bytes[$0 + 1]) }
      )
    else { return "nothing" }
    let number = before + 1..<(bytes[(before + 1)...].firstIndex { !isNumber($0) } ?? bytes.count)
    let values = [
      "0", "-1", "1", "-0.5", "0.001", "1e-30", "1e30", "-1e30", "65536", "2147483647", "-2147483648", "4294967296", "1e999",
      "99999999999999999999", "3.5", "100", "10000",
    ]
    let value = values[pick(values.count)]
    bytes.replaceSubrange(number, with: value.utf8)
    return "number at \(number.lowerBound) to \(value)"
  }

  private mutating func replaceValue(_ bytes: inout Bytes, from start: Int) -> String {
    guard let value = Self.value(in: bytes, from: start) else { return "nothing" }
    let others = ["null", "0", "[]", "{}", "\"\"", "true", "[0]", "[1,2,3]", "[null]", "[[]]"]
    let other = others[pick(others.count)]
    bytes.replaceSubrange(value, with: other.utf8)
    return "value at \(value) to \(other)"
  }

  /// Puts an object or list in the place of another one.
  private mutating func copyValue(_ bytes: inout Bytes, from start: Int) -> String {
    guard let target = Self.value(in: bytes, from: start), let value = Self.value(in: bytes, from: pick(bytes.count)) else {
      return "nothing"
    }
    bytes.replaceSubrange(target, with: Bytes(bytes[value]))
    return "value at \(target) to that at \(value)"
  }

  /// Gives a field the name of another one.
  private mutating func renameKey(_ bytes: inout Bytes, from start: Int) -> String {
    guard let key = Self.key(in: bytes, from: start), let other = Self.key(in: bytes, from: pick(bytes.count)) else {
      return "nothing"
    }
    let name = Bytes(bytes[other])
    bytes.replaceSubrange(key, with: name)
    return "key at \(key) to \(String(decoding: name, as: UTF8.self))"
  }

  /// The next object or list, of at most 20,000 bytes. Brackets in strings count too, which is rare.
  private static func value(in bytes: Bytes, from start: Int) -> Range<Int>? {
    guard let first = bytes[start...].firstIndex(where: { "{[".utf8.contains($0) }) else { return nil }
    var depth = 0
    for place in first..<min(first + 20_000, bytes.count) {
      if "{[".utf8.contains(bytes[place]) { depth += 1 }
      if "}]".utf8.contains(bytes[place]) { depth -= 1 }
      if depth == 0 { return first..<place + 1 }
    }
    return nil
  }

  /// The next name of a field, without its quotes.
  private static func key(in bytes: Bytes, from start: Int) -> Range<Int>? {
    let quote = UInt8(ascii: "\"")
    let ends = bytes[start...].indices.dropLast()
    guard let end = ends.first(where: { bytes[$0] == quote && bytes[$0 + 1] == UInt8(ascii: ":") }),
      let before = bytes[..<end].lastIndex(of: quote), end - before <= 12
    else { return nil }
    return before + 1..<end
  }
}
