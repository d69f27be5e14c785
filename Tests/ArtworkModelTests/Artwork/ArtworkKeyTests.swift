import TestSupport

@testable import ArtworkModel

@Suite struct ArtworkKeyTests {
  @Test(
    "a file name states its key",
    arguments: [
      ("1x1.mp4", .square), ("3x4.mp4", .tall), ("cover_1x1.mp4", .square),
      ("cover_3x4.mov", .tall), ("square_animated_artwork.mp4", .square),
      ("tall_animated_artwork.mp4", .tall), ("FrontCover.mp4", .square),
      ("PortraitCover.mp4", .tall), ("FRONTCOVER.MP4", .square), ("Album-3X4.M4V", .tall),
      ("album.1x1.v2.mp4", .square), ("Tall (final).mov", .tall), ("1x1", .square),
      ("été square.mp4", .square), (".3x4.mp4", .tall),
    ] as [(String, ArtworkKey)])
  func named(file: String, key: ArtworkKey) { #expect(ArtworkKey(fileName: file) == key) }

  @Test(
    "a file name without a key, with both or with a look-alike states none",
    arguments: [
      "", ".mp4", "artwork.mp4", "11x14.mp4", "31x1.mp4", "1x10.mp4", "13x4.mp4", "install.mp4",
      "stall.mp4", "squares.mp4", "squarespace.mp4", "squarish.mp4", "tallest.mp4", "1x1_3x4.mp4",
      "square tall.mp4", "1x1.tall.mp4", "frontcovers.mp4", "my frontcover.mp4", "1×1.mp4",
      "cover.1x1",
    ])
  func unnamed(file: String) { #expect(ArtworkKey(fileName: file) == nil) }

  /// The boundary is the geometric mean of the two aspects, 0.8660...
  @Test(
    "an aspect belongs to the key it is nearer to",
    arguments: [
      ((1, 1), .square), ((3, 4), .tall), ((16, 9), .square), ((9, 16), .tall), ((4, 3), .square),
      ((866, 1000), .tall), ((867, 1000), .square), ((1, 1000), .tall), ((1000, 1), .square),
      ((1, .max), .tall), ((.max, 1), .square), ((1024, 1366), .tall),
    ] as [((Int64, Int64), ArtworkKey)])
  func nearest(aspect: (Int64, Int64), key: ArtworkKey) throws {
    let aspect = try #require(Rational(aspect.0, aspect.1))
    #expect(ArtworkKey(nearestTo: aspect) == key)
  }

  @Test("the aspects are one and three quarters exactly")
  func aspects() {
    #expect(ArtworkKey.square.aspect == .one)
    #expect(ArtworkKey.tall.aspect == Rational(3, 4))
  }
}
