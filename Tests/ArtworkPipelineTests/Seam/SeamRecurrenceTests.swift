@testable import ArtworkJudging
@testable import ArtworkMeasuring

/// A seam is ordinary if the clip changes like that inside, at the same place; and a fault beside it is no excuse for it.
@Suite struct SeamRecurrenceTests {
  /// A screen in a corner of a moving picture, which shows the other of two pictures from each of these frames on.
  private static func screen(_ cuts: [Int], count: Int) -> [Thumbnail] {
    let pictures = [TestScene.texture(x: 0), TestScene.texture(x: 37, y: 61)].map(\.detail)
    return TestScene.orbit(count: count).enumerated().map { number, frame in
      let shown = cuts.count { $0 <= number } % 2
      return frame.changed { detail in
        for row in 8..<40 { for column in 80..<120 { detail[row * 128 + column] = pictures[shown][row * 128 + column] } }
      }
    }
  }

  @Test func `a screen that cuts at the seam and inside, without a rhythm, is the clip's own`() throws {
    let clip = Self.screen([17, 59, 71], count: 96)
    let measured = try #require(try TestScene.measure(clip))
    #expect(try #require(measured.seam.recurrence).spread < 0.25)
    let judged = try TestScene.judge(clip)
    #expect(judged.verdict == .seamless)
    #expect(judged.sentence.contains("the same change occurs inside the clip"))
  }

  @Test(
    "where a change inside is nearly as large at both sizes, a jump is not certain",
    arguments: [(0.7, 0.55, 0.1, false), (0.7, 0.4, 0.1, true), (0.4, 0.7, 0.1, true)])
  func certainty(size: Double, smallSize: Double, spread: Double, isCertain: Bool) throws {
    var seam = try #require(try TestScene.measure(Array(TestScene.pan(count: 96).dropLast(12)))).seam
    seam.recurrence = SeamMeasurement.Recurrence(size: size, smallSize: smallSize, likeness: 0.5, spread: spread)
    let judged = LoopSeamRule.judge(seam, thresholds: .standard)
    #expect(judged.verdict == .jump)
    #expect(judged.certainty == (isCertain ? .certain : .likely))
  }

  @Test func `in a clip of more frames than are kept in detail, and in a part beyond them, nothing is excused`() throws {
    let screen = Self.screen([17, 59, 71], count: 96)
    let clip = SeamClip()
    let count = SeamClip.mostDetailed + 96
    let quiet = TestScene.texture(x: 0)
    for number in 0..<count { clip.add(number < count - 96 ? quiet : screen[number - count + 96], number: number) }
    clip.finish(
      ClipClock(timestamps: (0..<count).map(Int64.init), lastDuration: 1, timeBase: Rational(1, 30) ?? .one, medianStep: 1))
    let frames = ReducedClip(Array(repeating: quiet, count: count - 96) + screen)
    let part = clip.part(count - 96..<count, of: frames)
    let seam = try #require(try SeamMeasurement(part))
    #expect(seam.recurrence == nil)
    #expect(!LoopSeamRule.judge(seam, thresholds: .standard).verdict.loops)
  }

  /// A lamp over a part of a moving picture, with this light in each frame.
  private static func lamp(_ count: Int, _ light: (Int) -> Float) -> [Thumbnail] {
    TestScene.orbit(count: count).enumerated().map { number, frame in
      let light = light(number)
      return frame.changed { detail in for row in 60..<100 { for column in 10..<50 { detail[row * 128 + column] += light } } }
    }
  }

  @Test func `a lamp that goes on inside goes off at the seam; one that glows up and jumps back does not loop`() throws {
    #expect(try TestScene.verdict(Self.lamp(96) { $0 < 40 ? 0 : 45 }) == .seamless)
    #expect(try !TestScene.judge(Self.lamp(96) { 45 * Float($0) / 95 }).verdict.loops)
  }

  @Test func `motion in impulses, of which the seam is one, loops; a larger one at the seam does not`() throws {
    func clip(last: Double) -> [Thumbnail] {
      var (place, frames) = (0.0, [Thumbnail]())
      for number in 0..<72 {
        frames.append(TestScene.texture(x: place))
        place += number % 9 == 8 ? 8 : 2
      }
      return frames.map { $0 } + (last > 0 ? [TestScene.texture(x: place + last)] : [])
    }
    // 72 frames go 192 pixels, half of the texture: both halves make it whole.
    let once = clip(last: 0)
    let twice = once + (0..<72).map { number in TestScene.texture(x: 192 + Double(2 * number + 6 * (number / 9))) }
    #expect(try TestScene.verdict(twice) == .seamless)
    #expect(try !TestScene.verdict(Array(twice.dropLast(12))).loops)
  }

  @Test(arguments: [(1, false), (2, false), (3, false), (1, true), (2, true)])
  func `the last frames in another light, or the first ones, are named and left out`(count: Int, isFirst: Bool) throws {
    var frames = TestScene.pan(count: 96)
    for number in 0..<count {
      let place = isFirst ? number : 95 - number
      frames[place] = frames[place].changed { $0 = $0.map { $0 + 20 } }
    }
    let measured = try #require(try TestScene.measure(frames))
    #expect(measured.seam.levels.oddFrames == (isFirst ? -count : count))
    let judged = try TestScene.judge(frames)
    #expect(judged.verdict == .shift && judged.certainty == .certain)
    let words = count == 1 ? "frame differs" : "\(count) frames differ"
    #expect(judged.sentence.hasPrefix("the \(isFirst ? "first" : "last") \(words) in light or colour"))
  }

  @Test func `a colour of the last frame alone is seen`() throws {
    var frames = TestScene.pan(count: 60)
    let last = frames[59]
    frames[59] = Thumbnail(
      detail: last.detail, blue: last.blue.map { $0 - 20 }, red: last.red.map { $0 + 8 }, sharpness: last.sharpness)
    #expect(try TestScene.verdict(frames) == .shift)
  }

  @Test(arguments: [(0.2, true), (0.03, false)])
  func `contrast that grows to the end falls at the seam`(by share: Double, isSeen: Bool) throws {
    let frames = (0..<96).map { TestScene.texture(x: 4 * Double($0), contrast: Float(1 + share * Double($0) / 95)) }
    let judged = try TestScene.judge(frames)
    #expect((judged.verdict == .shift) == isSeen && judged.verdict.loops == !isSeen)
    if isSeen { #expect(judged.sentence.hasPrefix("the contrast falls by ")) }
  }

  @Test(arguments: [(1, 0), (2, 0), (4, 0), (0, 1), (0, 2)])
  func `an end frame that is shown more than once in steady motion holds the loop up`(last: Int, first: Int) throws {
    let pan = TestScene.pan(count: 96)
    let frames = Array(repeating: pan[0], count: first) + pan + Array(repeating: pan[95], count: last)
    #expect(try TestScene.verdict(frames) == .held)
    // Frames that repeat inside as well are the clip's own way, and nobody sees one at 60 fps.
    let elsewhere = frames[...50] + [frames[50]] + frames[51...]
    #expect(try TestScene.verdict(Array(elsewhere)) == .seamless)
    let fast = try #require(try TestScene.measure(frames, seconds: Rational(1, 60 * Int64(max(last, first))) ?? .one))
    #expect(fast.judgement.verdict == .seamless)
  }

  @Test func `a fade out that meets a fade in before either is black is a dip; light that breathes is none`() throws {
    func clip(_ light: (Int) -> Float) -> [Thumbnail] {
      TestScene.pan(count: 96).enumerated().map { number, frame in
        let light = light(number)
        return frame.changed { $0 = $0.map { 16 + light * ($0 - 16) } }
      }
    }
    let judged = try TestScene.judge(clip { min(1, 0.4 + 0.06 * Float(min($0, 95 - $0))) })
    #expect(judged.verdict == .fade && judged.certainty == .likely)
    #expect(judged.sentence.contains(" of its light or contrast at each repeat"))
    #expect(try TestScene.verdict(clip { 0.7 - 0.3 * Float(cos(2 * .pi * Double($0) / 96)) }).loops)
  }

  /// Parts that our own search chose, of a measurement that passes as a clip of its own.
  @Test func `what our own search chose is judged more strictly`() throws {
    let pan = try #require(try TestScene.measure(TestScene.pan(count: 96))).seam
    #expect(LoopSeamRule.judgeChosen(pan, of: 96).verdict == .seamless)
    #expect(LoopSeamRule.judgeChosen(pan, of: 11).verdict == .jump, "too short to tell")
    for change in [{ $0.content.likeness = 0.55 }, { $0.seamStep = 1.4 * $0.ownStep }, { $0.tailSteps[2] = 7 * $0.ownStep }]
      as [(inout SeamMeasurement) -> Void]
    {
      var seam = pan
      change(&seam)
      #expect(LoopSeamRule.judgeChosen(seam, of: 96).verdict == .jump)
      #expect(LoopSeamRule.judge(seam, thresholds: .standard).verdict == .seamless)
    }
  }
}
