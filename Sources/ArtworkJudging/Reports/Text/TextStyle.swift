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

  /// A verdict with its mark, in seven columns.
  func paint(_ verdict: CandidateReport.Verdict) -> String {
    paint("\(verdict.mark) \(verdict.rawValue.padded(to: 5))", verdict.role)
  }
}

extension CandidateReport.Verdict {
  package var mark: String {
    switch self {
    case .pass: "✓"
    case .warn: "!"
    case .fail, .error: "✗"
    }
  }

  var role: TextStyle.Role {
    switch self {
    case .pass: .good
    case .warn: .warning
    case .fail, .error: .bad
    }
  }

  /// The place in an order that begins with the worst.
  package var rank: Int {
    switch self {
    case .error: 0
    case .fail: 1
    case .warn: 2
    case .pass: 3
    }
  }
}

extension Finding.Severity {
  var role: TextStyle.Role {
    switch self {
    case .error: .bad
    case .warning: .warning
    case .info: .quiet
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

  /// Shortens text to at most `width` terminal cells, with an ellipsis for the end that is missing.
  package func shortened(to width: Int) -> String {
    cells <= width ? self : String(Self.fitting(self, in: width - 1)) + "…"
  }

  /// Cuts off the start of a text that is too wide, since the end of a path is more informative.
  func shortenedAtStart(to width: Int) -> String {
    cells <= width ? self : "…" + String(Self.fitting(reversed(), in: width - 1).reversed())
  }

  private static func fitting(_ text: some Sequence<Character>, in width: Int) -> [Character] {
    var room = width
    return text.prefix { character in
      room -= String(character).cells
      return room >= 0
    }
  }

  package func trimmingSuffix(_ character: Character) -> String {
    var text = self[...]
    while text.last == character { text.removeLast() }
    return String(text)
  }

  /// Printable text that keeps the line breaks inside quotes: a command must run as printed.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
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

/// Lines that fit a terminal.
package struct TextWrap {
  /// The width of most terminals.
  package static let usualWidth = 80

  /// Columns; `nil` wraps nothing.
  package var width: Int?

  /// `text` after `first`, its further lines indented by `indent` columns. Commands, text in backquotes and paths are
  /// not divided, even if they are longer than a line, so that they can be copied.
  ///
  /// - Parameter lead: the columns that `first` takes, if it contains colour codes, which take none.
  package func lines(_ text: String, indent: Int, lead: Int? = nil) -> [String] {
    guard let width else { return [text] }
    var lines = [""]
    var taken = lead ?? indent
    for piece in Self.pieces(text) {
      let start = lines.count == 1 ? lead ?? indent : indent
      if taken > start, taken + 1 + piece.cells > width {
        lines.append(piece)
        taken = indent + piece.cells
      } else {
        lines[lines.count - 1] += (taken > start ? " " : "") + piece
        taken += (taken > start ? 1 : 0) + piece.cells
      }
    }
    return lines
  }

  /// Words, and commands of several words.
  static func pieces(_ text: String) -> [String] {
    var pieces: [String] = []
    var command: [String] = []
    /// The end of the command: a closing backquote, or the end of the clause.
    var isQuoted = false
    for word in text.split(separator: " ").map(String.init) {
      let quotes = word.count { $0 == "`" }
      if command.isEmpty {
        isQuoted = quotes % 2 == 1
        guard isQuoted || word == "artworkd" else {
          pieces.append(word)
          continue
        }
        command = [word]
      } else {
        command.append(word)
        let ends = isQuoted ? quotes % 2 == 1 : word.last.map { ",;".contains($0) } ?? false
        if ends {
          pieces.append(command.joined(separator: " "))
          command = []
        }
      }
    }
    if !command.isEmpty { pieces.append(command.joined(separator: " ")) }
    return pieces
  }

  package init(width: Int? = nil) { self.width = width }
}

/// A line of a report for people, before it is indented, wrapped and painted.
struct TextLine {
  var text: String
  var indent = 0
  var role: TextStyle.Role?
  /// Text in place of the indent, and the columns that it takes, since colour codes take none.
  var start: (text: String, columns: Int)?
  /// Rows of columns are not divided, nor commands, so that they can be copied and run.
  var isWrapped = true

  /// A command below a finding or a file.
  static func command(_ command: String, indent: Int, _ role: TextStyle.Role? = nil) -> TextLine {
    TextLine(text: command, indent: indent, role: role, isWrapped: false)
  }
}

extension TextStyle {
  /// The one renderer of lines.
  ///
  /// - Parameter width: columns of the terminal; `nil` wraps nothing.
  func render(_ lines: [TextLine], width: Int?) -> String {
    lines.map { line in
      let margin = String(repeating: " ", count: line.indent)
      let parts =
        line.isWrapped
        ? TextWrap(width: width).lines(line.text, indent: line.indent, lead: line.start?.columns)
        : [line.text]
      let painted = parts.map { part in line.role.map { paint(part, $0) } ?? part }
      return (line.start?.text ?? margin) + painted.joined(separator: "\n" + margin) + "\n"
    }.joined()
  }
}
