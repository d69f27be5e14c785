extension SeamJudgement {
  /// How well the clip loops, from 0 to 1: at least 0.5 if it does. The verdict and its certainty choose a quarter; within
  /// it, the jump score decides, or the middle without one.
  ///
  /// It orders clips, and is no probability: `Scripts/accuracy/loopbench` states how well.
  public var loopScore: Double {
    let isCertain = certainty == .certain
    // A turn is a defect only if it is not meant.
    let quarter = verdict.loops ? (isCertain ? 3.0 : 2) : isCertain && verdict != .reverse ? 0 : 1
    let within = surprise.map { min(0.99, 1 / (1 + max(0, $0))) } ?? 0.5
    return ((quarter + within) * 250).rounded() / 1000
  }
}
