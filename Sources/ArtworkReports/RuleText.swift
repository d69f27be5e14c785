/// The page of a rule for a terminal.
package struct RuleText {
  private let rule: any RuleDescription.Type

  package init(_ rule: any RuleDescription.Type) { self.rule = rule }

  /// - Parameter width: columns of the terminal; `nil` wraps nothing.
  package func text(style: TextStyle, width: Int?) -> String {
    let page = rule.page
    let settings = rule.settings.map { "`\($0.name)`: \(page.settings[$0.name] ?? "")" }
    return SectionText(
      name: rule.id, title: page.title, introduction: page.meaning,
      sections: [
        ("Why", page.why), ("Measured", page.measured), ("Fix", page.fix), ("Source", page.source),
      ] + (settings.isEmpty ? [] : [("Settings", settings.joined(separator: "\n"))])
    ).render(style: style, width: width)
  }

  /// One line for each rule.
  package static func list(style: TextStyle) -> String {
    let width = Rules.catalogue.map { $0.id.cells }.max() ?? 0
    return Rules.catalogue.map {
      style.paint($0.id.padded(to: width), .heading) + "  " + $0.page.title + "\n"
    }.joined()
  }
}
