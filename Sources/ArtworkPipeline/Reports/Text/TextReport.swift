/// Results for people.
package struct TextReport: Sendable {
  package enum Layout: Sendable {
    /// One line per release, and the next step.
    case brief
    /// Grouped by folder, one aligned line per candidate, all findings with their numbers below it.
    case full
    /// One line per finding.
    case concise
  }

  package var layout: Layout
  package var style: TextStyle
  /// Leave out candidates that pass.
  package var onlyProblems: Bool
  /// Columns of the terminal; `nil` wraps nothing.
  package var width: Int?
  /// The named paths, for a command that repairs all of them; empty if there is no such command.
  package var places: [FilePath]
  /// How the named paths were searched: `--include` and `--exclude` with their patterns.
  package var search: [String]

  package init(
    style: TextStyle, layout: Layout = .brief, onlyProblems: Bool = false, width: Int? = nil,
    places: [FilePath] = [], search: [String] = []
  ) {
    self.search = search
    self.style = style
    self.layout = layout
    self.places = places
    self.onlyProblems = onlyProblems
    // With fewer columns, every word would be on its own line.
    self.width = width.map { max(40, $0) }
  }

  /// The whole text with a final summary line. ``TextStream`` makes it in parts.
  ///
  /// - Parameter profiles: the judged profiles; several are distinguished.
  package func render(
    _ reports: [CandidateReport], summary: Summary, profiles: [Profile] = []
  ) -> String {
    var stream = TextStream(self, paths: reports.map(\.path), profiles: profiles)
    return stream.lines(reports) + stream.end(reports, summary: summary)
  }

  /// The last line, for example `4 checked: 2 pass, 1 warn, 1 fail, 0 error in 0.8 s (5 files/s)`.
  package static func closing(_ summary: Summary, style: TextStyle) -> String {
    style.paint("\(summary.total) checked:", .heading) + " " + outcome(summary, style: style) + "\n"
  }

  /// The last line of an interrupted run: `4 of 9 checked: ... in 0.8 s (5 files/s), interrupted`.
  package static func interruption(
    _ summary: Summary, of total: Int, style: TextStyle
  ) -> String {
    style.paint("\(summary.total) of \(total) checked:", .heading) + " "
      + outcome(summary, style: style) + ", interrupted\n"
  }

  private static func outcome(_ summary: Summary, style: TextStyle) -> String {
    func part(_ count: Int, _ name: String, _ role: TextStyle.Role) -> String {
      count == 0 ? "\(count) \(name)" : style.paint("\(count) \(name)", role)
    }
    let counts = [
      part(summary.pass, "pass", .good), part(summary.warn, "warn", .warning),
      part(summary.fail, "fail", .bad), part(summary.error, "error", .bad),
    ]
    // Over less time, a rate means nothing.
    let rate = summary.seconds > 0.1 ? Double(summary.total) / summary.seconds : 0
    let elapsed =
      "\(decimal(max(summary.seconds, 0.01), places: 2)) s"
      + (rate > 0 ? " (\(decimal(rate, places: rate < 10 ? 1 : 0)) files/s)" : "")
    return counts.joined(separator: ", ") + style.paint(" in \(elapsed)", .quiet)
  }

  package func details(_ report: CandidateReport, namesProfiles: Bool) -> String {
    var text = ""
    if let error = report.error {
      text += block(
        severity: "error", role: .bad, rule: error.code.rawValue,
        message: error.description + (report.errorIsKnown ? " (known)" : ""), facts: [],
        helps: [FindingGroup.Help(text: error.help)])
    }
    // Remarks are not problems.
    for group in FindingGroup.groups(report.findings)
    where !onlyProblems || group.severity > .info {
      text += block(
        severity: group.severity.rawValue, role: group.severity.role, rule: group.rule,
        message: group.message, facts: group.facts, helps: group.helps,
        isRepairable: group.isRepairable, profiles: namesProfiles ? group.profiles : [])
    }
    if let repair = report.repair { text += lines(repair) }
    return text
  }

  /// The command that repairs a file, once, below its findings.
  private func lines(_ repair: RepairCommand) -> String {
    let indent = String(repeating: " ", count: Self.indent)
    // Not wrapped, so that it can be copied and run.
    return indent + repair.command + "\n" + indent
      + TextWrap(width: width).lines(repair.effect, indent: Self.indent)
      .map { style.paint($0, .quiet) }.joined(separator: "\n" + indent) + "\n"
  }

  /// Columns before the lines of a file.
  private static let indent = 11

  private func block(
    severity: String, role: TextStyle.Role, rule: String, message: String, facts: [String],
    helps: [FindingGroup.Help], isRepairable: Bool = false, profiles: [String] = []
  ) -> String {
    let wrap = TextWrap(width: width)
    let indent = String(repeating: " ", count: Self.indent)
    let under = indent + String(repeating: " ", count: 9)
    // Further lines are indented as far as the first; colours are painted line by line.
    func paragraph(_ start: String, lead: Int, _ text: String, role: TextStyle.Role? = nil)
      -> String
    {
      let lines = wrap.lines(text.printable, indent: under.count, lead: lead)
        .map { line in role.map { style.paint(line, $0) } ?? line }
      return start + lines.joined(separator: "\n" + under) + "\n"
    }
    let mark = isRepairable ? " [*]" : ""
    var text = paragraph(
      indent + style.paint(severity.padded(to: 7), role) + "  " + style.paint(rule, .heading)
        + style.paint(mark, .good) + "  ", lead: under.count + rule.count + mark.count + 2, message)
    if !profiles.isEmpty {
      text += paragraph(
        under, lead: under.count, "for " + profiles.joined(separator: ", "), role: .quiet)
    }
    for line in facts { text += paragraph(under, lead: under.count, line, role: .quiet) }
    for help in helps {
      text += paragraph(under, lead: under.count, "→ \(help.text)", role: .link)
      // Not wrapped, so that it can be copied and run. A name that a terminal cannot show would be another file's.
      if let command = help.command, command == command.printableLines {
        text += under + "  " + command + "\n"
      }
    }
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

extension String {
  /// Printable text that keeps the line breaks inside quotes: a command must run as printed.
  var printableLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
  }
}
