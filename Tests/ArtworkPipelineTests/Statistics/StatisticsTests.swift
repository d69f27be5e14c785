import FoundationXML
import TestSupport

@testable import ArtworkCore
@testable import ArtworkPipeline

/// Results in numbers, against numbers that are counted from the same rows otherwise.
@Suite struct StatisticsTests {
  static func rows() throws -> [[String: Any]] {
    try CheckedFixtures.lines().dropLast().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  static func write(_ lines: some Sequence<String>, to name: String, in folder: TemporaryFolder)
    throws -> FilePath
  {
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.url(name))
    return FilePath(folder.url(name).path)
  }

  @Test("counts are those of the rows")
  func counts() throws {
    let folder = try TemporaryFolder()
    let run = try RunStatistics(
      of: Self.write(try CheckedFixtures.lines(), to: "a.b.ndjson", in: folder))
    let rows = try Self.rows()
    #expect(run.name == "a.b" && run.summaries.count == 1 && run.total == rows.count)
    for verdict in ["pass", "warn", "fail", "error"] {
      #expect(run.verdicts[verdict] == rows.count { $0["verdict"] as? String == verdict })
    }
    let findings = rows.map { $0["findings"] as? [[String: Any]] ?? [] }
    for rule in ["loop-seam", "aspect-ratio", "codec"] {
      for severity in ["error", "warning", "info"] {
        let files = findings.count { list in
          list.contains { $0["rule"] as? String == rule && $0["severity"] as? String == severity }
        }
        #expect(run.rules[rule]?[severity] == files)
      }
    }
    let facts = rows.compactMap { $0["facts"] as? [String: Any] }
    #expect(run.codecs["hevc"] == facts.count { $0["codec"] as? String == "hevc" })
    let seconds = facts.compactMap { $0["durationSeconds"] as? Double }.sorted()
    let durations = try #require(
      run.distributions.first { $0.measure == .durationSeconds })
    #expect(durations.count == seconds.count)
    #expect(durations.least == seconds.first && durations.most == seconds.last)
    #expect(durations.median == seconds[(seconds.count + 1) / 2 - 1])
    #expect(durations.bins.reduce(0) { $0 + $1.count } == seconds.count)
    for bin in durations.bins {
      let held = seconds.filter { value in value >= bin.from && bin.to.map { value < $0 } ?? true }
      #expect(bin.count == held.count)
    }
  }

  @Test("a document counts as its lines do, and shards as one run")
  func others() throws {
    let folder = try TemporaryFolder()
    let all = WholeReportTests.report
    func write(_ text: String, to name: String) throws -> FilePath {
      try Self.write([String(text.dropLast())], to: name, in: folder)
    }
    func lines(_ results: some Sequence<CandidateReport>, _ summary: Summary) throws -> String {
      try results.map(JSONReport.line).joined() + JSONReport.line(summary)
    }
    let whole = try RunStatistics(
      of: write(try lines(all.results, all.summary), to: "all.ndjson"))
    let document = try RunStatistics(
      of: write(
        try JSONReport.document(all.results, summary: all.summary), to: "all.json"))
    #expect(whole.total == all.results.count && whole.verdicts["error"] == all.summary.error)
    #expect(document == whole)
    let parts = try (1...2).map { index in
      var summary = all.summary
      summary.shard = Shard("\(index)/2")
      summary.list = Summary.CandidateList(count: all.results.count, digest: "some")
      let middle = all.results.count / 2
      return try write(
        try lines(
          index == 1 ? all.results[..<middle] : all.results[middle...], summary),
        to: "part\(index).ndjson")
    }
    let report = try StatisticsReport(of: parts + [folder.path("all.ndjson")])
    #expect(report.runs.map(\.total) == [whole.total, whole.total])
    #expect(
      report.runs.first?.verdicts == whole.verdicts && report.runs.first?.rules == whole.rules)
    for files in [[parts[0]], [parts[1], parts[1]]] {
      #expect(throws: MergeError.self) { try StatisticsReport(of: files) }
    }
  }

  @Test("a run that was stopped and other files are refused")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let lines = try CheckedFixtures.lines()
    let torn = folder.url("torn.ndjson")
    try Data((lines[0] + "\n" + lines[1].prefix(200)).utf8).write(to: torn)
    #expect(throws: MergeError.self) { try RunStatistics(of: FilePath(torn.path)) }
    let printed = try BuiltTool.run(["stats", torn.path])
    #expect(printed.status == 2 && printed.error.contains("its last line is incomplete"))
    let open = try Self.write([lines[0]], to: "open.ndjson", in: folder)
    #expect(throws: MergeError.self) { try RunStatistics(of: open) }
    let other = try Self.write(["some text", "more"], to: "other", in: folder)
    #expect(throws: MergeError.self) { try RunStatistics(of: other) }
    #expect(try BuiltTool.run(["stats", other.string]).status == 2)
    #expect(try BuiltTool.run(["stats", folder.url("none").path]).status == 2)
    #expect(try BuiltTool.run(["stats"]).status == 64)
  }

  @Test("text stays within 80 columns, and several runs show a trend")
  func text() throws {
    let folder = try TemporaryFolder()
    let lines = try CheckedFixtures.lines()
    let first = try Self.write(lines.prefix(60) + lines.suffix(1), to: "first.ndjson", in: folder)
    let second = try Self.write(lines, to: "second.ndjson", in: folder)
    let result = try BuiltTool.run(["stats", first.string, second.string])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.lines.allSatisfy { $0.cells <= 80 })
    #expect(result.output.hasPrefix("trend"))
    #expect(result.output.contains("\nfirst ") && result.output.contains("\nduration\n"))
    let json = try BuiltTool.run(["stats", second.string, "--format", "json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect((document["runs"] as? [[String: Any]])?.first?["total"] as? Int == lines.count - 1)
  }

  @Test("the page is well-formed, and has no script")
  func page() throws {
    let folder = try TemporaryFolder()
    let lines = try CheckedFixtures.lines()
    let hostile = try Self.write(lines, to: "<script>&\".ndjson", in: folder)
    let second = try Self.write(lines, to: "second.ndjson", in: folder)
    let page = try BuiltTool.run(
      ["stats", hostile.string, second.string, "--format", "html"]
    ).output
    #expect(!page.contains("<script") && !page.contains("{{"))
    let drawings = page.matches(of: #/(?s)<svg.*?</svg>/#).map { String($0.0) }
    #expect(drawings.count >= 7)
    for drawing in drawings {
      let parser = XMLParser(data: Data(drawing.utf8))
      #expect(parser.parse(), "\(drawing)")
    }
    #expect(page.contains("script-src") == false && page.contains("default-src 'none'"))
  }
}
