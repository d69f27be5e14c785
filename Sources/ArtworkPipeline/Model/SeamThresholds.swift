/// The thresholds of ``LoopSeamRule`` for a ``SeamMeasurement``. Differences are in 8-bit code values. Ratios compare
/// the seam with the rest of the clip.
public struct SeamThresholds: Sendable, Equatable {
  /// Steps below this are invisible: grain and coding noise. Scores divide by at least this.
  public var noiseFloor = 1.5

  // MARK: Nothing moves

  /// A clip does not move if all its pictures differ by less.
  public var stillDifference = 0.5
  /// A noisy clip does not move if no step is above this...
  public var noisyStillStep = 2.5
  /// ... and no frame differs more from the first than this multiple of the largest step.
  public var noisyStillGrowth = 1.15

  // MARK: Surprise

  /// Surprises of the whole picture below this are noise.
  public var surpriseFloor = 0.5
  /// The picture jumps if the surprise at the seam is above this ratio for the whole picture...
  public var surpriseRatio = 1.3
  /// ... and above this ratio for its third worst block.
  public var blockSurpriseRatio = 1.0
  /// A jump is an error from this multiple of both ratios.
  public var certainSurprise = 1.25
  /// In animation on twos or threes, the difference that no motion explains counts instead.
  public var heldErrorRatio = 1.7
  public var heldStepRatio = 1.25
  /// The end repeats the start if the misfit of that is below the first value, and the misfit of a loop is above the
  /// second.
  public var repeatMisfit = 0.2
  public var loopMisfit = 0.5

  // MARK: Different content

  /// Errors of the whole picture below this are noise.
  public var errorFloor = 0.8
  /// The content differs if the difference that no motion explains is above this ratio...
  public var cutErrorRatio = 3.0
  /// ... and above this share of the picture's texture...
  public var cutTexture = 0.55
  /// ... if the step is above this ratio...
  public var cutStepRatio = 3.0
  /// ... and if more than this remains after a common shift is removed, or more than this share of the contrast...
  public var cutResidual = 8.0
  public var cutResidualContrast = 0.15
  /// ... or if the shift of luma or chroma is above these, which is more than any change of exposure.
  public var cutLumaShift = 35.0
  public var cutChromaShift = 30.0
  /// A clip with this many steps like that at the seam has cuts or flashes of its own.
  public var ownCuts = 2

  // MARK: Held frames and rests

  /// A frame is shown twice if the step at the seam is below this ratio of the calmest steps...
  public var heldRatio = 0.4
  /// ... and those are above the first value, or above the second if the timeline agrees.
  public var heldStep = 0.9
  public var slowHeldStep = 0.4
  /// The motion stops for at least this many steps beside the seam...
  public var freezeLength = 2
  /// ... and resumes with more than the first share of the usual step, which is above the second value.
  public var freezeOnset = 0.6
  public var freezeStep = 0.4

  // MARK: Fades

  /// A fade ends below this share of the usual contrast...
  public var fadeDepth = 0.8
  /// ... having lost more than this share on the way...
  public var fadeRise = 0.08
  /// ... and less than the first share remains, or the other end has more by the second share.
  public var fadeEnd = 0.12
  public var fadeGap = 0.2
  /// It is also a fade if both ends dim to less than the first share, and at least the second share of the clip has
  /// the usual contrast.
  public var dipDepth = 0.67
  public var dipPlateau = 0.5

  // MARK: Reversal

  /// The clip runs backwards from its seam if that fits better than any other gap, by this ratio...
  public var turnRatio = 0.7
  public var turnMisfit = 0.6
  /// ... or if the motion of many or of some blocks is reversed.
  public var manyBlocks = 14
  public var manyAlignment = -0.5
  public var someBlocks = 8
  public var someAlignment = -0.7
  public var turnSurprise = 1.1

  // MARK: Levels and sharpness

  /// A common shift counts above these values and above these ratios to the shifts inside the clip, if it explains all
  /// but this share of the difference.
  public var lumaShift = 1.8
  public var chromaShift = 2.05
  public var lumaShiftRatio = 2.5
  public var chromaShiftRatio = 3.0
  public var shiftIncoherence = 0.7
  /// The picture pops if sharpness rises by more than this natural logarithm, and by this ratio to the rises inside...
  public var popRise = 0.5
  public var popRatio = 2.5
  /// ... or by these if the pictures also differ.
  public var faintPopRise = 0.2
  public var faintPopRatio = 5.0
  public var faintPopError = 1.5
  public var popGain = 0.3

  public init() {}

  /// Chosen on the tuning half of the labelled clips (Scripts/seams) and on a second set of other scenes. docs/seam.md
  /// has the accuracy on the reporting half.
  public static let standard = SeamThresholds()
}
