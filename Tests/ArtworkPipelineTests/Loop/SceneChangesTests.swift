@testable import ArtworkMeasuring

@Suite struct SceneChangesTests {
  /// Blocks of light and dark, others for each seed.
  private static func scene(_ seed: UInt64) -> Thumbnail {
    var random = Noise(seed: seed)
    let cells = (0..<64).map { _ in Float(random.next() >> 56) }
    return Thumbnail(
      luma: (0..<64 * 64).map { cells[$0 / 64 / 8 * 8 + $0 % 64 / 8] }, blue: [Float](repeating: 128, count: 32 * 32),
      red: [Float](repeating: 128, count: 32 * 32))
  }

  private static func changes(_ frames: [Thumbnail]) -> SceneChanges {
    SceneChanges(ReducedClip(frames), times: (0...frames.count).map { Double($0) / 30 })
  }

  @Test func `a cut and a slow dissolve begin another scene, and motion does not`() {
    let (one, other) = (Self.scene(1), Self.scene(2))
    let cut = Self.changes((0..<60).map { $0 < 30 ? one : other })
    #expect(cut.cuts == [30] && cut.dissolves.isEmpty)
    #expect(cut.longestScene(in: 0..<50) == 0..<30)
    // From frame 20 to frame 40.
    let slow = Self.changes((0..<90).map { one.mixed(with: other, share: max(0, min(1, Float($0 - 20) / 20))) })
    #expect(slow.cuts.isEmpty && !slow.dissolves.isEmpty)
    #expect(slow.dissolves.allSatisfy { $0.lowerBound >= 14 && $0.upperBound <= 46 })
    #expect(!slow.isSteady(0..<60) && slow.isSteady(0..<14) && slow.isSteady(46..<90))
    #expect((38...46).contains(slow.longestScene(in: 0..<90).lowerBound))
    let motion = Self.changes((0..<120).map { SyntheticClip.circle($0, period: 40) })
    #expect(motion.cuts.isEmpty && motion.dissolves.isEmpty)
  }

  @Test func `a fade to a plain picture ends a scene`() {
    let one = Self.scene(3)
    let dark = one.mixed(with: one.changed { $0 = $0.map { _ in 16 } }, share: 1)
    let faded = Self.changes((0..<90).map { one.mixed(with: dark, share: max(0, min(1, Float($0 - 50) / 20))) })
    #expect(faded.isSteady(0..<44) && !faded.isSteady(0..<80))
  }

  @Test func `a loop with a slow change of scene inside is none, and a swing keeps to one scene`() {
    let (one, other) = (Self.scene(1), Self.scene(2))
    let frames = (0..<90).map { one.mixed(with: other, share: max(0, min(1, Float($0 - 20) / 20))) }
    let search = TrimSearch(frames: ReducedClip(frames), times: (0...90).map { Double($0) / 30 })
    #expect(!search.isAllowed(0, 80) && search.isAllowed(48, 88))
    let motion = ClipMotion(frameCount: 90) { search.frames.distance($0, $1) }
    #expect((38...46).contains(search.swing(motion).lowerBound))
    // An odd frame at each end is left out of it.
    let odd = (0..<60).map { SyntheticClip.circle($0, period: 240) }
    let ends = TrimSearch(frames: ReducedClip([Self.scene(5)] + odd + [Self.scene(6)]), times: (0...62).map { Double($0) / 30 })
    #expect(ends.swing(ClipMotion(frameCount: 62) { ends.frames.distance($0, $1) }) == 1..<61)
  }
}
