/// A loop is seamless when the step from the last frame to the first is like the clip's other steps.
/// A perfect loop does not end on its first frame: that is a held frame.
enum LoopSeamRule: Rule {
  static let id = "loop-seam"
  static let title = "the loop repeats without a jump"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // A clip with missing frames does not end where it should.
    guard let seam = candidate.seam, candidate.inspection.decoding.missingFrames == 0 else {
      return []
    }
    let measured =
      "a step of \(decimal(seam.seamStep, places: 1)) levels at the seam, \(decimal(seam.ownStep, places: 1)) beside it: \(decimal(seam.score, places: 1)) times"
    switch seam.verdict {
    case .seamless, .static, .fade: return []
    case .held:
      return [
        finding(
          .warning, "the last frame repeats the first: the loop hesitates",
          help: "drop the last frame", measured: measured,
          limit: "at least \(decimal(profile.seam.heldRatio, places: 2)) times", profile: profile)
      ]
    case .jump where seam.ownStep < profile.seam.stillStep:
      // Drawn on threes, or a jump between two freezes: these frames cannot tell.
      return [
        finding(
          .warning,
          "the picture changes at the seam, but the frames beside it are held: look at it",
          help: "play the loop; if it jumps, cut it where its motion comes round",
          measured: measured, limit: "a step like those beside it", profile: profile)
      ]
    case .jump:
      return [
        finding(
          .error, "the picture jumps when the clip repeats",
          help: "cut the clip where its motion comes round, or cross-fade its end into its start",
          measured: measured, limit: "at most \(decimal(profile.seam.jumpRatio, places: 2)) times",
          profile: profile)
      ]
    }
  }

  /// Turns the measured steps into a verdict. Total: every measurement has one.
  static func judge(
    _ seam: SeamMeasurement, thresholds: Profile.SeamThresholds
  ) -> SeamJudgement {
    // The clip's own step is the largest near its ends, each over its length in frame intervals so
    // that a long pause does not pass for fast motion.
    let own =
      zip(seam.headSteps + seam.tailSteps, seam.headStepLengths + seam.tailStepLengths)
      .map { $0 / max(1, $1) }.max() ?? 0
    let reference = max(own, thresholds.noiseFloor)
    let verdict: SeamJudgement.Verdict
    if max(own, seam.seamStep) < thresholds.stillStep {
      verdict = .static
    } else if fades(seam.headContrast, among: seam, thresholds: thresholds)
      || fades(seam.tailContrast.reversed(), among: seam, thresholds: thresholds)
    {
      verdict = .fade
    } else if seam.seamStep > reference * thresholds.jumpRatio {
      verdict = .jump
    } else if own > thresholds.noiseFloor / 3, seam.seamStep < own * thresholds.heldRatio {
      verdict = .held
    } else {
      verdict = .seamless
    }
    return SeamJudgement(
      verdict: verdict, score: seam.seamStep / reference, seamStep: seam.seamStep, ownStep: own)
  }

  /// Whether the contrast grows steadily from the outermost frame inwards, starting from little of what
  /// the clip has elsewhere.
  static func fades(
    _ contrastInwards: [Double], among seam: SeamMeasurement, thresholds: Profile.SeamThresholds
  ) -> Bool {
    guard let outermost = contrastInwards.first, contrastInwards.count > 2 else { return false }
    let highest = (seam.headContrast + seam.tailContrast).max() ?? 0
    let grows = zip(contrastInwards, contrastInwards.dropFirst()).allSatisfy {
      $1 - $0 > thresholds.fadeGrowth
    }
    return grows && outermost < highest * thresholds.fadeContrast
  }
}
