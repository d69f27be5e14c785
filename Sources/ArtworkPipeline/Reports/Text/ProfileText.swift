/// The requirements of a destination, for people.
package struct ProfileText {
  private let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// One line for each.
  package static func list(_ profiles: [Profile], style: TextStyle) -> String {
    let width = profiles.map(\.name.cells).max() ?? 0
    return profiles.map {
      style.paint($0.name.padded(to: width), .heading) + "  " + $0.title + "\n"
    }.joined()
  }

  /// Title, shapes, limits by rule, severities that differ, and sources.
  ///
  /// - Parameter width: the terminal's columns; `nil` wraps nothing.
  package func text(style: TextStyle, width: Int?) -> String {
    let wrap = TextWrap(width: width.map { max(40, min($0, 100)) })
    let indent = 12
    func row(_ title: String, _ lines: [String]) -> String {
      let margin = "\n" + String(repeating: " ", count: indent)
      let shown = lines.flatMap { wrap.lines($0, indent: indent) }.joined(separator: margin)
      return "\n" + style.paint(title.padded(to: indent - 2), .heading) + "  " + shown + "\n"
    }
    var text = style.paint(profile.name, .heading) + "  " + profile.title + "\n"
    text += row(
      "Shapes", shapes)
    text += row("Limits", limits)
    if !severities.isEmpty { text += row("Severities", severities) }
    if !profile.sources.isEmpty {
      text += row(
        "Sources",
        profile.sources.map { source in
          [source.text, source.address].compactMap(\.self).joined(separator: " ")
        })
    }
    return text
  }

  private var shapes: [String] {
    profile.shapes.map { shape in
      shape.name + (shape.size.map { ", exactly \($0)" } ?? ", any size")
    }
  }

  private var limits: [String] {
    Rules.catalogue.flatMap { rule in
      rule.settings.map { ($0.name, $0.value(in: profile)) }
        .filter { $0.1 != RuleSetting.none && $0.1 != "false" }
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
