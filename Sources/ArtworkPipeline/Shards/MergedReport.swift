/// Merged results in the formats of `check`, byte for byte as one run would write them, apart from the time.
///
/// NDJSON, JSON, and text for one destination are written block by block. The other formats need all results at once.
package struct MergedReport: Sendable {
  private let merge: Merge

  package init(_ merge: Merge) { self.merge = merge }

  package var summary: Summary { merge.summary }

  /// - Parameter write: takes the next part, up to a megabyte or so.
  /// - Throws: ``MergeError`` for results that cannot be read again; what the encoder and `write` throw.
  package func write(
    _ format: ReportFormat, _ setting: ReportSetting, _ write: ([UInt8]) throws -> Void
  ) throws {
    switch format {
    case .ndjson:
      try merge.forEachBlock { place throws(MergeError) in
        try merge.line(at: place)
      } _: { lines in
        try write(Array(lines.joined(separator: [Self.newLine])) + [Self.newLine])
      }
      try write(Array(try JSONReport.line(merge.summary).utf8))
    case .json: try writeDocument(write)
    case .text where merge.profiles.count == 1: try writeText(setting, write)
    case .text, .junit, .sarif, .github, .markdown, .html:
      try write(Array(try format.render(report(), setting).utf8))
    }
  }

  /// All results, without their measurements.
  func report() throws -> CheckReport {
    var results: [CandidateReport] = []
    try merge.forEachBlock { place throws(MergeError) in
      try merge.brief(at: place)
    } _: {
      results += $0
    }
    return CheckReport(results: results, summary: merge.summary, profiles: merge.profiles)
  }

  /// The worst that the results mean for an exit code: `error`, `fail` or `pass`.
  package func outcome(failOn level: FailureLevel) -> CandidateReport.Verdict {
    let summary = merge.summary
    if summary.error > merge.knownErrors { return .error }
    let failing =
      switch level {
      case .error: summary.fail
      case .warning: summary.fail + summary.warn
      case .never: 0
      }
    return failing > 0 ? .fail : .pass
  }

  private static let newLine = UInt8(ascii: "\n")

  private func writeText(_ setting: ReportSetting, _ write: ([UInt8]) throws -> Void) throws {
    var stream = TextStream(
      TextReport(
        style: setting.style, onlyProblems: setting.onlyProblems, width: setting.width),
      widestName: merge.widestName, profiles: merge.profiles)
    try merge.forEachBlock { place throws(MergeError) in
      try merge.shownInText(at: place)
    } _: {
      try write(Array(stream.passing($0).utf8))
    }
    try write(Array(stream.endOfPassing(merge.summary).utf8))
  }

  /// The members are in the order of the encoder, by name.
  private func writeDocument(_ write: ([UInt8]) throws -> Void) throws {
    let summary = try JSONReport.line(merge.summary).utf8.dropLast()
    guard let closing = JSONRow(Array(summary)), let counts = closing.json("summary") else {
      return
    }
    try write(Array("{\n  \"results\" : [\n".utf8))
    var isFirst = true
    try merge.forEachBlock { place throws(MergeError) in
      JSONIndent.lines(try merge.line(at: place), depth: 2)
    } _: { rows in
      let separator = Array(",\n    ".utf8)
      try write(
        (isFirst ? Array("    ".utf8) : separator) + Array(rows.joined(separator: separator)))
      isFirst = false
    }
    try write(
      Array("\n  ],\n  \"schemaVersion\" : \(ReportDocument.schemaVersion),\n  \"summary\" : ".utf8)
        + JSONIndent.lines(counts, depth: 1) + Array("\n}\n".utf8))
  }
}
