/// The formats of a report. docs/ci.md has an excerpt of each. Three are for people: `text` has a line for each
/// release, `full` has everything, and `concise` has a line for each finding.
public enum ReportFormat: String, CaseIterable, Sendable {
  case text, full, concise, json, ndjson, junit, sarif, github, markdown, html

  /// The whole report with a final newline.
  ///
  /// - Throws: errors of the JSON encoder, for numbers that are not finite.
  public func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    switch self {
    case .text, .full, .concise: TextReport.render(self, report, setting)
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

  /// Whether it is for people.
  package var isText: Bool { [.text, .full, .concise].contains(self) }
}
