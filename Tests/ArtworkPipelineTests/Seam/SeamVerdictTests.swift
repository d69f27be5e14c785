@testable import ArtworkPipeline

/// From pictures to the verdict, on scenes that are known to loop and on modified ones: by the ends and the frames
/// that they request, by every frame on the way, and by every frame.
@Suite struct SeamVerdictTests {
  static let slow = TestScene.pan(count: 96)
  static let fast = TestScene.pan(count: 32)
  static let orbit = TestScene.orbit(count: 60)

  @Test func `perfect loops are seamless beyond doubt, slow and fast, clean and grainy, wide and small`() throws {
    for loop in [
      Self.slow, Self.fast, TestScene.pan(count: 192), Self.orbit, TestScene.grain(Self.slow, amplitude: 6),
      TestScene.grain(Self.orbit, amplitude: 4),
    ] {
      let judged = try TestScene.judge(loop)
      #expect(judged.verdict == .seamless)
      #expect(try #require(judged.surprise) < 1)
      #expect(findings(LoopSeamRule.self, seam: try TestScene.measure(loop)?.seam).isEmpty)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `missing frames jump, and the timeline shows about how many`(count: Int) throws {
    let judged = try TestScene.judge(Self.slow.dropLast(count))
    #expect(judged.verdict == .jump && judged.certainty == .certain)
    // It sees two.
    #expect(judged.missingFrames == min(2, count))
    #expect(try #require(judged.surprise) > 1)
    #expect(try TestScene.verdict(TestScene.grain(Self.slow.dropLast(count), amplitude: 4)) == .jump)
  }

  @Test(arguments: [1, 2, 6])
  func `a gap wider than motion is followed is a jump or a cut, beyond doubt`(count: Int) throws {
    for frames in [Self.fast.dropLast(count), Self.slow.dropLast(6 * count)] {
      let judged = try TestScene.judge(Array(frames))
      #expect([.jump, .cut].contains(judged.verdict) && judged.certainty == .certain)
    }
  }

  @Test(arguments: [3, 5, 8])
  func `something small that leaps is seen`(count: Int) throws {
    #expect(try TestScene.verdict(Self.orbit.dropLast(count)) == .jump)
  }

  @Test(arguments: [2, 3, 4])
  func `frames beyond the end of the loop play twice`(count: Int) throws {
    let judged = try TestScene.judge(Self.slow + Self.slow.prefix(count))
    #expect(judged.verdict == .jump && judged.certainty == .certain)
    #expect(judged.missingFrames == -count)
    #expect(judged.sentence.contains("the end repeats \(count) frames of the start"))
  }

  @Test func `the first frame at the end is held, a pause is a freeze`() throws {
    for loop in [Self.slow, Self.fast, Self.orbit] {
      let held = try TestScene.judge(loop + loop.prefix(1))
      #expect(held.verdict == .held)
      #expect(held.certainty == .likely, "a warning, no error")
      let longer = try TestScene.judge(loop + [loop[0], loop[0]])
      #expect(longer.verdict == .held && longer.sentence.contains("shown 3 times"))
    }
    let still = Array(repeating: Self.slow[95], count: 8)
    let end = try TestScene.judge(Self.slow + still)
    #expect(end.verdict == .freeze && end.sentence.contains("last 0.3 s (9 frames)"))
    let start = try TestScene.judge(Array(repeating: Self.slow[0], count: 8) + Self.slow)
    #expect(start.verdict == .freeze && start.sentence.contains("first 0.3 s (9 frames)"))
  }

  @Test func `a rest that is longer than what is seen of the end is followed to where it began`() throws {
    for loop in [Self.slow, TestScene.orbit(count: 120)] {
      let frames = loop + Array(repeating: loop[loop.count - 1], count: 60)
      let measured = try #require(try TestScene.measure(frames))
      #expect(measured.seam.rests.map(\.frames) == [60])
      let judged = try TestScene.judge(frames)
      #expect(judged.verdict == .freeze && judged.sentence.contains("last 2 s (61 frames)"))
    }
  }

  /// A way to the end of the period and a rest; `easing` frames slow down and speed up again.
  static func eased(easing: Int) -> [Thumbnail] {
    var speeds = [Double](repeating: 6, count: 64)
    for index in 0..<easing {
      let speed = 6 * Double(index) / Double(easing)
      (speeds[index], speeds[63 - index]) = (speed, speed)
    }
    let length = speeds.reduce(0, +)
    var place = 0.0
    let moving = speeds.map { speed in
      defer { place += speed / length * Double(TestScene.period) }
      return TestScene.texture(x: (2 * place).rounded() / 2)
    }
    let rest = TestScene.texture(x: 0)
    return Array(repeating: rest, count: 8) + moving.dropFirst() + Array(repeating: rest, count: 12)
  }

  @Test func `motion that slows down before it rests is meant so; one that stops is not`() throws {
    #expect(try TestScene.verdict(Self.eased(easing: 28)) == .seamless)
    #expect(try TestScene.verdict(Self.eased(easing: 0)) == .freeze)
  }

  @Test func `a pendulum turns, and is no jump`() throws {
    let there = Array(Self.slow.prefix(40))
    let frames = there + there.dropFirst().dropLast().reversed()
    let judged = try TestScene.judge(frames)
    #expect(judged.verdict == .reverse)
    #expect(judged.sentence.contains("to and fro"))
    let seam = try #require(try TestScene.measure(frames)).seam
    #expect(findings(LoopSeamRule.self, seam: seam).map(\.severity) == [.info])
    // Its turning point doubled is still one.
    #expect(try TestScene.verdict(there + there.reversed()) == .reverse)
  }

  @Test(arguments: [2, 3])
  func `drawings that are shown twice or three times loop and jump like others`(times: Int) throws {
    func drawn(_ frames: some Sequence<Thumbnail>) -> [Thumbnail] { TestScene.drawn(frames, times: times) }
    #expect(try TestScene.verdict(drawn(Self.fast)) == .seamless)
    #expect(try TestScene.verdict(drawn(Self.slow)) == .seamless)
    #expect([.jump, .cut].contains(try TestScene.verdict(drawn(Self.fast.dropLast(3)))))
    #expect(try TestScene.verdict(drawn(Self.slow.dropLast(3))) == .jump)
    // The last drawing once more or once less than others is their own way.
    #expect(try TestScene.verdict(drawn(Self.slow).dropLast()) == .seamless)
  }

  @Test func `a cut, or a flash, inside does not hide a jump or make one`() throws {
    let other = (0..<32).map { TestScene.otherTexture(x: 4 * Double($0)) }
    let slow = Self.slow
    #expect(try TestScene.verdict(slow[..<48] + other + slow[48...]) == .seamless)
    #expect(try TestScene.verdict(slow[..<48] + other + slow[48..<93]) == .jump)
    // A cut near the end does not excuse one at the seam.
    #expect(try TestScene.verdict(slow + other.prefix(4)) == .cut)
    var flashing = slow
    for number in stride(from: 6, to: 96, by: 12) { flashing[number] = FrameStepTests.flat(luma: 255) }
    #expect(try TestScene.verdict(flashing) == .seamless)
  }

  @Test(arguments: [4, 32])
  func `another picture at the end is a cut`(count: Int) throws {
    let judged = try TestScene.judge(Self.slow + (0..<count).map { TestScene.otherTexture(x: 4 * Double($0)) })
    #expect(judged.verdict == .cut && judged.certainty == .certain)
    // So is the same place far away: no motion leads there.
    let far = (0..<48).map { TestScene.texture(x: 4 * Double($0), y: 2 * $0) }
    #expect([.cut, .jump].contains(try TestScene.verdict(far)))
  }

  @Test func `light that drifts shifts at the seam; light that comes back does not`() throws {
    func lit(_ light: (Int) -> Float) -> [Thumbnail] {
      (0..<96).map { TestScene.texture(x: 4 * Double($0), brighter: light($0)) }
    }
    let drifting = try TestScene.judge(lit { 12 * Float($0) / 96 })
    #expect(drifting.verdict == .shift)
    #expect(drifting.sentence.contains("12 levels darker"))
    #expect(try TestScene.judge(lit { 12 - 12 * Float($0) / 96 }).sentence.contains("brighter"))
    #expect(try TestScene.verdict(lit { abs(48 - Float($0)) / 6 }) == .seamless)
    let tinted = Self.slow.enumerated().map { $1.coloured(red: 8 * Float($0) / 96) }
    #expect(try TestScene.judge(tinted).sentence == "the colours change by 8 levels when the clip repeats")
    // Flicker of the clip's own is larger than what happens at the seam.
    #expect(try TestScene.verdict(lit { [0, 5, 1, 4, 2, 5][$0 % 6] }) == .seamless)
  }

  @Test func `fades to nothing, at either end and at both`() throws {
    func faded(_ gain: (Float) -> Float) -> [Thumbnail] {
      (0..<96).map { TestScene.texture(x: 4 * Double($0), contrast: min(1, gain(Float($0)))) }
    }
    for fade in [faded { (95 - $0) / 12 }, faded { $0 / 12 }, faded { min($0, 95 - $0) / 10 }] {
      let judged = try TestScene.judge(fade)
      #expect(judged.verdict == .fade && judged.certainty == .certain)
    }
    // A pulse of the picture does not count.
    #expect(try TestScene.verdict(faded { 0.5 + 0.5 * min($0, 95 - $0) / 48 }) == .seamless)
    // Nor is a single blank frame: it is a flash, or a fault.
    #expect(try TestScene.verdict(Self.slow.dropLast() + [FrameStepTests.flat(luma: 16)]) != .fade)
  }

  @Test func `what draws itself on an even ground and vanishes does not fade; what lights up on it does`() throws {
    /// A bar on an even ground: which columns it covers, and how much brighter it is.
    func bars(_ bar: (Int) -> (columns: Range<Int>, brighter: Float)) -> [Thumbnail] {
      (0..<96).map { number in
        let (columns, brighter) = bar(number)
        return FrameStepTests.flat(luma: 100).changed { detail in
          for y in 40..<80 { for x in columns { detail[y * Thumbnail.detailSide + x] += brighter } }
        }
      }
    }
    func drawn(_ frames: Range<Int>) -> [Thumbnail] {
      bars { number in
        func edge(_ frame: Int) -> Int { min(max(0, 2 * frame), 80) }
        return (edge(number + 40 - frames.upperBound)..<edge(number - frames.lowerBound), 100)
      }
    }
    #expect(try TestScene.verdict(drawn(0..<96)) == .seamless)
    #expect(try TestScene.verdict(drawn(20..<76)) != .fade, "nothing at first, for longer than is seen")
    func lit(from start: Int) -> [Thumbnail] {
      bars { number in (20..<100, Float(min(12, max(0, min(number, 95 - number) - start))) * 8) }
    }
    #expect(try TestScene.verdict(lit(from: 0)) == .fade)
    #expect(try TestScene.verdict(lit(from: 20)) == .fade)
  }

  @Test func `an end that loses its sharpness pops; noise of sharpness excuses it`() throws {
    func sharp(_ sharpness: (Int) -> Float) -> [Thumbnail] {
      Self.slow.enumerated().map { number, frame in frame.changed(sharpness: sharpness(number)) }
    }
    let starved = try TestScene.judge(sharp { 4 - 2.5 * Float($0) / 96 })
    #expect(starved.verdict == .pop && starved.certainty == .likely)
    #expect(starved.sentence.contains("% sharper"))
    #expect(try TestScene.verdict(sharp { [2, 3.4, 2.6][$0 % 3] }) == .seamless)
  }

  @Test(arguments: [24, 96, 200, 600])
  func `nothing moves, or only grain too fine to see`(count: Int) throws {
    let frame = TestScene.texture(x: 0)
    let still = Array(repeating: frame, count: count)
    #expect(try TestScene.verdict(still) == .static)
    #expect(try TestScene.verdict(TestScene.grain(Array(still.prefix(100)), amplitude: 0.5)) == .static)
    // Still ends of a clip that moves inside, from one frame to the next: a still on which something happens, if they take
    // most of it.
    #expect(try TestScene.verdict(still + Self.slow + still) == (count == 24 ? .freeze : .seamless))
    // Nothing is reported about frames that were not decoded.
    let measured = try #require(try TestScene.measure(still))
    #expect(measured.judgement.verdict == .static && Set(measured.came).count == count)
  }

  @Test func `very slow motion gets somewhere`() throws {
    let creeping = (0..<768).map { TestScene.texture(x: Double($0) / 2) }
    #expect(try TestScene.verdict(creeping) == .seamless)
  }

  @Test func `frames that a clip of variable rate leaves out are no jump inside, and none at the seam`() throws {
    // Every fourth frame is left out, at the seam as elsewhere.
    let frames = Self.slow.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    #expect(try TestScene.verdict(frames) == .seamless)
  }
}

// MARK: - Beats and flashes

extension SeamVerdictTests {
  /// Light that flashes up over an orbit, and is gone within five frames.
  static func beating(_ beats: [Int], count: Int, brighter: Float = 30) -> [Thumbnail] {
    let frames = TestScene.orbit(count: count)
    return frames.enumerated().map { number, frame in
      let since = beats.filter { $0 <= number }.map { number - $0 }.min() ?? count
      let light = since < 5 ? brighter * (1 - Float(since) / 5) : 0
      return light == 0 ? frame : frame.changed { $0 = $0.map { $0 + light } }
    }
  }

  @Test func `a flash at the seam is the clip's own if it flashes like that inside`() throws {
    let inTime = Self.beating([0, 24, 48, 72], count: 96)
    let measured = try #require(try TestScene.measure(inTime))
    #expect(try #require(measured.seam.rhythm).offset < 1)
    #expect(measured.judgement.verdict == .seamless)
    #expect(measured.judgement.sentence.contains("the same change occurs inside the clip"))
    #expect(try TestScene.verdict(inTime) == .seamless)
    // A flash at the seam only.
    let alone = try TestScene.judge(Self.beating([0], count: 96))
    #expect(!alone.verdict.loops && alone.certainty == .certain)
    #expect(alone.verdict == .shift, "the picture is the same, only lighter")
  }

  @Test func `flashes without a rhythm are the clip's own, one of them at the seam or not`() throws {
    let measured = try #require(try TestScene.measure(Self.beating([0, 17, 52, 71], count: 96)))
    #expect(measured.seam.rhythm == nil && measured.judgement.verdict == .seamless)
    // One inside may be chance, and weaker ones are other light, but then nothing is certain.
    #expect(try TestScene.judge(Self.beating([0, 40], count: 96)).verdict == .shift)
    let weak = zip(Self.beating([17, 52, 71], count: 96, brighter: 12), Self.beating([0], count: 96))
    let alone = try TestScene.judge(weak.enumerated().map { $0 < 10 ? $1.1 : $1.0 })
    #expect(alone.verdict == .shift && alone.certainty == .likely)
  }

  @Test(arguments: [95, 97])
  func `a beat may be a frame off: rhythms do not last whole frames`(count: Int) throws {
    #expect(try TestScene.verdict(Self.beating([0, 24, 48, 72], count: count)) == .seamless)
  }

  @Test func `a picture that stands still between flashes in time pauses everywhere, and does not freeze`() throws {
    let still = TestScene.texture(x: 0)
    let frames = (0..<96).map { number -> Thumbnail in
      let light = 30 * max(0, 1 - Float(number % 24) / 5)
      return still.changed { $0 = $0.map { $0 + light } }
    }
    for way in TestScene.Way.allCases {
      let measured = try #require(try TestScene.measure(frames, way))
      #expect(measured.judgement.verdict == .seamless, "\(way)")
      #expect(measured.seam.rests.map(\.longestInside) == [18], "\(way)")
    }
  }

  @Test func `a change that stays is no beat, and one like it inside may be chance`() throws {
    // Light goes on at 40 and is on at the end.
    let lit = (0..<120).map { number in
      TestScene.texture(x: Double(TestScene.period * number) / 120, brighter: number >= 40 ? 30 : 0)
    }
    let judged = try TestScene.judge(lit)
    #expect(!judged.verdict.loops && judged.certainty == .certain)
    #expect(judged.verdict == .shift, "the picture is the same, only lighter")
  }

  @Test(arguments: 4...24)
  func `clips with hardly anything inside are measured in finite numbers`(count: Int) throws {
    for frames in [Self.beating([0], count: count), Array(Self.slow.prefix(count))] {
      for way in TestScene.Way.allCases {
        let measured = try #require(try TestScene.measure(frames, way))
        #expect(ReplyValidation.holds(for: measured.seam))
        #expect(throws: Never.self) { try JSONEncoder().encode(measured.seam) }
        #expect(ReplyValidation.holds(for: measured.judgement))
      }
    }
  }

  @Test func `a clip of one group of pictures that was seen on the way is not read again for a beat`() throws {
    for beats in [[0, 24, 48, 72], [0]] {
      let measured = try #require(try TestScene.measure(Self.beating(beats, count: 96), .oneGroup))
      #expect(measured.times == 1 && measured.came.count == 96)
    }
  }
}
