@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct PicturePairTests {
  /// A picture without symmetry: a bright ball on a slope, and a red corner. `exif` turns it.
  static func picture(exif: Int = 1, width: Double = 1, at place: Double = 0.3) -> PictureSignature {
    let side = PictureSignature.side
    let cells = (0..<side * side).flatMap { index -> [UInt8] in
      let x = (Double(index % side) + 0.5) / Double(side)
      let y = (Double(index / side) + 0.5) / Double(side)
      // The middle of the picture, as much of it as `width`.
      let from = 0.5 + (x - 0.5) * width
      let ball = (from - place) * (from - place) + (y - 0.35) * (y - 0.35) < 0.03
      let corner = from > 0.7 && y > 0.8
      let ground = 40 + 80 * y + 40 * from
      let tone = ball ? 240 : ground
      return [corner ? 220 : tone, corner ? 30 : tone, corner ? 30 : tone - 20].map { UInt8(max(0, min(255, $0))) }
    }
    let upright = PictureSignature(cells: cells)
    guard let matrix = Orientation.matrix(exif: exif) else { return upright }
    return upright.displayed(by: Orientation(displayMatrix: matrix))
  }

  private static func inspection(_ key: ArtworkKey, _ frame: PictureSignature) throws -> Inspection {
    try #require(ReleaseRuleTests.video(key, frame: frame).inspection)
  }

  private static func cover(_ signature: PictureSignature) -> StillPicture {
    StillPicture(format: "jpeg", width: 600, height: 600, signature: signature)
  }

  @Test func `a partner that is turned or mirrored is named, and the cover tells which one it is`() throws {
    let square = try Self.inspection(.square, Self.picture())
    let crop = try Self.inspection(.tall, Self.picture(width: 0.75))
    let same = try #require(PicturePair(square, crop, cover: nil))
    #expect(same.relation == .same && same.odd == nil)
    for (exif, words) in [(2, "is mirrored"), (3, "is upside down"), (4, "is mirrored")] {
      let tall = try Self.inspection(.tall, Self.picture(exif: exif, width: 0.75))
      let pair = try #require(PicturePair(square, tall, cover: nil))
      #expect(pair.relation == .turned(exif: exif) && pair.odd == nil && pair.words == words)
      let known = try #require(PicturePair(square, tall, cover: Self.cover(Self.picture())))
      #expect(known.odd == .tall && known.clockwiseTurn == (exif == 3 ? 180 : nil))
      #expect(PicturePair(square, tall, cover: Self.cover(Self.picture(exif: exif)))?.odd == .square)
    }
  }

  @Test func `a tall video that lies on its side is the odd one without a cover`() throws {
    let square = try Self.inspection(.square, Self.picture())
    // Displayed by 6, a quarter clockwise, it would be right; so it is stored turned the other way.
    var tall = try Self.inspection(
      .tall, Self.picture(width: 0.75).displayed(by: Orientation(displayMatrix: try #require(Orientation.matrix(exif: 8)))))
    tall.facts.setDisplay(1440, 1080)
    let pair = try #require(PicturePair(square, tall, cover: nil))
    #expect(pair.relation == .turned(exif: 6) && pair.odd == .tall && pair.clockwiseTurn == 90)
  }

  @Test func `a squeezed partner is named, and another picture is another one`() throws {
    let square = try Self.inspection(.square, Self.picture())
    let squeezed = try #require(PicturePair(square, try Self.inspection(.tall, Self.picture()), cover: nil))
    guard case .squeezed(let share) = squeezed.relation else {
      Issue.record("\(squeezed)")
      return
    }
    #expect(share == 0.75)
    let other = try Self.inspection(.tall, ReleaseRuleTests.signature())
    let pair = try #require(PicturePair(square, other, cover: Self.cover(Self.picture())))
    #expect(pair.relation == .other && pair.odd == .tall)
    #expect(PicturePair(square, other, cover: nil)?.odd == nil)
  }
}
