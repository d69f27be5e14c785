@testable import ArtworkJudging
@testable import ArtworkPipeline

/// Real output against the published schema.
@Suite(.enabled(if: ReportSchema.hasValidator, ReportSchema.absence)) struct JSONReportTests {
  @Test("a document follows the schema, with previews too")
  func document() throws {
    let folder = try TemporaryFolder()
    let fixtures = Nightly.some(16, of: Fixture.all.filter { $0.file != "cover.jpg" })
    let result = try BuiltTool.run(
      ["check", "--format", "json", "--preview-dir", folder.root.path] + fixtures.map(\.path.string) + ["/nowhere/missing.mp4"])
    try ReportSchema.expectValid([result.output], as: "document")
    try ReportSchema.expectValid([result.output])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(document["schemaVersion"] as? Int == 1)
    #expect((document["results"] as? [Any])?.count == fixtures.count + 1)
  }

  @Test(arguments: [0, 1, 40])
  func `a document is what Foundation's encoder makes of it`(count: Int) throws {
    let report = SampleReport.report(Array(SampleReport.hostile.results.prefix(count)))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let whole = try encoder.encode(ReportDocument(results: report.results, summary: report.summary))
    let document = try JSONReport.document(report.results, summary: report.summary)
    #expect(document == String(decoding: whole, as: UTF8.self) + "\n")
  }

  @Test("every line of NDJSON follows the schema")
  func lines() throws {
    let lines = try CheckedFixtures.lines()
    #expect(lines.count == Fixture.all.count)
    try ReportSchema.expectValid(lines.dropLast(), as: "result")
    try ReportSchema.expectValid(lines.suffix(1), as: "closing")
    try ReportSchema.expectValid(lines)
  }

  @Test(.enabled(if: RealMedia.isPresent, RealMedia.absence))
  func `real files follow it as well`() throws {
    let small = Nightly.some(16, of: RealMedia.all.filter { $0.size < 60_000 })
    let result = try BuiltTool.run(["check", "--format", "ndjson"] + small.map(\.path.string))
    #expect(result.lines.count == small.count + 1)
    try ReportSchema.expectValid(result.lines)
  }

  @Test func `a broken document is refused`() throws {
    let edits = [
      #"s/"path":/"file":/"#, #"s/"verdict":"pass"/"verdict":"great"/"#, #"s/"codec":"h264",//"#,
      #"s/"sampleAspect":\[1,1]/"sampleAspect":[1]/"#, #"s/"sampleAspect":\[1,1]/"sampleAspect":[1,1,1]/"#,
      #"s/"findings":\[[^]]*\]/"findings":null/"#, #"s/"rotation":0/"rotation":45/"#, #"s/"frameCount":24/"frameCount":24.5/"#,
      #"s/"frameCount":24/"frameCount":0/"#, #"s/"hasAudio":false/"hasAudio":0/"#,
      #"s/"hasAudio":false/"hasAudio":false,"hasVideo":true/"#, #"s/"key":"1x1"/"key":"16x9"/"#,
      #"s/"verdict":"pass"/"verdict":"fail"/"#, #"s/"verdict":"pass"/"verdict":"error"/"#, #"s/^{/{"extra":1,/"#,
      #"s/"profile":"High"/"profile":null/"#,
    ]
    let report = Batch(options: Batch.Options(jobs: 1)).check(Candidate(path: Fixture.named("good-1x1.mp4").path))
    let good = try JSONReport.line(report)
    let broken = try edits.map { String(decoding: try run("sed", ["-e", $0], input: good).output, as: UTF8.self) }
    for (edit, text) in zip(edits, broken) { #expect(text != good, "\(edit) changes nothing") }
    let counts = try ReportSchema.violations([good] + broken, of: "result").counts
    #expect(counts.count == broken.count + 1)
    #expect(counts.first == 0 && counts.dropFirst().allSatisfy { $0 > 0 }, "\(counts)")
  }

  static func judged() -> CandidateReport {
    var report = SampleReport.result(
      "a/1x1.mp4", [SampleReport.finding("codec", .error, profile: "web")], profiles: [.nowPlaying, .web])
    report.artworkID = "night-drive"
    report.known = [SampleReport.finding("color", .warning)]
    return report
  }

  @Test func `destinations, IDs and what a baseline knows follow the schema`() throws {
    var broken = SampleReport.error("b.mp4", profiles: [.nowPlaying, .web])
    broken.errorIsKnown = true
    let lines = try [Self.judged(), broken, SampleReport.result("c.mp4")].map(JSONReport.line)
    try ReportSchema.expectValid(lines, as: "result")
    let objects = try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
    #expect(
      objects.map { $0["destinations"] as? [String: String] } == [
        ["now-playing": "pass", "web": "fail"], ["now-playing": "error", "web": "error"], ["now-playing": "pass"],
      ])
    #expect(objects.map { $0["artworkID"] as? String } == ["night-drive", nil, nil])
    #expect(objects.map { ($0["known"] as? [Any])?.count } == [1, nil, nil])
    #expect(objects.map { $0["errorIsKnown"] as? Bool } == [nil, true, nil])
  }

  @Test func `the schema refuses wrong ones`() throws {
    let broken = try [
      (#""web":"fail""#, #""web":"bad""#), (#""artworkID":"night-drive""#, #""artworkID":"""#),
      (#""artworkID""#, #""artworkId""#), (#""path""#, #""errorIsKnown":true,"path""#),
      (#""severity":"warning""#, #""severity":"off""#),
    ].map { try JSONReport.line(Self.judged()).replacing($0, with: $1) }
    let counts = try ReportSchema.violations(broken, of: "result").counts
    #expect(counts.count == broken.count && counts.allSatisfy { $0 > 0 }, "\(counts)")
  }

  @Test func `the schema lists the codes, verdicts and keys there are`() throws {
    let schema = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: ReportSchema.url)) as? [String: Any])
    func list(_ path: String...) throws -> [String] {
      let found = path.reduce(schema as Any?) { ($0 as? [String: Any])?[$1] }
      return try #require(found as? [String]).sorted()
    }
    #expect(
      try list("$defs", "failure", "properties", "code", "enum") == InspectionError.Code.allCases.map(\.rawValue).sorted())
    #expect(
      try list("$defs", "result", "properties", "verdict", "enum") == CandidateReport.Verdict.allCases.map(\.rawValue).sorted())
    #expect(
      try list("$defs", "seam", "properties", "verdict", "enum") == SeamJudgement.Verdict.allCases.map(\.rawValue).sorted())
    #expect(
      try list("$defs", "finding", "properties", "severity", "enum") == Finding.Severity.allCases.map(\.rawValue).sorted())
    #expect(try list("$defs", "result", "properties", "key", "enum") == ArtworkKey.allCases.map(\.rawValue).sorted())
  }

  @Test func `a name with quotes, control characters and line breaks stays one line of valid JSON`() throws {
    let path = FilePath("a\"b\\c\nd\u{7}\u{2028}é🎵/1x1.mp4")
    let report = CandidateReport(path: path, error: InspectionError(.notFound, "no \"file\"\n"))
    let line = try JSONReport.line(report)
    #expect(line.last == "\n")
    #expect(!line.dropLast().contains("\n"))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(object["path"] as? String == path.string)
    try ReportSchema.expectValid([line], as: "result")
  }
}
