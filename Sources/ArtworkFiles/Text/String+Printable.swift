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
