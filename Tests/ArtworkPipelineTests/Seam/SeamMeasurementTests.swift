import Testing

@testable import ArtworkPipeline

@Suite struct SeamMeasurementTests {
  static func flat(_ lumas: [Float]) -> [Thumbnail] { lumas.map { FrameStepTests.flat(luma: $0) } }

  @Test("steps are listed at both ends and measured from the last frame to the first")
  func steps() throws {
    let seam = try #require(TestScene.measure(Self.flat([10, 12, 15, 40, 30, 24]), window: 2))
    #expect(seam.scope == .ends)
    #expect(seam.seamStep == 14)
    #expect(seam.headSteps == [2])
    #expect(seam.tailSteps == [6])
    #expect(seam.headStepLengths == [1] && seam.tailStepLengths == [1])
    #expect(seam.headLuma == [10, 12] && seam.tailLuma == [30, 24])
    #expect(seam.headContrast == [0, 0])
    #expect(seam.pace.farthest == nil)
    #expect(seam.prediction == nil && seam.timeline == nil, "two frames show no motion")
  }

  @Test("ends that meet are the whole clip", arguments: 2...6)
  func overlap(window: Int) throws {
    let frames = Self.flat([10, 12, 15, 40, 30, 24])
    let ends = try #require(TestScene.measure(frames, window: window))
    #expect((ends == TestScene.measure(frames)) == (window >= 3))
    #expect(ends.pace.farthest == (window >= 3 ? 30 : nil))
  }

  @Test("the length of each step is counted in the clip's usual one, and a pause is no fast motion")
  func lengths() throws {
    let seam = try #require(
      TestScene.measure(
        Self.flat([0, 4, 14, 18, 22, 62, 64]), timestamps: [0, 5, 25, 35, 45, 145, 150],
        lastDuration: 10, medianStep: 10))
    #expect(seam.headStepLengths == [0.5, 2, 1, 1, 10, 0.5])
    #expect(seam.headSteps == [4, 10, 4, 4, 40, 2])
    #expect(seam.pace.largestStep == 5)
  }

  @Test("a clip of two frames has one step, and the way back")
  func two() throws {
    let seam = try #require(TestScene.measure(Self.flat([100, 104])))
    #expect(seam.headSteps == [4] && seam.tailSteps == [4] && seam.seamStep == 4)
    #expect(TestScene.verdict(Self.flat([100, 104])) == .seamless)
  }

  @Test("fewer than two frames have no seam")
  func none() {
    #expect(TestScene.measure([]) == nil)
    #expect(TestScene.measure(Self.flat([1])) == nil)
  }

  @Test("times that tell nothing are no trap")
  func times() throws {
    for timestamps in [[0, 0, 0], [.min, .max, 0], [.max, .min, 0], []] as [[Int64]] {
      for medianStep in [0, 1, .max] as [Int64] {
        let seam = try #require(
          TestScene.measure(
            Array(TestScene.pan(count: 24).prefix(3)), timestamps: timestamps,
            lastDuration: timestamps.first ?? 0, medianStep: medianStep))
        #expect(Plausibility.holds(for: seam))
      }
    }
  }

  @Test(
    "one to five frames, all alike or all different, have finite numbers and a verdict",
    arguments: 1...5)
  func few(count: Int) {
    for frames in [
      Array(repeating: TestScene.texture(x: 0), count: count),
      (0..<count).map { FrameStepTests.thumbnail(seed: UInt64($0 + 1)) },
      Array(TestScene.pan(count: 60).prefix(count)), Self.flat((0..<count).map { Float($0 * 60) }),
    ] {
      let seam = TestScene.measure(frames)
      #expect((seam == nil) == (count < 2))
      #expect(Plausibility.holds(for: seam as Any))
    }
    if count > 1 {
      #expect(TestScene.verdict(Array(repeating: TestScene.texture(x: 0), count: count)) == .static)
    }
  }

  @Test("what moves in a corner is measured there, and what moves everywhere, everywhere")
  func region() throws {
    let still = TestScene.texture(x: 0)
    let blinking = (0..<24).map { number in
      var frame = still
      for y in 8..<16 {
        for x in 40..<48 { frame.luma[y * 64 + x] += number % 2 == 0 ? 30 : 0 }
      }
      return frame
    }
    let corner = try #require(TestScene.measure(blinking))
    #expect(corner.movingShare == 1.0 / 64)
    #expect(corner.seamStep == 30)
    #expect(TestScene.measure(TestScene.pan(count: 48))?.movingShare == 1)
  }

  @Test("the whole clip is remembered in as few lists as its ends, however long it is")
  func bounded() throws {
    let seam = try #require(TestScene.measure(TestScene.pan(count: 300)))
    #expect(seam.headSteps.count == 24 && seam.tailContrast.count == 24)
    #expect(seam.window == 16)
    #expect(Plausibility.holds(for: seam))
  }
}
