/// A loop is seamless when the step from the last frame to the first is like the clip's other steps.
/// A perfect loop does not end on its first frame: that is a held frame.
enum LoopSeamRule: Rule {
  static let id = "loop-seam"
  static let title = "the loop repeats without a jump"

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    guard let seam = candidate.seam else { return [] }
    let measured =
      "\(decimal(seam.score, places: 2)) times the clip's own step (\(decimal(seam.seamStep, places: 2)) against \(decimal(seam.ownStep, places: 2)))"
    switch seam.verdict {
    case .seamless, .static, .fade: return []
    case .held:
      return [
        finding(
          .warning, "the last frame repeats the first: the loop hesitates",
          help: "drop the last frame", measured: measured,
          limit: "at least \(decimal(profile.seam.heldRatio, places: 2)) times", profile: profile)
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
    // The clip's own step is the median of those near its ends, each over its length in frame
    // intervals so that a long pause does not pass for fast motion.
    let own = median(
      zip(seam.headSteps + seam.tailSteps, seam.headStepLengths + seam.tailStepLengths)
        .map { $0 / max(1, $1) })
    let reference = max(own, thresholds.noiseFloor)
    let isMoving = own > thresholds.noiseFloor / 4
    let verdict: SeamJudgement.Verdict
    if !isMoving, seam.seamStep < thresholds.noiseFloor {
      verdict = .static
    } else if fades(seam, thresholds: thresholds) {
      verdict = .fade
    } else if seam.seamStep > reference * thresholds.jumpRatio {
      verdict = .jump
    } else if own > thresholds.noiseFloor, seam.seamStep < own * thresholds.heldRatio {
      verdict = .held
    } else {
      verdict = .seamless
    }
    return SeamJudgement(
      verdict: verdict, score: seam.seamStep / reference, seamStep: seam.seamStep, ownStep: own)
  }

  /// One end has lost its contrast against the other, and does not get it back within its frames.
  private static func fades(
    _ seam: SeamMeasurement, thresholds: Profile.SeamThresholds
  ) -> Bool {
    guard let start = seam.headContrast.first, let end = seam.tailContrast.last else { return false }
    return min(start, end) < max(start, end) * thresholds.fadeContrast
      && seam.seamStep > thresholds.noiseFloor * 2
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
