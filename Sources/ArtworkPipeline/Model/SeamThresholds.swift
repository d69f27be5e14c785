/// Where ``LoopSeamRule`` draws its lines through a ``SeamMeasurement``. Differences are in 8-bit code values,
/// ratios multiples of what the clip does itself.
public struct SeamThresholds: Sendable, Equatable {
  /// Steps below this are invisible: grain and coding noise. Scores count in no smaller unit.
  public var noiseFloor = 1.5

  // MARK: Nothing moves

  /// A clip whose pictures all differ by less does not move.
  public var stillDifference = 0.5
  /// ... with noise, when no step is above this...
  public var noisyStillStep = 2.5
  /// ... and no frame differs more from the first than this multiple of the largest step.
  public var noisyStillGrowth = 1.15

  // MARK: Surprise

  /// Surprises below this are noise, over the whole picture.
  public var surpriseFloor = 0.5
  /// The motion is broken when the seam surprises more than this, over the picture...
  public var surpriseRatio = 1.3
  /// ... and also in its third worst block.
  public var blockSurpriseRatio = 1.0
  /// ... and it is an error from this multiple of both.
  public var certainSurprise = 1.25
  /// In animation drawn on twos or threes, what no motion explains counts instead.
  public var heldErrorRatio = 1.7
  public var heldStepRatio = 1.25
  /// The end repeats the start when that fits the differences of frames better than this, and a loop worse
  /// than that.
  public var repeatMisfit = 0.2
  public var loopMisfit = 0.5

  // MARK: Another content

  /// Errors below this are noise, over the whole picture.
  public var errorFloor = 0.8
  /// What no motion explains is another content above this ratio...
  public var cutErrorRatio = 3.0
  /// ... and above this share of the picture's texture...
  public var cutTexture = 0.55
  /// ... with a step above this ratio...
  public var cutStepRatio = 3.0
  /// ... and more left than this, or than this share of contrast, when a common shift is taken away...
  public var cutResidual = 8.0
  public var cutResidualContrast = 0.15
  /// ... or a shift above these, of luma and of chroma, which no exposure has.
  public var cutLumaShift = 35.0
  public var cutChromaShift = 30.0
  /// A clip with this many steps like the seam's has cuts or flashes of its own.
  public var ownCuts = 2

  // MARK: Held frames and rests

  /// A frame is shown twice when the seam's step is below this ratio of the clip's calmest ones...
  public var heldRatio = 0.4
  /// ... which are above this, or above that where the time line agrees.
  public var heldStep = 0.9
  public var slowHeldStep = 0.4
  /// The motion stops for at least this many steps beside the seam...
  public var freezeLength = 2
  /// ... and sets in with more than this share of the usual step, which is above that.
  public var freezeOnset = 0.6
  public var freezeStep = 0.4

  // MARK: Fades

  /// A fade ends below this share of the usual contrast...
  public var fadeDepth = 0.8
  /// ... having lost more than this share on the way...
  public var fadeRise = 0.08
  /// ... and less than this share is left, or the other end has this share more.
  public var fadeEnd = 0.12
  public var fadeGap = 0.2
  /// Both ends may dim alike, to less than this share, in a clip that has its usual contrast for most of the
  /// time.
  public var dipDepth = 0.67
  public var dipPlateau = 0.5

  // MARK: A turn

  /// The clip runs backwards from its seam when that fits better than this ratio to every other way...
  public var turnRatio = 0.7
  public var turnMisfit = 0.6
  /// ... or when the motion of many or of some blocks is reversed.
  public var manyBlocks = 14
  public var manyAlignment = -0.5
  public var someBlocks = 8
  public var someAlignment = -0.7
  public var turnSurprise = 1.1

  // MARK: Levels and sharpness

  /// A common shift is seen above these and above a ratio to the shifts inside, when it leaves less than this
  /// share of the difference.
  public var lumaShift = 1.8
  public var chromaShift = 2.05
  public var lumaShiftRatio = 2.5
  public var chromaShiftRatio = 3.0
  public var shiftIncoherence = 0.7
  /// The sharpness rises by more than this natural logarithm and a ratio to the rises inside...
  public var popRise = 0.5
  public var popRatio = 2.5
  /// ... or by this one where the pictures differ as well.
  public var faintPopRise = 0.2
  public var faintPopRatio = 5.0
  public var faintPopError = 1.5
  public var popGain = 0.3

  public init() {}

  /// Chosen on the tuning half of the labelled clips (Scripts/seams) and on a second set of other scenes; the
  /// accuracy on clips that took no part in it is in docs/seam.md.
  public static let standard = SeamThresholds()
}
