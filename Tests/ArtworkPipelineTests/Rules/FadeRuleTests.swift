@Suite struct FadeRuleTests {
  static func verdict(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement.Verdict {
    LoopSeamRuleTests.judge(change).verdict
  }

  @Test func `an end far below the usual contrast is a fade, whatever the seam is`() {
    let limit = 0.25
    for surprise in [0.9, 9] {
      #expect(
        Self.verdict {
          $0.dimness = limit - 0.01
          $0.surprise(surprise)
        } == .fade)
    }
    #expect(Self.verdict { $0.dimness = limit + 0.01 } == .seamless)
    #expect(Self.verdict { $0.dimness = nil } == .seamless)
    #expect(Self.verdict { ($0.dimness, $0.motion.inside, $0.motion.largest) = (0, 0, 0) } == .static)
  }

  @Test(
    arguments: [
      (true, false, 16, "the clip fades in from black"), (true, false, 235, "the clip fades in from white"),
      (true, false, 128, "the clip fades in from a flat picture"), (false, true, 16, "the clip fades out to black"),
      (false, true, 235, "the clip fades out to white"), (true, true, 16, "the clip fades in from black and out to black"),
    ] as [(Bool, Bool, Double, String)])
  func `the sentence names the end and the colour of a fade`(start: Bool, end: Bool, luma: Double, message: String) {
    let seam = SeamMeasurement.sample {
      $0.dimness = 0
      $0.headContrast = start ? [0, 10, 20] : [40, 40, 40]
      $0.tailContrast = end ? [20, 10, 0] : [40, 40, 40]
      $0.headLuma = start ? [luma, 120, 120] : [120, 120, 120]
      $0.tailLuma = end ? [120, 120, luma] : [120, 120, 120]
    }
    let raised = findings(FadeRule.self, seam: seam)
    #expect(raised.map(\.message) == [message])
    #expect(raised.map(\.severity) == [.error])
    #expect(findings(LoopSeamRule.self, seam: seam).isEmpty, "a fade is not reported twice")
    #expect(findings(FadeRule.self).isEmpty)
    #expect(findings(FadeRule.self, seam: seam, missing: 1).isEmpty, "the end is not the end")
  }
}
