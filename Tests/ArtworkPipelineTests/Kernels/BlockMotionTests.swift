import Testing

@testable import ArtworkPipeline

@Suite struct BlockMotionTests {
  /// A smooth texture that has no period within reach, seen from a place.
  static func picture(x: Double, y: Double, brighter: Float = 0) -> Thumbnail {
    TestScene.texture(x: x, y: y, brighter: brighter)
  }

  @Test(
    "whole and broken displacements are found",
    arguments: [(0, 0), (3, 0), (-5, 2), (2.5, -1.25), (7, 7)])
  func displacement(x: Double, y: Double) {
    let from = MotionPicture(Self.picture(x: 10, y: 10))
    // The content moves to the right when the place it is seen from moves to the left.
    let motion = BlockMotion(
      from: from, to: MotionPicture(Self.picture(x: 10 - x, y: 10 - y)))
    // Blocks at the border may come from outside.
    let inner = motion.displacements.enumerated().filter {
      (1...6).contains($0.offset % 8) && (1...6).contains($0.offset / 8)
    }
    let found = inner.map(\.element)
    func mean(_ values: [Float]) -> Double { Double(values.reduce(0, +)) / Double(values.count) }
    #expect(abs(mean(found.map(\.x)) - x) < 0.25 && abs(mean(found.map(\.y)) - y) < 0.25)
    // The parabola is one for each direction, as if they had nothing to do with each other.
    #expect(found.allSatisfy { abs(Double($0.x) - x) < 1 && abs(Double($0.y) - y) < 1 })
  }

  @Test("a search finds what the plainest search finds")
  func reference() {
    let (a, b) = (FrameStepTests.thumbnail(seed: 3), FrameStepTests.thumbnail(seed: 4))
    let motion = BlockMotion(from: MotionPicture(a), to: MotionPicture(b))
    for block in [0, 7, 27, 63] {
      var best = (cost: Double.infinity, error: 0.0)
      for dy in -8...8 {
        for dx in -8...8 {
          var sum = 0.0
          for y in 0..<8 {
            for x in 0..<8 {
              let (row, column) = (block / 8 * 8 + y, block % 8 * 8 + x)
              let from = min(63, max(0, row - dy)) * 64 + min(63, max(0, column - dx))
              sum += abs(Double(b.luma[row * 64 + column]) - Double(a.luma[from]))
            }
          }
          let cost = sum / 64 + 0.01 * Double(abs(dx) + abs(dy))
          if cost < best.cost { best = (cost, sum / 64) }
        }
      }
      // A sixteenth of a code value is the resolution.
      #expect(abs(Double(motion.errors[block]) - best.error) < 0.1)
    }
  }

  @Test("what moves on as before is not missed; what does not is")
  func misses() {
    let pictures = [0.0, 2, 4, 6].map { MotionPicture(Self.picture(x: 20 - $0, y: 9)) }
    let motion = BlockMotion(from: pictures[0], to: pictures[1])
    func inner(_ values: [Float]) -> Double {
      PictureRegion.all.mean(
        values.enumerated().map { (2...5).contains($0.offset % 8) ? Double($0.element) : 0 })
    }
    let next = inner(motion.misses(from: pictures[1], to: pictures[2]))
    let jump = inner(motion.misses(from: pictures[1], to: pictures[3]))
    #expect(next < 0.5)
    #expect(jump > 8 * next)
    let twice = inner(motion.scaled(by: 2).misses(from: pictures[1], to: pictures[3]))
    #expect(twice < 0.7, "twice the time, twice the way")
  }

  @Test(
    "motion cannot be stretched beyond what is searched",
    arguments: [0, 1, -1, 1e9, -1e9] as [Float])
  func stretched(factor: Float) {
    let pictures = [0.0, 7].map { MotionPicture(Self.picture(x: 20 - $0, y: 9)) }
    let longer = BlockMotion(from: pictures[0], to: pictures[1]).scaled(by: factor)
    #expect(longer.displacements.allSatisfy { abs($0.x) <= 8 && abs($0.y) <= 8 })
    let misses = longer.misses(from: pictures[0], to: pictures[1])
    #expect(misses.allSatisfy { $0.isFinite })
  }
}
