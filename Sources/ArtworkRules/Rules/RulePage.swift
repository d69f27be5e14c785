import CEmbedded

/// The page of a rule, `docs/rules/ID.md`: what people read about it. The pages are part of the program.
package struct RulePage: Sendable {
  /// A few words that state the rule, for lists.
  package let title: String
  /// The requirement, and the severity if a file does not satisfy it.
  package let meaning: String
  /// The consequences if a file does not satisfy it.
  package let why: String
  package let measured: String
  package let fix: String
  /// The source of the requirement: Apple, another named document, knowledge of players, or us.
  package let source: String
  /// The limited quantities by the names of their settings.
  package let settings: [String: String]

  /// All pages, one after the other.
  package static let document = String(decoding: [UInt8](embedded_rules), as: UTF8.self)

  /// The pages by the id of their rule.
  package static let all = Dictionary(
    ("\n" + document).pieces(separatedBy: "\n# ").dropFirst().map(read)
  ) { $1 }

  /// Reads a page: a heading `ID: TITLE`, the meaning, and a list whose items begin with `**NAME:**`.
  private static func read(_ page: Substring) -> (id: String, page: RulePage) {
    let items = page.pieces(separatedBy: "\n- **")
    let (heading, meaning) = items[0].divided(at: "\n")
    let (id, title) = heading.divided(at: ": ")
    let parts = Dictionary(items.dropFirst().map { $0.divided(at: ":**") }) { $1 }
    let settings = parts["Settings"]?.pieces(separatedBy: "\n  - `").dropFirst() ?? []
    func part(_ name: Substring) -> String { unwrapped(parts[name] ?? "") }
    return (
      String(id),
      RulePage(
        title: String(title), meaning: unwrapped(meaning), why: part("Why"),
        measured: part("Measured"), fix: part("Fix"), source: part("Source"),
        settings: Dictionary(
          settings.map { $0.divided(at: "`: ") }.map { (String($0), unwrapped($1)) }
        ) { $1 })
    )
  }

  /// Each paragraph as one line; a table keeps its lines.
  private static func unwrapped(_ text: Substring) -> String {
    text.pieces(separatedBy: "\n\n").map { paragraph in
      let lines = paragraph.split(separator: "\n").map { $0.drop { $0 == " " } }
      return lines.joined(separator: lines.allSatisfy { $0.hasPrefix("|") } ? "\n" : " ")
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
