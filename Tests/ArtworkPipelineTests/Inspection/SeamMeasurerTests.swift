import Testing

@testable import ArtworkPipeline

@Suite struct SeamMeasurerTests {
  static func frames(_ lumas: [Float]) -> [Thumbnail] {
    lumas.map { FrameStepTests.flat(luma: $0) }
  }

  @Test("steps are measured inside both ends and from the last frame to the first")
  func steps() throws {
    let seam = try #require(
      SeamMeasurement(
        first: Self.frames([10, 12, 15]), last: Self.frames([40, 30, 24]),
        timestamps: [0, 10, 20, 30, 40, 50], medianStep: 10))
    #expect(seam.seamStep == 14)
    #expect(seam.headSteps == [2, 3])
    #expect(seam.tailSteps == [10, 6])
    #expect(seam.headStepLengths == [1, 1])
    #expect(seam.tailStepLengths == [1, 1])
    #expect(seam.headLuma == [10, 12, 15])
    #expect(seam.tailLuma == [40, 30, 24])
    #expect(seam.headContrast == [0, 0, 0])
  }

  @Test("the length of each step is counted in the clip's usual one")
  func lengths() throws {
    let seam = try #require(
      SeamMeasurement(
        first: Self.frames([0, 0, 0]), last: Self.frames([0, 0, 0]),
        timestamps: [0, 5, 25, 35, 45, 145, 150], medianStep: 10))
    #expect(seam.headStepLengths == [0.5, 2])
    #expect(seam.tailStepLengths == [10, 0.5])
  }

  @Test("a clip of two frames has one step, in both ends, and the way back")
  func two() throws {
    let both = Self.frames([100, 104])
    let seam = try #require(
      SeamMeasurement(first: both, last: both, timestamps: [0, 1], medianStep: 1))
    #expect(seam.headSteps == [4] && seam.tailSteps == [4] && seam.seamStep == 4)
  }

  @Test("fewer than two frames have no seam")
  func none() {
    let one = Self.frames([1])
    #expect(SeamMeasurement(first: one, last: one, timestamps: [0], medianStep: 0) == nil)
    #expect(SeamMeasurement(first: [], last: [], timestamps: [], medianStep: 0) == nil)
  }

  @Test("times that tell nothing are no trap")
  func times() throws {
    let both = Self.frames([1, 2])
    for timestamps in [[0, 0], [.min, .max], [.max, .min], []] as [[Int64]] {
      let seam = try #require(
        SeamMeasurement(first: both, last: both, timestamps: timestamps, medianStep: 0))
      #expect(seam.headStepLengths.allSatisfy { $0.isFinite })
    }
  }
}
