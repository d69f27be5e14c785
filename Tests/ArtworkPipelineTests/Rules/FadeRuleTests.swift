import Testing

@testable import ArtworkPipeline

@Suite struct FadeRuleTests {
  static func verdict(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement.Verdict {
    LoopSeamRuleTests.judge(change).verdict
  }

  @Test("a ramp of contrast from near zero is a fade, whatever the seam is")
  func fades() {
    for step in [0, 4, 100] as [Double] {
      #expect(Self.verdict { ($0.headContrast, $0.seamStep) = ([0, 10, 20], step) } == .fade)
      #expect(Self.verdict { ($0.tailContrast, $0.seamStep) = ([20, 10, 0], step) } == .fade)
    }
  }

  @Test("a partial fade shows if the other end has more contrast")
  func partial() {
    #expect(Self.verdict { $0.headContrast = [24, 27, 30] } == .fade)
    #expect(Self.verdict { $0.headContrast = [33, 35, 37] } == .seamless)
    #expect(
      Self.verdict { ($0.headContrast, $0.tailContrast) = ([24, 27, 30], [30, 27, 24]) }
        == .seamless, "a pulse dims on both sides")
  }

  @Test("a clip that dims at both ends and is even between them is a fade")
  func dip() {
    let ramp = (0..<24).map { min(40, 20 + 2 * Double($0)) }
    func verdict(_ plateau: Double) -> SeamJudgement.Verdict {
      Self.verdict {
        ($0.headContrast, $0.tailContrast) = (ramp, ramp.reversed())
        $0.contrast.plateauShare = plateau
      }
    }
    #expect(verdict(0.6) == .fade)
    #expect(verdict(0.4) == .seamless)
  }

  @Test(
    "without a ramp there is no fade",
    arguments: [[0, 10, 10], [10, 0, 20], [0, 0.1, 0.2], [6, 3, 0], [0, 0, 0], [0, 9]])
  func noFades(contrast: [Double]) {
    #expect(Self.verdict { $0.headContrast = contrast } == .seamless)
  }

  @Test(
    "the sentence names the end and the colour of a fade",
    arguments: [
      (true, false, 16, "the clip fades in from black"),
      (true, false, 235, "the clip fades in from white"),
      (true, false, 128, "the clip fades in from a flat picture"),
      (false, true, 16, "the clip fades out to black"),
      (true, true, 16, "the clip fades in from black and out again"),
    ] as [(Bool, Bool, Double, String)])
  func messages(start: Bool, end: Bool, luma: Double, message: String) {
    let seam = SeamMeasurement.sample {
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
  }
}
