import Testing

@testable import ArtworkPipeline

/// Verdicts of measurements made up for each, at and around the thresholds.
@Suite struct LoopSeamRuleTests {
  static func judge(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement {
    LoopSeamRule.judge(.sample(change), thresholds: Profile.nowPlaying.seam)
  }

  /// The sample's own step is 4: held below 0.8, a jump above 9.
  @Test(
    "a seam like the clip's own steps is seamless, a larger one a jump, none a held frame",
    arguments: [
      (0, .held), (0.79, .held), (0.81, .seamless), (3, .seamless), (4, .seamless),
      (8.99, .seamless),
      (9.01, .jump), (80, .jump),
    ] as [(Double, SeamJudgement.Verdict)])
  func verdict(step: Double, verdict: SeamJudgement.Verdict) {
    let judged = Self.judge { $0.seamStep = step }
    #expect(judged.verdict == verdict)
    #expect(judged.score == step / 4)
    #expect(judged.seamStep == step)
    #expect(judged.ownStep == 4)
  }

  @Test("the largest own step near the ends is the measure")
  func ownStep() {
    let judged = Self.judge {
      $0.headSteps = [1, 2]
      $0.tailSteps = [6, 3]
      $0.seamStep = 11.9
    }
    #expect(judged.ownStep == 6)
    #expect(judged.verdict == .seamless)
  }

  @Test("a long pause does not pass for fast motion")
  func pauses() {
    let judged = Self.judge {
      $0.tailSteps = [4, 40]
      $0.tailStepLengths = [1, 10]
      $0.seamStep = 9.5
    }
    #expect(judged.ownStep == 4)
    #expect(judged.verdict == .jump)
    // Nor does a short step count for more than it shows.
    let short = Self.judge {
      ($0.headSteps, $0.headStepLengths) = ([4, 4], [0.1, 0.1])
    }
    #expect(short.ownStep == 4)
  }

  @Test(
    "slow clips are measured against noise",
    arguments: [
      // own step, seam, verdict: noise is 1.5, so a jump starts at 3.375; below 0.1 nothing moves; a
      // held frame needs an own step above 0.5 to show.
      (0.09, 0.09, .static), (0.09, 0.11, .seamless), (0.11, 0.09, .seamless),
      (0.18, 0.8, .seamless),
      (0.5, 3.37, .seamless), (0.5, 3.38, .jump), (0, 3.38, .jump), (0.51, 0, .held),
      (0.49, 0, .seamless),
    ] as [(Double, Double, SeamJudgement.Verdict)])
  func slow(own: Double, step: Double, verdict: SeamJudgement.Verdict) {
    let judged = Self.judge {
      ($0.headSteps, $0.tailSteps, $0.seamStep) = ([own, own], [own, own], step)
    }
    #expect(judged.verdict == verdict)
    #expect(judged.score == step / max(own, 1.5))
  }

  @Test("a ramp of contrast at either end is a fade, whatever the seam")
  func fades() {
    for step in [0, 4, 100] as [Double] {
      #expect(Self.judge { ($0.headContrast, $0.seamStep) = ([0, 3, 6], step) }.verdict == .fade)
      #expect(Self.judge { ($0.tailContrast, $0.seamStep) = ([6, 3, 0], step) }.verdict == .fade)
    }
  }

  @Test(
    "what is no ramp, or starts from enough contrast, is no fade",
    arguments: [
      // Growing, but from a third of the contrast elsewhere; not growing throughout; too slowly.
      [13, 16, 19], [0, 3, 3], [3, 0, 6], [0, 0.4, 0.8], [6, 3, 0], [0, 0, 0], [0, 3],
    ])
  func noFades(contrast: [Double]) {
    #expect(Self.judge { $0.headContrast = contrast }.verdict == .seamless)
  }

  @Test("the limit of a fade is a quarter of the highest contrast near the ends")
  func fadeLimit() {
    #expect(Self.judge { $0.headContrast = [9.9, 11, 12] }.verdict == .fade)
    #expect(Self.judge { $0.headContrast = [10, 11, 12] }.verdict == .seamless)
  }

  @Test("any measurement has a verdict", arguments: [0, 1e-300, 1, 255, 1e300])
  func total(step: Double) {
    for own in [0, 0.5, 255] as [Double] {
      for length in [0, 1, 1e6] as [Double] {
        let judged = Self.judge {
          ($0.seamStep, $0.headSteps, $0.tailSteps) = (step, [own], [own])
          ($0.headStepLengths, $0.tailStepLengths) = ([length], [length])
          ($0.headContrast, $0.tailContrast) = ([], [])
        }
        #expect(judged.score.isFinite)
      }
    }
    let nothing = Self.judge {
      ($0.headSteps, $0.tailSteps, $0.headStepLengths, $0.tailStepLengths) = ([], [], [], [])
    }
    #expect(nothing.ownStep == 0 && nothing.verdict == .jump)
  }

  @Test(
    "jumps are errors, held frames warnings, the rest nothing of this rule's",
    arguments: [(100, [.error]), (0, [.warning]), (4, [])] as [(Double, [Finding.Severity])])
  func severity(step: Double, severities: [Finding.Severity]) {
    let raised = findings(LoopSeamRule.self, seam: .sample { $0.seamStep = step })
    #expect(raised.map(\.severity) == severities)
    #expect(findings(LoopSeamRule.self, seam: nil).isEmpty)
  }

  @Test(
    "a fade is told with its end and its colour",
    arguments: [
      (true, false, 16, "the clip fades in from black"),
      (true, false, 235, "the clip fades in from white"),
      (true, false, 128, "the clip fades in from a flat picture"),
      (false, true, 16, "the clip fades out to black"),
      (true, true, 16, "the clip fades in from black and out again"),
    ] as [(Bool, Bool, Double, String)])
  func fadeMessages(start: Bool, end: Bool, luma: Double, message: String) {
    let seam = SeamMeasurement.sample {
      $0.headContrast = start ? [0, 3, 6] : [40, 40, 40]
      $0.tailContrast = end ? [6, 3, 0] : [40, 40, 40]
      $0.headLuma = start ? [luma, 120, 120] : [120, 120, 120]
      $0.tailLuma = end ? [120, 120, luma] : [120, 120, 120]
    }
    let raised = findings(FadeRule.self, seam: seam)
    #expect(raised.map(\.message) == [message])
    #expect(raised.map(\.severity) == [.error])
    #expect(findings(LoopSeamRule.self, seam: seam).isEmpty, "a fade is not told twice")
    #expect(findings(FadeRule.self).isEmpty)
  }
}
