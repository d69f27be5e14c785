/// The text report in parts: releases as they complete, then the end.
package struct TextStream: Sendable {
  private let report: TextReport
  private let layout: CandidateRow.Layout
  private let profiles: [Profile]
  private var brief: BriefText
  /// The folder of the last line of the full layout; `nil` before the first.
  private var folder: String?
  private var isEmpty = true

  /// - Parameters:
  ///   - paths: of all candidates, since their names set the width of the first column.
  ///   - profiles: the judged profiles; several are distinguished.
  package init(_ report: TextReport, paths: [FilePath], profiles: [Profile]) {
    self.report = report
    self.profiles = profiles
    brief = BriefText(report, paths: paths)
    layout = CandidateRow.Layout(
      names: paths.map { ($0.lastComponent?.string ?? $0.string).printable }, width: report.width)
  }

  /// The lines of some candidates, with a heading when the folder changes. Empty if none is to be printed.
  package mutating func lines(_ reports: [CandidateReport]) -> String {
    let text =
      switch report.layout {
      case .brief: brief.lines(reports)
      case .full: blocks(reports)
      case .concise:
        shown(reports).map { ConciseText.lines($0, report, namesProfiles: profiles.count > 1) }
          .joined()
      }
    if !text.isEmpty { isEmpty = false }
    return text
  }

  private mutating func blocks(_ reports: [CandidateReport]) -> String {
    var text = ""
    for result in shown(reports) {
      let row = CandidateRow(result)
      if folder != row.folder {
        if folder != nil { text += "\n" }
        text += report.style.paint(row.folder, .heading) + "\n"
        folder = row.folder
      }
      let verdict = result.verdict
      let mark = "\(verdict.mark) \(verdict.rawValue.padded(to: 5))"
      text += "  \(report.style.paint(mark, verdict.role))  \(layout.line(row))\n"
      text += report.details(result, namesProfiles: profiles.count > 1)
    }
    return text
  }

  /// The text after the last candidate: the table of destinations, previews, counts, and the summary.
  package mutating func end(_ reports: [CandidateReport], summary: Summary) -> String {
    let closing = TextReport.closing(summary, style: report.style)
    if report.layout == .concise { return closing }
    let shown = self.shown(reports)
    var text = brief.close() + (isEmpty ? "" : "\n")
    if profiles.count > 1, !shown.isEmpty {
      let matrix = MatrixText(style: report.style, width: report.width)
      text +=
        (report.layout == .full
          ? matrix.render(shown, profiles: profiles)
          : matrix.render(ReleaseResult.all(shown), profiles: profiles)) + "\n"
    }
    let previews = reports.compactMap(\.preview)
    if let folder = previews.first?.removingLastComponent() {
      text +=
        "\(previews.count) preview\(previews.count == 1 ? "" : "s") written, for example in \(folder.string.printable)/\n"
    }
    if let known = CheckReport.baselineSentence(reports) {
      text += report.style.paint(known, .quiet) + "\n"
    }
    // Remarks are in nearly every file.
    text += sentence(Summary.findingsByRule(reports, atLeast: .warning))
    if report.layout == .full { return text + sentence(mendable: mendable(shown)) + closing }
    if !reports.isEmpty, !report.onlyProblems || reports.contains(where: \.isProblem) {
      text += NextStep(
        style: report.style, width: report.width, places: places(reports),
        search: report.search
      ).lines(reports)
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
    let closing = TextReport.interruption(
      Summary(reports, seconds: seconds), of: total, style: report.style)
    if report.layout == .concise { return closing }
    return brief.close() + (isEmpty ? "" : "\n")
      + sentence(Summary.findingsByRule(reports, atLeast: .warning)) + closing
  }

  /// The named paths, as words of a shell, without files that need no repair.
  private func places(_ reports: [CandidateReport]) -> [String] {
    if report.places.isEmpty { return ["PATH..."] }
    let untouched = Set(
      reports.filter { report in !report.countingFindings.contains { $0.fix == .repair } }
        .map { $0.path.lexicallyNormalized() })
    let repaired = report.places.filter { !untouched.contains($0.lexicallyNormalized()) }
    return (repaired.isEmpty ? report.places : repaired).map(ReleaseCommand.place)
  }

  /// The number of printed findings that `artworkd repair` fixes: by a copy, and only by encoding.
  private func mendable(_ shown: [CandidateReport]) -> (safe: Int, unsafe: Int) {
    let groups = shown.flatMap { FindingGroup.groups($0.findings) }
      .filter { !report.onlyProblems || $0.severity > .info }
    let safe = groups.count(where: \.isRepairable)
    return (safe, groups.count { $0.canBeEncoded && !$0.isRepairable })
  }

  private func sentence(mendable count: (safe: Int, unsafe: Int)) -> String {
    func findings(_ count: Int) -> String { "\(count) finding\(count == 1 ? "" : "s")" }
    switch count {
    case (0, 0): return ""
    case (0, let unsafe):
      return "\(findings(unsafe)) can be repaired by encoding: artworkd repair --unsafe "
        + "--output-dir DIR PATH...\n"
    case (let safe, let unsafe):
      return report.style.paint("[*]", .good) + " \(findings(safe)) can be "
        + "repaired without encoding: artworkd repair --output-dir DIR PATH...\n"
        + (unsafe == 0 ? "" : "    \(unsafe) more by encoding, with --unsafe\n")
    }
  }

  private func shown(_ reports: [CandidateReport]) -> [CandidateReport] {
    report.onlyProblems ? reports.filter(\.isProblem) : reports
  }

  private func sentence(_ counts: [String: Int]) -> String {
    guard let text = RuleCount.sentence(counts) else { return "" }
    return TextWrap(width: report.width).lines(text, indent: 0).joined(separator: "\n") + "\n"
  }
}
