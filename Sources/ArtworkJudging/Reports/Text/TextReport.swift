/// Results for people, in parts: releases as they complete, then the end.
package struct TextReport: Sendable {
  /// `text` has a line per release, and the next step; `full` one per candidate below its folder, with all findings;
  /// `concise` one per finding.
  private let format: ReportFormat
  private let setting: ReportSetting
  private let profiles: [Profile]
  private let columns: CandidateColumns
  private var brief: BriefText
  /// The folder of the last line of the full layout; `nil` before the first.
  private var folder: String?
  private var isEmpty = true

  private var style: TextStyle { setting.style }

  /// - Parameters:
  ///   - format: one for people.
  ///   - paths: of all candidates, since their names set the width of the first column.
  ///   - profiles: the judged profiles; several are distinguished.
  package init(
    _ format: ReportFormat, _ setting: ReportSetting, paths: [FilePath], profiles: [Profile]
  ) {
    var setting = setting
    // With fewer columns, every word would be on its own line.
    setting.width = setting.width.map { max(40, $0) }
    (self.format, self.setting, self.profiles) = (format, setting, profiles)
    brief = BriefText(setting, paths: paths)
    columns = CandidateColumns(
      names: paths.map { ($0.lastComponent?.string ?? $0.string).printable }, width: setting.width)
  }

  /// The whole text with a final summary line.
  package static func render(
    _ format: ReportFormat, _ report: CheckReport, _ setting: ReportSetting
  ) -> String {
    var text = TextReport(
      format, setting, paths: report.results.map(\.path), profiles: report.profiles)
    return text.lines(report.results) + text.end(report.results, summary: report.summary)
  }

  /// The lines of some candidates, with a heading when the folder changes. Empty if none is to be printed.
  package mutating func lines(_ reports: [CandidateReport]) -> String {
    var lines: [TextLine] = []
    switch format {
    case .full: for report in visible(reports) { lines += section(report) }
    case .concise: lines = visible(reports).flatMap { findings($0) }
    default: lines = brief.lines(reports)
    }
    if !lines.isEmpty { isEmpty = false }
    return render(lines)
  }

  /// The text after the last candidate: the table of destinations, previews, counts, and the summary.
  package mutating func end(_ reports: [CandidateReport], summary: Summary) -> String {
    let closing = Self.closing(summary, style: style)
    if format == .concise { return closing }
    let visible = visible(reports)
    var text = render(brief.close()) + (isEmpty ? "" : "\n")
    if profiles.count > 1, !visible.isEmpty {
      let matrix = DestinationMatrix(style: style, width: setting.width, profiles: profiles)
      text += (format == .full ? matrix.files(visible) : matrix.releases(visible)) + "\n"
    }
    let previews = reports.compactMap(\.preview)
    if let folder = previews.first?.removingLastComponent() {
      text +=
        "\(counted(previews.count, "preview")) written, for example in \(folder.string.printable)/\n"
    }
    if let known = CheckReport.baselineSentence(reports) {
      text += style.paint(known, .quiet) + "\n"
    }
    text += counts(reports)
    if format == .full {
      text += repairs(of: visible)
    } else if !reports.isEmpty, !setting.onlyProblems || reports.contains(where: \.isProblem) {
      text += render(brief.nextStep(reports))
    }
    return text + closing
  }

  /// The end of a run that was interrupted.
  ///
  /// - Parameters:
  ///   - reports: the candidates that were checked.
  ///   - total: the candidates that there are.
  package mutating func interruption(
    _ reports: [CandidateReport], of total: Int, seconds: Double
  ) -> String {
    let closing = Self.interruption(Summary(reports, seconds: seconds), of: total, style: style)
    if format == .concise { return closing }
    return render(brief.close()) + (isEmpty ? "" : "\n") + counts(reports) + closing
  }

  private func render(_ lines: [TextLine]) -> String {
    style.render(lines, width: setting.width)
  }

  // MARK: The lines of a candidate

  /// A line for each remark, which editors turn into a link: `path: severity rule message`.
  private func findings(_ report: CandidateReport) -> [TextLine] {
    remarks(of: report).map { remark in
      let profiles = profiles(of: remark)
      let message = words(of: remark) + (profiles.map { " (\($0))" } ?? "")
      return TextLine(
        text: "\(report.path.string.printable): "
          + style.paint(remark.severity.rawValue, remark.severity.role) + " "
          + style.paint(remark.rule, .heading) + " \(message.printable)", isWrapped: false)
    }
  }

  /// An aligned line, with all remarks and the command below it.
  private mutating func section(_ report: CandidateReport) -> [TextLine] {
    var lines: [TextLine] = []
    if folder != report.folderHeading {
      if folder != nil { lines.append(TextLine(text: "")) }
      lines.append(TextLine(text: report.folderHeading, role: .heading, isWrapped: false))
      folder = report.folderHeading
    }
    lines.append(
      TextLine(
        text: "\(style.paint(report.verdict))  \(columns.line(report))", indent: 2, isWrapped: false
      ))
    for remark in remarks(of: report) { lines += block(remark) }
    if let repair = report.repair {
      lines.append(.command(repair.command, indent: 11))
      lines.append(TextLine(text: repair.effect, indent: 11, role: .quiet))
    }
    return lines
  }

  private func block(_ remark: Remark) -> [TextLine] {
    let (indent, mark) = (20, remark.isRepairable ? " [*]" : "")
    let start =
      String(repeating: " ", count: 11)
      + style.paint(remark.severity.rawValue.padded(to: 7), remark.severity.role) + "  "
      + style.paint(remark.rule, .heading) + style.paint(mark, .good) + "  "
    var lines = [
      TextLine(
        text: words(of: remark).printable, indent: indent,
        start: (start, indent + remark.rule.count + mark.count + 2))
    ]
    lines += ([profiles(of: remark).map { "for " + $0 }].compactMap(\.self) + remark.facts)
      .map { TextLine(text: $0.printable, indent: indent, role: .quiet) }
    for advice in remark.advice {
      lines.append(TextLine(text: "→ \(advice.text)".printable, indent: indent, role: .link))
      // A name that a terminal cannot show would be another file's.
      if let command = advice.command, command == command.printableLines {
        lines.append(.command(command, indent: indent + 2))
      }
    }
    return lines
  }

  private func remarks(of report: CandidateReport) -> [Remark] {
    // Those of the lowest severity are not problems.
    report.remarks.filter { !setting.onlyProblems || $0.severity > .info }
  }

  private func words(of remark: Remark) -> String {
    remark.message + (remark.isKnown ? " (known)" : "")
  }

  /// `nil` if there is nothing to distinguish.
  private func profiles(of remark: Remark) -> String? {
    profiles.count > 1 && !remark.profiles.isEmpty
      ? remark.profiles.joined(separator: ", ") : nil
  }

  private func visible(_ reports: [CandidateReport]) -> [CandidateReport] {
    setting.onlyProblems ? reports.filter(\.isProblem) : reports
  }

  // MARK: Sums

  /// Findings by rule, without those of the lowest severity, which are in nearly every file.
  private func counts(_ reports: [CandidateReport]) -> String {
    let sentence = RuleCount.sentence(Summary.findingsByRule(reports, atLeast: .warning))
    return render([sentence].compactMap(\.self).map { TextLine(text: $0) })
  }

  /// How many of the printed findings `artworkd repair` fixes: by a copy, and only by encoding.
  private func repairs(of reports: [CandidateReport]) -> String {
    let remarks = reports.flatMap(remarks)
    let copied = remarks.count(where: \.isRepairable)
    let encoded = remarks.count { $0.canBeEncoded && !$0.isRepairable }
    func findings(_ count: Int) -> String { counted(count, "finding") }
    if copied == 0 {
      return encoded == 0
        ? ""
        : "\(findings(encoded)) can be repaired by encoding: artworkd repair --unsafe "
          + "--output-dir DIR PATH...\n"
    }
    return style.paint("[*]", .good) + " \(findings(copied)) can be "
      + "repaired without encoding: artworkd repair --output-dir DIR PATH...\n"
      + (encoded == 0 ? "" : "    \(encoded) more by encoding, with --unsafe\n")
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
}

/// The columns of a candidate's line in the full text report. Their starts are fixed before the first line is printed,
/// since the other lines are not known then.
struct CandidateColumns {
  private static let widestName = 44
  private static let narrowestName = 12
  private static let gap = 2
  /// The indent, the verdict and the gap after it.
  private static let verdict = 11

  private let name: Int
  /// The widths of key, size, rate, length and seam: enough for nearly every clip.
  private let widths: [Int]

  /// - Parameters:
  ///   - names: of all files that may be printed.
  ///   - width: columns of the terminal.
  init(names: [String], width: Int?) {
    widths = width.map { $0 < TextWrap.usualWidth } == true ? [3, 9, 6, 5, 8] : [3, 9, 9, 8, 9]
    let others = Self.verdict + widths.reduce(0) { $0 + Self.gap + $1 }
    // One very long name must not push every other line off the screen.
    let room = width.map { max(Self.narrowestName, $0 - others) } ?? Self.widestName
    name = min(Self.widestName, room, names.map(\.cells).max() ?? 0)
  }

  /// The name, and the cells in their columns. A cell that is too wide moves those after it only as far as it must.
  func line(_ report: CandidateReport) -> String {
    var line = report.fileName.printable.padded(to: name)
    var start = name
    for (index, (cell, width)) in zip(Self.cells(of: report), widths).enumerated() {
      start += Self.gap
      // Size, rate and length are compared by their ends.
      let isNumber = (1...3).contains(index)
      let place = isNumber ? start + width - cell.cells : start
      line = line.padded(to: max(place, line.cells + Self.gap)) + cell
      start += width
    }
    return line.trimmingSuffix(" ")
  }

  /// Key, size, rate, length and seam; empty if the file could not be inspected.
  private static func cells(of report: CandidateReport) -> [String] {
    guard let facts = report.inspection?.facts else { return [] }
    let rate = facts.frameRate.map { "\(decimal($0, places: 3)) fps" } ?? "-"
    let mode = facts.frameRateMode == .variable ? "~" : ""
    return [
      report.key?.rawValue ?? "-", facts.displayDescription, mode + rate,
      "\(decimal(facts.durationSeconds, places: 2)) s", report.seam?.verdict.rawValue ?? "-",
    ]
  }
}

/// How many findings each rule has, for the end of a report.
enum RuleCount {
  /// Lists counts, for example `3 loop-seam, 2 aspect-ratio`: the most frequent first, equal ones in the order of the
  /// documents. `nil` for none.
  static func sentence(_ counts: [String: Int]) -> String? {
    let order = Dictionary(
      uniqueKeysWithValues: Rules.catalogue.enumerated().map { ($1.id, $0) })
    func place(_ rule: String) -> (Int, String) { (order[rule] ?? order.count, rule) }
    let sorted = counts.sorted { left, right in
      left.value == right.value ? place(left.key) < place(right.key) : left.value > right.value
    }
    return sorted.isEmpty ? nil : sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}
