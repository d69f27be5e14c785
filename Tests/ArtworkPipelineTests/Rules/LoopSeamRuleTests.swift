import TestSupport
import Testing

@testable import ArtworkPipeline

/// Verdicts of made-up measurements, at and around the thresholds.
@Suite struct LoopSeamRuleTests {
  static func judge(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement {
    LoopSeamRule.judge(.sample(change), thresholds: Profile.nowPlaying.seam)
  }

  private static func surprise(_ seam: inout SeamMeasurement, _ whole: Double, _ block: Double) {
    seam.prediction?.seamSurprise = whole
    seam.prediction?.blockSurprise = block
  }

  @Test("the sample is seamless, and its score is the step at the seam over the clip's own step")
  func sample() {
    let judged = Self.judge { $0.seamStep = 5 }
    #expect(judged.verdict == .seamless)
    #expect(judged.score == 1.25 && judged.seamStep == 5 && judged.ownStep == 4)
    #expect(Self.judge { $0.pace.ownStep = 0.5 }.score == 4 / 1.5, "the noise floor is 1.5")
    #expect(judged.surprise == 0.3)
    #expect(judged.missingFrames == nil)
  }

  @Test(
    "a jump needs a surprise over the whole picture and in its third worst block",
    arguments: [
      (1.29, 5, .seamless), (1.31, 5, .jump), (9, 0.99, .seamless), (9, 1.01, .jump),
    ] as [(Double, Double, SeamJudgement.Verdict)])
  func jump(surprise: Double, block: Double, verdict: SeamJudgement.Verdict) {
    let judged = Self.judge {
      $0.prediction?.seamSurprise = surprise
      $0.prediction?.blockSurprise = block
    }
    #expect(judged.verdict == verdict)
    #expect(judged.surprise == min(surprise / 1.3, block))
  }

  @Test("surprises below half a code value are noise")
  func noise() {
    let judged = Self.judge {
      $0.prediction?.usualSurprise = 0.01
      Self.surprise(&$0, 0.6, 9)
    }
    #expect(judged.verdict == .seamless)
  }

  @Test("an end that repeats the start jumps, and the sentence says by how much")
  func repeated() {
    let judged = Self.judge {
      $0.timeline?.gap = -2
      $0.timeline?.loopMisfit = 0.6
    }
    #expect(judged.verdict == .jump)
    #expect(judged.missingFrames == -3)
    #expect(judged.sentence.contains("the end repeats about 3 frames of the start"))
    #expect(
      Self.judge {
        $0.timeline?.gap = -2
        $0.timeline?.loopMisfit = 0.4
      }.verdict == .seamless)
  }

  @Test(
    "in animation on twos, a difference that no motion explains is a jump if the step is large")
  func twos() {
    func verdict(_ error: Double, _ step: Double) -> SeamJudgement.Verdict {
      Self.judge {
        $0.holds.areRegular = true
        $0.prediction?.seamError = error
        $0.seamStep = step
      }.verdict
    }
    #expect(verdict(1.75, 5.1) == .jump)
    #expect(verdict(1.65, 5.1) == .seamless)
    #expect(verdict(1.75, 4.9) == .seamless)
  }

  @Test("different content is a cut; a common shift of levels is not")
  func cut() {
    func change(_ seam: inout SeamMeasurement) {
      (seam.seamStep, seam.pace.stepsNearSeams) = (60, 0)
      seam.prediction?.seamError = 20
      seam.prediction?.seamSurprise = 20
      seam.prediction?.blockSurprise = 20
    }
    #expect(
      Self.judge {
        change(&$0)
        $0.levels.residual = 30
      }.verdict == .cut)
    #expect(
      Self.judge {
        change(&$0)
        $0.levels.residual = 3
      }.verdict == .jump)
    #expect(
      Self.judge {
        change(&$0)
        ($0.levels.residual, $0.levels.luma.shift) = (3, -90)
      }.verdict == .cut)
    let slides = Self.judge {
      change(&$0)
      $0.levels.residual = 30
      $0.pace.stepsNearSeams = 2
    }
    #expect(slides.verdict == .seamless, "a slide show has cuts everywhere")
  }

  @Test(
    "a frame is held if hardly anything changes at the seam",
    arguments: [
      (1.59, 4, .held), (1.61, 4, .seamless), (0.2, 0.95, .held), (0.2, 0.85, .seamless),
    ] as [(Double, Double, SeamJudgement.Verdict)])
  func held(step: Double, calm: Double, verdict: SeamJudgement.Verdict) {
    let judged = Self.judge { ($0.seamStep, $0.pace.calmStep) = (step, calm) }
    #expect(judged.verdict == verdict)
  }

  @Test("slow clips, twos and pauses around the seam need more evidence for a held frame")
  func notHeld() {
    let slow = Self.judge {
      ($0.seamStep, $0.pace.calmStep) = (0.2, 0.6)
      $0.timeline = SeamMeasurement.Timeline(
        gap: 0, gapMisfit: 0.1, heldMisfit: 0.1, loopMisfit: 0.9, mirrorMisfit: 1.5)
    }
    #expect(slow.verdict == .held)
    #expect(
      Self.judge { ($0.seamStep, $0.holds.head, $0.holds.tail) = (0, 2, 2) }.verdict == .seamless)
    #expect(Self.judge { ($0.seamStep, $0.holds.countInside) = (0, 2) }.verdict == .seamless)
    #expect(
      Self.judge { ($0.seamStep, $0.holds.countInside, $0.scope) = (0, 2, .ends) }.verdict
        == .uncertain)
  }

  @Test("motion that stops abruptly at one end is a freeze; motion that slows down is not")
  func freeze() {
    func judged(_ length: Int, _ next: Double?, head: Int = 0) -> SeamJudgement {
      Self.judge {
        ($0.holds.tailRest, $0.holds.stepBeforeTailRest) = (length, next)
        ($0.holds.headRest, $0.holds.stepAfterHeadRest) = (head, 4)
      }
    }
    #expect(judged(5, 4).verdict == .freeze)
    #expect(judged(5, 4).sentence == "nothing moves in the last 6 frames")
    #expect(judged(2, 4).verdict == .held)
    #expect(judged(1, 4).verdict == .seamless)
    #expect(judged(5, 2.3).verdict == .seamless)
    #expect(judged(5, nil).verdict == .seamless)
    #expect(judged(5, 4, head: 4).verdict == .seamless, "an intended pause")
  }

  @Test("a clip that runs backwards from its seam is reversed; an exact mirror is a ping-pong")
  func turn() {
    func judged(_ mirror: Double) -> SeamJudgement {
      Self.judge {
        $0.timeline = SeamMeasurement.Timeline(
          gap: 1, gapMisfit: 0.8, heldMisfit: 0.9, loopMisfit: 0.8, mirrorMisfit: mirror)
      }
    }
    #expect(judged(0.1).verdict == .reverse)
    #expect(judged(0.1).sentence.contains("to and fro"))
    #expect(judged(0.5).sentence.contains("changes direction"))
    #expect(judged(0.57).verdict == .seamless)
    let reversed = Self.judge {
      $0.prediction?.alignment = -0.8
      $0.prediction?.seamSurprise = 1.2
    }
    #expect(reversed.verdict == .reverse)
  }

  enum Plane {
    case luma, blue, red

    var path: WritableKeyPath<SeamMeasurement.Levels, SeamMeasurement.Levels.Level> {
      switch self {
      case .luma: \.luma
      case .blue: \.blue
      case .red: \.red
      }
    }
  }

  @Test(
    "a common shift of luma or chroma is a shift, unless the clip has such shifts inside",
    arguments: [
      (.luma, 1.9, 0, .shift), (.luma, -1.9, 0, .shift), (.luma, 1.7, 0, .seamless),
      (.luma, 5, 2, .seamless), (.blue, 2.1, 0, .shift), (.red, -2.1, 0.5, .shift),
      (.red, 2, 0, .seamless),
    ]
      as [(
        Plane, Double, Double,
        SeamJudgement.Verdict
      )])
  func shift(
    plane: Plane, shift: Double,
    usual: Double, verdict: SeamJudgement.Verdict
  ) {
    let judged = Self.judge {
      $0.levels[keyPath: plane.path] = .init(shift: shift, usualShift: usual, incoherence: 0.2)
    }
    #expect(judged.verdict == verdict)
    #expect(
      Self.judge {
        $0.levels[keyPath: plane.path] = .init(shift: shift, usualShift: usual, incoherence: 0.8)
      }.verdict == .seamless)
  }

  @Test("a picture that becomes sharper at the seam pops, unless it also does so inside")
  func pop() {
    func verdict(_ rise: Double, _ usual: Double, gain: Double = 2, error: Double = 1)
      -> SeamJudgement.Verdict
    {
      Self.judge {
        $0.sharpness = .init(seamRise: rise, largestRise: usual, seamGain: gain)
        $0.prediction?.seamError = error
      }.verdict
    }
    #expect(verdict(0.6, 0.1) == .pop)
    #expect(verdict(0.6, 0.25) == .seamless)
    #expect(verdict(0.6, 0.1, gain: 0.2) == .seamless)
    #expect(verdict(0.3, 0.05) == .seamless)
    #expect(verdict(0.3, 0.05, error: 1.6) == .pop)
  }

  @Test("a clip without change is static, and noise is not a change")
  func still() {
    #expect(
      Self.judge { ($0.pace.largestDifference, $0.pace.farthest) = (0.4, 0.4) }.verdict == .static)
    // The same steps in a clip that moves on.
    #expect(
      Self.judge {
        ($0.pace.largestDifference, $0.pace.farthest) = (0.4, 9)
        ($0.seamStep, $0.pace.ownStep, $0.pace.calmStep) = (0.1, 0.1, 0.1)
      }.verdict == .seamless)
    func grain(_ farthest: Double) -> SeamJudgement.Verdict {
      Self.judge {
        ($0.seamStep, $0.pace.ownStep, $0.pace.largestStep, $0.pace.calmStep) = (1.5, 1.5, 1.6, 1.5)
        $0.pace.farthest = farthest
      }.verdict
    }
    #expect(grain(1.8) == .static)
    #expect(grain(1.9) == .seamless)
  }

  @Test("a flash at the seam is seamless in a clip that flashes")
  func flash() {
    func verdict(_ others: Int) -> SeamJudgement.Verdict {
      Self.judge {
        ($0.seamStep, $0.headSteps[0]) = (100, 100)
        ($0.pace.stepOverFirst, $0.pace.stepsLikeSeam) = (8, 1 + others)
        $0.pace.stepsNearSeams = 1 + others
        Self.surprise(&$0, 50, 50)
      }.verdict
    }
    #expect(verdict(1) == .seamless)
    #expect(verdict(0) == .jump)
  }

  @Test("the ends alone pass a clip or leave it in doubt, but never fail it")
  func ends() {
    func verdict(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement.Verdict {
      Self.judge {
        ($0.scope, $0.pace.farthest) = (.ends, nil)
        change(&$0)
      }.verdict
    }
    #expect(verdict { _ in } == .seamless)
    #expect(
      verdict {
        $0.prediction?.seamSurprise = 90
        $0.prediction?.blockSurprise = 90
      } == .uncertain)
    #expect(
      verdict {
        $0.prediction?.seamSurprise = 1.1
        $0.prediction?.blockSurprise = 0.9
      } == .uncertain)
    #expect(verdict { $0.holds.areRegular = true } == .uncertain)
    #expect(verdict { $0.holds.tailRest = 1 } == .uncertain)
    #expect(verdict { $0.prediction = nil } == .uncertain)
    #expect(
      verdict {
        $0.headContrast = [20, 22, 24, 26, 28]
        $0.tailContrast = [28, 26, 24, 22, 20]
      } == .uncertain)
    #expect(verdict { $0.seamStep = 10 } == .uncertain)
  }

  @Test("every measurement has a verdict and a sentence", arguments: [0, 1e-300, 1, 255, 1e300])
  func total(number: Double) {
    for scope in [SeamMeasurement.Scope.ends, .everyFrame] {
      for empties in [true, false] {
        let judged = Self.judge {
          $0.scope = scope
          ($0.seamStep, $0.pace.ownStep, $0.pace.usualStep, $0.pace.calmStep) =
            (number, number, number, number)
          $0.levels.luma.shift = number
          $0.sharpness.seamRise = min(number, 700)
          if empties {
            ($0.headSteps, $0.tailSteps, $0.headContrast, $0.tailContrast) = ([], [], [], [])
            ($0.headLuma, $0.tailLuma, $0.prediction, $0.timeline) = ([], [], nil, nil)
          }
        }
        #expect(judged.score.isFinite && !judged.sentence.isEmpty)
      }
    }
  }

  @Test("severities of the verdicts")
  func severity() {
    func severities(_ change: (inout SeamMeasurement) -> Void) -> [Finding.Severity] {
      findings(LoopSeamRule.self, seam: .sample(change)).map(\.severity)
    }
    func surprise(_ seam: inout SeamMeasurement, _ value: Double) {
      Self.surprise(&seam, value * 1.3, value)
    }
    #expect(severities { _ in }.isEmpty)
    #expect(severities { surprise(&$0, 1.2) } == [.warning])
    #expect(severities { surprise(&$0, 1.3) } == [.error])
    #expect(severities { $0.seamStep = 0 } == [.warning])
    #expect(severities { $0.holds.tailRest = 3 } == [.warning])
    #expect(severities { $0.holds.tailRest = 4 } == [.error])
    #expect(
      severities { $0.levels.luma = .init(shift: 2, usualShift: 0, incoherence: 0) } == [.warning])
    #expect(
      severities { $0.levels.luma = .init(shift: 4, usualShift: 0, incoherence: 0) } == [.error])
    #expect(
      severities {
        $0.timeline?.mirrorMisfit = 0.01
        $0.timeline?.gapMisfit = 0.5
        $0.timeline?.loopMisfit = 0.5
      }
        == [.info])
    #expect(
      severities {
        $0.scope = .ends
        $0.seamStep = 0
      } == [.warning])
    #expect(findings(LoopSeamRule.self, seam: nil).isEmpty)
    #expect(findings(LoopSeamRule.self, seam: .sample { surprise(&$0, 9) }, missing: 1).isEmpty)
  }
}
