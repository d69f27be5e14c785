/// How results are written. docs/ci.md has an excerpt of each.
public enum ReportFormat: String, CaseIterable, Sendable {
  case text, json, ndjson, junit, sarif, github, markdown, html

  /// The whole report with a final newline.
  ///
  /// - Throws: what the JSON encoder throws, which it does for numbers that are not finite.
  public func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    switch self {
    case .text:
      TextReport(style: setting.style, onlyProblems: setting.onlyProblems, width: setting.width)
        .render(report.results, summary: report.summary, profiles: report.profiles)
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
}
