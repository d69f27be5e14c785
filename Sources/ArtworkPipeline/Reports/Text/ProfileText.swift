/// The requirements of a destination, for people.
package struct ProfileText {
  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// Title, shapes, limits by rule, severities that differ, and sources.
  ///
  /// - Parameter width: the terminal's columns; `nil` wraps nothing.
  package func text(style: TextStyle, width: Int?) -> String {
    let sources = profile.sources.map { [$0.text, $0.address].compactMap(\.self) }
    let sections = [
      ("Shapes", shapes), ("Limits", limits), ("Severities", severities),
      ("Sources", sources.map { $0.joined(separator: " ") }),
    ]
    return SectionText(
      name: profile.name, title: profile.title, introduction: "",
      sections: sections.filter { !$0.1.isEmpty }.map { ($0, $1.joined(separator: "\n")) },
      indent: 12
    ).render(style: style, width: width)
  }

  private var shapes: [String] {
    if profile.shapes.isEmpty { return ["any"] }
    return profile.shapes.map { shape in
      shape.name + (shape.size.map { ", exactly \($0)" } ?? ", any size")
    }
  }

  private var limits: [String] {
    Rules.catalogue.flatMap { rule in
      rule.settings.map { ($0.name, $0.value(in: profile)) }
        .filter { $0.1 != Quantity.none && $0.1 != "false" }
        .map { "\(rule.id) \($0.0): \($0.1)" }
    }
  }

  /// Those that differ from the rules' own.
  private var severities: [String] {
    profile.severities.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
  }

  /// A section of docs/profiles.md.
  package var markdown: String {
    func list(_ items: [String]) -> String {
      items.map { "`\($0)`" }.joined(separator: ", ")
    }
    var text = "## \(profile.name)\n\n\(profile.title).\n\n- **Shapes:** "
    text += shapes.joined(separator: "; ") + "\n- **Limits:** \(list(limits))\n"
    if !severities.isEmpty { text += "- **Severities:** \(list(severities))\n" }
    for source in profile.sources {
      text += "- **Source:** \(source.text)"
      text += (source.address.map { " <\($0)>" } ?? "") + "\n"
    }
    return text
  }

  /// The sections of those built in.
  package static var document: String {
    Profile.all.map { ProfileText($0).markdown }.joined(separator: "\n")
  }
}
