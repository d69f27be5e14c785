@testable import ArtworkJudging

@Suite struct FrameRateRuleTests {
  @Test(
    arguments: [
      ((60, 1), nil), ((60000, 1001), nil), ((24000, 1001), nil), ((1, 1000), nil), ((59_999_999, 1_000_000), nil),
      ((60001, 1000), .error), ((61, 1), .error), ((120, 1), .error), ((60_000_001, 1_000_000), .error), ((.max, 1), .error),
    ] as [((Int64, Int64), Finding.Severity?)])
  func `the limit is exactly sixty`(rate: (Int64, Int64), severity: Finding.Severity?) {
    let raised = findings(FrameRateRule.self) { $0.setRate(rate.0, rate.1) }
    #expect(raised.map(\.severity) == (severity.map { [$0] } ?? []))
  }

  @Test func `the rate is written as a decimal and as a fraction`() {
    let exact = findings(FrameRateRule.self) { $0.setRate(120000, 1001) }
    #expect(exact.first?.measured == "119.88 fps (120000/1001)")
    #expect(exact.first?.limit == "at most 60 fps")
    #expect(findings(FrameRateRule.self) { $0.setRate(120, 1) }.first?.measured == "120 fps")
  }

  @Test(arguments: [(59.9, false), (60, false), (62.9, false), (63.1, true), (100, true), (1000, true)])
  func `bursts in a variable clip are a warning, jitter is not`(highest: Double, warns: Bool) {
    let raised = findings(FrameRateRule.self) {
      $0.frameRateMode = .variable
      $0.setRate(30, 1)
      $0.maxFrameRate = highest
    }
    #expect(raised.map(\.severity) == (warns ? [.warning] : []))
    // In a constant clip the highest rate is jitter by definition.
    #expect(findings(FrameRateRule.self) { $0.maxFrameRate = highest }.isEmpty)
  }

  @Test func `unusable timestamps are an error if there is more than one frame`() {
    func raised(frames: Int) -> [Finding.Severity] {
      findings(FrameRateRule.self) {
        $0.frameRateRatio = nil
        $0.frameRate = nil
        $0.frameCount = frames
      }.map(\.severity)
    }
    #expect(raised(frames: 1) == [])
    #expect(raised(frames: 2) == [.error])
  }

  @Test func `a variable rate is info, with its extremes`() {
    let raised = findings(FrameRateModeRule.self) {
      $0.frameRateMode = .variable
      ($0.minFrameRate, $0.maxFrameRate) = (12, 23.976)
    }
    #expect(raised.map(\.severity) == [.info])
    #expect(raised.first?.measured == "12 to 23.98 fps")
    #expect(findings(FrameRateModeRule.self).isEmpty)
  }
}
