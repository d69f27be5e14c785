@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite(.enabled(if: ReportSchema.hasValidator, ReportSchema.absence)) struct SARIFReportTests {
  struct Log: Decodable {
    struct Location: Decodable {
      struct Physical: Decodable {
        struct Artifact: Decodable {
          var uri: String
          var uriBaseId: String?
        }

        var artifactLocation: Artifact
      }

      var physicalLocation: Physical
    }

    struct Result: Decodable {
      var ruleId: String
      var ruleIndex: Int
      var locations: [Location]
      var partialFingerprints: [String: String]
      var baselineState: String?

      var uri: String? { locations.first?.physicalLocation.artifactLocation.uri }
    }

    struct Tool: Decodable {
      struct Driver: Decodable {
        struct Rule: Decodable { var id: String }

        var rules: [Rule]
      }

      var driver: Driver
    }

    struct Run: Decodable {
      var results: [Result]
      var tool: Tool
    }

    var runs: [Run]
  }

  static func run(_ report: CheckReport, setting: ReportSetting = SampleReport.setting) throws -> Log.Run {
    let text = try SARIFReport.render(report, setting)
    #expect(try Validator.violations(ofSARIF: text) == "")
    return try #require(try JSONDecoder().decode(Log.self, from: Data(text.utf8)).runs.first)
  }

  @Test func `names of any kind make a log that the schema takes, and their URIs lead back to them`() throws {
    let run = try Self.run(SampleReport.hostile)
    let paths = Set(run.results.compactMap { $0.uri?.removingPercentEncoding })
    for name in SampleReport.hostileNames where String(validating: name) != nil { #expect(paths.contains(name.string)) }
    #expect(run.results.contains { $0.uri == "caf%E9." })
    for result in run.results { #expect(run.tool.driver.rules[result.ruleIndex].id == result.ruleId) }
  }

  @Test func `an empty run is a log, too`() throws {
    let run = try Self.run(SampleReport.report([]))
    #expect(run.results.isEmpty)
    #expect(run.tool.driver.rules.map(\.id) == Rules.catalogue.map { $0.id })
  }

  @Test func `without a baseline, no result is new`() throws {
    let run = try Self.run(SampleReport.report([SampleReport.result("a.mp4", [SampleReport.finding()])]))
    #expect(run.results.map(\.baselineState) == [nil])
  }

  @Test func `the schema refuses what readers would`() throws {
    let report = SampleReport.report([SampleReport.result("a b.mp4", [SampleReport.finding()])])
    let good = try SARIFReport.render(report, SampleReport.setting)
    let broken = [
      (#""level" : "error""#, #""level" : "info""#), (#""version" : "2.1.0""#, #""version" : 2.1"#), (#""ruleId""#, #""rule""#),
      ("\"uri\" : \"a%20b.mp4\"", "\"uri\" : \"a b.mp4\""), ("\"uri\" : \"a%20b.mp4\"", "\"uri\" : \"../a%20b.mp4\""),
      ("\"uri\" : \"a%20b.mp4\"", "\"uri\" : \"/a%20b.mp4\""), (#""text" : "#, #""texts" : "#),
      (#""results" : "#, #""result" : "#), (#""ruleIndex" : "#, #""ruleIndex" : 0."#),
    ].map { good.replacing($0, with: $1) }
    let counts = try ReportSchema.violations([good] + broken, schema: Validator.sarif).counts
    #expect(counts.count == broken.count + 1)
    #expect(counts.first == 0 && counts.dropFirst().allSatisfy { $0 > 0 }, "\(counts)")
  }

  @Test func `a fingerprint distinguishes files, rules and repetitions, and forgets figures`() throws {
    func prints(_ path: FilePath, _ findings: [Finding]) throws -> [String] {
      try Self.run(SampleReport.report([SampleReport.result(path, findings)])).results.compactMap {
        $0.partialFingerprints["fileAndRule/v1"]
      }
    }
    let two = [SampleReport.finding("color", .warning, "a"), SampleReport.finding("color", .warning, "b")]
    let first = try prints("a.mp4", two)
    #expect(Set(first).count == 2)
    #expect(try prints("b.mp4", two).allSatisfy { !first.contains($0) })
    #expect(try prints("a.mp4", [SampleReport.finding("codec")]).allSatisfy { !first.contains($0) })
    let changed = [SampleReport.finding("color", .error, "other", measured: "7")]
    #expect(try prints("a.mp4", changed) == [first[0]])
  }

  @Test(arguments: [
    ("x/y.mp4", "x/y.mp4", true), ("./x/../y.mp4", "y.mp4", true), ("/srv/art/z.mp4", "z.mp4", true),
    ("../z.mp4", "file:///srv/z.mp4", false), ("/else/ü.mp4", "file:///else/%C3%BC.mp4", false),
  ])
  func `files outside the current folder have an absolute URI`(path: String, uri: String, isBelow: Bool) throws {
    let run = try Self.run(SampleReport.report([SampleReport.result(FilePath(path), [SampleReport.finding()])]))
    let place = run.results.first?.locations.first?.physicalLocation.artifactLocation
    #expect(place?.uri == uri)
    #expect((place?.uriBaseId == "SRCROOT") == isBelow)
  }
}
