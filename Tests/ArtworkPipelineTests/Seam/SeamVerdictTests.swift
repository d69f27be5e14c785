import Testing

@testable import ArtworkPipeline

/// From pictures to the verdict, on scenes that are known to loop and on what was done to them.
@Suite struct SeamVerdictTests {
  static let slow = TestScene.pan(count: 96)
  static let fast = TestScene.pan(count: 32)

  @Test(
    "perfect loops are seamless, slow and fast, clean and grainy, from all frames and from the ends"
  )
  func loops() {
    for loop in [Self.slow, Self.fast, TestScene.grain(Self.slow, amplitude: 6)] {
      #expect(TestScene.verdict(loop) == .seamless)
      #expect(TestScene.verdict(loop, window: 5) == .seamless)
    }
  }

  @Test("missing frames jump, and the time line says about how many", arguments: [1, 2, 3])
  func missing(count: Int) throws {
    let frames = Array(Self.slow.dropLast(count))
    #expect(TestScene.verdict(frames) == .jump)
    #expect(TestScene.verdict(frames, window: 5) == .uncertain)
    let measured = try #require(TestScene.measure(frames))
    let judged = LoopSeamRule.judge(measured, thresholds: .standard)
    // It sees two.
    #expect(try #require(judged.missingFrames) == min(2, count))
    let motion = try #require(measured.prediction).motionAcross.x
    let usual = try #require(measured.prediction).motionBefore.x
    #expect(abs(motion / usual - Double(count + 1)) < 0.5)
  }

  @Test("frames beyond the end of the loop jump back", arguments: [2, 3, 4])
  func beyond(count: Int) throws {
    let frames = Self.slow + Self.slow.prefix(count)
    let judged = LoopSeamRule.judge(try #require(TestScene.measure(frames)), thresholds: .standard)
    #expect(judged.verdict == .jump)
    #expect(judged.missingFrames == -count)
  }

  @Test("the first frame at the end is held, more of them freeze or are held as well")
  func held() {
    #expect(TestScene.verdict(Self.slow + Self.slow.prefix(1)) == .held)
    #expect(TestScene.verdict(Self.fast + Self.fast.prefix(1)) == .held)
    let still = Array(repeating: Self.slow[95], count: 8)
    #expect(TestScene.verdict(Self.slow + still) == .freeze)
    #expect(TestScene.verdict(Array(repeating: Self.slow[0], count: 8) + Self.slow) == .freeze)
  }

  @Test("a pendulum turns, and is no jump")
  func pendulum() throws {
    let there = Array(Self.slow.prefix(40))
    let frames = there + there.dropFirst().dropLast().reversed()
    let judged = LoopSeamRule.judge(try #require(TestScene.measure(frames)), thresholds: .standard)
    #expect(judged.verdict == .reverse)
    #expect(judged.sentence.contains("to and fro"))
    #expect(findings(LoopSeamRule.self, seam: TestScene.measure(frames)).map(\.severity) == [.info])
  }

  @Test(
    "drawings that are shown twice or three times loop and jump like others", arguments: [2, 3])
  func held(times: Int) {
    func drawn(_ frames: some Sequence<Thumbnail>) -> [Thumbnail] {
      frames.flatMap { Array(repeating: $0, count: times) }
    }
    #expect(TestScene.measure(drawn(Self.fast))?.holds.areRegular == true)
    #expect(TestScene.verdict(drawn(Self.fast)) == .seamless)
    #expect(TestScene.verdict(drawn(Self.fast.dropLast(3))) == .jump)
  }

  @Test("a cut, or a flash, inside does not hide a jump or make one")
  func inside() {
    let other = (0..<32).map { TestScene.texture(x: 192 * Double($0) / 32, y: 90, period: 96) }
    #expect(TestScene.verdict(Self.slow[..<48] + other + Self.slow[48...]) == .seamless)
    #expect(
      TestScene.verdict(Self.slow[..<48] + other + Self.slow[48..<90]) == .cut,
      "six frames are more than blocks are followed")
    var flashing = Self.slow
    for number in stride(from: 0, to: 96, by: 12) {
      flashing[number] = FrameStepTests.flat(luma: 255)
    }
    #expect(TestScene.verdict(flashing) == .seamless)
  }

  @Test("another picture at the end is a cut")
  func cut() {
    let other = (0..<32).map { number in
      var frame = FrameStepTests.flat(luma: 40)
      for index in frame.luma.indices where (index % 64 + number) / 16 % 2 == 0 {
        frame.luma[index] = 220
      }
      return frame
    }
    #expect(TestScene.verdict(Self.slow + other) == .cut)
  }

  @Test("light that drifts shifts at the seam; light that comes back does not")
  func shift() {
    let drifting = (0..<96).map {
      TestScene.texture(x: 2 * Double($0), brighter: 8 * Float($0) / 96)
    }
    #expect(TestScene.verdict(drifting) == .shift)
    let pulsing = (0..<96).map {
      TestScene.texture(x: 2 * Double($0), brighter: abs(48 - Float($0)) / 6)
    }
    #expect(TestScene.verdict(pulsing) == .seamless)
  }

  @Test("fades to nothing, at either end and at both")
  func fades() {
    func faded(_ gain: (Int) -> Double) -> [Thumbnail] {
      (0..<96).map { TestScene.texture(x: 2 * Double($0), contrast: min(1, gain($0))) }
    }
    #expect(TestScene.verdict(faded { Double(95 - $0) / 12 }) == .fade)
    #expect(TestScene.verdict(faded { Double($0) / 12 }) == .fade)
    #expect(TestScene.verdict(faded { 0.3 + 0.7 * Double(min($0, 96 - $0)) / 10 }) == .fade)
  }

  @Test("an end that loses its sharpness pops; key frames inside excuse it")
  func pop() {
    func sharp(_ number: Int) -> Float { 4 - 2.5 * Float(number) / 96 }
    let starved = (0..<96).map { TestScene.texture(x: 2 * Double($0), sharpness: sharp($0)) }
    #expect(TestScene.verdict(starved) == .pop)
    let keyed = (0..<96).map { TestScene.texture(x: 2 * Double($0), sharpness: sharp($0 * 4 % 96)) }
    #expect(TestScene.verdict(keyed) == .seamless)
  }

  @Test("nothing moves, or only grain does")
  func still() {
    let frame = TestScene.texture(x: 0)
    #expect(TestScene.verdict(Array(repeating: frame, count: 24)) == .static)
    let grainy = TestScene.grain(Array(repeating: frame, count: 24), amplitude: 2)
    #expect(TestScene.verdict(grainy) == .static)
    // Very slow motion gets somewhere.
    let creeping = (0..<192).map { TestScene.texture(x: Double($0)) }
    #expect(TestScene.verdict(creeping) == .seamless)
  }

  @Test(
    "frames that were left out of a loop with variable rate are no jump inside, but one at the seam"
  )
  func variableRate() throws {
    // Every fourth frame is left out; its predecessor is shown for twice as long.
    let numbers = (0..<96).filter { $0 % 4 != 3 }
    let frames = numbers.map { Self.slow[$0] }
    let seam = try #require(
      TestScene.measure(frames, timestamps: numbers.map(Int64.init), lastDuration: 2))
    #expect(LoopSeamRule.judge(seam, thresholds: .standard).verdict == .seamless)
  }
}
