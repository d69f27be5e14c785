@Suite struct ShardTests {
  private static func report(_ line: String) throws -> CandidateReport {
    try JSONDecoder().decode(CandidateReport.self, from: Data(line.utf8))
  }

  @Test func `a result that is read and written again has the same bytes`() throws {
    let lines = try CheckedFixtures.lines()
    for line in lines.dropLast() {
      let report = try Self.report(line)
      // Destinations of several profiles have an order only in evidence; here is one.
      #expect(try JSONReport.line(report) == line + "\n")
    }
  }

  @Test(arguments: [
    0.1, -0.0, 1e-7, Double.leastNonzeroMagnitude, 1e16, 123_456_789_012_345_680, .greatestFiniteMagnitude, 100.0 / 3,
  ])
  func `numbers are written again as they were`(value: Double) throws {
    var report = SampleReport.result("a.mp4") { facts in
      (facts.durationSeconds, facts.startSeconds, facts.fileBytes) = (value, -value, .max)
    }
    report.evidence = Evidence(
      place: 1 << 40, judges: [Evidence.Judge(name: "now-playing", severities: nil)], bytes: 1 << 53 + 1, digest: nil,
      release: nil, key: nil)
    let line = try JSONReport.line(report)
    let again = try Self.report(line)
    #expect(try JSONReport.line(again) == line)
    #expect(again.inspection?.facts.durationSeconds == value)
    #expect(again.inspection?.facts.fileBytes == .max && again.evidence == report.evidence)
  }

  @Test func `an error that is read again says the same`() throws {
    let error = InspectionError(.decodeFailed, "no", operation: "open it", advice: "do")
    let again = try Self.report(JSONReport.line(CandidateReport(path: "a.mp4", error: error))).error
    #expect(again?.description == "no (while trying to open it)" && again?.help == "do")
  }

  @Test(arguments: [
    ("1/1", true), ("3/64", true), ("64/64", true), ("0/1", false), ("2/1", false), ("1/", false), ("/1", false),
    ("1/1/1", false), ("a/b", false), ("-1/2", false), ("1/1000001", false),
  ])
  func `a shard is I/N`(text: String, isOne: Bool) {
    #expect((Shard(text) != nil) == isOne)
    if isOne { #expect(Shard(text)?.description == text) }
  }

  @Test func `each name belongs to one shard, and shards are of similar size`() {
    let names = (0..<2000).map { "release \($0)" }
    for count in [1, 2, 7, 64] {
      let shards = (1...count).compactMap { Shard("\($0)/\(count)") }
      let sizes = shards.map { shard in names.count { shard.holds($0) } }
      #expect(sizes.reduce(0, +) == names.count)
      #expect(sizes.allSatisfy { $0 > 2000 / count / 3 })
    }
  }
}
