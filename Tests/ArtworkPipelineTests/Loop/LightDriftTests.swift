@testable import ArtworkMeasuring

/// The drifts are made here by gains of a channel of RGB, which the code does not see.
@Suite struct LightDriftTests {
  /// A frame with other gains of red, green and blue, by the equations of BT.709.
  private static func gained(_ frame: Thumbnail, _ gains: (Float, Float, Float)) -> Thumbnail {
    var (luma, blue, red) = (frame.luma, frame.blue, frame.red)
    for cell in blue.indices {
      let corner = cell / 32 * 2 * 64 + cell % 32 * 2
      let (u, v) = ((blue[cell] - 128) / 224, (red[cell] - 128) / 224)
      var mean: Float = 0
      for place in [corner, corner + 1, corner + 64, corner + 65] {
        let y = (luma[place] - 16) / 219
        let (r, b) = (y + 1.5748 * v, y + 1.8556 * u)
        let g = y - 0.1873 * u - 0.4681 * v
        let changed = 0.2126 * r * gains.0 + 0.7152 * g * gains.1 + 0.0722 * b * gains.2
        luma[place] = 16 + 219 * changed
        mean += changed / 4
        if place == corner + 65 {
          blue[cell] = 128 + 224 * (b * gains.2 - changed) / 1.8556
          red[cell] = 128 + 224 * (r * gains.0 - changed) / 1.5748
        }
      }
    }
    return Thumbnail(luma: luma, blue: blue, red: red)
  }

  private static func mean(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Float(one.count)
  }

  @Test(arguments: [(0.75, 0.75, 0.75), (1.12, 1, 0.85), (0.9, 1.05, 1)])
  func `a slow drift is taken out, and the first frame stays`(gains: (Double, Double, Double)) throws {
    let loop = (0..<60).map { SyntheticClip.circle($0, period: 60) }
    func gain(_ end: Double, _ frame: Int) -> Float { Float(1 + (end - 1) * Double(frame) / 60) }
    let drifted = loop.enumerated().map { number, frame in
      Self.gained(frame, (gain(gains.0, number), gain(gains.1, number), gain(gains.2, number)))
    }
    let drift = try #require(LightDrift(0..<60, of: ReducedClip(drifted)))
    for (number, most) in [(0, Float(0.01)), (30, 2), (59, 2)] {
      let level = drifted[number].levelled(by: drift.map(at: number))
      #expect(Self.mean(level.luma, loop[number].luma) <= most)
      #expect(Self.mean(level.blue, loop[number].blue) <= most)
      #expect(Self.mean(level.red, loop[number].red) <= most)
    }
  }

  @Test func `light that stays, and light that changes at once, are no drift`() {
    let loop = (0..<60).map { SyntheticClip.circle($0, period: 60) }
    #expect(LightDrift(0..<60, of: ReducedClip(loop)) == nil)
    let sudden = loop.enumerated().map { $0 < 50 ? $1 : Self.gained($1, (0.8, 0.8, 0.8)) }
    #expect(LightDrift(0..<60, of: ReducedClip(sudden)) == nil)
    #expect(LightDrift(0..<12, of: ReducedClip(loop)) == nil)
  }
}
