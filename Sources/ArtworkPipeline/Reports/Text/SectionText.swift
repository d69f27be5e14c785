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
