/// A loop is seamless if the motion continues from the last frame to the first as it does inside the clip.
/// A perfect loop does not repeat its first frame at the end: that is a held frame.
package enum LoopSeamRule: Rule {
  package static let id = "loop-seam"

  package static func check(_ candidate: JudgedCandidate, profile: Profile) -> [Finding] {
    // A clip with missing frames has the wrong end.
    guard let seam = candidate.seam, let measured = candidate.inspection.seam,
      candidate.inspection.decoding.missingFrames == 0,
      let advice = advice(
        SeamJudge(seam: measured, limits: profile.seam), candidate.facts, profile)
    else { return [] }
    return [
      finding(
        advice.severity, seam.sentence, help: advice.help, advice.repair, of: candidate,
        measured: seam.numbers, limit: advice.limit, profile: profile)
    ]
  }

  /// Turns a measured seam into a judgement. Every measurement has one.
  package static func judge(
    _ seam: SeamMeasurement, thresholds: SeamThresholds, isUpright: Bool = true
  ) -> SeamJudgement {
    let judge = SeamJudge(seam: seam, limits: thresholds, isUpright: isUpright)
    let outcome = judge.outcome
    return SeamJudgement(
      verdict: outcome.verdict,
      score: seam.score, seamStep: seam.seamStep, ownStep: seam.ownStep, surprise: judge.jumpScore,
      certainty: outcome.isClear ? .certain : .likely,
      missingFrames: outcome.verdict == .jump ? judge.missingFrames : nil,
      sentence: judge.sentence(for: outcome))
  }

  /// Judges a part that our own search chose among many, more strictly: among many, some loop only for the measurement.
  ///
  /// - Parameter frames: the length of the part.
  package static func judgeChosen(_ seam: SeamMeasurement, of frames: Int) -> SeamJudgement {
    let judge = SeamJudge(seam: seam, limits: .standard)
    var judgement = self.judge(seam, thresholds: .standard)
    guard judgement.verdict == .seamless else { return judgement }
    let steps = seam.tailSteps + seam.headSteps
    let usual = max(seam.ownStep, SeamMeasurement.noiseFloor)
    if frames < fewestChosen || seam.content.likeness < leastLikeness || seam.score > largestStep
      || judge.isBeat || judge.recurs || (steps.max() ?? 0) > largestStepBeside * usual
    {
      judgement.verdict = .jump
      judgement.certainty = .likely
      judgement.sentence = "the change at the loop point is not clearly the clip's own"
    }
    return judgement
  }

  /// Fewer frames show too little of how they move. Both sides of a seam have the same scene from this correlation on.
  private static let (fewestChosen, leastLikeness) = (12, 0.6)
  /// The step at the seam as a multiple of the usual one, and the largest beside it: a cut near the seam hides one there.
  private static let (largestStep, largestStepBeside) = (1.25, 6.0)

  private struct Advice {
    var severity: Finding.Severity
    var help: String
    var repair: Repair?
    var limit: String?
  }

  /// The advice for a verdict; `nil` if the seam is fine, or if another rule reports it.
  private static func advice(
    _ judge: SeamJudge, _ facts: MediaFacts, _ profile: Profile
  ) -> Advice? {
    let search = Repair.loop(facts, for: profile)
    let outcome = judge.outcome
    let severity: Finding.Severity = outcome.isClear ? .error : .warning
    switch outcome.verdict {
    case .seamless, .static, .fade: return nil
    case .held where judge.seam.repeats.doubledAfter > 0:
      return Advice(
        severity: severity, help: "show each frame once, also the first", repair: search)
    case .held where judge.seam.repeats.doubledBefore > 0:
      return Advice(
        severity: severity, help: leaveOut(judge.seam.repeats.doubledBefore),
        repair: shortened(facts, judge.seam.repeats.doubledBefore, profile))
    case .held:
      return Advice(
        severity: severity, help: leaveOut(judge.seam.repeats.heldBefore + 1),
        repair: shortened(facts, judge.seam.repeats.heldBefore + 1, profile))
    case .jump:
      // Real repeats at a seam are a few frames. More is a misreading of the timeline.
      if let missing = judge.missingFrames, (-4 ... -1).contains(missing) {
        return Advice(
          severity: severity,
          help: leaveOut(-missing),
          repair: shortened(facts, -missing, profile))
      }
      return Advice(
        severity: severity, help: trim, repair: search,
        limit: judge.jumpScore.map { $0 > 1 } == true ? "jump score 1.0" : nil)
    case .cut where judge.blankEnd == .last:
      return Advice(
        severity: severity, help: leaveOut(1), repair: shortened(facts, 1, profile))
    case .cut:
      return Advice(
        severity: severity, help: trim, repair: search, limit: "the same scene at both ends")
    case .freeze:
      return Advice(
        severity: severity,
        help: "cut off the frames without motion, or let the motion slow down before it stops",
        repair: search)
    case .shift where judge.seam.levels.oddFrames > 0:
      return Advice(
        severity: severity, help: leaveOut(judge.seam.levels.oddFrames),
        repair: shortened(facts, judge.seam.levels.oddFrames, profile))
    case .shift:
      return Advice(
        severity: severity,
        help: "even out exposure and colour over the clip, or cross-fade its end into its start",
        repair: search)
    case .reverse:
      return Advice(
        severity: .info, help: "nothing to do if the clip is meant to swing to and fro")
    case .pop:
      return Advice(
        severity: severity,
        help:
          "export it from its source with a higher bit rate, or with constant quality and shorter GOPs; no command brings back the detail"
      )
    // Only in reports of earlier versions.
    case .uncertain: return nil
    }
  }

  private static func leaveOut(_ count: Int) -> String {
    "leave out the last \(count == 1 ? "frame" : "\(count) frames")"
  }

  private static let trim = "cut out a part that loops, or cross-fade its end into its start"

  /// The clip without its last frames.
  private static func shortened(
    _ facts: MediaFacts, _ count: Int, _ profile: Profile
  ) -> Repair? {
    guard facts.frameCount - count > 1 else { return nil }
    return .encode(facts, for: profile, ClipEdit(droppedFrames: count))
  }
}
