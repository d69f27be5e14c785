import FoundationEssentials

/// JSON that `JSONDecoder` accepts although RFC 8259 forbids it, or although two readers may interpret it
/// differently.
enum JSONFlaw {
  /// - Returns: a sentence about the first flaw. Text that is not JSON may have none.
  static func first(in text: [UInt8]) -> String? {
    // Every other encoding of JSON has bytes that are 0.
    guard String(validating: text, as: UTF8.self) != nil, !text.contains(0) else {
      return "the body is not UTF-8 (RFC 8259, 8.1)"
    }
    /// The names in each open object, from the outside in; `nil` for an array.
    var names: [Set<String>?] = []
    var last: UInt8 = 0
    var index = 0
    while index < text.count {
      let (start, byte) = (index, text[index])
      index += 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): continue
      case UInt8(ascii: "{"): names.append([])
      case UInt8(ascii: "["): names.append(nil)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if last == UInt8(ascii: ",") { return "the body has a comma before a closing bracket" }
        _ = names.popLast()
      case UInt8(ascii: "\""):
        index = end(ofStringAt: start, in: text)
        guard last == UInt8(ascii: "{") || last == UInt8(ascii: ","), !names.isEmpty else { break }
        let name = value(text[start..<index])
        // In place: a copy of the set for each name is quadratic.
        if names[names.count - 1]?.insert(name).inserted == false {
          return "the body has the member \(name) twice in one object"
        }
      default: break
      }
      last = byte
    }
    return nil
  }

  /// The position after the closing quotation mark, or the end of the text.
  private static func end(ofStringAt start: Int, in text: [UInt8]) -> Int {
    var index = start + 1
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, text.count)
  }

  /// The text of a string literal without its escapes, since one name may be written in several ways.
  private static func value(_ literal: ArraySlice<UInt8>) -> String {
    guard literal.contains(UInt8(ascii: "\\")) else {
      return String(decoding: literal.dropFirst().dropLast(), as: UTF8.self)
    }
    return (try? JSONDecoder().decode(String.self, from: Data(literal)))
      ?? String(decoding: literal, as: UTF8.self)
  }
}
