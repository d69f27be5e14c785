import SystemPackage

/// Results for people: grouped by folder, one aligned line a candidate, findings below it.
public struct TextReport: Sendable {
  public var style: TextStyle
  /// Leave out candidates without warnings, failures and errors.
  public var onlyProblems: Bool

  public init(style: TextStyle, onlyProblems: Bool = false) {
    self.style = style
    self.onlyProblems = onlyProblems
  }

  /// The whole text with a final summary line.
  public func render(_ reports: [CandidateReport], summary: Summary) -> String {
    let shown = onlyProblems ? reports.filter { $0.verdict != .pass } : reports
    let rows = shown.map(Row.init)
    let widths = Row.Widths(rows)
    var text = ""
    var folder: String?
    for (report, row) in zip(shown, rows) {
      if folder != row.folder {
        if folder != nil { text += "\n" }
        text += style.paint(row.folder, .heading) + "\n"
        folder = row.folder
      }
      text += line(row, widths: widths, verdict: report.verdict)
      text += details(report)
    }
    if !shown.isEmpty { text += "\n" }
    let previews = reports.compactMap(\.preview)
    if let folder = previews.first?.removingLastComponent() {
      text +=
        "\(previews.count) preview\(previews.count == 1 ? "" : "s") written, for example in \(folder.string.printable)/\n"
    }
    return text + Self.closing(summary, style: style)
  }

  /// For example `4 checked: 2 pass, 1 warn, 1 fail, 0 error in 0.8 s (5 files/s)`.
  public static func closing(_ summary: Summary, style: TextStyle) -> String {
    func part(_ count: Int, _ name: String, _ role: TextStyle.Role) -> String {
      count == 0 ? "\(count) \(name)" : style.paint("\(count) \(name)", role)
    }
    let counts = [
      part(summary.pass, "pass", .good), part(summary.warn, "warn", .warning),
      part(summary.fail, "fail", .bad), part(summary.error, "error", .bad),
    ]
    // The rate of a moment says nothing.
    let rate = summary.seconds > 0.1 ? Double(summary.total) / summary.seconds : 0
    let elapsed =
      "\(decimal(max(summary.seconds, 0.01), places: 2)) s"
      + (rate > 0 ? " (\(decimal(rate, places: rate < 10 ? 1 : 0)) files/s)" : "")
    return style.paint("\(summary.total) checked:", .heading) + " "
      + counts.joined(separator: ", ")
      + style.paint(" in \(elapsed)", .quiet) + "\n"
  }

  private func line(
    _ row: Row, widths: Row.Widths, verdict: CandidateReport.Verdict
  ) -> String {
    let (mark, role): (String, TextStyle.Role) =
      switch verdict {
      case .pass: ("✓ pass ", .good)
      case .warn: ("! warn ", .warning)
      case .fail: ("✗ fail ", .bad)
      case .error: ("✗ error", .bad)
      }
    let columns = zip(row.columns, widths.columns).enumerated().map { index, column in
      Row.isNumber(index) ? column.0.paddedLeft(to: column.1) : column.0.padded(to: column.1)
    }
    let name = row.name.padded(to: widths.name)
    let text = ([name] + columns).joined(separator: "  ")
    return "  \(style.paint(mark, role))  " + String(text.trimmingSuffix(" ")) + "\n"
  }

  private func details(_ report: CandidateReport) -> String {
    if let error = report.error {
      return block(
        severity: "error", role: .bad, rule: error.code.rawValue,
        message: error.description.printable, facts: nil, help: error.help)
    }
    return report.findings.map { finding in
      let role: TextStyle.Role =
        switch finding.severity {
        case .error: .bad
        case .warning: .warning
        case .info: .quiet
        }
      let facts = [
        finding.measured.map { "measured \($0)" }, finding.limit.map { "allowed \($0)" },
      ].compactMap(\.self).joined(separator: ", ")
      return block(
        severity: finding.severity.rawValue, role: role, rule: finding.rule,
        message: finding.message.printable, facts: facts.isEmpty ? nil : facts.printable,
        help: finding.help.printable)
    }.joined()
  }

  private func block(
    severity: String, role: TextStyle.Role, rule: String, message: String, facts: String?,
    help: String
  ) -> String {
    let indent = String(repeating: " ", count: 11)
    var text =
      indent + style.paint(severity.padded(to: 7), role) + "  "
      + style.paint(rule, .heading) + "  \(message)\n"
    let under = indent + String(repeating: " ", count: 9)
    if let facts { text += under + style.paint(facts, .quiet) + "\n" }
    return text + under + style.paint("→ \(help)", .link) + "\n"
  }
}

/// One candidate's line, cut into columns.
private struct Row {
  struct Widths {
    var name: Int
    var columns: [Int]

    init(_ rows: [Row]) {
      // One very long name must not push every other line off the screen.
      name = min(44, rows.map(\.name.cells).max() ?? 0)
      columns = (0..<5).map { column in
        rows.compactMap { $0.columns.isEmpty ? nil : $0.columns[column].count }.max() ?? 0
      }
    }
  }

  /// Size, rate and length are compared by their ends.
  static func isNumber(_ column: Int) -> Bool { (1...3).contains(column) }

  var folder: String
  var name: String
  /// Key, size, rate, length, seam; empty when the file could not be inspected.
  var columns: [String]

  init(_ report: CandidateReport) {
    let parent = report.path.removingLastComponent().string
    folder = parent == "/" ? "/" : (parent.isEmpty ? "." : parent).printable + "/"
    name = (report.path.lastComponent?.string ?? report.path.string).printable
    guard let facts = report.inspection?.facts else {
      columns = []
      return
    }
    let rate = facts.frameRate.map { "\(decimal($0, places: 3)) fps" } ?? "-"
    let mode = facts.frameRateMode == .variable ? "~" : ""
    columns = [
      report.key?.rawValue ?? "-", facts.displayDescription, mode + rate,
      "\(decimal(facts.durationSeconds, places: 2)) s", report.seam?.verdict.rawValue ?? "-",
    ]
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var text = self[...]
    while text.last == character { text.removeLast() }
    return text
  }
}
