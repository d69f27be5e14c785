import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkPipeline

/// Verdicts of made-up measurements, at and around the thresholds.
@Suite struct LoopSeamRuleTests {
  /// The thresholds again, as in docs/measurements.md and chosen on the labelled clips: tests that read them from the
  /// rule would follow any change of it.
  enum Stated {
    static let jump = 1.2
    static let excess = 1.3
    static let clearJump = 1.5
    static let lessEvidence = 0.2
    static let cutUnexplained = 0.45
    static let cutRatio = 1.5
    static let cutLikeness = 0.5
    static let cutColours = 10.0
    static let rhythm = 2
    static let beatLikeness = 0.8
    static let beatDifference = 0.5
    static let fade = 0.25
    static let shift = 2.2
    static let freezeSeconds = 0.19
    static let freezeOnset = 0.62
    static let pop = 0.38
    static let mirror = 0.7
  }

  static let limits = Profile.nowPlaying.seam

  static func judge(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement {
    LoopSeamRule.judge(.sample(change), thresholds: limits)
  }

  /// Below, at and above a limit.
  static let margin = 0.01

  @Test("the sample is seamless, and its score is the step at the seam over the clip's own step")
  func sample() throws {
    let judged = Self.judge { $0.seamStep = 5 }
    #expect(judged.verdict == .seamless && judged.certainty == .certain)
    #expect(judged.score == 1.25 && judged.seamStep == 5 && judged.ownStep == 4)
    #expect(Self.judge { $0.ownStep = 0.5 }.score == 4 / 1.5, "the noise floor is 1.5")
    #expect(abs(try #require(judged.surprise) - 0.9 / Stated.jump) < 1e-9)
    #expect(judged.missingFrames == nil)
    #expect(Self.judge { $0.prediction = nil }.surprise == nil)
    #expect(Self.judge { $0.prediction = nil }.verdict == .seamless)
  }

  @Test("a jump surprises over a quarter of the picture, or a little more in small parts")
  func jump() {
    let (limit, little) = (Stated.jump, Stated.jump + Stated.lessEvidence)
    func verdict(_ surprise: Double, _ small: Double) -> SeamJudgement.Verdict {
      Self.judge { $0.surprise(surprise, small: small) }.verdict
    }
    #expect(verdict(limit + Self.margin, 1) == .jump)
    #expect(verdict(1, little + Self.margin) == .jump)
    #expect(verdict(limit - Self.margin, 1) == .seamless)
    #expect(verdict(1, little - Self.margin) == .seamless)
  }

  @Test("a jump score above 1 is a jump, one below is none")
  func score() {
    for surprise in stride(from: 0.8, through: 2.4, by: 0.1) {
      for small in stride(from: 0.8, through: 2.4, by: 0.2) {
        for hold in [1, 2] {
          let judged = Self.judge {
            $0.hold = hold
            $0.surprise(surprise, small: small)
          }
          #expect(
            (judged.surprise ?? 0 > 1) == (judged.verdict == .jump),
            "\(surprise), \(small), \(hold)")
        }
      }
    }
  }

  @Test("animation on twos and threes needs more", arguments: [2, 3])
  func twos(hold: Int) {
    func verdict(_ surprise: Double) -> SeamJudgement.Verdict {
      Self.judge {
        $0.hold = hold
        $0.surprise(surprise)
      }.verdict
    }
    let limit = Stated.jump + Stated.lessEvidence
    #expect(verdict(limit + Self.margin) == .jump)
    #expect(verdict(limit - Self.margin) == .seamless)
  }

  @Test("a hitch that is no worse than what the best motion leaves is coding noise")
  func excess() {
    let hitch = (Stated.jump + Stated.clearJump) / 2
    func verdict(_ excess: Double) -> SeamJudgement.Verdict {
      Self.judge { $0.surprise(hitch, excess: excess) }.verdict
    }
    #expect(verdict(Stated.excess + Self.margin) == .jump)
    #expect(verdict(Stated.excess - Self.margin) == .seamless)
  }

  @Test("a clear jump jumps, a hitch stutters")
  func clear() {
    let clear = Self.judge { $0.surprise(Stated.clearJump + Self.margin) }
    #expect(clear.certainty == .certain && clear.sentence.contains("the picture jumps"))
    let hitch = Self.judge { $0.surprise(Stated.clearJump - Self.margin) }
    #expect(hitch.verdict == .jump && hitch.certainty == .likely)
    #expect(hitch.sentence.contains("the motion stutters"))
  }

  @Test("an end that repeats the start jumps, and the sentence states by how much")
  func repeated() {
    for count in 2...4 {
      let judged = Self.judge { $0.repeats.replayed = count }
      #expect(judged.verdict == .jump && judged.certainty == .certain)
      #expect(judged.missingFrames == -count)
      #expect(judged.sentence.contains("the end repeats \(count) frames of the start"))
    }
    let missing = Self.judge {
      $0.surprise(3)
      $0.timeline?.gap = 2
      $0.timeline?.loopMisfit = 0.6
    }
    #expect(missing.missingFrames == 1 && missing.sentence.contains("about one frame is missing"))
    let unknown = Self.judge {
      $0.surprise(3)
      $0.motion.seam = 50.4
      $0.prediction?.worstBlock.x = 0.75
    }
    #expect(unknown.missingFrames == nil)
    #expect(
      unknown.sentence
        == "the picture jumps at the loop point, most at the right"
    )
  }

  @Test(
    "a place is named by thirds of the picture",
    arguments: [
      (0, 0, "at the top left"), (0.8, 0.8, "at the bottom right"), (0.4, 0.8, "at the bottom"),
      (0, 0.4, "at the left"), (0.4, 0.4, "in the middle"),
    ] as [(Double, Double, String)])
  func place(x: Double, y: Double, words: String) {
    let judged = Self.judge {
      $0.surprise(3)
      $0.prediction?.worstBlock.x = x
      $0.prediction?.worstBlock.y = y
    }
    #expect(judged.sentence == "the picture jumps at the loop point, most \(words)")
  }

  @Test("different content is a cut, unless the clip cuts or flashes like that near the seam")
  func cut() {
    func verdict(
      _ unexplained: Double, _ ratio: Double, _ likeness: Double, alike: Int = 0,
      colours: Double = 99
    ) -> SeamJudgement.Verdict {
      Self.judge {
        $0.content = .init(
          unexplained: unexplained, ratio: ratio, alike: alike, likeness: likeness,
          colours: colours)
      }.verdict
    }
    let (share, ratio, likeness) = (
      Stated.cutUnexplained + Self.margin, Stated.cutRatio + Self.margin,
      Stated.cutLikeness - Self.margin
    )
    #expect(verdict(share, ratio, likeness) == .cut)
    #expect(verdict(share - 2 * Self.margin, ratio, likeness) == .seamless)
    #expect(verdict(share, ratio - 2 * Self.margin, likeness) == .seamless)
    #expect(verdict(share, ratio, likeness + 2 * Self.margin) == .seamless)
    #expect(
      verdict(share, 90, likeness, colours: Stated.cutColours - Self.margin) == .jump, "it leapt")
    #expect(verdict(share, 90, -1, alike: Stated.rhythm - 1) == .cut, "one cut is no rhythm")
    #expect(verdict(share, 90, -1, alike: Stated.rhythm) == .seamless, "a slide show")
    let small = Self.judge {
      $0.content = .init(
        unexplained: 1, ratio: 20, alike: 0, likeness: 0, spread: 0.03, colours: 99)
    }
    #expect(small.verdict == .seamless, "a small thing that moves fast")
  }

  @Test("where no motion fits, a surprise that is in doubt elsewhere is a jump")
  func misfit() {
    func judge(_ surprise: Double, alike: Int = 0, hold: Int = 1) -> SeamJudgement {
      Self.judge {
        $0.hold = hold
        $0.surprise(surprise, excess: 1)
        $0.content = .init(
          unexplained: 0.9, ratio: Stated.cutRatio + Self.margin, alike: alike,
          likeness: Stated.cutLikeness + Self.margin, colours: 2)
      }
    }
    let surprise = Stated.jump + Self.margin
    #expect(judge(surprise).verdict == .jump)
    #expect((judge(surprise).surprise ?? 0) > 1)
    #expect(judge(surprise - 2 * Self.margin).verdict == .seamless)
    #expect(judge(surprise, alike: Stated.rhythm).verdict == .seamless, "it is always so")
    #expect(judge(surprise, hold: 2).verdict == .seamless, "twos have fewer pictures")
    #expect(judge(surprise + Stated.lessEvidence, hold: 2).verdict == .jump)
  }

  enum Plane: CaseIterable {
    case luma, blue, red

    var path: WritableKeyPath<SeamMeasurement.Levels, SeamMeasurement.Levels.Level> {
      switch self {
      case .luma: \.luma
      case .blue: \.blue
      case .red: \.red
      }
    }
  }

  @Test(
    "a common shift of luma or chroma is a shift, unless the clip shifts like that nearby",
    arguments: Plane.allCases)
  func shift(plane: Plane) {
    func verdict(_ shift: Double, usual: Double = 0) -> SeamJudgement.Verdict {
      Self.judge { $0.levels[keyPath: plane.path] = .init(shift: shift, usualShift: usual) }.verdict
    }
    let limit = Stated.shift
    #expect(verdict(limit + Self.margin) == .shift && verdict(-limit - Self.margin) == .shift)
    #expect(verdict(limit - Self.margin) == .seamless)
    #expect(verdict(limit + 3 + Self.margin, usual: 2) == .shift)
    #expect(verdict(limit + 3 - Self.margin, usual: 2) == .seamless)
  }

  @Test("motion that stops abruptly at one end is a freeze; motion that slows down is not")
  func freeze() {
    func rest(
      _ frames: Int, seconds: Double? = nil, beside: Double = 12, atStart: Bool = false
    ) -> SeamMeasurement.Rest {
      .init(
        isAtStart: atStart, frames: frames, seconds: seconds ?? Double(frames) / 24,
        stepBeside: beside, usualStep: 12)
    }
    func judged(_ rests: SeamMeasurement.Rest...) -> SeamJudgement {
      Self.judge { $0.rests = rests }
    }
    #expect(judged(rest(12)).verdict == .freeze)
    #expect(judged(rest(12)).sentence == "nothing moves in the last 0.5 s (13 frames)")
    #expect(
      judged(rest(12, atStart: true)).sentence == "nothing moves in the first 0.5 s (13 frames)")
    #expect(judged(rest(3, seconds: 1)).verdict == .seamless, "a slow frame rate")
    #expect(judged(rest(9, seconds: Stated.freezeSeconds - 0.01)).verdict == .seamless)
    #expect(judged(rest(9, seconds: Stated.freezeSeconds + 0.01)).verdict == .freeze)
    // One side at full speed: the geometric mean of both counts.
    let eased = Stated.freezeOnset * Stated.freezeOnset * 12
    #expect(judged(rest(12, beside: eased + 0.1)).verdict == .freeze)
    #expect(judged(rest(12, beside: eased - 0.1)).verdict == .seamless)
    // The motion before a rest leads on, which is no jump.
    #expect(
      Self.judge {
        $0.rests = [rest(12)]
        $0.surprise(9)
      }.verdict == .freeze)
    #expect(judged(rest(12), rest(24, atStart: true)).sentence.contains("first 1 s"))
    #expect(
      judged(rest(12, beside: 1), rest(24, atStart: true)).verdict == .seamless,
      "it slows down before it rests, so the rest is meant")
    func changed(_ change: (inout SeamMeasurement.Rest) -> Void) -> SeamJudgement.Verdict {
      var rest = rest(12)
      change(&rest)
      return judged(rest).verdict
    }
    #expect(changed { $0.stepAcross = 4 } == .seamless, "it starts softly")
    #expect(changed { ($0.stepBeside, $0.usualStep) = (1.4, 1.4) } == .seamless, "coding noise")
    #expect(changed { $0.straightness = 0.31 } == .freeze)
    #expect(changed { $0.straightness = 0.29 } == .seamless, "it goes back to where it came from")
    #expect(changed { $0.share = 0.39 } == .freeze)
    #expect(changed { $0.share = 0.41 } == .seamless, "a still on which something happens")
    #expect(changed { $0.longestInside = 12 } == .seamless, "a pause as it makes inside")
  }

  @Test("one blank frame at an end is a cut, unless the clip flashes like that")
  func blank() {
    func judged(
      _ head: [Double], _ tail: [Double], _ change: (inout SeamMeasurement) -> Void = { _ in }
    ) -> SeamJudgement {
      Self.judge {
        ($0.headContrast, $0.tailContrast) = (head, tail)
        change(&$0)
      }
    }
    let full = [20.0, 21, 20, 19]
    #expect(judged(full, full).verdict == .seamless)
    #expect(judged(full, [20, 21, 19, 1]).sentence == "the last frame is blank")
    #expect(judged([1, 20, 21, 19], full).sentence == "the first frame is blank")
    #expect(judged(full, [20, 21, 19, 1]).verdict == .cut)
    #expect(judged(full, [20, 21, 19, 5.1]).verdict == .seamless, "a quarter is left")
    #expect(judged(full, [20, 21, 8, 1]).verdict == .seamless, "something leaves the picture")
    #expect(judged(full, [2.5, 2.6, 2.7, 0]).verdict == .seamless, "there is hardly a picture")
    let beats = SeamMeasurement.Rhythm(
      beats: 4, found: 3, offset: 0, usualSize: 1, largestSize: 1)
    #expect(judged(full, [20, 21, 19, 1]) { $0.rhythm = beats }.verdict == .seamless)
    #expect(judged(full, [20, 21, 19, 1]) { $0.blanks = 2 }.verdict == .seamless, "a strobe")
    #expect(judged(full, [20, 21, 19, 1]) { $0.blanks = 1 }.verdict == .cut)
  }

  @Test("a change in the clip's own rhythm is none, whatever it would be called")
  func rhythmic() {
    let beats = SeamMeasurement.Rhythm(
      beats: 4, found: 3, offset: 0, usualSize: 1, largestSize: 1)
    let changes: [(SeamJudgement.Verdict, (inout SeamMeasurement) -> Void)] = [
      (.fade, { $0.dimness = 0.05 }),
      (
        .cut,
        {
          $0.content = .init(unexplained: 1, ratio: 20, alike: 0, likeness: 0, colours: 99)
        }
      ),
      (.shift, { $0.levels.luma.shift = 40 }),
      (.jump, { $0.surprise(9) }),
    ]
    for (verdict, change) in changes {
      #expect(Self.judge(change).verdict == verdict)
      #expect(
        Self.judge {
          change(&$0)
          $0.rhythm = beats
        }.verdict == .seamless)
    }
  }

  @Test("at a few frames a second no verdict is certain")
  func slow() {
    func judged(_ rate: Double) -> SeamJudgement {
      Self.judge {
        $0.interval = 1 / rate
        $0.surprise(9)
      }
    }
    #expect(judged(5).certainty == .likely && judged(8).certainty == .likely)
    #expect(judged(10).certainty == .certain && judged(5).verdict == .jump)
  }

  @Test("a picture that becomes sharper or softer at the seam pops, unless it also does so nearby")
  func pop() {
    func verdict(_ rise: Double, usual: Double = 0.1, colours: Double = 1) -> SeamJudgement.Verdict
    {
      Self.judge {
        $0.sharpness = .init(rise: rise, usualRise: usual)
        $0.content.colours = colours
      }.verdict
    }
    let limit = Stated.pop + 0.2
    #expect(verdict(limit + Self.margin) == .pop && verdict(-limit - Self.margin) == .pop)
    #expect(verdict(limit - Self.margin) == .seamless)
    #expect(verdict(limit + Self.margin, usual: 0.2) == .seamless)
    #expect(verdict(limit + Self.margin, colours: 30) == .seamless, "another picture")
  }

  @Test("a frame is held if it repeats the last one while the motion goes on around it")
  func held() {
    func verdict(
      _ ratio: Double, _ straightness: Double, elsewhere: Bool? = false,
      _ change: (inout SeamMeasurement) -> Void = { _ in }
    ) -> SeamJudgement.Verdict {
      Self.judge {
        $0.repeats.stepRatio = ratio
        $0.repeats.straightness = straightness
        $0.repeats.repeatElsewhere = elsewhere
        change(&$0)
      }.verdict
    }
    #expect(verdict(0.05, 0.9) == .held)
    #expect(verdict(0.05, 0.1) == .seamless, "a turning point")
    #expect(verdict(0.05, 0.9, elsewhere: true) == .seamless, "the clip's own way")
    #expect(verdict(0.05, 0.9, elsewhere: nil) == .seamless, "nothing moves beside it")
    #expect(verdict(0.6, 1) == .seamless)
    #expect(verdict(0.45, 0.65) == .held && verdict(0.45, 0.55) == .seamless)
    // By the moments around the seam.
    #expect(
      verdict(0.6, 0.5) {
        $0.timeline = .init(
          gap: 0, gapMisfit: 0.1, heldMisfit: 0.1, loopMisfit: 0.9, mirrorMisfit: 1.5)
      } == .held)
  }

  @Test("a clip that runs backwards from its seam swings to and fro")
  func turn() {
    func judged(_ mirror: Double, ratio: Double = 1) -> SeamJudgement {
      Self.judge {
        $0.timeline = .init(
          gap: 1, gapMisfit: 0.8, heldMisfit: 0.9, loopMisfit: 0.9, mirrorMisfit: mirror)
        $0.repeats.stepRatio = ratio
      }
    }
    #expect(judged(0.05).verdict == .reverse)
    #expect(judged(0.05).sentence.contains("to and fro"))
    #expect(judged(0.05, ratio: 0.1).sentence.contains("turning point twice"))
    let limit = Stated.mirror * 0.8
    #expect(judged(limit - Self.margin).verdict == .reverse)
    #expect(judged(limit + Self.margin).verdict == .seamless)
    // Motion that turns is not where it was going.
    let hard = Self.judge {
      $0.surprise(9)
      $0.timeline = .init(
        gap: -2, gapMisfit: 0.6, heldMisfit: 0.9, loopMisfit: 0.9, mirrorMisfit: 0.05)
    }
    #expect(hard.verdict == .reverse)
  }

  @Test("a clip without change is static; slow motion that adds up is a change")
  func still() {
    func verdict(_ largest: Double, inside: Double?, seam: Double = 0.1) -> SeamJudgement.Verdict {
      Self.judge {
        $0.motion = .init(seam: seam, usual: 0.1, live: 0.1, largest: largest, inside: inside)
      }.verdict
    }
    #expect(verdict(0.3, inside: 0.4) == .static)
    #expect(verdict(0.3, inside: 9) == .seamless)
    #expect(verdict(5, inside: 4, seam: 5) == .static, "single frames that are coded anew")
    #expect(verdict(5, inside: 20, seam: 5) != .static)
    // Motion that is too slow to be visible from frame to frame jumps back all the same.
    func slow(_ surprise: Double, excess: Double) -> SeamJudgement.Verdict {
      Self.judge {
        $0.motion = .init(seam: 5, usual: 0.5, live: 0.5, largest: 5, inside: 4)
        $0.surprise(surprise, excess: excess)
      }.verdict
    }
    let (surprise, excess) = (Stated.jump + Self.margin, Stated.excess + Self.margin)
    #expect(slow(surprise, excess: excess) == .jump)
    #expect(slow(surprise, excess: excess - 2 * Self.margin) == .static)
    #expect(slow(surprise - 2 * Self.margin, excess: excess) == .static)
    let dimmed = Self.judge {
      $0.motion = .init(seam: 7, usual: 0.1, live: 0.1, largest: 7, inside: 4)
      $0.levels.luma.shift = 7
    }
    #expect(dimmed.verdict == .shift, "coding does not change the level of the whole picture")
  }

  @Test("a cut in animation on twos and threes has to surprise as well", arguments: [1, 2, 3])
  func cutOfDrawings(hold: Int) {
    func verdict(_ surprise: Double) -> SeamJudgement.Verdict {
      Self.judge {
        $0.hold = hold
        $0.prediction?.surprise = surprise
        $0.prediction?.excess = .init(surprise: 1, smallSurprise: 1)
        $0.content = .init(
          unexplained: 1, ratio: 20, alike: 0, likeness: 0, colours: 99)
      }.verdict
    }
    #expect(verdict(Stated.jump + Self.margin) == .cut)
    #expect(verdict(Stated.jump - Self.margin) == (hold == 1 ? .cut : .seamless))
  }

  @Test("a beat at the seam is the clip's own if it occurs inside, alike and in time")
  func beat() {
    let own = SeamMeasurement.Beat(
      back: 0.5, likeness: 0.95, difference: 0.1, shiftDifference: 0.5, early: 0)
    func verdict(_ change: (inout SeamMeasurement.Beat) -> Void) -> SeamJudgement.Verdict {
      Self.judge {
        var beat = own
        change(&beat)
        $0.beat = beat
        $0.motion.seam = 40
        $0.surprise(9)
      }.verdict
    }
    #expect(verdict { _ in } == .seamless)
    #expect(verdict { $0.early = nil } == .seamless)
    #expect(verdict { $0.early = 1 } == .seamless && verdict { $0.early = -1 } == .seamless)
    #expect(verdict { $0.early = 2 } == .jump && verdict { $0.early = -2 } == .jump)
    #expect(verdict { $0.likeness = Stated.beatLikeness - Self.margin } == .jump)
    #expect(verdict { $0.difference = Stated.beatDifference + Self.margin } == .jump)
    #expect(verdict { $0.shiftDifference = 2.1 } == .jump)
    #expect(
      verdict {
        $0 = .init(back: 0.5, likeness: 0, difference: .infinity, shiftDifference: .infinity)
      } == .jump)
    // Which change is worth searching for inside.
    func asks(_ back: Double, _ change: (inout SeamMeasurement) -> Void) -> Bool {
      Self.limits.suspectBeat(in: .sample(change), back: back)
    }
    #expect(asks(0.5) { $0.surprise(9) } && asks(0.5) { $0.levels.luma.shift = 20 })
    #expect(!asks(0.5) { _ in } && !asks(0.05) { $0.surprise(9) })
    #expect(!asks(0.5) { ($0.content.likeness, $0.levels.luma.shift) = (0.3, 20) })
    #expect(!asks(0.5) { ($0.dimness, $0.levels.luma.shift) = (0.1, 20) }, "a fade")
  }

  @Test("what is worst is reported: a fade before a cut, a cut before a rest, a rest before a jump")
  func order() {
    let rest = SeamMeasurement.Rest(
      isAtStart: false, frames: 20, seconds: 0.8, stepBeside: 12, usualStep: 12)
    var seam = SeamMeasurement.sample {
      $0.dimness = 0.05
      $0.content = .init(
        unexplained: 1, ratio: 20, alike: 0, likeness: 0, colours: 99)
      $0.levels.luma.shift = 40
      $0.surprise(9)
      $0.repeats.replayed = 2
      $0.rests = [rest]
      $0.repeats.repeatElsewhere = false
      ($0.repeats.stepRatio, $0.repeats.straightness) = (0, 1)
    }
    func verdict() -> SeamJudgement.Verdict {
      LoopSeamRule.judge(seam, thresholds: Self.limits).verdict
    }
    #expect(verdict() == .fade)
    seam.dimness = nil
    #expect(verdict() == .cut)
    seam.content = SeamMeasurement.sample().content
    seam.surprise(1)
    #expect(verdict() == .shift)
    // Other light explains no clear jump.
    seam.surprise(9)
    #expect(verdict() == .freeze)
    seam.rests = []
    #expect(verdict() == .jump)
    seam.levels.luma.shift = 0
    #expect(verdict() == .jump)
    seam.surprise(1)
    #expect(verdict() == .jump, "frames that play twice")
    seam.repeats.replayed = 0
    #expect(verdict() == .held)
  }

  @Test("what passes although much changes has a reason, and by how much", arguments: [2, 4.2, 30])
  func reasons(ratio: Double) {
    func judged(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement {
      Self.judge {
        $0.motion.seam = ratio * $0.motion.usual
        $0.seamStep = ratio * $0.ownStep
        change(&$0)
      }
    }
    let size =
      "the change at the loop point is \(decimal(ratio, places: 1)) times the clip's usual motion"
    let beat = judged {
      $0.motion.largest = $0.motion.seam
      $0.surprise(9)
      $0.beat = .init(back: 0.5, likeness: 1, difference: 0, shiftDifference: 0, early: 0)
    }
    #expect(beat.sentence == size + ", and the same change occurs inside the clip")
    let beside = judged { $0.motion.largest = 1.2 * $0.motion.seam }
    #expect(beside.sentence == size + ", and the frames beside it change as much")
    let motion = judged { $0.motion.largest = $0.motion.seam }
    #expect(motion.sentence == size + ", but the motion that leads there explains it")
    for judgement in [beat, beside, motion] { #expect(judgement.verdict == .seamless) }
    #expect(Self.judge { _ in }.sentence == "the motion continues from the last frame to the first")
  }

  @Test("a loop that was in doubt is reported as a likely one")
  func likely() {
    let unsure = Self.judge { $0.surprise(1.15) }
    #expect(unsure.verdict == .seamless)
    #expect(unsure.certainty == .likely && unsure.sentence.contains("less evenly"))
  }

  @Test("a verdict near a limit is a likely one")
  func nearLimits() {
    func certainty(_ change: (inout SeamMeasurement) -> Void) -> SeamJudgement.Certainty {
      Self.judge(change).certainty
    }
    #expect(certainty { $0.surprise(1.09) } == .certain)
    #expect(certainty { $0.surprise(1.11) } == .likely)
    #expect(certainty { $0.surprise(0.9, small: 1.31) } == .likely)
    // A visible shift begins at 2.2.
    #expect(certainty { $0.levels.luma.shift = -1.4 } == .certain)
    #expect(certainty { $0.levels.luma.shift = -1.5 } == .likely)
    #expect(certainty { $0.hold = 2 } == .likely)
    // A jump whose errors are hardly more than those of the best motion, which coding leaves as well.
    #expect(certainty { $0.surprise(2, excess: 1.4) } == .certain)
    #expect(certainty { $0.surprise(2, excess: 1.2) } == .likely)
    // Animation on twos has fewer pictures.
    let twos = Self.judge {
      $0.hold = 2
      $0.surprise(1.65)
    }
    #expect(twos.verdict == .jump && twos.certainty == .likely)
  }

  @Test("every measurement has a verdict and a sentence", arguments: [0, 1e-300, 1, 255, 1e300])
  func total(number: Double) {
    for scope in [SeamMeasurement.Scope.ends, .everyFrame] {
      for empties in [true, false] {
        let judged = Self.judge {
          $0.scope = scope
          ($0.seamStep, $0.ownStep) = (number, number)
          $0.motion = .init(
            seam: number, usual: number, live: number, largest: number, inside: number)
          $0.levels.luma.shift = number
          $0.sharpness.rise = min(number, 700)
          $0.surprise(number, small: number)
          if empties {
            ($0.headSteps, $0.tailSteps, $0.headContrast, $0.tailContrast) = ([], [], [], [])
            ($0.headLuma, $0.tailLuma, $0.prediction, $0.timeline) = ([], [], nil, nil)
          }
        }
        #expect(judged.score.isFinite && !judged.sentence.isEmpty)
        #expect(ReplyValidation.holds(for: judged))
      }
    }
  }

  @Test("severities of the verdicts: errors are what everybody sees")
  func severity() {
    func severities(_ change: (inout SeamMeasurement) -> Void) -> [Finding.Severity] {
      findings(LoopSeamRule.self, seam: .sample(change)).map(\.severity)
    }
    #expect(severities { _ in }.isEmpty)
    #expect(severities { $0.surprise(Stated.clearJump - Self.margin) } == [.warning])
    #expect(severities { $0.surprise(Stated.clearJump + Self.margin) } == [.error])
    #expect(severities { $0.repeats.replayed = 2 } == [.error])
    #expect(
      severities {
        $0.content = .init(
          unexplained: 1, ratio: 20, alike: 0, likeness: 0, colours: 99)
      } == [.error])
    #expect(
      severities {
        $0.repeats.repeatElsewhere = false
        ($0.repeats.stepRatio, $0.repeats.straightness) = (0, 1)
      } == [.warning])
    #expect(severities { $0.sharpness = .init(rise: 1, usualRise: 0) } == [.warning])
    #expect(
      severities {
        $0.timeline = .init(
          gap: 1, gapMisfit: 0.5, heldMisfit: 0.9, loopMisfit: 0.9, mirrorMisfit: 0.01)
      } == [.info])
    #expect(findings(LoopSeamRule.self, seam: nil).isEmpty)
    #expect(findings(LoopSeamRule.self, seam: .sample { $0.surprise(9) }, missing: 1).isEmpty)
    // The finding contains the measured values.
    let finding = findings(LoopSeamRule.self, seam: .sample { $0.surprise(2.8) }).first
    #expect(finding?.measured == "change at the loop point 4; usual nearby 4; jump score 2.3")
    #expect(finding?.limit == "jump score 1.0")
  }
}
