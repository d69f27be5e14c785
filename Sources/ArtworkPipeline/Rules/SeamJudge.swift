/// Turns a measured seam into a verdict. Every measurement has one.
///
/// The tests run from the most specific evidence to the least: a fade also jumps, but a jump does not fade.
struct SeamJudge {
  let seam: SeamMeasurement
  let limits: SeamThresholds

  private var sawEverything: Bool { seam.scope == .everyFrame }
  private var pace: SeamMeasurement.Pace { seam.pace }

  /// The step at the seam as a multiple of the clip's own step.
  var stepRatio: Double { seam.seamStep / max(pace.ownStep, 0.3) }

  /// The surprise of ``SeamMeasurement/Prediction`` over the largest one inside the clip or the noise floor; 0
  /// without a prediction.
  var surpriseRatio: Double {
    guard let prediction = seam.prediction else { return 0 }
    return prediction.seamSurprise / max(limits.surpriseFloor, prediction.usualSurprise)
  }

  var errorRatio: Double {
    guard let prediction = seam.prediction else { return 0 }
    return prediction.seamError / max(limits.errorFloor, prediction.usualError)
  }

  /// The jump score: above 1 the picture jumps.
  var surprise: Double? {
    seam.prediction.map {
      min(surpriseRatio / limits.surpriseRatio, $0.blockSurprise / limits.blockSurpriseRatio)
    }
  }

  var verdict: SeamJudgement.Verdict {
    sawEverything ? firstImpression : isSeamlessBeyondDoubt ? .seamless : .uncertain
  }

  /// The verdict on the frames that were decoded, few or all.
  var firstImpression: SeamJudgement.Verdict {
    if isStatic { return .static }
    if hasFlashAtSeam { return .seamless }
    if fade != nil { return .fade }
    if sawEverything, hasCutsLikeSeam { return .seamless }
    if isCut { return .cut }
    if isHeld { return .held }
    if isTurn { return .reverse }
    if let rest = longestRest { return rest > limits.freezeLength ? .freeze : .held }
    if isPop { return .pop }
    if isShift { return .shift }
    if isFaintPop { return .pop }
    return isJump ? .jump : .seamless
  }

  // MARK: Tests

  private var isStatic: Bool {
    if pace.largestDifference < limits.stillDifference {
      return pace.farthest ?? 0 < 1.6 * limits.stillDifference
    }
    guard let farthest = pace.farthest else { return false }
    // Frames of pure noise differ from the first frame no more than from their neighbours.
    return max(pace.largestStep, seam.seamStep) < limits.noisyStillStep
      && farthest <= limits.noisyStillGrowth * pace.largestStep
      && (pace.ownStep < 0.25 || seam.seamStep < 1.3 * pace.ownStep)
  }

  /// The first or the last frame is a flash, and the clip has others.
  private var hasFlashAtSeam: Bool {
    flashAtSeam && pace.stepsLikeSeam >= 2
  }

  var flashAtSeam: Bool {
    let step = seam.seamStep
    guard step > 1.5 * max(pace.usualStep, 1) else { return false }
    let first = pace.stepOverFirst < 0.75 * step && (seam.headSteps.first ?? 0) > 0.7 * step
    let last = pace.stepOverLast < 0.75 * step && (seam.tailSteps.last ?? 0) > 0.7 * step
    return first || last
  }

  /// A slide show cuts at the seam as it does elsewhere.
  private var hasCutsLikeSeam: Bool {
    seam.seamStep > 4 * max(pace.usualStep, 1) && pace.stepsNearSeams >= limits.ownCuts
  }

  private var isCut: Bool {
    guard let prediction = seam.prediction else { return false }
    let levels = seam.levels
    return errorRatio > limits.cutErrorRatio && stepRatio > limits.cutStepRatio
      && prediction.seamError > limits.cutTexture * max(3, prediction.texture)
      && (levels.residual > limits.cutResidual
        || levels.residual > limits.cutResidualContrast * seam.contrast.usual
        || abs(levels.luma.shift) > limits.cutLumaShift
        || max(abs(levels.blue.shift), abs(levels.red.shift)) > limits.cutChromaShift)
  }

  /// The last frame repeats the first.
  var isHeld: Bool {
    let (step, calm) = (seam.seamStep, pace.calmStep)
    // A pause around the seam is not a hitch, and animation on twos holds frames everywhere.
    let isRest = seam.holds.head >= 2 && seam.holds.tail >= 2
    let holdsAnyway = sawEverything && seam.holds.countInside >= 2
    if step < limits.heldRatio * calm, !isRest, !holdsAnyway {
      if calm > limits.heldStep { return true }
      if calm > limits.slowHeldStep, let line = seam.timeline,
        line.heldMisfit < 0.6 * line.loopMisfit
      {
        return true
      }
    }
    guard let line = seam.timeline, !seam.holds.areRegular else { return false }
    return line.gap == 0 && line.gapMisfit < 0.3 * line.loopMisfit && line.loopMisfit > 0.4
      && step < 0.6 * calm && calm > limits.heldStep
  }

  private var isTurn: Bool {
    guard pace.ownStep > 0.4, let prediction = seam.prediction else { return false }
    if let line = seam.timeline, line.mirrorMisfit < limits.turnMisfit,
      line.mirrorMisfit < limits.turnRatio * max(0.05, line.gapMisfit)
    {
      return true
    }
    guard surpriseRatio > limits.turnSurprise else { return false }
    let (blocks, alignment) = (prediction.movingBlocks, prediction.alignment)
    return blocks >= limits.manyBlocks && alignment < limits.manyAlignment
      || blocks >= limits.someBlocks && alignment < limits.someAlignment
  }

  /// The number of steps without motion at one end, if the motion starts or stops abruptly.
  var longestRest: Int? {
    let holds = seam.holds
    let usual = pace.usualStep
    guard usual > limits.freezeStep else { return nil }
    // A pause on both sides is intended.
    if min(holds.headRest, holds.tailRest) >= 2 { return nil }
    let shortest =
      holds.areRegular ? 2 * holds.longestInside + 2 : limits.freezeLength
    let rests = [
      (holds.headRest, holds.stepAfterHeadRest), (holds.tailRest, holds.stepBeforeTailRest),
    ]
    return rests.filter { length, next in
      length >= shortest && next.map { $0 > limits.freezeOnset * usual } == true
    }.map(\.0).max()
  }

  private var isPop: Bool {
    isCloseEnoughToPop && seam.sharpness.seamRise > limits.popRise
      && seam.sharpness.seamRise > limits.popRatio * seam.sharpness.largestRise + 0.1
  }

  private var isFaintPop: Bool {
    isCloseEnoughToPop && seam.sharpness.seamRise > limits.faintPopRise
      && seam.sharpness.seamRise > limits.faintPopRatio * seam.sharpness.largestRise
      && errorRatio > limits.faintPopError
  }

  private var isCloseEnoughToPop: Bool {
    surpriseRatio < 4 && seam.sharpness.seamGain > limits.popGain
  }

  private var isShift: Bool {
    func isSeen(
      _ level: SeamMeasurement.Levels.Level, _ least: Double, _ ratio: Double, _ more: Double
    )
      -> Bool
    {
      abs(level.shift) > least && abs(level.shift) > ratio * level.usualShift + more
        && level.incoherence < limits.shiftIncoherence
    }
    return isSeen(seam.levels.luma, limits.lumaShift, limits.lumaShiftRatio, 0.3)
      || isSeen(seam.levels.blue, limits.chromaShift, limits.chromaShiftRatio, 0.4)
      || isSeen(seam.levels.red, limits.chromaShift, limits.chromaShiftRatio, 0.4)
  }

  private var isJump: Bool {
    if seam.holds.areRegular, errorRatio > limits.heldErrorRatio,
      seam.seamStep > limits.heldStepRatio * pace.ownStep
    {
      return true
    }
    if let surprise, surprise > 1 { return true }
    guard let line = seam.timeline else { return false }
    return line.gap < 0 && line.gapMisfit < limits.repeatMisfit
      && line.loopMisfit > limits.loopMisfit
  }

  // MARK: Doubt

  /// The contrast rises from the seam on both sides: a pulse, or a fade that is longer than the decoded ends.
  private var dimsAtBothEnds: Bool {
    func grows(_ contrasts: [Double]) -> Bool {
      guard let first = contrasts.first, let last = contrasts.last else { return false }
      return last > 1.04 * first && zip(contrasts, contrasts.dropFirst()).allSatisfy { $0 <= $1 }
    }
    return grows(seam.headContrast) && grows(seam.tailContrast.reversed())
  }

  /// Whether the ends alone prove that the clip loops. No clip fails before every frame is decoded.
  private var isSeamlessBeyondDoubt: Bool {
    guard let surprise, surprise < 0.8, firstImpression == .seamless else { return false }
    let levels = seam.levels
    return !dimsAtBothEnds && !seam.holds.areRegular && !flashAtSeam
      && seam.holds.headRest == 0 && seam.holds.tailRest == 0
      && (0.45...2.4).contains(stepRatio) && errorRatio < 2.2
      && seam.sharpness.seamRise < max(0.3, 1.5 * seam.sharpness.largestRise)
      && abs(levels.luma.shift) < max(1.4, 1.8 * levels.luma.usualShift)
      && [levels.blue, levels.red].allSatisfy { abs($0.shift) < max(1.2, 2 * $0.usualShift) }
  }
}
