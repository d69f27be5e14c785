/// The measurements at the seam, where the end of a clip meets its start. ``LoopSeamRule`` judges them.
///
/// A *step* is the difference of two frames: the mean absolute luma difference plus half the mean absolute chroma
/// difference, in 8-bit code values, over the part of the picture that moves if that is less than a quarter. A *busy
/// step* is the root mean square difference in the 8 busiest of 256 blocks. docs/measurements.md has the method.
public struct SeamMeasurement: Sendable, Equatable, Codable {
  public enum Scope: String, Sendable, Codable {
    /// A few frames at each end, and more where these leave a question.
    case ends
    /// The whole clip.
    case everyFrame = "every-frame"
  }

  /// Steps below this are grain and coding noise, in code values: scores divide by at least this.
  public static let noiseFloor = 1.5

  public var scope: Scope
  /// The number of frames that are compared at each end.
  public var window: Int
  /// How many frames each drawing is shown for near the seam: 2 in animation on twos, otherwise 1.
  public var hold: Int

  /// The step from the last displayed frame to the first.
  public var seamStep: Double
  /// The median of the moving steps near the seam: the clip's own step.
  public var ownStep: Double
  /// See ``SeamJudgement/score``.
  package var score: Double { seamStep / max(ownStep, Self.noiseFloor) }
  /// The usual time from one frame to the next in seconds, to the millisecond, as some containers have it.
  public var interval: Double?
  /// The steps among the first frames (first to second, second to third) and among the last frames (..., second last to
  /// last), in order.
  public var headSteps: [Double]
  public var tailSteps: [Double]
  /// The contrast (standard deviation of luma) of the same frames, in order.
  public var headContrast: [Double]
  public var tailContrast: [Double]
  /// The mean luma of the same frames.
  public var headLuma: [Double]
  public var tailLuma: [Double]

  public var motion: Motion
  /// `nil` if an end has too few frames to predict motion.
  public var prediction: Prediction?
  public var content: Content
  public var levels: Levels
  /// The contrast of the frame at the seam on one side, as a share of the usual contrast, if the frame beside it is dimmed
  /// as well. `nil` if contrast is high or steady there, so that the inside does not matter.
  public var dimness: Double?
  public var rests: [Rest]
  public var repeats: Repeats
  public var sharpness: Sharpness
  /// `nil` unless the change at the seam goes back at once.
  public var beat: Beat?
  /// `nil` unless something changes at the seam, and the same happens inside in equal times.
  public var rhythm: Rhythm?
  /// Blank frames inside; `nil` unless the first or the last frame is blank.
  public var blanks: Int?
  /// `nil` if an end has too few frames for a timeline.
  public var timeline: Timeline?

  /// How much changes from frame to frame, in busy steps.
  public struct Motion: Sendable, Equatable, Codable {
    /// Across the seam.
    public var seam: Double
    /// The median near the seam.
    public var usual: Double
    /// The median of the moving steps near the seam.
    public var live: Double
    /// The largest near the seam and across it.
    public var largest: Double
    /// The largest change from the first frame to any other, in the busiest 16x16 cells; `nil` where the ends move.
    public var inside: Double?
    /// The largest busy step from any frame to the next; `nil` where the ends move.
    public var anywhere: Double?
  }

  /// How badly the motion near the seam predicts the frames at the seam: errors in code values, as a multiple of the
  /// largest error of the other frames near the seam, forwards and backwards. Where both are at most 1, some of these settled
  /// that the picture does not jump, and the others were left out.
  public struct Prediction: Sendable, Equatable, Codable {
    /// Over the worst quarter of the picture.
    public var surprise: Double
    /// Over the worst 8 of 256 blocks.
    public var smallSurprise: Double
    /// `nil` where the surprises leave no doubt that the clip loops. At least this much where it is above
    /// ``SeamThresholds/excess``.
    public var excess: Excess?
    /// Where the worst blocks are.
    public var worstBlock: WorstBlock
  }

  /// Both surprises, for what the errors exceed those that remain with the best motion: what coding noise leaves cancels
  /// out.
  public struct Excess: Sendable, Equatable, Codable {
    public var surprise: Double
    public var smallSurprise: Double
  }

  /// The part of the picture that deviates most, in fractions of the picture from its top left corner.
  public struct WorstBlock: Sendable, Equatable, Codable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    /// How many times more it changes across the seam than the clip's busiest blocks usually do.
    public var ratio: Double
  }

  /// Whether the pictures on both sides of the seam have anything in common.
  public struct Content: Sendable, Equatable, Codable {
    /// What no motion explains of the first frame, or of the last if that is more: as a share of the variance inside its
    /// blocks.
    public var unexplained: Double
    /// What is left, in squared code values, as a multiple of what is usual near the seam; `nil` where motion explains most of
    /// both.
    public var ratio: Double?
    /// The frames near the seam that motion explains as badly, which are cuts or flashes of the clip's own; `nil` likewise.
    public var alike: Int?
    /// The correlation of the last and the first frame.
    public var likeness: Double
    /// How much of the picture that is: the number of blocks that would leave as much if all left the same, as a share of all.
    public var spread = 1.0
    /// How far the colours of one have to change to be those of the other, wherever they are, in code values: the mean
    /// difference of luma and half of those of chroma, over 16x16 cells in order of their values.
    public var colours: Double
  }

  /// Signed medians over 16x16 cells, in code values. Motion cancels out, a common shift remains.
  public struct Levels: Sendable, Equatable, Codable {
    public var luma: Level
    public var blue: Level
    public var red: Level

    public struct Level: Sendable, Equatable, Codable {
      /// From the last frame to the first.
      public var shift: Double
      /// The largest between neighbours near the seam.
      public var usualShift: Double
    }
  }

  /// One of the two ends of a clip.
  package enum End { case first, last }

  /// Frames without motion that touch the seam.
  public struct Rest: Sendable, Equatable, Codable {
    public var isAtStart: Bool
    /// Repeated frames.
    public var frames: Int
    public var seconds: Double
    /// The larger of the two busy steps beside the rest.
    public var stepBeside: Double
    /// The usual busy step: of the moving frames near the seam, or that which the motion beside the rest grows to.
    public var usualStep: Double
    /// Repeated frames of the longest rest inside; 0 unless the motion beside this rest is abrupt.
    public var longestInside = 0
    /// The larger of the two busy steps at the other end, beyond its rest if it has one; `nil` likewise.
    public var stepAcross: Double?
    /// The share of the clip that stands still for four frames or more, here or elsewhere; 0 likewise.
    public var share = 0.0
    /// How straight the motion goes on after the rests at both ends: 1 straight on, 0 back to where it came from; `nil`
    /// unless the motion beside a rest is abrupt.
    public var straightness: Double?
  }

  /// Frames that are shown twice around the seam.
  public struct Repeats: Sendable, Equatable, Codable {
    /// The first frames play the last ones once more: how many, 0 for none.
    public var replayed: Int
    /// Steps without motion that adjoin one across the seam, before and after it: a frame that is shown three times or more.
    public var heldBefore = 0
    public var heldAfter = 0
    /// The busy step across the seam over the smaller one beside it and them: near 0 if the first frame repeats the last.
    public var stepRatio: Double
    /// How straight the motion goes over the seam: 1 straight on, 0 at a turning point.
    public var straightness: Double
    /// The smaller busy step beside the seam.
    public var stepBeside: Double
    /// Whether frames repeat elsewhere, too. `nil` where the first frame does not repeat the last.
    public var repeatElsewhere: Bool?
  }

  /// Sharpness is the mean absolute difference of luma from its surroundings of 3x3 samples, at full size.
  public struct Sharpness: Sendable, Equatable, Codable {
    /// The natural logarithm of the first frame's over the last frame's, or of the second frame's if that is less.
    public var rise: Double
    /// What is usual near the seam: the 90 % quantile of such logarithms.
    public var usualRise: Double
  }

  /// A change at the seam that goes back at once: a beat or a flash.
  public struct Beat: Sendable, Equatable, Codable {
    /// The share of the change that goes back within the first frames.
    public var back: Double
    /// How alike the most similar transition inside the clip is: the correlation of the changes...
    public var likeness: Double
    /// ... the difference of its frames as a share of the change...
    public var difference: Double
    /// ... and that of the common shift of levels, in multiples of a visible shift.
    public var shiftDifference: Double
    /// How many frames earlier than inside the clip the change comes at the seam; `nil` where the clip has no regular
    /// rhythm, or too few of its frames were seen.
    public var early: Int?
    /// Changes of light inside, at any time, that are at least half as large; 0 if the one at the seam is weak.
    public var flashes = 0
  }

  /// Changes of light or colour that divide the clip into equal parts, of which the one at the seam is one: flashes, pulses,
  /// cuts on a beat.
  public struct Rhythm: Sendable, Equatable, Codable {
    /// Equal parts.
    public var beats: Int
    /// How many of the changes inside stand out: a flash of nearly the same colour as the light before does not.
    public var found: Int
    /// How many frames the change at the seam is off the place that those inside predict.
    public var offset: Double
    /// The median change inside as a multiple of the one at the seam, and the largest.
    public var usualSize: Double
    public var largestSize: Double
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
}
