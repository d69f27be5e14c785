import CEmbedded

/// A page that `artworkd explain` prints, or a section: a heading `WORD: TITLE`, an introduction, and a list whose
/// items begin with `**NAME:**`. The documents are part of the program.
package struct ReferencePage: Sendable {
  /// The explained word, for example the id of a rule.
  package let word: String
  /// A few words, for lists.
  package let title: String
  /// The requirement, and the severity if a file does not satisfy it.
  package let meaning: String
  package let parts: [(name: String, text: String)]

  /// The text of a part, for example `Why`; empty if there is none.
  package subscript(name: String) -> String { parts.first { $0.name == name }?.text ?? "" }

  /// The limited quantities by the names of the settings.
  package var settings: [String: String] {
    let items = self["Settings"].split(separator: "\n").map { $0.dropFirst().divided(at: "`: ") }
    return Dictionary(items.map { (String($0), String($1)) }) { $1 }
  }

  /// The pages of all rules, one after the other.
  package static let rulesDocument = text(embedded_rules)
  package static let rules = pages(of: rulesDocument, heading: "# ")
  package static let verdicts = pages(of: text(embedded_verdicts), heading: "## ")

  private static let errorsDocument = text(embedded_errors)

  /// What happened if a file has an error of this code.
  package static func meaning(of code: InspectionError.Code) -> String {
    let row = errorsDocument[...].divided(at: "| `\(code.rawValue)` | ").1
    return String(row.divided(at: " |\n").0)
  }

  private static func text(_ file: embedded_file) -> String {
    String(decoding: [UInt8](file), as: UTF8.self)
  }

  /// The pages by their words.
  private static func pages(of document: String, heading: String) -> [String: ReferencePage] {
    let pages = ("\n" + document).pieces(separatedBy: "\n" + heading).dropFirst()
    return Dictionary(pages.map { ReferencePage($0) }.map { ($0.word, $0) }) { $1 }
  }

  private init(_ page: Substring) {
    let items = page.pieces(separatedBy: "\n- **")
    let (heading, meaning) = items[0].divided(at: "\n")
    let (word, title) = heading.divided(at: ": ")
    (self.word, self.title, self.meaning) = (String(word), String(title), Self.unwrapped(meaning))
    parts = items.dropFirst().map { item in
      let (name, text) = item.divided(at: ":**")
      return (String(name), Self.unwrapped(text))
    }
  }

  /// Each paragraph, row of a table and item of a list as one line.
  private static func unwrapped(_ text: Substring) -> String {
    text.pieces(separatedBy: "\n\n").map { paragraph in
      paragraph.split(separator: "\n").reduce(into: "") { joined, line in
        let line = line.drop { $0 == " " }
        let isItem = line.hasPrefix("- ")
        joined += joined.isEmpty ? "" : isItem || line.hasPrefix("|") ? "\n" : " "
        joined += isItem ? line.dropFirst(2) : line
      }
    }
    .filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func pieces(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: false)
  }

  /// The text before a separator, and the text after it.
  fileprivate func divided(at separator: String) -> (Substring, Substring) {
    let found = firstRange(of: separator)
    return (self[..<(found?.lowerBound ?? endIndex)], self[(found?.upperBound ?? endIndex)...])
  }
}
