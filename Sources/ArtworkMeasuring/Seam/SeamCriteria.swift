/// Conclusions from a ``SeamMeasurement`` with these limits.
extension SeamThresholds {
  /// Whether the surprises are so large that other measures may find a jump.
  package func mayJump(_ prediction: SeamMeasurement.Prediction) -> Bool {
    surprises(prediction, above: jump)
  }

  private func surprises(
    _ prediction: SeamMeasurement.Prediction, above limit: Double
  ) -> Bool {
    prediction.surprise > limit || prediction.smallSurprise > small(limit)
  }

  /// Whether errors exceed those of the best motion by more than usual.
  ///
  /// - Parameter limit: 1 is usual.
  package func exceeds(_ prediction: SeamMeasurement.Prediction, _ limit: Double) -> Bool {
    prediction.excess.map { $0.surprise > limit || $0.smallSurprise > small(limit) } ?? false
  }

  private func small(_ limit: Double) -> Double { limit + lessEvidence }

  private func jumpLimit(hold: Int) -> Double { hold > 1 ? jump + lessEvidence : jump }

  /// Whether the picture jumps.
  package func jumps(_ seam: SeamMeasurement) -> Bool {
    guard let prediction = seam.prediction,
      surprises(prediction, above: jumpLimit(hold: seam.hold))
    else { return false }
    // The excess over the best motion means nothing if no motion fits.
    return isUnexplained(seam.content) || exceeds(prediction, excess)
      || isClear(prediction) && exceeds(prediction, 1) || seam.score > Self.largeStep
  }

  /// A surprising step that is so many times the usual one is a jump, whatever explains it: no labelled loop that surprises
  /// has one of more than 2.2.
  private static let largeStep = 2.5

  /// Whether something that stands still jumps at the seam, or much of the picture beside it.
  package func jumps(_ places: SeamMeasurement.Places) -> Bool {
    places.atSeam >= Self.fewestPlaces && places.atSeam > 2 * places.inside
      || places.nearSeam >= Self.manyPlaces && places.distance != 0
  }

  /// A pointer that leaps leaves one block and enters another. Motion that swells towards the seam moves at most 21 blocks of a
  /// labelled loop that stand still elsewhere.
  private static let (fewestPlaces, manyPlaces) = (2, 32)

  /// The first frame pops if so many of its blocks are odd: up to 33 are in labelled loops, where they turn.
  package static let oddBlocks = 48

  /// Whether the jump is obvious to everyone.
  package func isClear(_ prediction: SeamMeasurement.Prediction) -> Bool {
    surprises(prediction, above: clearJump)
  }

  /// Whether the picture changes at the seam so that everyone sees it.
  package func isClearBreak(_ seam: SeamMeasurement) -> Bool {
    cuts(seam) || jumps(seam) && seam.prediction.map(isClear) ?? false
  }

  /// Whether a jump is certain.
  package func isCertainJump(_ prediction: SeamMeasurement.Prediction, hold: Int) -> Bool {
    surprises(prediction, above: hold > 1 ? clearJump + lessEvidence : clearJump)
      && (prediction.excess == nil || exceeds(prediction, excess))
  }

  /// Whether no measurement comes near a limit, so that the loop is certain.
  package func isPlainLoop(_ seam: SeamMeasurement) -> Bool {
    // Animation on twos has fewer pictures to compare with.
    seam.hold == 1 && seam.rests.isEmpty && !isUneven(seam) && seam.score < Self.plainStep
      && largestExcess(seam.levels) < Self.plainShift * shift
  }

  /// Whether the motion is less even at the seam than elsewhere.
  package func isUneven(_ seam: SeamMeasurement) -> Bool {
    seam.prediction.map { surprises($0, above: Self.plain) } ?? false
  }

  /// A loop is certain up to this surprise and this multiple of the usual step, and if it shifts by less than this share of a
  /// visible shift.
  private static let (plain, plainStep, plainShift) = (1.1, 1.5, 2.0 / 3)
  /// A freeze is certain above this share of the usual speed.
  private static let certainOnset = 0.72

  /// The surprise as a multiple of the maximum for loops: above 1, the picture jumps. `nil` if motion cannot be
  /// predicted.
  package func score(_ seam: SeamMeasurement) -> Double? {
    seam.prediction.map {
      let limit = jumpLimit(hold: seam.hold)
      return max($0.surprise / limit, $0.smallSurprise / small(limit))
    }
  }

  /// Whether every frame has to be decoded before the seam is judged: changes that also occur inside the clip are
  /// excused.
  package func wantsWhole(_ seam: SeamMeasurement) -> Bool {
    // Too few frames contain no motion; only fades are judged then.
    fades(seam)
      || seam.prediction != nil
        && (blankEnd(of: seam) != nil || cuts(seam) || shifts(seam.levels.withoutInside)
          || jumps(seam))
  }

  /// Whether nothing moves.
  package func isStatic(_ motion: SeamMeasurement.Motion) -> Bool {
    let largest = max(motion.largest, motion.anywhere ?? 0, still)
    let inside = motion.inside ?? 0
    if max(largest, inside) <= still { return true }
    // Whether this is the coding noise of a still picture: single frames that are coded again, and changes that do
    // not accumulate, of up to eight code values in the busiest blocks.
    return motion.usual < still && max(largest, inside) < 8 && inside < 1.5 * largest
  }

  /// Whether the motion starts and stops abruptly beside a rest, by more than coding noise: the geometric mean of the
  /// speeds on both sides is that share of the usual one. If the other side is not known yet, it counts as the usual
  /// one.
  package func isAbrupt(_ rest: SeamMeasurement.Rest) -> Bool {
    isAbrupt(rest, onset: freezeOnset)
  }

  /// Whether it certainly does.
  package func isAbruptForCertain(_ rest: SeamMeasurement.Rest) -> Bool {
    isAbrupt(rest, onset: Self.certainOnset)
  }

  private func isAbrupt(_ rest: SeamMeasurement.Rest, onset: Double) -> Bool {
    let usual = max(rest.usualStep, 1e-6)
    let (beside, across) = (rest.stepBeside, rest.stepAcross ?? usual)
    let share = min(1, beside / usual) * min(1, across / usual)
    return min(beside, across) > SeamMeasurement.noiseFloor && share.squareRoot() > onset
  }

  /// Whether the clip fades to a flat picture at an end.
  package func fades(_ seam: SeamMeasurement) -> Bool { seam.dimness.map { $0 < fade } ?? false }

  /// An end whose outermost frame is nearly blank, beside frames with a picture. A fade takes more than one frame,
  /// and so does an object that leaves the picture.
  package func blankEnd(of seam: SeamMeasurement) -> SeamMeasurement.End? {
    func isBlank(_ contrasts: [Double]) -> Bool {
      guard contrasts.count > 2 else { return false }
      let (outer, beside) = (contrasts[0], contrasts[1])
      let picture = max(Self.leastPicture, Self.wholePicture * (contrasts.max() ?? 0))
      return outer < fade * beside && beside >= picture
    }
    if isBlank(seam.tailContrast.reversed()) { return .last }
    return isBlank(seam.headContrast) ? .first : nil
  }

  /// The contrast of a picture beside a blank frame: at least three code values, and this share of the most near by.
  private static let (leastPicture, wholePicture) = (3.0, 0.6)

  /// Whether the content differs. Animation on twos and threes has too few pictures near the seam to establish what
  /// is usual, so there a surprise is required as well.
  package func cuts(_ seam: SeamMeasurement) -> Bool {
    isUnexplained(seam.content) && seam.content.likeness < cutLikeness
      && (seam.hold == 1 || seam.prediction.map(mayJump) ?? true)
      && (seam.content.spread > Self.smallPart
        || seam.prediction.map { surprises($0, above: Self.smallSurprise) } ?? true)
  }

  /// A difference in less than this share of the picture may be a small fast object, so it has to surprise by more
  /// than this as well.
  private static let (smallPart, smallSurprise) = (0.05, 1.1)

  /// Whether no motion leads from the last frame to the first, as it does near the seam.
  private func isUnexplained(_ content: SeamMeasurement.Content) -> Bool {
    content.unexplained > cutUnexplained && content.alike.map { $0 < rhythm } ?? false
  }

  /// Whether both ends have the same scene, wherever its parts are.
  package func keepsColours(_ content: SeamMeasurement.Content) -> Bool {
    content.colours < cutColours
  }

  /// Whether levels shift.
  package func shifts(_ levels: SeamMeasurement.Levels) -> Bool {
    shiftsLevels(levels) || excess(levels.contrast) > contrast
  }

  /// Whether light and colour shift by less than is seen, or by little of what they shift at the seam, everywhere else.
  package func isSteady(_ levels: SeamMeasurement.Levels) -> Bool {
    let planes = [levels.luma, levels.blue, levels.red]
    let most = max(shift, (planes.map { abs($0.shift) }.max() ?? 0) / 4)
    return planes.allSatisfy { max($0.usualShift, $0.largestInside) < most }
  }

  /// Whether light or colour shifts by twice as much as is seen.
  package func shiftsClearly(_ levels: SeamMeasurement.Levels) -> Bool {
    largestExcess(levels) > 2 * shift
  }

  /// Whether those of light or colour do.
  package func shiftsLevels(_ levels: SeamMeasurement.Levels) -> Bool {
    largestExcess(levels) > shift
  }

  private func largestExcess(_ levels: SeamMeasurement.Levels) -> Double {
    max(excess(levels.luma), excess(levels.blue), excess(levels.red))
  }

  /// A shift beyond one and a half times the usual one, unless light or colour shifts as much inside.
  package func excess(_ level: SeamMeasurement.Levels.Level) -> Double {
    abs(level.shift) - max(1.5 * level.usualShift, level.largestInside / recurringAlike)
  }

  /// Whether the seam is an ordinary transition of this clip there where it differs: something inside is more sudden at the
  /// same blocks. In a part of the picture something nearly as sudden will do if it is the same change or the one that takes
  /// it back, as of a lamp that is switched.
  package func recurs(_ recurrence: SeamMeasurement.Recurrence) -> Bool {
    let size = min(recurrence.size, recurrence.smallSize)
    return size >= recurring
      || recurrence.spread < Self.partOfPicture && size >= recurringAlike
        && recurrence.likeness >= sameChange
  }

  /// Whether something inside is so nearly as sudden as the seam that this is no fault for certain. Another scene at the end
  /// is one, whatever happens inside.
  package func resembles(_ recurrence: SeamMeasurement.Recurrence, isCut: Bool) -> Bool {
    min(recurrence.size, recurrence.smallSize) >= Self.resemblingSize
      && (!isCut || recurrence.spread < Self.partOfPicture)
  }

  /// Whether a sample of the inside shows so much of the change at the seam that more of it may excuse that.
  package func mayRecur(_ recurrence: SeamMeasurement.Recurrence) -> Bool {
    max(recurrence.size, recurrence.smallSize) >= Self.resemblingSize
  }

  /// The same of the shifts of luma, blue, red and contrast.
  package func mayRecur(_ seam: [Double], _ inside: [Double]) -> Bool {
    zip(zip(seam, inside), [shift, shift, shift, contrast]).contains { shifts, limit in
      abs(shifts.0) > limit && shifts.1 >= Self.resemblingSize * abs(shifts.0)
    }
  }

  /// The share above which most loops with a certain alarm lie, and few clear defects.
  private static let resemblingSize = 0.5
  /// Another scene covers more than this part of the picture, and a screen or a lamp less.
  private static let partOfPicture = 0.25
}
