/// What was measured where the clip's end meets its start. Numbers only: ``LoopSeamRule`` judges them.
///
/// A *step* is the difference of two frames: the mean absolute luma difference plus half the mean
/// absolute chroma difference, in 8-bit code values, over the reduced pictures (64x64), or over the part that moves
/// where that is less than a quarter. Steps that last longer than the clip's usual frame interval count for one
/// interval, except in the lists of steps.
public struct SeamMeasurement: Sendable, Equatable, Codable {
  public enum Scope: String, Sendable, Codable {
    /// A few frames at each end.
    case ends
    /// The whole clip; comparisons of pictures use the frames near its ends.
    case everyFrame = "every-frame"
  }

  public var scope: Scope
  /// Frames compared with one another at each end, without those that repeat the one before in a clip that is
  /// drawn on twos or threes.
  public var window: Int
  /// The share of the picture over which steps are counted: 1, or less than a quarter.
  public var movingShare: Double

  /// The step from the last displayed frame to the first: what a loop shows.
  public var seamStep: Double
  /// The steps among the first frames (first to second, second to third), in order, at most 24.
  public var headSteps: [Double]
  /// The steps among the last frames (third last to second last, second last to last), in order, at most 24.
  public var tailSteps: [Double]
  /// How long each of those steps lasts, in frame intervals of the clip: 1 in constant-rate clips.
  public var headStepLengths: [Double]
  public var tailStepLengths: [Double]
  /// The contrast (standard deviation of luma) of the first frames and of the last, in order, at most 24.
  public var headContrast: [Double]
  public var tailContrast: [Double]
  /// The mean luma of the same frames.
  public var headLuma: [Double]
  public var tailLuma: [Double]

  public var pace: Pace
  public var holds: Holds
  public var contrast: Contrast
  /// `nil` when an end has too few frames to see motion go on.
  public var prediction: Prediction?
  /// `nil` when an end has too few frames to see how pictures differ over time.
  public var timeline: Timeline?
  public var levels: Levels
  public var sharpness: Sharpness

  /// How fast the clip itself changes. All are steps.
  public struct Pace: Sendable, Equatable, Codable {
    /// The median of the three moving steps nearest to the seam on each side: the clip's own step.
    public var ownStep: Double
    /// The median of all moving steps that were seen.
    public var usualStep: Double
    /// The lower quartile of the eight steps nearest to the seam on each side, after what stands still there.
    public var calmStep: Double
    public var largestStep: Double
    /// The largest difference of any two of the six frames nearest to the seam on each side, and of any step.
    public var largestDifference: Double
    /// The largest difference of any frame to the first; `nil` when only the ends were seen.
    public var farthest: Double?
    /// The differences over the first frame (last to second) and over the last one (second last to first).
    public var stepOverFirst: Double
    public var stepOverLast: Double
    /// How many steps inside the clip are above 0.6 and above 0.7 of the seam's.
    public var stepsNearSeams: Int
    public var stepsLikeSeam: Int
  }

  /// Frames that repeat the one before. Lengths are counted in steps.
  public struct Holds: Sendable, Equatable, Codable {
    /// Steps below this repeat a frame: a fifth of a usual moving one, between 0.12 and 2 code values.
    public var stillStep: Double
    /// Repeated frames come at short and regular distances, as in animation drawn on twos or threes.
    public var areRegular: Bool
    /// Between moving steps: the longest run, and how many there are.
    public var longestInside: Int
    public var countInside: Int
    /// Runs of repeated frames that touch the seam.
    public var head: Int
    public var tail: Int
    /// The same for frames that come to rest: steps below 0.35 of the usual one; and the steps with which
    /// motion goes on after them, `nil` where it hardly does.
    public var headRest: Int
    public var tailRest: Int
    public var stepAfterHeadRest: Double?
    public var stepBeforeTailRest: Double?
  }

  /// Standard deviations of luma.
  public struct Contrast: Sendable, Equatable, Codable {
    /// The highest at the ends, or the 80th percentile of the whole clip.
    public var usual: Double
    /// The share of frames within 8 % of the usual contrast.
    public var plateauShare: Double
  }

  /// How well motion foretells what comes next: 8x8 blocks of one frame are followed to the next, and are
  /// expected to move on likewise. Differences are mean absolute ones in code values of luma.
  public struct Prediction: Sendable, Equatable, Codable {
    /// What the expected place of the blocks differs more than the place where they are best found: across the
    /// seam, the mean of both directions...
    public var seamSurprise: Double
    /// ... and the largest inside, cuts left out.
    public var usualSurprise: Double
    /// The third worst block's surprise at the seam as a multiple of the worst of it and its neighbours inside,
    /// at least 3 code values.
    public var blockSurprise: Double
    /// What no motion explains: the difference that is left where the blocks are best found.
    public var seamError: Double
    public var usualError: Double
    /// The standard deviation of luma within blocks: what unlike pictures differ by.
    public var texture: Double
    public var worstBlock: WorstBlock
    /// In widths (heights) of the picture a frame, to the right and down; the mean over moving blocks.
    public var motionBefore: Motion
    public var motionAcross: Motion
    public var motionAfter: Motion
    /// The cosine between motion before and after the seam over the blocks that move on both sides, and how
    /// many of the 64 do.
    public var alignment: Double
    public var movingBlocks: Int
  }

  /// The block that is least like what was expected, in fractions of the picture from its top left corner.
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

  /// Where on the clip's own time line the first frame lies, seen from the last: the differences of up to six
  /// frames on each side of the seam are compared with those between frames at known distances.
  public struct Timeline: Sendable, Equatable, Codable {
    /// Frames from the last frame to the first that fit best: 1 in a perfect loop, 0 for a held frame, 3 when two
    /// are missing, negative when the end repeats the start.
    public var gap: Int
    /// Mean misfits, in the clip's usual difference of neighbours: of the best gap, of 0 and of 1.
    public var gapMisfit: Double
    public var heldMisfit: Double
    public var loopMisfit: Double
    /// The misfit of a clip that runs backwards from its seam.
    public var mirrorMisfit: Double
  }

  /// Signed medians over 8x8 cells, in code values: motion cancels out, a common shift stays.
  public struct Levels: Sendable, Equatable, Codable {
    public var luma: Level
    public var blue: Level
    public var red: Level
    /// The mean absolute difference of luma cells that a common shift leaves.
    public var residual: Double

    public struct Level: Sendable, Equatable, Codable {
      /// From the last three frames to the first three.
      public var shift: Double
      /// The largest between up to three frames apart inside, cuts left out.
      public var usualShift: Double
      /// What a common shift leaves of the mean absolute difference of the cells: 0 when all cells shift alike.
      public var incoherence: Double
    }
  }

  /// Sharpness is the mean absolute second difference along rows at full size.
  public struct Sharpness: Sendable, Equatable, Codable {
    /// Natural logarithms of the ratio of a frame's sharpness to the one before: at the seam, and the largest
    /// inside.
    public var seamRise: Double
    public var largestRise: Double
    /// The difference at the seam in code values.
    public var seamGain: Double
  }
}
