/// Colours for a terminal, or none. ANSI SGR codes (ECMA-48, 8.3.117).
public enum TextStyle: Sendable {
  case plain
  case colored

  package enum Role: String {
    case good = "32"
    case warning = "33"
    case bad = "31"
    case heading = "1"
    case quiet = "2"
    case link = "36"
  }

  package func paint(_ text: String, _ role: Role) -> String {
    switch self {
    case .plain: text
    case .colored where text.isEmpty: text
    case .colored: "\u{1b}[\(role.rawValue)m\(text)\u{1b}[0m"
    }
  }
}

extension String {
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - cells))
  }

  package func paddedLeft(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - cells)) + self
  }

  /// Terminal cells taken: two for East Asian wide characters and emoji (Unicode UAX #11), one for the
  /// rest.
  package var cells: Int {
    // Most text is plain, and splitting it into characters costs much more than this.
    if utf8.allSatisfy({ (0x20...0x7e).contains($0) }) { return utf8.count }
    return reduce(0) { total, character in
      let first = character.unicodeScalars.first?.value ?? 0
      let isWide =
        (0x1100...0x115f).contains(first) || (0x2e80...0xa4cf).contains(first)
        || (0xac00...0xd7a3).contains(first) || (0xf900...0xfaff).contains(first)
        || (0xfe30...0xfe6f).contains(first) || (0xff00...0xff60).contains(first)
        || (0xffe0...0xffe6).contains(first) || (0x1f300...0x1faff).contains(first)
        || (0x20000...0x3fffd).contains(first)
      return total + (isWide ? 2 : 1)
    }
  }
}
