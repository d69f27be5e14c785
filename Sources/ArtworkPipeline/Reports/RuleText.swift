import ArtworkModel

/// What a rule means, for people: in a terminal, and as a section of docs/rules.md.
public struct RuleText {
  private let rule: any RuleDescription.Type

  public init(_ rule: any RuleDescription.Type) { self.rule = rule }

  private var parts: [(title: String, text: String)] {
    let explanation = rule.explanation
    return [
      ("Why", explanation.why), ("Measured", explanation.measured), ("Fix", explanation.fix),
      ("Source", explanation.source),
    ]
  }

  /// For a terminal.
  ///
  /// - Parameter width: its columns; `nil` wraps nothing.
  public func text(style: TextStyle, width: Int?) -> String {
    let wrap = TextWrap(width: width.map { max(40, min($0, 100)) })
    func paragraphs(_ markdown: String, indent: Int) -> String {
      markdown.components(separatedBy: "\n\n").map { paragraph in
        // Tables keep their lines, but for the one below their heads.
        paragraph.components(separatedBy: "\n").filter { !$0.hasPrefix("|---") }.map { line in
          wrap.lines(Self.plain(line), indent: indent)
            .joined(separator: "\n" + String(repeating: " ", count: indent))
        }
        .joined(separator: "\n" + String(repeating: " ", count: indent))
      }
      .joined(separator: "\n\n" + String(repeating: " ", count: indent))
    }
    var text = style.paint(rule.id, .heading) + "  " + rule.title + "\n\n"
    text += paragraphs(rule.explanation.meaning, indent: 0) + "\n"
    for part in parts {
      text += "\n" + style.paint(part.title.padded(to: 8), .heading) + "  "
      text += paragraphs(part.text.capitalizedFirst, indent: 10) + "\n"
    }
    if !rule.settings.isEmpty {
      text += "\n" + style.paint("Settings", .heading) + "  "
      text += rule.settings.map {
        paragraphs("\($0.name): \($0.summary)", indent: 10)
      }.joined(separator: "\n          ")
      text += "\n"
    }
    return text
  }

  /// A section of docs/rules.md.
  public var markdown: String {
    var text = "## \(rule.id)\n\n\(rule.explanation.meaning)\n\n"
    for part in parts { text += "- **\(part.title):** \(part.text)\n" }
    if !rule.settings.isEmpty {
      text += "- **Settings:** "
      text += rule.settings.map { "`\($0.name)` (\($0.summary))" }.joined(separator: ", ") + "\n"
    }
    return text
  }

  /// One line for each rule.
  public static func list(style: TextStyle) -> String {
    let width = Rules.catalogue.map { $0.id.cells }.max() ?? 0
    return Rules.catalogue.map {
      style.paint($0.id.padded(to: width), .heading) + "  " + $0.title + "\n"
    }.joined()
  }

  /// The sections of all rules.
  public static var document: String {
    Rules.catalogue.map { RuleText($0).markdown }.joined(separator: "\n")
  }

  /// Without the marks of emphasis and links; backquotes stay, as they set commands apart.
  private static func plain(_ markdown: String) -> String {
    let text = markdown.split(separator: "**", omittingEmptySubsequences: false).joined()
    var plain = ""
    var rest = text[...]
    // [words](address) becomes the words.
    while let open = rest.firstIndex(of: "["), let middle = rest[open...].firstRange(of: "]("),
      let close = rest[middle.upperBound...].firstIndex(of: ")")
    {
      plain += rest[..<open] + rest[rest.index(after: open)..<middle.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return plain + rest
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  fileprivate func components(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
