/// A comment on a pull request: the problems as a table, everything else folded away.
enum MarkdownReport {
  /// GitHub refuses longer comments, in characters. Bytes are counted, which are never fewer.
  static let mostBytes = 65_536
  /// Bytes that are reserved for the lines about omitted results.
  private static let reserve = 1_000

  static func render(_ report: CheckReport) -> String {
    let problems = report.results.filter(\.isProblem).sorted { $0.verdict.rank < $1.verdict.rank }
    var text = headline(report)
    if !problems.isEmpty {
      let profiles = report.profiles.count > 1 ? report.profiles : []
      text += tableHead(profiles)
      // Half of the room at most, so that the details have some.
      let rows = problems.map { row($0, profiles: profiles) }
      let visibleRows = fitting(rows, in: mostBytes / 2 - text.utf8.count)
      text += visibleRows.text
      if visibleRows.left > 0 {
        text += "\n\(visibleRows.left) more with problems are not in this table.\n"
      }
    }
    let reported = report.results.filter {
      !$0.findings.isEmpty || !$0.known.isEmpty || $0.error != nil
    }.sorted { $0.verdict.rank < $1.verdict.rank }
    text += fold(
      "All findings", reported.map { details($0, namesProfiles: report.profiles.count > 1) },
      in: text)
    let passed = report.results.filter { $0.verdict == .pass }
    text += fold("\(passed.count) pass", passed.map { "- \(code($0.path.string))\n" }, in: text)
    return text
  }

  private static func headline(_ report: CheckReport) -> String {
    let summary = report.summary
    let releases = ReleaseResult.all(report.results)
    let title =
      releases.isEmpty
      ? "no candidates" : ReleaseResult.ready(releases.count { $0.need == .ready }, releases.count)
    let counts = [
      (summary.error, "✗", "error"), (summary.fail, "✗", "fail"), (summary.warn, "!", "warn"),
      (summary.pass, "✓", "pass"),
    ].filter { $0.0 > 0 }.map { "\($1) **\($0)** \($2)" }
    var text = "## Animated artwork: \(title)\n\n"
    if !counts.isEmpty { text += counts.joined(separator: " · ") + "\n\n" }
    if let known = CheckReport.baselineSentence(report.results) { text += known + "\n\n" }
    return text
  }

  private static func tableHead(_ profiles: [Profile]) -> String {
    let columns =
      ["", "file", "key"] + profiles.map { escaped($0.name) } + ["worst finding", "what to do"]
    return "| " + columns.joined(separator: " | ") + " |\n"
      + String(repeating: "|---", count: columns.count) + "|\n"
  }

  private static func row(_ result: CandidateReport, profiles: [Profile]) -> String {
    var cells = [
      "\(result.verdict.mark) \(result.verdict.rawValue)", code(result.path.string),
      result.key?.rawValue ?? "",
    ]
    cells += profiles.map { profile in
      let cell = DestinationCell([result], profile: profile.name)
      return cell.reason == nil ? cell.text() : escaped(cell.text())
    }
    if let worst = result.remarks.first {
      cells += [
        "**\(worst.rule)** \(prose(worst.message))",
        worst.repair.map { code($0.command) } ?? worst.advice.first.map(words) ?? "",
      ]
    }
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  private static func details(_ result: CandidateReport, namesProfiles: Bool) -> String {
    var text = "- \(result.verdict.mark) \(code(result.path.string))\n"
    for remark in result.remarks + result.knownRemarks {
      if remark.isError {
        let known = remark.isKnown ? " (known)" : ""
        text += "  - ✗ **\(remark.rule)**\(known) \(prose(remark.message))"
      } else {
        let notes =
          (remark.isKnown ? ["known"] : [])
          + (namesProfiles ? ["for " + remark.profiles.joined(separator: ", ")] : [])
        text += "  - \(remark.severity.rawValue) **\(remark.rule)** \(prose(remark.message))"
        if !notes.isEmpty { text += " (\(escaped(notes.joined(separator: "; "))))" }
      }
      for line in remark.facts { text += "<br>\(escaped(line))" }
      for advice in remark.advice { text += "<br>→ \(words(advice))" }
      text += "\n"
    }
    if let repair = result.repair {
      text += "  - \(code(repair.command))<br>\(escaped(repair.effect))\n"
    }
    return text
  }

  private static func words(_ advice: Remark.Advice) -> String {
    prose(advice.text) + (advice.command.map { "<br>" + code($0) } ?? "")
  }

  /// A section that is initially closed, as long as there is room after `text`.
  private static func fold(_ title: String, _ items: [String], in text: String) -> String {
    guard !items.isEmpty else { return "" }
    let visibleRows = fitting(items, in: mostBytes - reserve - text.utf8.count)
    var fold = "\n<details><summary>\(title)</summary>\n\n" + visibleRows.text
    if visibleRows.left > 0 {
      fold += "\n\(visibleRows.left) more would not fit into this comment.\n"
    }
    return fold + "\n</details>\n"
  }

  private static func fitting(_ items: [String], in bytes: Int) -> (text: String, left: Int) {
    var text = ""
    var room = bytes
    for (index, item) in items.enumerated() {
      room -= item.utf8.count
      if room < 0 { return (text, items.count - index) }
      text += item
    }
    return (text, 0)
  }

  private static func code(_ text: String) -> String {
    "<code>\(escaped(text, isCode: true))</code>"
  }

  /// Text between backquotes as code, the rest as text.
  static func prose(_ text: String) -> String {
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    guard pieces.count % 2 == 1 else { return escaped(text) }
    return pieces.enumerated().map { $0 % 2 == 1 ? code($1) : escaped($1) }.joined()
  }

  /// Plain text: no Markdown, no HTML, no end of a table cell, and no user mentions.
  static func escaped(_ text: String, isCode: Bool = false) -> String {
    text.printable.escaping { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      // A character without width keeps GitHub from seeing a name or the number of an issue. It looks for none inside
      // code, which is copied and run.
      case "@", "#": "&#\(scalar.value);" + (isCode ? "" : "&#8203;")
      case "\\", "`", "*", "_", "[", "]", "|", "~", "(", ")", "!", ":", "$":
        "&#\(scalar.value);"
      default: nil
      }
    }
  }
}
