/// The explanation of a rule, for people: in a terminal, and as a section of docs/rules.md.
package struct RuleText {
  private let rule: any RuleDescription.Type

  package init(_ rule: any RuleDescription.Type) { self.rule = rule }

  private var parts: [(title: String, text: String)] {
    let explanation = rule.explanation
    return [
      ("Why", explanation.why), ("Measured", explanation.measured), ("Fix", explanation.fix),
      ("Source", explanation.source),
    ]
  }

  /// Renders the rule for a terminal.
  ///
  /// - Parameter width: its columns; `nil` wraps nothing.
  package func text(style: TextStyle, width: Int?) -> String {
    let settings = rule.settings.map { "\($0.name): \($0.summary)" }.joined(separator: "\n")
    return SectionText(
      name: rule.id, title: rule.title, introduction: rule.explanation.meaning,
      sections: parts + (settings.isEmpty ? [] : [("Settings", settings)])
    ).render(style: style, width: width)
  }

  /// A section of docs/rules.md.
  package var markdown: String {
    var text = "## \(rule.id)\n\n\(rule.explanation.meaning)\n\n"
    for part in parts { text += "- **\(part.title):** \(part.text)\n" }
    if !rule.settings.isEmpty {
      text += "- **Settings:** "
      text += rule.settings.map { "`\($0.name)` (\($0.summary))" }.joined(separator: ", ") + "\n"
    }
    return text
  }

  /// One line for each rule.
  package static func list(style: TextStyle) -> String {
    let width = Rules.catalogue.map { $0.id.cells }.max() ?? 0
    return Rules.catalogue.map {
      style.paint($0.id.padded(to: width), .heading) + "  " + $0.title + "\n"
    }.joined()
  }

  /// The sections of all rules.
  package static var document: String {
    Rules.catalogue.map { RuleText($0).markdown }.joined(separator: "\n")
  }
}
