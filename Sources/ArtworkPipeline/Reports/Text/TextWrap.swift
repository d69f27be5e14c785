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

  /// The lines of a text, each indented and painted.
  ///
  /// - Parameters:
  ///   - first: text in place of the first line's indent.
  ///   - lead: as for ``lines(_:indent:lead:)``.
  func paragraph(
    _ text: String, indent: Int, first: String? = nil, lead: Int? = nil,
    paint: (String) -> String = { $0 }
  ) -> String {
    let margin = String(repeating: " ", count: indent)
    return (first ?? margin)
      + lines(text, indent: indent, lead: lead).map(paint).joined(separator: "\n" + margin) + "\n"
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

  package init(
    width: Int? = nil
  ) {
    self.width = width
  }
}
