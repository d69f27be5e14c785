import FoundationEssentials

/// The members of one JSON object on one line, found without decoding them: rows of results are long, and most readers
/// want little of them.
package struct JSONRow {
  package struct Member {
    package var name: String
    /// From the quote of the name to the end of the value.
    package var whole: Range<Int>
    package var value: Range<Int>
  }

  package let bytes: [UInt8]
  package let members: [Member]

  /// `nil` unless the bytes are one complete object. Brackets and strings are checked; numbers and words are not.
  package init?(_ bytes: [UInt8]) {
    self.init(bytes, in: bytes.indices)
  }

  private init?(_ bytes: [UInt8], in range: Range<Int>) {
    guard let members = Self.members(of: bytes, in: range) else { return nil }
    self.bytes = bytes
    self.members = members
  }

  package func has(_ name: String) -> Bool { members.contains { $0.name == name } }

  /// The object that is the value of a member.
  package func object(_ name: String) -> JSONRow? {
    value(name).flatMap { JSONRow(bytes, in: $0) }
  }

  /// The text that is the value of a member.
  package func text(_ name: String) -> String? {
    guard let value = value(name), value.count >= 2, bytes[value.lowerBound] == Self.quote else {
      return nil
    }
    let inside = bytes[value.lowerBound + 1..<value.upperBound - 1]
    return inside.contains(Self.backslash)
      ? try? JSONDecoder().decode(String.self, from: Data(bytes[value]))
      : String(decoding: inside, as: UTF8.self)
  }

  /// The whole number that is the value of a member.
  package func number(_ name: String) -> Int64? {
    value(name).flatMap { Int64(String(decoding: bytes[$0], as: UTF8.self)) }
  }

  /// The bytes of a member's value.
  package func json(_ name: String) -> ArraySlice<UInt8>? { value(name).map { bytes[$0] } }

  /// Where a member stands with the comma that goes with it; `nil` if there is none.
  package func place(_ name: String) -> Range<Int>? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    let member = members[index].whole
    if index > 0 { return members[index - 1].whole.upperBound..<member.upperBound }
    return member.lowerBound..<(members.count > 1 ? members[1].whole.lowerBound : member.upperBound)
  }

  /// Members that are left out of an object.
  package struct Omission: Sendable {
    package var names: Set<String> = []
    /// Of members that are objects, members that are left out of those.
    package var inside: [String: Set<String>] = [:]

    package init(
      names: Set<String> = [], inside: [String: Set<String>] = [:]
    ) {
      self.names = names
      self.inside = inside
    }
  }

  /// The bytes without some members.
  package func without(_ omission: Omission) -> [UInt8] {
    var result = [Self.open]
    result.reserveCapacity(bytes.count)
    for member in members where !omission.names.contains(member.name) {
      if result.count > 1 { result.append(Self.comma) }
      if let names = omission.inside[member.name], let object = JSONRow(bytes, in: member.value) {
        result += bytes[member.whole.lowerBound..<member.value.lowerBound]
        result += object.without(Omission(names: names))
      } else {
        result += bytes[member.whole]
      }
    }
    result.append(Self.close)
    return result
  }

  /// The object with those members of another that are named in the place of its own, in the order of their names.
  package func taking(_ names: Set<String>, from other: JSONRow) -> [UInt8] {
    let own = members.filter { !names.contains($0.name) }.map { ($0.name, bytes[$0.whole]) }
    let others = other.members.filter { names.contains($0.name) }
      .map { ($0.name, other.bytes[$0.whole]) }
    let all = (own + others).sorted { $0.0 < $1.0 }.map(\.1)
    return [Self.open] + Array(all.joined(separator: [Self.comma])) + [Self.close]
  }

  private func value(_ name: String) -> Range<Int>? { members.first { $0.name == name }?.value }

  // MARK: Scanning

  private static let quote = UInt8(ascii: "\""), backslash = UInt8(ascii: "\\")
  private static let comma = UInt8(ascii: ","), colon = UInt8(ascii: ":")
  private static let open = UInt8(ascii: "{"), close = UInt8(ascii: "}")

  private static func members(of array: [UInt8], in range: Range<Int>) -> [Member]? {
    let bytes = array.span
    var scan = Scan(place: range.lowerBound, end: range.upperBound)
    var members: [Member] = []
    guard scan.take(open, bytes) else { return nil }
    if !scan.take(close, bytes) {
      repeat {
        scan.skipSpace(bytes)
        let start = scan.place
        guard scan.skipString(bytes) else { return nil }
        let name = String(decoding: array[start + 1..<scan.place - 1], as: UTF8.self)
        guard scan.take(colon, bytes) else { return nil }
        scan.skipSpace(bytes)
        let value = scan.place
        guard scan.skipValue(bytes) else { return nil }
        members.append(
          Member(name: name, whole: start..<scan.place, value: value..<scan.place))
      } while scan.take(comma, bytes)
      guard scan.take(close, bytes) else { return nil }
    }
    scan.skipSpace(bytes)
    return scan.place == range.upperBound ? members : nil
  }

  /// A place in the bytes. A merge looks at every one of them, so they are passed as a span.
  private struct Scan {
    var place: Int
    let end: Int

    mutating func skipSpace(_ bytes: Span<UInt8>) {
      while place < end, bytes[place] <= 0x20 { place += 1 }
    }

    mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
      skipSpace(bytes)
      guard place < end, bytes[place] == byte else { return false }
      place += 1
      return true
    }

    mutating func skipString(_ bytes: Span<UInt8>) -> Bool {
      guard place < end, bytes[place] == quote else { return false }
      let start = place + 1
      place = start
      // Signatures and digests are long.
      while let next = bytes.firstPlace(of: quote, in: place..<end) {
        place = next + 1
        var backslashes = 0
        while next - backslashes > start, bytes[next - backslashes - 1] == backslash {
          backslashes += 1
        }
        if backslashes.isMultiple(of: 2) { return true }
      }
      return false
    }

    mutating func skipValue(_ bytes: Span<UInt8>) -> Bool {
      guard place < end else { return false }
      switch bytes[place] {
      case quote: return skipString(bytes)
      case open, UInt8(ascii: "["): return skipBrackets(bytes)
      default:
        let start = place
        while place < end {
          let byte = bytes[place]
          if byte == comma || byte == close || byte == UInt8(ascii: "]") { break }
          place += 1
        }
        return place > start
      }
    }

    private mutating func skipBrackets(_ bytes: Span<UInt8>) -> Bool {
      var depth = 0
      while place < end {
        switch bytes[place] {
        case quote:
          guard skipString(bytes) else { return false }
          continue
        case open, UInt8(ascii: "["): depth += 1
        case close, UInt8(ascii: "]"): depth -= 1
        default: break
        }
        place += 1
        if depth == 0 { return true }
      }
      return false
    }
  }
}
