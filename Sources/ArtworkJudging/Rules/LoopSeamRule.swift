/// A loop is seamless if the motion continues from the last frame to the first as it does inside the clip.
/// A perfect loop does not repeat its first frame at the end: that is a held frame.
package enum LoopSeamRule: Rule {
  package static let id = "loop-seam"

  package static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    // A clip with missing frames has the wrong end.
    guard let seam = candidate.seam, let measured = candidate.inspection.seam,
      candidate.inspection.decoding.missingFrames == 0
    else { return nil }
    return breach(
      SeamJudge(seam: measured, limits: profile.seam), seam, candidate.facts, profile)
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

  /// The finding of a verdict; `nil` if the seam is fine, or if another rule reports it.
  private static func breach(
    _ judge: SeamJudge, _ seam: SeamJudgement, _ facts: MediaFacts, _ profile: Profile
  ) -> Breach? {
    let (outcome, search) = (judge.outcome, Remedy.loop(facts, for: profile))
    func advice(_ help: String, _ repair: Remedy?, limit: String? = nil) -> Breach {
      var breach = Breach(
        outcome.isClear ? .error : .warning, seam.sentence, help: help, measured: seam.numbers,
        limit: limit)
      breach.repair = repair
      return breach
    }
    /// The clip without its last frames.
    func leaveOut(_ count: Int) -> Breach {
      advice(
        "leave out the last \(count == 1 ? "frame" : "\(count) frames")",
        facts.frameCount - count > 1
          ? .encode(facts, for: profile, ClipEdit(droppedFrames: count)) : nil)
    }
    switch outcome.verdict {
    case .seamless, .static, .fade: return nil
    case .held where judge.seam.repeats.doubledAfter > 0:
      return advice("show each frame once, also the first", search)
    case .held where judge.seam.repeats.doubledBefore > 0:
      return leaveOut(judge.seam.repeats.doubledBefore)
    case .held: return leaveOut(judge.seam.repeats.heldBefore + 1)
    case .jump:
      // Real repeats at a seam are a few frames. More is a misreading of the timeline.
      if let missing = judge.missingFrames, (-4 ... -1).contains(missing) {
        return leaveOut(-missing)
      }
      return advice(
        trim, search, limit: judge.jumpScore.map { $0 > 1 } == true ? "jump score 1.0" : nil)
    case .cut where judge.blankEnd == .last: return leaveOut(1)
    case .cut: return advice(trim, search, limit: "the same scene at both ends")
    case .freeze:
      return advice(
        "cut off the frames without motion, or let the motion slow down before it stops", search)
    case .shift where judge.seam.levels.oddFrames > 0:
      return leaveOut(judge.seam.levels.oddFrames)
    case .shift:
      return advice(
        "even out exposure and colour over the clip, or cross-fade its end into its start", search)
    case .reverse:
      var breach = advice("nothing to do if the clip is meant to swing to and fro", nil)
      breach.severity = .info
      return breach
    case .pop:
      return advice(
        "export it from its source with a higher bit rate, or with constant quality and shorter GOPs; no command brings back the detail",
        nil)
    // Only in reports of earlier versions.
    case .uncertain: return nil
    }
  }

  private static let trim = "cut out a part that loops, or cross-fade its end into its start"
}
