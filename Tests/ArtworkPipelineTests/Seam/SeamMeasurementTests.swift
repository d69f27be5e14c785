@testable import ArtworkPipeline

@Suite struct SeamMeasurementTests {
  static func flat(_ lumas: [Float]) -> [Thumbnail] { lumas.map { FrameStepTests.flat(luma: $0) } }

  static func measure(_ frames: [Thumbnail], _ way: TestScene.Way = .onDemand, ends: Int = SeamMeasurement.ends) throws
    -> SeamMeasurement
  { try #require(try TestScene.measure(frames, way, ends: ends)).seam }

  @Test func `steps are listed at both ends and measured from the last frame to the first`() throws {
    let inside = [Float](repeating: 50, count: 30)
    let seam = try Self.measure(Self.flat([10, 12] + inside + [30, 24]), ends: 2)
    #expect(seam.scope == .everyFrame && seam.window == 2, "flat pictures may be a fade")
    #expect(seam.seamStep == 14 && seam.motion.seam == 14)
    #expect(seam.headSteps == [2] && seam.tailSteps == [6])
    #expect(seam.headLuma == [10, 12] && seam.tailLuma == [30, 24])
    #expect(seam.headContrast == [0, 0] && seam.tailContrast == [0, 0])
    #expect(seam.motion.largest == 14 && seam.motion.usual == 4)
    #expect(seam.levels.luma.shift == -14 && seam.levels.luma.usualShift == 6)
    #expect(seam.prediction == nil && seam.timeline == nil, "two frames show no motion")
  }

  @Test(arguments: [(6, 3), (6, 8), (16, 8), (17, 9)])
  func `a clip no longer than both ends is seen whole`(count: Int, ends: Int) throws {
    let frames = Array(TestScene.pan(count: 96).prefix(count))
    let measured = try #require(try TestScene.measure(frames, ends: ends))
    #expect(measured.seam.scope == .everyFrame && measured.seam.window == count / 2)
    #expect(measured.came == Array(0..<count))
  }

  @Test func `a clip of two frames has one step, and the way back`() throws {
    let seam = try Self.measure(Self.flat([100, 104]))
    #expect(seam.window == 1 && seam.headSteps.isEmpty && seam.tailSteps.isEmpty)
    #expect(seam.seamStep == 4)
  }

  @Test func `fewer than two frames have no seam`() throws {
    #expect(try TestScene.measure([]) == nil)
    #expect(try TestScene.measure(Self.flat([1])) == nil)
  }

  @Test(arguments: 1...5)
  func `one to five frames, all alike or all different, have finite numbers and a verdict`(count: Int) throws {
    let alike = Array(repeating: TestScene.texture(x: 0), count: count)
    for frames in [
      alike, (0..<count).map { FrameStepTests.thumbnail(seed: UInt64($0 + 1)) }, Array(TestScene.pan(count: 96).prefix(count)),
      Self.flat((0..<count).map { Float($0 * 60) }),
    ] {
      for way in TestScene.Way.allCases {
        let measured = try TestScene.measure(frames, way)
        #expect((measured == nil) == (count < 2))
        #expect(ReplyValidation.holds(for: measured?.seam as Any))
        #expect(measured.map { !$0.judgement.sentence.isEmpty } ?? true)
      }
    }
    if count > 1 { #expect(try TestScene.verdict(alike) == .static) }
  }

  @Test(arguments: [Rational(0), Rational(1, 1 << 40), Rational.one])
  func `times without information are no trap`(seconds: Rational?) throws {
    let seconds = try #require(seconds)
    let frames = TestScene.pan(count: 96) + TestScene.drawn([TestScene.texture(x: 380)], times: 9)
    let seam = try #require(try TestScene.measure(frames, seconds: seconds)).seam
    #expect(ReplyValidation.holds(for: seam) && ReplyValidation.holds(for: SeamJudgement(seam)))
  }

  @Test func `what moves in a corner is measured there, and what moves everywhere, everywhere`() throws {
    let still = TestScene.texture(x: 0)
    let blinking = (0..<24).map { number in
      still.changed { detail in for y in 16..<32 { for x in 80..<96 { detail[y * 128 + x] += number % 2 == 0 ? 30 : 0 } } }
    }
    let corner = try Self.measure(blinking)
    #expect(abs(corner.seamStep - 30) < 1e-3, "a share of 1/64 that changes by 30")
    #expect(abs(corner.motion.seam - (4 * 900.0 / 8).squareRoot()) < 1e-3, "4 of the 8 busiest blocks")
    let everywhere = try Self.measure(Self.flat((0..<24).map { $0 % 2 == 0 ? 100 : 110 }))
    #expect(everywhere.seamStep == 10 && everywhere.motion.seam == 10)
  }

  @Test func `a loop is measured from sixteen frames, however long it is`() throws {
    for count in [96, 192] {
      let measured = try #require(try TestScene.measure(TestScene.pan(count: count)))
      #expect(measured.came == Array(0..<8) + Array(count - 8..<count) && measured.times == 1)
      #expect(measured.seam.headSteps.count == 7 && measured.seam.tailContrast.count == 8)
      #expect(ReplyValidation.holds(for: measured.seam))
    }
  }

  @Test func `twelve frames at each end are measured like eight`() throws {
    let frames = TestScene.pan(count: 96)
    for ends in [3, 6, 8, 12] {
      let seam = try Self.measure(frames, ends: ends)
      #expect(seam.window == ends && SeamJudgement(seam).verdict == .seamless)
    }
  }

  @Test(arguments: TestScene.Way.allCases)
  func `all frames measure what the ends measure`(way: TestScene.Way) throws {
    var seam = try Self.measure(TestScene.pan(count: 96), way)
    #expect(seam.scope == (way == .onDemand ? .ends : .everyFrame))
    let ends = try Self.measure(TestScene.pan(count: 96))
    seam.scope = ends.scope
    #expect(seam == ends)
  }

  @Test func `surprise is the error over the seam over the largest near it: about 1 in a loop`() throws {
    let loop = try #require(try Self.measure(TestScene.pan(count: 96)).prediction)
    #expect((0.9...1.1).contains(loop.surprise) && loop.excess == nil)
    // The last frames do not reveal where the gap is, only how large it is.
    var last = loop.surprise
    for missing in 1...4 {
      let gap = try #require(try Self.measure(TestScene.pan(count: 96).dropLast(missing)).prediction)
      #expect(gap.surprise > last && gap.surprise > 1.5, "\(missing)")
      last = gap.surprise
    }
  }

  @Test func `the worst block is where something leaps`() throws {
    // A spot goes round; in the last frame it is elsewhere.
    var frames = TestScene.orbit(count: 60)
    frames[59] = TestScene.withSpot(TestScene.texture(x: 0, contrast: 0.6), x: 27, y: 107)
    let seam = try Self.measure(frames)
    let worst = try #require(seam.prediction).worstBlock
    // It is gone from where it should be, at the right in the middle, and is at the bottom left.
    let centre = (x: worst.x + worst.width / 2, y: worst.y + worst.height / 2)
    #expect(
      abs(centre.x - 0.21) < 0.1 && abs(centre.y - 0.84) < 0.1 || abs(centre.x - 0.78) < 0.1 && abs(centre.y - 0.5) < 0.12)
    #expect(worst.ratio > 1.2)
    #expect(worst.x >= 0 && worst.x + worst.width <= 1 && worst.y >= 0 && worst.y + worst.height <= 1)
  }

  @Test(arguments: [2, 3])
  func `drawings that are shown several times are one frame each`(times: Int) throws {
    #expect(try Self.measure(TestScene.drawn(TestScene.pan(count: 32), times: times)).hold == times)
    #expect(try Self.measure(TestScene.pan(count: 32)).hold == 1)
    // A pause does not count.
    let pause = TestScene.pan(count: 96) + TestScene.drawn([TestScene.texture(x: 380)], times: 5)
    #expect(try Self.measure(pause).hold == 1)
  }

  @Test(arguments: [-9, 4, 20] as [Float])
  func `a common shift of levels is measured apart from motion`(shift: Float) throws {
    let frames = TestScene.pan(count: 96).enumerated().map { number, frame in
      number < 48 ? frame.coloured(blue: shift, red: -shift / 2) : frame
    }
    let levels = try Self.measure(frames).levels
    #expect(abs(levels.blue.shift - Double(shift)) < 1e-3 && levels.blue.usualShift < 1e-3)
    #expect(abs(levels.red.shift + Double(shift) / 2) < 1e-3)
    #expect(abs(levels.luma.shift) < 1.5)
  }

  @Test("the inside is only measured where an end is dim")
  func dimness() throws {
    #expect(try Self.measure(TestScene.pan(count: 96)).dimness == nil)
    let dim = (0..<96).map { TestScene.texture(x: 4 * Double($0), contrast: 0.1) }
    let measured = try #require(try TestScene.measure(dim))
    #expect(abs(try #require(measured.seam.dimness) - 1) < 0.1)
    // Five frames inside, of which the first and the last are near enough to the ends.
    #expect(measured.came.count == 19 && measured.times == 2, "\(measured.came)")
    let fade = (0..<96).map { TestScene.texture(x: 4 * Double($0), contrast: min(1, Float($0) / 12)) }
    #expect(try #require(try Self.measure(fade).dimness) < 0.02)
    // A single blank frame is a flash or a fault.
    let blank = [TestScene.texture(x: 0, contrast: 0)] + TestScene.pan(count: 96).dropFirst()
    #expect(try Self.measure(blank).dimness == nil)
    func dimness(_ contrasts: [Float]) throws -> Double? {
      let frames = (0..<96).map { number in
        TestScene.texture(x: 4 * Double(number), contrast: number < contrasts.count ? contrasts[number] : 1)
      }
      return try Self.measure(frames).dimness
    }
    #expect(try dimness([0, 0.75, 0.8, 0.85, 0.9, 0.95]) == nil, "its contrast varies")
    #expect(try #require(try dimness([0, 0.5])) < 0.02, "a fade of two frames")
  }

  @Test func `sharpness rises where the first frame has more of it than the last`() throws {
    let frames = TestScene.pan(count: 96).enumerated().map { number, frame in frame.changed(sharpness: number < 48 ? 4 : 2) }
    let sharpness = try Self.measure(frames).sharpness
    #expect(abs(sharpness.rise - 0.636) < 0.01 && sharpness.usualRise == 0)
    // Detail of the keyframe alone is noise.
    let key = TestScene.pan(count: 96).enumerated().map { number, frame in frame.changed(sharpness: number == 0 ? 4 : 2) }
    #expect(abs(try Self.measure(key).sharpness.rise) < 0.01)
  }

  @Test(arguments: [false, true])
  func `what is in one end only is unexplained, whichever end that is`(isReversed: Bool) throws {
    // A logo on an even ground; the first frame is the ground alone, which every picture of it explains.
    let ground = TestScene.texture(x: 0, contrast: 0.02)
    var frames = (0..<48).map { number in
      // To and fro, at its full speed where the clip repeats.
      let place = (number + 12) % 48
      return TestScene.withSpot(ground, x: Double(40 + 2 * min(place, 48 - place)), y: 60, size: 30)
    }
    frames[0] = ground
    if isReversed { frames.reverse() }
    let content = try #require(try TestScene.measure(frames)).seam.content
    #expect(content.unexplained > 0.9)
    // The same clip without the empty frame advances by two steps instead of one.
    let moving = isReversed ? Array(frames.dropLast()) : Array(frames.dropFirst())
    let moved = try #require(try TestScene.measure(moving)).seam.content.unexplained
    #expect(moved < 0.45)
  }

  @Test func `what moves takes its colours along, wherever it goes`() throws {
    let pan = TestScene.pan(count: 96)
    let leap = try Self.measure(Array(pan[10..<70])).content.colours
    #expect(leap < 10, "\(leap)")
    let painted = pan.enumerated().map { number, frame in number < 48 ? frame.coloured(blue: 20, red: -10) : frame }
    let more = try Self.measure(painted).content.colours - Self.measure(pan).content.colours
    #expect(abs(more - 15) < 0.1, "\(more)")
  }

  @Test func `a frame that is shown three times is held, and counted`() throws {
    let loop = TestScene.pan(count: 96)
    let before = try Self.measure(loop + [loop[0], loop[0]]).repeats
    #expect((before.heldBefore, before.heldAfter) == (1, 0))
    #expect(before.stepRatio < 0.1 && before.straightness > 0.8)
    let both = try Self.measure([loop[0]] + loop + [loop[0], loop[0]]).repeats
    #expect((both.heldBefore, both.heldAfter) == (1, 1))
    let rest = try Self.measure(loop + Array(repeating: loop[0], count: 6)).repeats
    #expect((rest.heldBefore, rest.heldAfter) == (0, 0), "a rest")
  }

  @Test func `the standard of judgement has at most twenty numbers`() {
    let numbers = Mirror(reflecting: SeamThresholds.standard).children
    #expect(numbers.count <= 20)
    #expect(numbers.count > 5 && numbers.allSatisfy { $0.value is Double || $0.value is Int })
  }
}
