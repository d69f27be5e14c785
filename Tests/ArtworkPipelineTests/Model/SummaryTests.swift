@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite struct SummaryTests {
  static func finding(_ severity: Finding.Severity) -> Finding {
    Finding(rule: "r", severity: severity, message: "m", help: "h", profile: "p")
  }

  static func report(_ severities: [Finding.Severity], error: InspectionError? = nil) -> CandidateReport {
    CandidateReport(path: "x.mp4", findings: severities.map(finding), error: error)
  }

  @Test(
    "the verdict is the worst finding, and an error overrides it",
    arguments: [
      ([], .pass), ([.info], .pass), ([.info, .info], .pass), ([.warning], .warn), ([.info, .warning, .info], .warn),
      ([.error], .fail), ([.warning, .error, .info], .fail),
    ] as [([Finding.Severity], CandidateReport.Verdict)])
  func verdict(severities: [Finding.Severity], verdict: CandidateReport.Verdict) {
    #expect(Self.report(severities).verdict == verdict)
    let error = InspectionError(.notAMovie, "no")
    #expect(Self.report(severities, error: error).verdict == .error)
  }

  @Test func `every report is counted once`() {
    let error = InspectionError(.notFound, "no")
    let reports = [
      Self.report([]), Self.report([.info]), Self.report([.warning]), Self.report([.error]), Self.report([.error, .warning]),
      Self.report([.error]), Self.report([], error: error),
    ]
    let summary = Summary(reports, seconds: 1.5)
    #expect(summary.total == 7)
    #expect(summary.pass == 2)
    #expect(summary.warn == 1)
    #expect(summary.fail == 3)
    #expect(summary.error == 1)
    #expect(summary.seconds == 1.5)
    #expect(summary.rules == ["r": 6])
  }

  @Test func `findings are counted by rule, and once for several profiles`() {
    func finding(_ rule: String, _ message: String = "m", profile: String) -> Finding {
      Finding(rule: rule, severity: .warning, message: message, help: "h", profile: profile)
    }
    let reports = [
      CandidateReport(
        path: "a.mp4",
        findings: [
          finding("codec", profile: "p"), finding("codec", profile: "q"), finding("fade", profile: "p"),
          finding("fade", "other", profile: "q"),
        ]), CandidateReport(path: "b.mp4", findings: [finding("loop-seam", profile: "p")]), CandidateReport(path: "c.mp4"),
    ]
    let counts = Summary(reports, seconds: 1).rules
    #expect(counts == ["codec": 1, "fade": 2, "loop-seam": 1])
    #expect(RuleCount.sentence(counts) == "2 fade, 1 codec, 1 loop-seam")
    #expect(RuleCount.sentence([:]) == nil)
  }

  @Test func `every error code has help and a machine-readable name`() {
    for code in InspectionError.Code.allCases {
      #expect(!InspectionError(code, "m").help.isEmpty)
      #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" })
    }
    #expect(InspectionError(.notFound, "it broke").description == "it broke")
    #expect(InspectionError(.notFound, "it broke", operation: "look").description == "it broke (while trying to look)")
  }
}
