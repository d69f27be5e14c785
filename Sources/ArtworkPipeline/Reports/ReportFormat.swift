/// The formats of a report. docs/ci.md has an excerpt of each. Three are for people: `text` has a line for each
/// release, `full` has everything, and `concise` has a line for each finding.
public enum ReportFormat: String, CaseIterable, Sendable {
  case text, full, concise, json, ndjson, junit, sarif, github, markdown, html

  /// The whole report with a final newline.
  ///
  /// - Throws: errors of the JSON encoder, for numbers that are not finite.
  public func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    switch self {
    case .text: text(report, setting, .brief)
    case .full: text(report, setting, .full)
    case .concise: text(report, setting, .concise)
    case .json: try JSONReport.document(report.results, summary: report.summary)
    case .ndjson:
      try report.results.reduce(into: "") { $0 += try JSONReport.line($1) }
        + JSONReport.line(report.summary)
    case .junit: JUnitReport.render(report, setting)
    case .sarif: try SARIFReport.render(report, setting)
    case .github: GitHubReport.render(report)
    case .markdown: MarkdownReport.render(report)
    case .html: try HTMLReport.render(report, setting)
    }
  }

  /// How text for people is laid out; `nil` for the formats of programs.
  package var layout: TextReport.Layout? {
    switch self {
    case .text: .brief
    case .full: .full
    case .concise: .concise
    case .json, .ndjson, .junit, .sarif, .github, .markdown, .html: nil
    }
  }

  private func text(
    _ report: CheckReport, _ setting: ReportSetting, _ layout: TextReport.Layout
  ) -> String {
    TextReport(
      style: setting.style, layout: layout, onlyProblems: setting.onlyProblems,
      width: setting.width, places: setting.places, search: setting.search
    ).render(report.results, summary: report.summary, profiles: report.profiles)
  }
}
