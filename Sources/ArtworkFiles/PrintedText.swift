extension String {
  /// The text with control characters and line breaks made visible, so that a file's name or message
  /// cannot move the cursor or forge a line.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isHidden) else { return self }
    return escaping { $0.isHidden ? $0.shown : nil }
  }

  /// The text with some scalars replaced.
  ///
  /// - Parameter replacement: `nil` for a scalar to keep.
  package func escaping(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let other = replacement(scalar) {
        result += other
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Control characters, line breaks, and marks that change the direction of text. Looking up the category of every
  /// character of plain text would be slow.
  fileprivate var isHidden: Bool {
    if (0x20...0x7e).contains(value) { return false }
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format: return true
    default: return false
    }
  }

  /// The character as an escape, for example `\u{1b}`.
  package var shown: String { "\\u{\(String(value, radix: 16))}" }
}

/// Words for a POSIX shell, quoted so that they mean exactly their text.
package enum ShellWord {
  /// Characters that need no quotes anywhere in a word.
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-".utf8)

  package static func quoted(_ text: String) -> String {
    String(decoding: quoted(bytes: Array(text.utf8)), as: UTF8.self)
  }

  /// Single quotes keep everything but a single quote (POSIX, 2.2.2), also line breaks and bytes that are
  /// no text.
  package static func quoted(bytes: [UInt8]) -> [UInt8] {
    if !bytes.isEmpty, bytes.allSatisfy(plain.contains) { return bytes }
    let quote = UInt8(ascii: "'")
    return [quote] + bytes.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] } + [quote]
  }

  /// A path as a word that no program mistakes for an option. Bytes that are not text are lost.
  package static func quoted(_ path: FilePath) -> String {
    String(decoding: quoted(bytes: pathBytes(path)), as: UTF8.self)
  }

  /// A path for a program that has options and, like ffmpeg, `protocol:` prefixes: it starts with neither.
  package static func pathBytes(_ path: FilePath) -> [UInt8] {
    let bytes = path.pathBytes
    return path.isAbsolute || bytes.starts(with: Array("./".utf8))
      || bytes.starts(with: Array("../".utf8))
      ? bytes : Array("./".utf8) + bytes
  }
}

/// A number with its noun, for example `1 frame` or `2 frames`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension [String] {
  /// The words as a list, for example `PNG, JPEG and WebP`.
  package func listed(_ conjunction: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

/// `value` with at most `places` decimals, without trailing zeros.
package func decimal(_ value: Double, places: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
  var scale: Int64 = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = (value * Double(scale)).rounded()
  guard let digits = wholeNumber(scaled, as: Int64.self) else { return "\(value)" }
  let whole = digits.magnitude / UInt64(scale)
  var fraction = String(digits.magnitude % UInt64(scale))
  fraction = String(repeating: "0", count: max(0, places - fraction.count)) + fraction
  while fraction.last == "0" { fraction.removeLast() }
  let sign = digits < 0 ? "-" : ""
  return fraction.isEmpty || places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
}

/// `value` with exactly `places` decimals, for columns and for programs that expect them.
package func fixedDecimal(_ value: Double, places: Int) -> String {
  let text = decimal(value, places: places)
  guard places > 0, value.isFinite, abs(value) < 1e15 else { return text }
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let fraction = parts.count > 1 ? String(parts[1]) : ""
  return parts[0] + "." + fraction + String(repeating: "0", count: max(0, places - fraction.count))
}
