import FoundationEssentials

/// Results for machines.
public enum JSONReport {
  /// One indented document with a final newline.
  public static func document(_ reports: [CandidateReport], summary: Summary) throws -> String {
    try encode(
      ReportDocument(results: reports.map(ResultDocument.init), summary: summary), indented: true)
  }

  /// One line with its newline: a result.
  public static func line(_ report: CandidateReport) throws -> String {
    try encode(ResultDocument(report), indented: false)
  }

  /// The last line.
  public static func line(_ summary: Summary) throws -> String {
    try encode(ResultDocument.Closing(summary: summary), indented: false)
  }

  /// The summary that ends NDJSON; `nil` for any other line.
  package static func summary(line: [UInt8]) -> Summary? {
    try? JSONDecoder().decode(ResultDocument.Closing.self, from: Data(line)).summary
  }

  private static func encode(_ value: some Encodable, indented: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if indented { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
