import FoundationEssentials

/// Results for machines.
package enum JSONReport {
  /// One indented document with a final newline.
  ///
  /// Results are encoded one by one, because the encoder takes five times the memory of its input.
  package static func document(_ reports: [CandidateReport], summary: Summary) throws -> String {
    let frame = try encode(ReportDocument(results: [], summary: summary), indented: true)
    // The encoder writes an empty line into an empty list, and the list of results comes first.
    let around = frame.split(separator: "\n\n", maxSplits: 1)
    guard !reports.isEmpty, around.count == 2 else {
      return try encode(
        ReportDocument(results: reports, summary: summary), indented: true)
    }
    var text = String(around[0])
    for (index, report) in reports.enumerated() {
      let lines = try encode(report, indented: true).utf8
        .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      text += index == 0 ? "" : ","
      for line in lines { text += line.isEmpty ? "\n" : "\n    \(Substring(line))" }
    }
    return text + "\n" + around[1]
  }

  /// One line with its newline: for example a result.
  package static func line(_ value: some Encodable) throws -> String {
    try encode(value, indented: false)
  }

  /// The last line.
  package static func line(_ summary: Summary) throws -> String {
    try encode(ResultDocument.Closing(summary: summary), indented: false)
  }

  /// A result of a shard; `nil` for any other line.
  package static func result(line: [UInt8]) -> CandidateReport? {
    let report = try? JSONDecoder().decode(CandidateReport.self, from: Data(line))
    return report?.evidence == nil ? nil : report
  }

  /// The summary that ends NDJSON; `nil` for any other line.
  package static func summary(line: [UInt8]) -> Summary? {
    try? JSONDecoder().decode(ResultDocument.Closing.self, from: Data(line)).summary
  }

  /// One indented document with a final newline.
  package static func document(_ value: some Encodable) throws -> String {
    try encode(value, indented: true)
  }

  private static func encode(_ value: some Encodable, indented: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if indented { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}
