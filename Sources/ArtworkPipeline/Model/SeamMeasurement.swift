/// The measurements at the seam, where the end of a clip meets its start. ``LoopSeamRule`` judges them.
///
/// A *step* is the difference of two frames: the mean absolute luma difference plus half the mean absolute chroma
/// difference, in 8-bit code values. It is taken over the reduced pictures (64x64), or over the moving part if that is
/// less than a quarter. Steps that last longer than the usual frame interval are scaled to one interval, except in the
/// lists of steps.
public struct SeamMeasurement: Sendable, Equatable, Codable {
  public enum Scope: String, Sendable, Codable {
    /// A few frames at each end.
    case ends
    /// The whole clip. Pictures are still compared only near the ends.
    case everyFrame = "every-frame"
  }

  public var scope: Scope
  /// The number of frames that are compared at each end. In animation on twos or threes, repeated frames do not
  /// count.
  public var window: Int
  /// The share of the picture over which steps are taken: 1, or less than a quarter.
  public var movingShare: Double

  /// The step from the last displayed frame to the first.
  public var seamStep: Double
  /// The steps among the first frames (first to second, second to third), in order, at most 24.
  public var headSteps: [Double]
  /// The steps among the last frames (third last to second last, second last to last), in order, at most 24.
  public var tailSteps: [Double]
  /// The length of each of those steps in frame intervals: 1 in clips with a constant rate.
  public var headStepLengths: [Double]
  public var tailStepLengths: [Double]
  /// The contrast (standard deviation of luma) of the first and of the last frames, in order, at most 24.
  public var headContrast: [Double]
  public var tailContrast: [Double]
  /// The mean luma of the same frames.
  public var headLuma: [Double]
  public var tailLuma: [Double]

  public var pace: Pace
  public var holds: Holds
  public var contrast: Contrast
  /// `nil` if an end has too few frames to predict motion.
  public var prediction: Prediction?
  /// `nil` if an end has too few frames for a timeline.
  public var timeline: Timeline?
  public var levels: Levels
  public var sharpness: Sharpness

  /// How fast the clip itself changes, in steps.
  public struct Pace: Sendable, Equatable, Codable {
    /// The median of the three moving steps nearest to the seam on each side: the clip's own step.
    public var ownStep: Double
    /// The median of all moving steps.
    public var usualStep: Double
    /// The lower quartile of the eight steps nearest to the seam on each side, without still frames at the seam.
    public var calmStep: Double
    public var largestStep: Double
    /// The largest difference of any two of the six frames nearest to the seam on each side, and of any step.
    public var largestDifference: Double
    /// The largest difference of any frame to the first; `nil` if only the ends were decoded.
    public var farthest: Double?
    /// The differences across the first frame (last to second) and across the last (second last to first).
    public var stepOverFirst: Double
    public var stepOverLast: Double
    /// The number of steps inside the clip above 0.6 and above 0.7 of the step at the seam.
    public var stepsNearSeams: Int
    public var stepsLikeSeam: Int
  }

  /// Repeated frames. Lengths are in steps.
  public struct Holds: Sendable, Equatable, Codable {
    /// A step below this repeats a frame: a fifth of the usual moving step, between 0.12 and 2 code values.
    public var stillStep: Double
    /// Whether frames repeat at short, regular intervals, as in animation on twos or threes.
    public var areRegular: Bool
    /// Runs between moving steps: the longest, and their number.
    public var longestInside: Int
    public var countInside: Int
    /// Runs of repeated frames that touch the seam.
    public var head: Int
    public var tail: Int
    /// The same for rests, which are steps below 0.35 of the usual one, with the step at which the motion resumes;
    /// `nil` if it hardly resumes.
    public var headRest: Int
    public var tailRest: Int
    public var stepAfterHeadRest: Double?
    public var stepBeforeTailRest: Double?
  }

  /// Standard deviations of luma.
  public struct Contrast: Sendable, Equatable, Codable {
    /// The highest contrast at the ends, or the 80th percentile of the whole clip.
    public var usual: Double
    /// The share of frames within 8 % of the usual contrast.
    public var plateauShare: Double
  }

  /// How well motion predicts the next frame: 8x8 blocks are followed from one frame to the next, and are expected to
  /// move on in the same way. Differences are mean absolute differences of luma in code values.
  public struct Prediction: Sendable, Equatable, Codable {
    /// How much worse blocks match at the predicted place than at the best place: across the seam, as the mean of
    /// both directions...
    public var seamSurprise: Double
    /// ... and the largest inside the clip, without cuts.
    public var usualSurprise: Double
    /// The surprise of the third worst block at the seam, as a multiple of the largest surprise of that block and its
    /// neighbours inside the clip, which counts as at least 3 code values.
    public var blockSurprise: Double
    /// The difference that no motion explains: what remains at the best place of the blocks.
    public var seamError: Double
    public var usualError: Double
    /// The standard deviation of luma within blocks: the expected difference of unrelated pictures.
    public var texture: Double
    public var worstBlock: WorstBlock
    /// The mean motion of moving blocks per frame, to the right and down, in widths (heights) of the picture.
    public var motionBefore: Motion
    public var motionAcross: Motion
    public var motionAfter: Motion
    /// The cosine between the motion before and after the seam, over the blocks that move on both sides, and their
    /// number (of 64).
    public var alignment: Double
    public var movingBlocks: Int
  }

  /// The block that deviates most from the prediction, in fractions of the picture from its top left corner.
  public struct WorstBlock: Sendable, Equatable, Codable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    /// Its surprise as in ``Prediction/blockSurprise``.
    public var surprise: Double
  }

  public struct Motion: Sendable, Equatable, Codable {
    public var x: Double
    public var y: Double
  }

  /// The distance from the last frame to the first on the clip's own timeline. Differences of up to six frames on each
  /// side of the seam are compared with differences of frames at known distances.
  public struct Timeline: Sendable, Equatable, Codable {
    /// The best fit in frames: 1 in a perfect loop, 0 for a held frame, 3 if two frames are missing, negative if the
    /// end repeats the start.
    public var gap: Int
    /// Mean misfits of the best gap, of 0 and of 1, in units of the usual difference between neighbouring frames.
    public var gapMisfit: Double
    public var heldMisfit: Double
    public var loopMisfit: Double
    /// The misfit of a clip that runs backwards from its seam.
    public var mirrorMisfit: Double
  }

  /// Signed medians over 8x8 cells, in code values. Motion cancels out, a common shift remains.
  public struct Levels: Sendable, Equatable, Codable {
    public var luma: Level
    public var blue: Level
    public var red: Level
    /// The mean absolute difference of luma cells after a common shift is removed.
    public var residual: Double

    public struct Level: Sendable, Equatable, Codable {
      /// From the last three frames to the first three.
      public var shift: Double
      /// The largest shift between frames inside the clip, up to three frames apart, without cuts.
      public var usualShift: Double
      /// The share of the mean absolute difference that a common shift does not explain: 0 if all cells shift alike.
      public var incoherence: Double
    }
  }

  /// Sharpness is the mean absolute second difference along rows at full size.
  public struct Sharpness: Sendable, Equatable, Codable {
    /// The natural logarithm of the sharpness of a frame over that of the previous frame: at the seam, and the largest
    /// inside the clip.
    public var seamRise: Double
    public var largestRise: Double
    /// The difference at the seam in code values.
    public var seamGain: Double
  }
}
