/// A heading, an introduction and titled sections for a terminal. Texts are Markdown: paragraphs, tables, links and
/// emphasis; backquotes are kept, because they set commands apart.
struct SectionText {
  var name: String
  var title: String
  var introduction: String
  var sections: [(title: String, text: String)]

  /// Columns before the texts of the sections.
  var indent = 10

  /// - Parameter width: columns of the terminal; `nil` wraps nothing.
  func render(style: TextStyle, width: Int?) -> String {
    let wrap = TextWrap(width: width.map { max(40, min($0, 100)) })
    var text = style.paint(name, .heading) + "  " + title + "\n"
    if !introduction.isEmpty {
      text += "\n" + Self.paragraphs(introduction, indent: 0, wrap, style) + "\n"
    }
    for section in sections {
      text += "\n" + style.paint(section.title.padded(to: indent - 2), .heading) + "  "
      text += Self.paragraphs(section.text, indent: indent, wrap, style) + "\n"
    }
    return text
  }

  private static func paragraphs(
    _ markdown: String, indent: Int, _ wrap: TextWrap, _ style: TextStyle
  ) -> String {
    let margin = "\n" + String(repeating: " ", count: indent)
    return markdown.pieces(separatedBy: "\n\n").map { paragraph in
      let lines = paragraph.pieces(separatedBy: "\n")
      let table = lines.allSatisfy { $0.hasPrefix("|") } ? TextTable(markdown: lines) : nil
      let shown =
        table?.lines(indent: indent, wrap, style)
        ?? lines.flatMap { wrap.lines($0.withoutMarkup, indent: indent) }
      return shown.joined(separator: margin)
    }
    .joined(separator: "\n" + margin)
  }
}

extension SectionText {
  /// - Parameter kind: what the page describes, before its title.
  init(_ page: ReferencePage, kind: String = "") {
    self.init(
      name: page.word, title: kind + page.title, introduction: page.meaning,
      sections: page.parts.map { ($0.name, $0.text.capitalizedFirst) })
  }
}

/// A Markdown table as aligned columns.
struct TextTable {
  private let rows: [[String]]

  /// - Parameter markdown: its lines, the second of which separates the head from the rest.
  init(markdown: [String]) {
    rows = markdown.filter { !$0.hasPrefix("|---") }.map { line in
      line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
        .map { String($0).withoutMarkup.trimmingSpaces }
    }
  }

  /// The text of the last column is wrapped.
  func lines(indent: Int, _ wrap: TextWrap, _ style: TextStyle) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<max(0, count - 1)).map { column in
      rows.map { $0.count > column ? $0[column].cells : 0 }.max() ?? 0
    }
    let offset = widths.reduce(0) { $0 + $1 + 2 }
    return rows.enumerated().flatMap { index, row in
      let start = zip(row, widths).map { $0.padded(to: $1) + "  " }.joined()
      let last = row.count == count ? row.last ?? "" : ""
      let wrapped = wrap.lines(last, indent: indent + offset)
      return wrapped.enumerated().map { line, part in
        let text = (line == 0 ? start : String(repeating: " ", count: offset)) + part
        return index == 0 ? style.paint(text, .quiet) : text.trimmingSuffix(" ")
      }
    }
  }
}

extension String {
  /// Without the marks of emphasis and links.
  var withoutMarkup: String {
    let text = split(separator: "**", omittingEmptySubsequences: false).joined()
    var plain = ""
    var rest = text[...]
    // [words](address) becomes the words.
    while let open = rest.firstIndex(of: "["), let middle = rest[open...].firstRange(of: "]("),
      let close = rest[middle.upperBound...].firstIndex(of: ")")
    {
      plain += rest[..<open] + rest[rest.index(after: open)..<middle.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return (plain + rest).replacing(/\*(\w+)\*/) { $0.1 }
  }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }).trimmingSuffix(" ")
  }

  fileprivate func pieces(separatedBy separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}

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
  ///
  /// - Parameter known: limits that are stated elsewhere.
  private func markdown(without known: [String]) -> String {
    var text = "## \(profile.name)\n\n\(profile.title).\n\n- **Shapes:** "
    text += shapes.joined(separator: "; ")
    text += "\n- **Limits:** \(Self.list(limits.filter { !known.contains($0) }))\n"
    if !severities.isEmpty { text += "- **Severities:** \(Self.list(severities))\n" }
    for source in profile.sources {
      text += "- **Source:** \(source.text)"
      text += (source.address.map { " <\($0)>" } ?? "") + "\n"
    }
    return text
  }

  private static func list(_ items: [String]) -> String {
    items.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// What those built in have in common, and their sections.
  package static var document: String {
    let all = Profile.all.map(ProfileText.init)
    let common = all[0].limits.filter { limit in all.allSatisfy { $0.limits.contains(limit) } }
    return "All have \(list(common)).\n\n"
      + all.map { $0.markdown(without: common) }.joined(separator: "\n")
  }
}

/// The words of reports that `artworkd explain` explains: rules, seam verdicts and error codes.
package enum Glossary {
  /// Each once, rules first.
  package static let words: [String] = {
    var seen: Set<String> = []
    let all =
      Rules.catalogue.map { $0.id } + SeamJudgement.Verdict.allCases.map(\.rawValue)
      + InspectionError.Code.allCases.map(\.rawValue)
    return all.filter { seen.insert($0).inserted }
  }()

  /// The suggestion for an unknown word.
  package static func suggestion(for word: String) -> String {
    NearestWord.suggestion(for: key(word), among: words)
  }

  /// The form of a word for lookup: `Black first frame` is `black-first-frame`.
  private static func key(_ word: String) -> String {
    word.lowercased().split { " _\t".contains($0) }.joined(separator: "-")
  }

  /// All meanings of the word: `static` is a rule and a seam verdict. `nil` for any other word.
  package static func text(of word: String, style: TextStyle, width: Int?) -> String? {
    let word = key(word)
    let texts = [
      ReferencePage.rules[word].map { SectionText($0) },
      ReferencePage.verdicts[word].map { SectionText($0, kind: "a seam verdict: ") },
      InspectionError.Code(rawValue: word).map(section),
    ].compactMap { $0?.render(style: style, width: width) }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private static func section(of code: InspectionError.Code) -> SectionText {
    SectionText(
      name: code.rawValue, title: "an error: the file was not judged",
      introduction: ReferencePage.meaning(of: code).capitalizedFirst + ".",
      sections: [
        ("Fix", InspectionError(code, "").help.capitalizedFirst + "."),
        ("Exit", "Code 2, unless the error is in the baseline."),
      ])
  }

  /// One line for each word, under what it is.
  package static func all(style: TextStyle) -> String {
    let verdicts = SeamJudgement.Verdict.allCases.compactMap { ReferencePage.verdicts[$0.rawValue] }
    let groups = [
      ("Rules", Rules.catalogue.map { ($0.id, $0.page.title) }),
      ("Seam verdicts", verdicts.map { ($0.word, $0.title) }),
      (
        "Errors",
        InspectionError.Code.allCases.map { ($0.rawValue, ReferencePage.meaning(of: $0)) }
      ),
    ]
    return groups.map { style.paint($0, .heading) + "\n" + list($1, style: style) }
      .joined(separator: "\n")
  }

  /// One line for each destination.
  package static func profiles(_ profiles: [Profile], style: TextStyle) -> String {
    list(profiles.map { ($0.name, $0.title) }, style: style)
  }

  private static func list(_ entries: [(word: String, title: String)], style: TextStyle) -> String {
    let width = entries.map(\.word.cells).max() ?? 0
    return entries.map {
      style.paint($0.word.padded(to: width), .heading) + "  " + $0.title + "\n"
    }.joined()
  }
}
