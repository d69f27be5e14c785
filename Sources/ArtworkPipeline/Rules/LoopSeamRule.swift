import ArtworkModel

/// A loop is seamless when the motion goes on from the last frame to the first as it does inside the clip.
/// A perfect loop does not end on its first frame: that is a held frame.
enum LoopSeamRule: Rule {
  static let id = "loop-seam"
  static let title = "the loop repeats without a jump"
  static let explanation = Explanation(
    meaning: """
      The motion goes on from the last frame to the first. What [the verdict](seam.md) is decides:

      | verdict | severity |
      |---|---|
      | `jump` | **error**; **warning** when the surprise is below 1.25, unless the animation is drawn on twos or threes |
      | `cut` | **error** |
      | `freeze` | **error**; **warning** up to three repeated frames |
      | `shift` | **warning**; **error** from twice the threshold (3.6 levels of luma, 4.1 of chroma) |
      | `held`, `pop` | **warning** |
      | `reverse` | **info** for a clip that swings to and fro, **warning** for other turns |
      | `uncertain` | **warning**; only with `--no-thorough` |
      """,
    why: """
      artwork loops without end, so a bad seam is seen again and again. Apple asks for video that loops \
      without a noticeable jump.
      """,
    measured: """
      whether blocks of the picture are where their motion foretells, across the seam as inside the clip; \
      and how frames near the seam differ from one another, in content, level, contrast and sharpness. A \
      fast loop may differ much from last to first, a slow one may not; in a perfect loop the last frame \
      comes one step *before* the first. [seam.md](seam.md) has the details, the accuracy on labelled \
      clips and the known weaknesses.
      """,
    fix: """
      `artworkd loop FILE` finds where the clip comes round and prints the ffmpeg command; `artworkd seam \
      FILE` draws what is wrong. For a held frame, drop it. For a pop, encode with constant quality.
      """,
    source: """
      Apple for the requirement; the measurement and its limits are ours, chosen on labelled clips.
      """)

  static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // A clip with missing frames does not end where it should.
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

  /// Turns the measured seam into a judgement. Total: every measurement has one.
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

  /// What to do about a verdict; `nil` where nothing is wrong with the seam or another rule speaks.
  private static func advice(_ seam: SeamJudgement, judge: SeamJudge) -> Advice? {
    let limits = judge.limits
    switch seam.verdict {
    case .seamless, .static, .fade: return nil
    case .held:
      return Advice(
        severity: .warning, help: "drop the frames that are shown again",
        limit: judge.isHeld
          ? "a step of at least \(decimal(limits.heldRatio, places: 1)) times the clip's own" : nil)
    case .jump:
      let isCertain = seam.surprise.map { $0 >= limits.certainSurprise } ?? true
      return Advice(
        severity: isCertain || judge.seam.holds.areRegular ? .error : .warning,
        help: trim, limit: seam.surprise.map { $0 > 1 } == true ? "a surprise of at most 1.0" : nil)
    case .cut:
      return Advice(severity: .error, help: trim, limit: "the same picture at both ends")
    case .freeze:
      // Up to a tenth of a second at 30 frames a second.
      let isShort = judge.longestRest ?? 0 <= 3
      return Advice(
        severity: isShort ? .warning : .error,
        help: "cut the frames off in which nothing moves, or let the motion come to rest slowly")
    case .shift:
      return Advice(
        severity: judge.isStrongShift ? .error : .warning,
        help: "even out exposure and colour over the clip, or cross-fade its end into its start")
    case .reverse:
      return judge.isPingPong
        ? Advice(severity: .info, help: "nothing to do if the clip is meant to swing to and fro")
        : Advice(
          severity: .warning,
          help: "play the loop; if the turn is not meant, cut the clip where its motion comes round"
        )
    case .pop:
      return Advice(
        severity: .warning,
        help: "encode with a higher bit rate, or with a constant quality (-crf) and shorter GOPs")
    case .uncertain:
      return Advice(
        severity: .warning, help: "check with --thorough, which looks at every frame")
    }
  }

  private static let trim =
    "see where it loops with `artworkd loop`, or cross-fade its end into its start"
}
