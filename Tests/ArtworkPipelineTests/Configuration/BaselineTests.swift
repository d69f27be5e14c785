@Suite struct BaselineTests {
  static func finding(_ rule: String, _ severity: Finding.Severity = .warning, profile: String = "now-playing") -> Finding {
    Finding(rule: rule, severity: severity, message: "m", help: "h", profile: profile)
  }

  static func report(
    _ path: FilePath, _ findings: [Finding] = [], error: InspectionError.Code? = nil, profiles: [String] = ["now-playing"]
  ) -> CandidateReport {
    CandidateReport(
      path: path, key: .square, findings: findings, error: error.map { InspectionError($0, "e") }, profiles: profiles)
  }

  static let folder: FilePath = "/catalogue"

  static func baseline(_ reports: [CandidateReport]) -> Baseline {
    Baseline(reports, folder: folder, currentFolder: "/catalogue/a")
  }

  static func apply(_ baseline: Baseline, to reports: inout [CandidateReport]) -> [Baseline.Entry] {
    baseline.apply(to: &reports, folder: folder, currentFolder: folder)
  }

  @Test func `what is known is hidden, what is new or worse is not, and what is gone is reported`() {
    let old = Self.baseline([
      Self.report(
        "1.mp4",
        [
          Self.finding("fade"), Self.finding("static"), Self.finding("codec"), Self.finding("codec"),
          Self.finding("duration", profile: "web"),
        ], profiles: ["now-playing", "web"])
    ])
    var reports = [
      Self.report(
        "a/1.mp4",
        [
          Self.finding("static", .error), Self.finding("codec", .info), Self.finding("codec"), Self.finding("codec"),
          Self.finding("color"),
        ])
    ]
    let stale = Self.apply(old, to: &reports)
    // Three where two were known; the milder one is the one too many.
    #expect(reports[0].findings.map(\.rule) == ["static", "codec", "color"])
    #expect(reports[0].findings.map(\.severity) == [.error, .info, .warning])
    #expect(reports[0].known.map(\.rule) == ["codec", "codec"])
    // `static` got worse: the milder entry is stale. `web` was not judged this time.
    #expect(stale.map(\.rule) == ["fade", "static"])
    #expect(stale.map(\.path) == ["a/1.mp4", "a/1.mp4"])
  }

  @Test func `errors are known by their code, and hide no entry of the file`() {
    let old = Self.baseline([
      Self.report("1.mp4", error: .truncated), Self.report("2.mp4", [Self.finding("fade")]),
      Self.report("3.mp4", error: .truncated), Self.report("4.mp4", [Self.finding("fade")]),
    ])
    var reports = [
      Self.report("a/1.mp4", error: .truncated), Self.report("a/2.mp4", error: .truncated),
      Self.report("/catalogue/a/3.mp4", error: .noVideo),
    ]
    let stale = Self.apply(old, to: &reports)
    #expect(reports.map(\.errorIsKnown) == [true, false, false])
    // The second may still fade; the fourth was not checked.
    #expect(stale.map(\.path) == ["a/3.mp4"])
  }

  @Test func `a baseline of everything hides everything, and is written again unchanged`() throws {
    let odd = FilePath(bytes: [UInt8(ascii: "x"), 0xff])
    var reports = [
      Self.report("b\"\n\u{1b}.mp4", [Self.finding("fade", .info), Self.finding("codec", .error)]),
      Self.report(odd, [Self.finding("fade")]), Self.report("../z.mp4", error: .noVideo), Self.report("a.mp4"),
    ]
    let baseline = Baseline(reports, folder: Self.folder, currentFolder: Self.folder)
    #expect(
      baseline.document == """
        {
          "version": 1,
          "findings": [
            {"path": "../z.mp4", "key": "1x1", "rule": "no-video", "severity": "error"},
            {"path": "b\\"\\u000a\\u001b.mp4", "key": "1x1", "profile": "now-playing", "rule": "codec", "severity": "error"},
            {"path": "b\\"\\u000a\\u001b.mp4", "key": "1x1", "profile": "now-playing", "rule": "fade", "severity": "info"},
            {"path": "x%FF", "key": "1x1", "profile": "now-playing", "rule": "fade", "severity": "warning"}
          ]
        }

        """)
    let folder = try TemporaryFolder()
    try Data(baseline.document.utf8).write(to: folder.url("b.json"))
    let read = try Baseline.load(folder.path("b.json"))
    #expect(read == baseline)
    #expect(Self.apply(read, to: &reports).isEmpty)
    #expect(reports.allSatisfy { $0.findings.isEmpty && ($0.error == nil || $0.errorIsKnown) })
    // A rewritten baseline keeps what it hid.
    #expect(Baseline(reports, folder: Self.folder, currentFolder: Self.folder) == baseline)
    #expect(Baseline().document == "{\n  \"version\": 1,\n  \"findings\": []\n}\n")
  }

  @Test(arguments: [
    ("", "not a baseline: it is not JSON; remove it and recreate it with --write-baseline"),
    ("{\"findings\": []}", "not a baseline: `version` is missing"),
    ("{\"version\": 2, \"findings\": 7}", "baseline version 2 is not supported, only 1"),
    ("{\"version\": 1}", "not a baseline: `findings` is missing"),
    (
      "{\"version\": 1, \"findings\": [{\"path\": \"a\", \"rule\": \"fade\"}]}",
      "not a baseline: `severity` is missing at .findings[0]"
    ),
    (
      "{\"version\": 1, \"findings\": [{\"path\": 1, \"rule\": \"fade\", \"severity\": \"info\"}]}",
      "not a baseline: .findings[0].path has the wrong type"
    ),
    (
      "{\"version\": 1, \"findings\": [{\"path\": \"a\", \"rule\": \"fade\", \"severity\": \"bad\"}]}",
      "not a baseline: .findings[0].severity has an unknown value"
    ),
  ])
  func `what is no baseline is reported, with what to do`(_ text: String, _ expected: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("b.json")
    try Data(text.utf8).write(to: folder.url("b.json"))
    let error = try #require(throws: ConfigurationError.self) { _ = try Baseline.load(file) }
    #expect(error.description.hasPrefix("\(file): \(expected)"), "\(error)")
    let missing = try #require(throws: ConfigurationError.self) { _ = try Baseline.load(folder.path("none.json")) }
    #expect(missing.description.contains("no such baseline; create it with --write-baseline"))
  }
}
