/// Changes that also occur inside a clip are excused, and those that occur only at its loop point are not.
@Suite struct SeamRhythmTests {
  /// Steps of a clip in which something changes before these frames; 0 is the seam, whose step comes last.
  static func steps(_ count: Int, _ changes: [Int: Double], quiet: Double = 1) -> [Double] {
    (1...count).map { changes[$0 % count] ?? quiet }
  }

  @Test(arguments: [8, 12, 15])
  func `changes in equal times are a rhythm, and the one at the seam is in it`(every: Int) throws {
    let beats = Dictionary(uniqueKeysWithValues: (0..<6).map { ($0 * every, 40 + 5 * Double($0 % 3)) })
    let rhythm = try #require(SeamMeasurement.Rhythm(changes: Self.steps(6 * every, beats)))
    #expect(rhythm.offset < 0.01 && rhythm.usualSize > 0.9)
    #expect([3, 6].contains(rhythm.beats), "every beat, or every other one")
  }

  @Test func `rhythms that last no whole frames are kept`() throws {
    // 12.5 frames a beat: twice 12, twice 13 and so on.
    let beats = Dictionary(uniqueKeysWithValues: (0..<8).map { (Int((12.5 * Double($0)).rounded()), 30.0) })
    #expect(SeamMeasurement.Rhythm(changes: Self.steps(100, beats)) != nil)
  }

  @Test func `a change at the seam alone, too early, much larger, or among others without order is no rhythm`() {
    func isNone(_ count: Int, _ changes: [Int: Double]) -> Bool {
      SeamMeasurement.Rhythm(changes: Self.steps(count, changes)) == nil
    }
    #expect(isNone(96, [0: 40]))
    #expect(isNone(92, [0: 40, 12: 40, 24: 40, 36: 40, 48: 40, 60: 40, 72: 40, 84: 40]), "four early")
    #expect(isNone(96, [0: 100, 24: 20, 48: 20, 72: 20]))
    #expect(isNone(96, [0: 40, 17: 40, 29: 40, 71: 40]))
    #expect(isNone(96, [0: 2.5, 24: 2.5, 48: 2.5, 72: 2.5]), "too small to be seen")
    #expect(isNone(96, [0: 40, 48: 40]), "two halves are chance")
  }

  /// A view under light that dies away after every beat, from black; `early` frames are missing at the end.
  static func pulse(early: Int = 0) -> [Thumbnail] {
    (0..<72 - early).map { number in
      TestScene.texture(x: 2 * Double(number), contrast: Float([1, 0.6, 0.36, 0.2, 0.12, 0.08][min(5, number % 12)]))
    }
  }

  @Test func `a pulse on every beat is meant; the same dark end without a rhythm is a fade`() throws {
    let seam = try #require(try TestScene.measure(Self.pulse())).seam
    #expect(seam.rhythm != nil && seam.scope == .everyFrame)
    #expect(try TestScene.judge(Self.pulse()).verdict.loops)
    #expect(try !TestScene.judge(Self.pulse(early: 5)).verdict.loops)
  }

  @Test(arguments: [false, true])
  func `a blank frame at an end is named, whichever end that is`(isFirst: Bool) throws {
    var frames = TestScene.pan(count: 96)
    frames[isFirst ? 0 : 95] = TestScene.texture(x: 0, contrast: 0)
    let judged = try TestScene.judge(frames)
    #expect(judged.verdict == .cut && judged.certainty == .certain)
    #expect(judged.sentence == "the \(isFirst ? "first" : "last") frame is blank")
  }

  @Test func `a still whose light drops for a moment in the middle is not static`() throws {
    let still = Array(repeating: TestScene.texture(x: 0), count: 96)
    #expect(try TestScene.judge(still).verdict == .static)
    var event = still
    for number in 40..<47 { event[number] = TestScene.texture(x: 0, contrast: 0.5) }
    let measured = try #require(try TestScene.measure(event))
    #expect(measured.seam.scope == .everyFrame && (measured.seam.motion.inside ?? 0) > 5)
    #expect(try TestScene.judge(event).verdict == .seamless)
  }
}
