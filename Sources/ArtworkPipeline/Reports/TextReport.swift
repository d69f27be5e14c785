import ArtworkModel
import SystemPackage

/// Results for people: grouped by folder, one aligned line a candidate, findings below it.
public struct TextReport: Sendable {
  public var style: TextStyle
  /// Leave out candidates without warnings, failures and errors.
  public var onlyProblems: Bool
  /// Columns of the terminal; `nil` wraps nothing.
  public var width: Int?

  public init(style: TextStyle, onlyProblems: Bool = false, width: Int? = nil) {
    self.style = style
    self.onlyProblems = onlyProblems
    // In fewer columns, every word would stand alone.
    self.width = width.map { max(40, $0) }
  }

  /// The whole text with a final summary line.
  ///
  /// - Parameter profiles: what was judged for; several are told apart.
  public func render(
    _ reports: [CandidateReport], summary: Summary, profiles: [Profile] = []
  ) -> String {
    let shown = onlyProblems ? reports.filter(\.isProblem) : reports
    let rows = shown.map(Row.init)
    let widths = Row.Widths(rows, width: width)
    var text = ""
    var folder: String?
    for (report, row) in zip(shown, rows) {
      if folder != row.folder {
        if folder != nil { text += "\n" }
        text += style.paint(row.folder, .heading) + "\n"
        folder = row.folder
      }
      text += line(row, widths: widths, verdict: report.verdict)
      text += details(report, namesProfiles: profiles.count > 1)
    }
    if !shown.isEmpty { text += "\n" }
    if profiles.count > 1, !shown.isEmpty {
      text += MatrixText(style: style, width: width).render(shown, profiles: profiles) + "\n"
    }
    let previews = reports.compactMap(\.preview)
    if let folder = previews.first?.removingLastComponent() {
      text +=
        "\(previews.count) preview\(previews.count == 1 ? "" : "s") written, for example in \(folder.string.printable)/\n"
    }
    if let known = CheckReport.knownSentence(reports) { text += style.paint(known, .quiet) + "\n" }
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
    let columns = zip(row.columns, widths.columns).enumerated().map { index, column in
      Row.isNumber(index) ? column.0.paddedLeft(to: column.1) : column.0.padded(to: column.1)
    }
    let name = row.name.padded(to: widths.name)
    let text = ([name] + columns).joined(separator: "  ")
    let mark = "\(verdict.mark) \(verdict.rawValue.padded(to: 5))"
    return "  \(style.paint(mark, verdict.role))  " + text.trimmingSuffix(" ") + "\n"
  }

  private func details(_ report: CandidateReport, namesProfiles: Bool) -> String {
    var text = ""
    if let error = report.error {
      text += block(
        severity: "error", role: .bad, rule: error.code.rawValue,
        message: error.description + (report.errorIsKnown ? " (known)" : ""), facts: [],
        helps: [error.help])
    }
    // Remarks are no problems.
    for group in FindingGroup.groups(report.findings)
    where !onlyProblems || group.severity > .info {
      text += block(
        severity: group.severity.rawValue, role: group.severity.role, rule: group.rule,
        message: group.message, facts: group.facts, helps: group.helps,
        profiles: namesProfiles ? group.profiles : [])
    }
    return text
  }

  private func block(
    severity: String, role: TextStyle.Role, rule: String, message: String, facts: [String],
    helps: [String], profiles: [String] = []
  ) -> String {
    let wrap = TextWrap(width: width)
    let indent = String(repeating: " ", count: 11)
    let under = indent + String(repeating: " ", count: 9)
    // What follows a line's start stands below it; colours are painted line by line.
    func paragraph(_ start: String, lead: Int, _ text: String, role: TextStyle.Role? = nil)
      -> String
    {
      let lines = wrap.lines(text.printable, indent: under.count, lead: lead)
        .map { line in role.map { style.paint(line, $0) } ?? line }
      return start + lines.joined(separator: "\n" + under) + "\n"
    }
    var text = paragraph(
      indent + style.paint(severity.padded(to: 7), role) + "  " + style.paint(rule, .heading)
        + "  ", lead: under.count + rule.count + 2, message)
    if !profiles.isEmpty {
      text += paragraph(
        under, lead: under.count, "for " + profiles.joined(separator: ", "), role: .quiet)
    }
    for line in facts { text += paragraph(under, lead: under.count, line, role: .quiet) }
    for help in helps { text += paragraph(under, lead: under.count, "→ \(help)", role: .link) }
    return text
  }
}

extension Finding.Severity {
  var role: TextStyle.Role {
    switch self {
    case .error: .bad
    case .warning: .warning
    case .info: .quiet
    }
  }
}

/// One candidate's line, cut into columns.
private struct Row {
  struct Widths {
    var name: Int
    var columns: [Int]

    init(_ rows: [Row], width: Int?) {
      columns = (0..<5).map { column in
        rows.compactMap { $0.columns.isEmpty ? nil : $0.columns[column].count }.max() ?? 0
      }
      // One very long name must not push every other line off the screen.
      let others = 11 + columns.reduce(0) { $0 + 2 + $1 }
      let room = width.map { max(12, $0 - others) } ?? 44
      name = min(44, room, rows.map(\.name.cells).max() ?? 0)
    }
  }

  /// Size, rate and length are compared by their ends.
  static func isNumber(_ column: Int) -> Bool { (1...3).contains(column) }

  var folder: String
  var name: String
  /// Key, size, rate, length, seam; empty when the file could not be inspected.
  var columns: [String]

  init(_ report: CandidateReport) {
    folder = report.folderName == "/" ? "/" : report.folderName.printable + "/"
    name = report.fileName.printable
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
