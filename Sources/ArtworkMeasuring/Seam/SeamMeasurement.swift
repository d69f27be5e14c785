/// The measurements at the seam, where the end of a clip meets its start. ``LoopSeamRule`` judges them.
///
/// A *step* is the difference of two frames: the mean absolute luma difference plus half the mean absolute chroma
/// difference, in 8-bit code values, over the part of the picture that moves if that is less than a quarter. A *busy
/// step* is the root mean square difference in the 8 busiest of 256 blocks. docs/measurements.md has the method.
package struct SeamMeasurement: Sendable, Equatable, Codable {
  package enum Scope: String, Sendable, Codable {
    /// A few frames at each end, and more if these are inconclusive.
    case ends
    /// The whole clip.
    case everyFrame = "every-frame"
  }

  /// Steps below this are grain and coding noise, in code values: scores divide by at least this.
  package static let noiseFloor = 1.5

  package var scope: Scope
  /// The number of frames that are compared at each end.
  package var window: Int
  /// The number of frames for which each drawing is held near the seam: 2 in animation on twos, otherwise 1.
  package var hold: Int

  /// The step from the last displayed frame to the first.
  package var seamStep: Double
  /// The median of the moving steps near the seam: the clip's own step.
  package var ownStep: Double
  /// See ``SeamJudgement/score``.
  package var score: Double { seamStep / max(ownStep, Self.noiseFloor) }
  /// The usual time from one frame to the next in seconds, to the millisecond, as some containers have it.
  package var interval: Double?
  /// The steps among the first frames (first to second, second to third) and among the last frames (..., second last to
  /// last), in order.
  package var headSteps: [Double]
  package var tailSteps: [Double]
  /// The contrast (standard deviation of luma) of the frames of ``headSteps`` and ``tailSteps``, in order.
  package var headContrast: [Double]
  package var tailContrast: [Double]
  /// The mean luma of the frames of ``headSteps`` and ``tailSteps``, in order.
  package var headLuma: [Double]
  package var tailLuma: [Double]

  package var motion: Motion
  /// `nil` if an end has too few frames to predict motion.
  package var prediction: Prediction?
  package var content: Content
  package var levels: Levels
  /// The contrast of the frame at the seam on one side, as a share of the usual contrast, if the frame beside it is dimmed
  /// as well. `nil` if contrast is high or steady there, so that the inside does not matter.
  package var dimness: Double?
  /// The light or contrast at the seam as a share of the usual one, if it falls towards the seam at both ends and is
  /// steady inside: a fade out that meets a fade in before either is black. `nil` otherwise.
  package var dip: Double?
  package var rests: [Rest]
  package var repeats: Repeats
  package var sharpness: Sharpness
  /// `nil` unless something changes at the seam, and the same happens inside in equal times.
  package var rhythm: Rhythm?
  /// `nil` unless the picture jumps at the seam, and the clip was seen whole.
  package var recurrence: Recurrence?
  /// `nil` unless blocks that stand still elsewhere move at the seam, or beside it.
  package var places: Places?
  /// Blocks of the first frame that differ from both frames beside it as at no other frame; `nil` if they are few.
  package var oddBlocks: Int?
  /// Blank frames inside; `nil` unless the first or the last frame is blank.
  package var blanks: Int?
  /// `nil` if an end has too few frames for a timeline.
  package var timeline: Timeline?
  /// How many times the clip shows the same frames; `nil` for once, and unless the clip was seen whole.
  package var rounds: Int?
  /// How many frames before the end the seam lies that was measured, because the frames after it are the first one again;
  /// `nil` at the end.
  package var beforeEnd: Int?

  /// How much changes from frame to frame, in busy steps.
  package struct Motion: Sendable, Equatable, Codable {
    /// The step across the seam.
    package var seam: Double
    /// The median near the seam.
    package var usual: Double
    /// The median of the moving steps near the seam.
    package var live: Double
    /// The largest near the seam and across it.
    package var largest: Double
    /// The largest change from the first frame to any other, in the busiest 16x16 cells; `nil` if the ends move.
    package var inside: Double?
    /// The largest busy step from any frame to the next; `nil` if the ends move.
    package var anywhere: Double?
  }

  /// How badly the motion near the seam predicts the frames at the seam: errors in code values, as a multiple of the
  /// largest error of the other frames near the seam, forwards and backwards. If both are at most 1, some of these
  /// settled that the picture does not jump, and the others were left out.
  package struct Prediction: Sendable, Equatable, Codable {
    /// Over the worst quarter of the picture.
    package var surprise: Double
    /// Over the worst 8 of 256 blocks.
    package var smallSurprise: Double
    /// `nil` if the surprises leave no doubt that the clip loops. At least this much if it is above
    /// ``SeamThresholds/excess``.
    package var excess: Excess?
    /// The position of the worst blocks.
    package var worstBlock: WorstBlock
  }

  /// Both surprises, from the errors in excess of those that remain with the best motion: errors from coding noise
  /// cancel out.
  package struct Excess: Sendable, Equatable, Codable {
    package var surprise: Double
    package var smallSurprise: Double
  }

  /// The part of the picture that deviates most, in fractions of the picture from its top left corner.
  package struct WorstBlock: Sendable, Equatable, Codable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double
    /// How many times more it changes across the seam than the clip's busiest blocks usually do.
    package var ratio: Double
  }

  /// Whether the pictures on both sides of the seam have anything in common.
  package struct Content: Sendable, Equatable, Codable {
    /// The part of the first frame that no motion explains, or of the last if that is more: as a share of the
    /// variance inside its blocks.
    package var unexplained: Double
    /// The frames near the seam that motion explains as badly, which are cuts or flashes of the clip's own; `nil` if motion
    /// explains most of both.
    package var alike: Int?
    /// The correlation of the last and the first frame.
    package var likeness: Double
    /// How much of the picture that is: the number of blocks that would leave as much if all left equally much, as a
    /// share of all.
    package var spread = 1.0
    /// How far the colours of one have to change to become those of the other, regardless of position, in code
    /// values: the mean difference of luma and half of those of chroma, over 16x16 cells in order of their values.
    package var colours: Double
  }

  /// Signed medians over 16x16 cells, in code values. Motion cancels out, a common shift remains.
  package struct Levels: Sendable, Equatable, Codable {
    package var luma: Level
    package var blue: Level
    package var red: Level
    /// The change of contrast, in natural logarithms.
    package var contrast = Level(shift: 0, usualShift: 0)
    /// The frames at an end whose levels differ from those on both sides of them, which are alike: at most three at the
    /// end, negative at the start; 0 for none.
    package var oddFrames = 0

    /// The levels as if nothing changed inside.
    package var withoutInside: Levels {
      var levels = self
      for plane in [\Levels.luma, \.blue, \.red, \.contrast] {
        levels[keyPath: plane].largestInside = 0
      }
      return levels
    }

    package struct Level: Sendable, Equatable, Codable {
      /// The step from the last frame to the first.
      package var shift: Double
      /// The largest between neighbours near the seam, but not beside it where ``Levels/oddFrames`` are.
      package var usualShift: Double
      /// The second largest sudden one inside, of contrast also the largest that takes this one back; 0 unless the whole
      /// clip was needed.
      package var largestInside = 0.0
    }
  }

  /// One of the two ends of a clip.
  package enum End { case first, last }

  /// Frames without motion that touch the seam.
  package struct Rest: Sendable, Equatable, Codable {
    package var isAtStart: Bool
    /// The number of repeated frames.
    package var frames: Int
    package var seconds: Double
    /// The larger of the two busy steps beside the rest.
    package var stepBeside: Double
    /// The usual busy step: of the moving frames near the seam, or that which the motion beside the rest grows to.
    package var usualStep: Double
    /// Repeated frames of the longest rest inside; 0 unless the motion beside this rest is abrupt.
    package var longestInside = 0
    /// The larger of the two busy steps at the other end, beyond its rest if it has one; `nil` likewise.
    package var stepAcross: Double?
    /// The share of the clip that stands still for four frames or more, here or elsewhere; 0 likewise.
    package var share = 0.0
    /// How straight the motion continues after the rests at both ends: 1 straight on, 0 back to its origin; `nil`
    /// unless the motion beside a rest is abrupt.
    package var straightness: Double?
  }

  /// Doubled frames around the seam.
  package struct Repeats: Sendable, Equatable, Codable {
    /// The first frames play the last ones once more: how many, 0 for none.
    package var replayed: Int
    /// Steps without motion that adjoin one across the seam, before and after it: a frame that occurs three times or
    /// more.
    package var heldBefore = 0
    package var heldAfter = 0
    /// Steps without motion beside one across the seam that moves: frames at the end, or at the start, that are shown more
    /// than once.
    package var doubledBefore = 0
    package var doubledAfter = 0
    /// The busy step across the seam over the smaller one beside it and them: near 0 if the first frame repeats the last.
    package var stepRatio: Double
    /// How straight the motion goes over the seam: 1 straight on, 0 at a turning point.
    package var straightness: Double
    /// The smaller busy step beside the seam.
    package var stepBeside: Double
    /// Whether frames repeat elsewhere, too. `nil` if the first frame does not repeat the last.
    package var repeatElsewhere: Bool?
  }

  /// Sharpness is the mean absolute difference of luma from its surroundings of 3x3 samples, at full size.
  package struct Sharpness: Sendable, Equatable, Codable {
    /// The natural logarithm of the first frame's over the last frame's, or of the second frame's if that is less.
    package var rise: Double
    /// The usual value near the seam: the 90 % quantile of such logarithms.
    package var usualRise: Double
  }

  /// Changes of light or colour that divide the clip into equal parts, of which the one at the seam is one: flashes, pulses,
  /// cuts on a beat.
  package struct Rhythm: Sendable, Equatable, Codable {
    /// The number of equal parts.
    package var beats: Int
    /// How many of the changes inside stand out: a flash of nearly the same colour as the light before does not.
    package var found: Int
    /// How many frames the change at the seam is off the place that those inside predict.
    package var offset: Double
    /// The median change inside as a multiple of the one at the seam, and the largest.
    package var usualSize: Double
    package var largestSize: Double
  }

  /// Whether what happens at the seam also happens inside, at the blocks where the seam surprises most: how badly motion
  /// predicts every other transition there.
  package struct Recurrence: Sendable, Equatable, Codable {
    /// The largest surprise inside as a multiple of the one at the seam, over the worst quarter of the blocks and over the
    /// worst 8 of 256.
    package var size: Double
    package var smallSize: Double
    /// The correlation with the change inside that is most like it, or that takes it back.
    package var likeness: Double
    /// The part of the picture that surprises, as ``Content/spread``.
    package var spread: Double
  }

  /// Blocks of the picture that move at one time and stand still at all others.
  package struct Places: Sendable, Equatable, Codable {
    /// All blocks of a picture.
    package static let blocks = Flow.blockCount
    /// Blocks that move at the seam alone, and the most that do at any other transition alone.
    package var atSeam: Int
    package var inside: Int
    /// Those that move within three transitions of the seam, and stand still farther away: the most at one of these, and how
    /// many transitions after the seam that is, negative before it.
    package var nearSeam: Int
    package var distance: Int
  }

  /// The distance from the last frame to the first on the clip's own timeline. Differences of up to six frames on each
  /// side of the seam are compared with differences of frames at known distances.
  package struct Timeline: Sendable, Equatable, Codable {
    /// The best fit in frames: 1 in a perfect loop, 0 for a held frame, 3 if two frames are missing, negative if the
    /// end repeats the start.
    package var gap: Int
    /// Mean misfits of the best gap and of 1, in units of the usual difference between neighbouring frames.
    package var gapMisfit: Double
    package var loopMisfit: Double
    /// The misfit of a clip that runs backwards from its seam.
    package var mirrorMisfit: Double
  }
}

extension SeamMeasurement.Timeline {
  /// Frames on each side of the seam that are compared, each with each.
  package static let depth = 6

  /// - Parameters:
  ///   - head, tail: differences among the frames of each end, both counted from the seam.
  ///   - across: `across[i][j]` from the frame `i` before the last to the frame `j` after the first.
  /// - Returns: `nil` for fewer than four frames at an end.
  package init?(head: [[Double]], tail: [[Double]], across: [[Double]]) {
    let depth = min(head.count, tail.count)
    guard depth >= 4 else { return nil }
    // The usual difference of frames at each distance.
    var usual = (0..<depth).map { (distance: Int) -> Double in
      let pairs = (0..<depth - distance).map { start in
        (head[start][start + distance] + tail[start][start + distance]) / 2
      }
      return pairs.mean ?? 0
    }
    // Noise makes even the same moment differ: this is the residual after extrapolating the motion to zero.
    usual[0] = max(0, min(usual[1], 2 * usual[1] - usual[2]))
    let unit = max(usual[1], 0.7)

    /// The mean misfit when frames `i` and `j` are `distance(i, j)` frames apart; `nil` if fewer than five
    /// pairs are near enough to know.
    func misfit(_ distance: (Int, Int) -> Int) -> Double? {
      var sum = 0.0
      var count = 0
      for i in 0..<depth {
        for j in 0..<depth {
          let apart = abs(distance(i, j))
          guard apart < depth else { continue }
          sum += abs(across[i][j] - usual[apart])
          count += 1
        }
      }
      return count < 5 ? nil : sum / Double(count) / unit
    }

    var best: (gap: Int, misfit: Double)?
    var loop: Double?
    // The nearest to a loop first: it wins if others fit no better.
    for gap in (3 - 2 * depth..<depth - 2).sorted(by: { abs($0 - 1) < abs($1 - 1) }) {
      guard let misfit = misfit({ $0 + $1 + gap }) else { continue }
      if gap == 1 { loop = misfit }
      if misfit < best?.misfit ?? .infinity { best = (gap, misfit) }
    }
    guard let best, let loop else { return nil }
    let mirror = (0...2).compactMap { turn in misfit { $0 + turn - $1 } }.min() ?? loop
    self.init(
      gap: best.gap, gapMisfit: best.misfit, loopMisfit: loop, mirrorMisfit: mirror)
  }
}
