@Suite struct FrameStepTests {
  static func thumbnail(seed: UInt64) -> Thumbnail {
    var noise = Noise(seed: seed)
    func plane(_ side: Int) -> [Float] { (0..<side * side).map { _ in Float(noise.next() >> 40) / Float(1 << 24) * 255 } }
    return Thumbnail(luma: plane(64), blue: plane(32), red: plane(32))
  }

  /// With other noise in every cell of the detail.
  static func detailed(seed: UInt64) -> Thumbnail {
    thumbnail(seed: seed).changed { $0 = FlowTests.noise(0..<256, seed: seed + 1000) }
  }

  static func flat(luma: Float, blue: Float = 128, red: Float = 128) -> Thumbnail {
    Thumbnail(
      luma: Array(repeating: luma, count: 64 * 64), blue: Array(repeating: blue, count: 32 * 32),
      red: Array(repeating: red, count: 32 * 32))
  }

  static func distance(_ a: Thumbnail, _ b: Thumbnail) -> Double { PictureRegion.all.mean(FrameStep.blockSteps(a, b)) }

  @Test func `a step is the mean absolute luma difference plus half of the chroma's`() {
    for seed in 1...8 {
      let (a, b) = (Self.thumbnail(seed: UInt64(seed)), Self.thumbnail(seed: UInt64(seed + 100)))
      func mean(_ a: [Float], _ b: [Float]) -> Double {
        zip(a, b).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(a.count)
      }
      let chroma = (mean(a.blue, b.blue) + mean(a.red, b.red)) / 2
      let expected = mean(a.luma, b.luma) + chroma / 2
      #expect(abs(Self.distance(a, b) - expected) < 1e-3)
      #expect(Self.distance(a, b) == Self.distance(b, a))
    }
  }

  @Test(
    "flat pictures differ by what their values differ",
    arguments: [
      ((100, 128, 128), 0), ((110, 128, 128), 10), ((90, 128, 128), 10), ((100, 136, 128), 2), ((100, 128, 120), 2),
      ((101, 129, 129), 1.5), ((0, 128, 128), 100),
    ] as [((Float, Float, Float), Double)])
  func flat(other: (Float, Float, Float), step: Double) {
    #expect(Self.distance(Self.flat(luma: 100), Self.flat(luma: other.0, blue: other.1, red: other.2)) == step)
  }

  @Test("statistics are the mean and the standard deviation of the luma")
  func statistics() {
    let half = Thumbnail(
      luma: (0..<64 * 64).map { $0 < 32 * 64 ? 50 : 150 }, blue: Array(repeating: 7, count: 32 * 32),
      red: Array(repeating: 9, count: 32 * 32))
    #expect(FrameStep.statistics(half) == (mean: 100, contrast: 50))
    #expect(FrameStep.statistics(Self.flat(luma: 16)) == (mean: 16, contrast: 0))
  }
}
