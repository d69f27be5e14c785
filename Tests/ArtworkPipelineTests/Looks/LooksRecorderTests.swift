/// Measurements of frames that come in order, in another order, or more than once.
@Suite struct LooksRecorderTests {
  static let count = 60

  /// A picture, white every third frame from `start` on.
  static func scene(flashingFrom start: Int) -> [Thumbnail] {
    let picture = TestScene.texture(x: 0, contrast: 0.5)
    return (0..<count).map { number in number >= start && number % 3 == 0 ? FrameStepTests.flat(luma: 235) : picture }
  }

  static func measure(_ frames: [Thumbnail], _ numbers: [Int]) -> AppearanceMeasurement {
    var recorder = AppearanceRecorder(codes: LightCodes(LightCodesTests.bt709, pixelFormat: "yuv420p", isConverted: false))
    for number in numbers { recorder.add(frames[number], number: number) }
    return recorder.measurement(
      clock: LoopClock(
        timestamps: frames.indices.map(Int64.init), lastDuration: 1, medianStep: 1, timeBase: Rational(1, 30) ?? .one),
      display: nil)
  }

  static let ends = Array(0..<8) + Array(52..<60)

  @Test func `flashes of a clip that was seen whole are counted`() throws {
    let looks = Self.measure(Self.scene(flashingFrom: 20), Array(0..<Self.count))
    #expect(looks.scope == .everyFrame)
    #expect(try #require(looks.flash?.general).flashes > 3)
    #expect(looks.flash?.endChange == nil)
  }

  @Test func `the ends show whether there may be flashes; a single change is none`() throws {
    let flashing = Self.measure(Self.scene(flashingFrom: 50), Self.ends)
    #expect(flashing.scope == .ends && flashing.flash?.general == nil)
    #expect(try #require(flashing.flash?.endReturn) > 0.9)
    // From the last frame to the first only.
    var frames = Self.scene(flashingFrom: Self.count)
    for number in 30..<Self.count { frames[number] = FrameStepTests.flat(luma: 235) }
    let cut = try #require(Self.measure(frames, Self.ends).flash)
    #expect(try #require(cut.endChange) > 0.9 && cut.endReturn == 0)
    // Lighter at the seam, and lighter still five frames later.
    for number in 0..<5 { frames[number] = FrameStepTests.flat(luma: 120) }
    for number in 5..<30 { frames[number] = FrameStepTests.flat(luma: 235) }
    for number in 30..<Self.count { frames[number] = FrameStepTests.flat(luma: 16) }
    let twice = try #require(Self.measure(frames, Self.ends).flash)
    #expect(try #require(twice.endChange) > 0.9 && twice.endReturn == 0, "one way")
    let still = try #require(Self.measure(Self.scene(flashingFrom: Self.count), Self.ends).flash)
    #expect(still.endChange == 0 && still.endReturn == 0)
  }

  @Test func `frames that came late belong where they are shown`() {
    let frames = Self.scene(flashingFrom: 20)
    let whole = Self.measure(frames, Array(0..<Self.count))
    #expect(Self.measure(frames, Self.ends + Array(8..<52)) == whole)
  }

  @Test func `frames that came again count once`() {
    var frames = Self.scene(flashingFrom: Self.count)
    for number in 30..<Self.count { frames[number] = FrameStepTests.flat(luma: 235) }
    let once = Self.measure(frames, Self.ends)
    let again = Self.measure(frames, Self.ends + Self.ends)
    let mixed = Self.measure(frames, Array(0..<Self.count) + [7, 30])
    #expect(again == once)
    #expect(mixed == Self.measure(frames, Array(0..<Self.count)))
  }
}
