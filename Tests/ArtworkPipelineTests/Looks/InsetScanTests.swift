@testable import ArtworkMeasuring

@Suite struct InsetScanTests {
  static let side = 120
  static let height = 160

  /// A texture that changes over a few pixels.
  static func texture(_ x: Int, _ y: Int) -> Double {
    var hash = UInt32(truncatingIfNeeded: (x / 4 &* 73_856_093) ^ (y / 4 &* 19_349_663))
    hash = (hash ^ (hash >> 13)) &* 1_274_126_177
    return 60 + Double((hash >> 8) % 140)
  }

  /// Waves without a straight line in them. The blocks of ``texture(_:_:)`` have many.
  static func waves(_ x: Int, _ y: Int) -> Double {
    130 + 30 * sin(Double(x) * 0.2 + Double(y) * 0.05) + 25 * sin(Double(y) * 0.12 - Double(x) * 0.07)
  }

  static func picture(_ luma: (Int, Int) -> Double) -> PixelImage {
    PixelImage(side, height) { x, y in Array(repeating: UInt8(clamping: wholeNumber(luma(x, y).rounded()) ?? 0), count: 3) }
  }

  @Test func `a cover over a plain colour has an outline, and little around it`() throws {
    let found = try #require(InsetScan(Self.picture { (20..<140).contains($1) ? Self.waves($0, $1) : 20 })).best()
    #expect(found.outline > 0.9 && found.surroundings < 0.1)
    #expect(found.left == 0 && found.side == 1 && abs(found.top * 160 - 20) <= 2)
    #expect(found.mirroring < 0.5)
  }

  @Test func `a smaller cover is found at its place`() throws {
    let found = try #require(
      InsetScan(Self.picture { (20..<100).contains($0) && (30..<110).contains($1) ? Self.waves($0, $1) : 20 })
    ).best()
    #expect(found.outline > 0.9 && found.surroundings < 0.1)
    #expect(abs(found.left * 120 - 20) <= 1 && abs(found.side * 120 - 80) <= 2)
    #expect(abs(found.top * 160 - 30) <= 1)
  }

  @Test func `a mirror image above and below is one`() throws {
    let found = try #require(
      InsetScan(Self.picture { x, y in Self.texture(x, y < 20 ? 19 - y : y < 140 ? y - 20 : 119 - (y - 140)) })
    ).best()
    #expect(found.mirroring > 0.999)
  }

  @Test func `a picture that goes on has no outline, and a square one nothing around it`() throws {
    let found = try #require(InsetScan(Self.picture(Self.texture))).best()
    #expect(found.outline < 0.35 || found.surroundings > 0.6)
    #expect(found.mirroring < 0.5)
    #expect(InsetScan(PixelImage(80, 80) { _, _ in [9, 9, 9] }) == nil)
  }
}
