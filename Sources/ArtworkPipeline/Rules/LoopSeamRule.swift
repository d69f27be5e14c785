import ArtworkModel

/// A loop is seamless if the motion continues from the last frame to the first as it does inside the clip.
/// A perfect loop does not repeat its first frame at the end: that is a held frame.
enum LoopSeamRule: Rule {
  static let id = "loop-seam"
  static let title = "the loop repeats without a jump"
  static let explanation = Explanation(
    meaning: """
      The motion continues from the last frame to the first. The [verdict](seam.md) sets the severity:

      | verdict | severity |
      |---|---|
      | `jump` | **error**; **warning** if the jump score is below 1.25, unless the animation is drawn on twos or threes |
      | `cut` | **error** |
      | `freeze` | **error**; **warning** up to three repeated frames |
      | `shift` | **warning**; **error** from twice the threshold (3.6 levels of luma, 4.1 of chroma) |
      | `held`, `pop` | **warning** |
      | `reverse` | **info** for a clip that swings to and fro, **warning** for other reversals |
      | `uncertain` | **warning**; only with `--no-thorough` |
      """,
    why: """
      artwork loops endlessly, so a bad loop point is seen again and again. Apple asks for video that loops \
      without a noticeable jump.
      """,
    measured: """
      whether blocks of the picture are where their motion predicts, at the loop point as inside the clip; and \
      how frames near the loop point differ in content, level, contrast and sharpness. A fast loop may change \
      much from last to first frame, a slow one may not. In a perfect loop the last frame comes one step \
      *before* the first. [seam.md](seam.md) has the details, the accuracy on labelled clips and the known \
      weaknesses.
      """,
    fix: """
      `artworkd loop FILE` finds the parts that loop and prints the ffmpeg command. `artworkd seam FILE` draws \
      what is wrong. For `held`, remove the duplicate frame. For `pop`, encode with constant quality.
      """,
    source: """
      Apple for the requirement. The measurement and its limits are ours, chosen on labelled clips.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // A clip with missing frames has the wrong end.
    guard let seam = candidate.seam, let measured = candidate.inspection.seam,
      candidate.inspection.decoding.missingFrames == 0,
      let advice = advice(seam, judge: SeamJudge(seam: measured, limits: profile.seam))
    else { return [] }
    return [
      finding(
        advice.severity, seam.sentence, help: advice.help, measured: seam.numbers,
        limit: advice.limit, profile: profile)
    ]
  }

  /// Turns a measured seam into a judgement. Every measurement has one.
  static func judge(_ seam: SeamMeasurement, thresholds: SeamThresholds) -> SeamJudgement {
    let judge = SeamJudge(seam: seam, limits: thresholds)
    let verdict = judge.verdict
    return SeamJudgement(
      verdict: verdict,
      score: seam.seamStep / max(seam.pace.ownStep, thresholds.noiseFloor),
      seamStep: seam.seamStep, ownStep: seam.pace.ownStep, surprise: judge.surprise,
      missingFrames: verdict == .jump ? judge.missingFrames : nil,
      sentence: judge.sentence(for: verdict))
  }

  private struct Advice {
    var severity: Finding.Severity
    var help: String
    var limit: String?
  }

  /// What to do about a verdict; `nil` if nothing is wrong with the seam, or if another rule reports it.
  private static func advice(_ seam: SeamJudgement, judge: SeamJudge) -> Advice? {
    let limits = judge.limits
    switch seam.verdict {
    case .seamless, .static, .fade: return nil
    case .held:
      return Advice(
        severity: .warning,
        help: judge.isHeld ? "remove the duplicate frame" : "remove the duplicate frames",
        limit: judge.isHeld
          ? "at least \(decimal(limits.heldRatio, places: 1)) times the usual change" : nil)
    case .jump:
      let isCertain = seam.surprise.map { $0 >= limits.certainSurprise } ?? true
      return Advice(
        severity: isCertain || judge.seam.holds.areRegular ? .error : .warning,
        help: trim, limit: seam.surprise.map { $0 > 1 } == true ? "1.0" : nil)
    case .cut:
      return Advice(severity: .error, help: trim, limit: "the same scene at both ends")
    case .freeze:
      // Up to a tenth of a second at 30 frames a second.
      let isShort = judge.longestRest ?? 0 <= 3
      return Advice(
        severity: isShort ? .warning : .error,
        help: "cut off the frames without motion, or let the motion slow down before it stops")
    case .shift:
      return Advice(
        severity: judge.isStrongShift ? .error : .warning,
        help: "even out exposure and colour over the clip, or cross-fade its end into its start")
    case .reverse:
      return judge.isPingPong
        ? Advice(severity: .info, help: "nothing to do if the clip is meant to swing to and fro")
        : Advice(
          severity: .warning,
          help:
            "play the loop; if the reversal is not intended, cut the clip where its motion repeats"
        )
    case .pop:
      return Advice(
        severity: .warning,
        help: "encode with a higher bit rate, or with constant quality (-crf) and shorter GOPs")
    case .uncertain:
      return Advice(
        severity: .warning, help: "check with --thorough, which decodes every frame")
    }
  }

  private static let trim =
    "find a loop with `artworkd loop`, or cross-fade its end into its start"
}
