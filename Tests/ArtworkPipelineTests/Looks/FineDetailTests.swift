@testable import ArtworkMeasuring

@Suite struct FineDetailTests {
  static let side = 192

  /// Squares of `size` samples in random tones of the given bits.
  static func tiles(_ size: Int, bitDepth: Int = 8) -> [UInt16] {
    (0..<side * side).map { place in
      let (x, y) = (place % side / size, place / side / size)
      var hash = UInt32(truncatingIfNeeded: (x &* 73_856_093) ^ (y &* 19_349_663))
      hash = (hash ^ (hash >> 13)) &* 1_274_126_177
      return UInt16(40 + (hash >> 8) % 160) << UInt16(bitDepth - 8)
    }
  }

  /// The picture after so many means over 3 samples along rows and columns: close to a Gaussian blur.
  static func blurred(_ picture: [UInt16], times: Int) -> [UInt16] {
    var picture = picture
    for step in [1, side] {
      for _ in 0..<times {
        let before = picture
        for place in step..<before.count - step {
          picture[place] = (before[place - step] + before[place] + before[place + step]) / 3
        }
      }
    }
    return picture
  }

  static func share(_ picture: [UInt16], bitDepth: Int = 8, side: Int = side) -> Double? {
    let width = bitDepth > 8 ? 2 : 1
    let bytes = picture.flatMap { sample -> [UInt8] in width == 2 ? [UInt8(sample & 255), UInt8(sample >> 8)] : [UInt8(sample)]
    }
    return unsafe bytes.withUnsafeBytes { raw -> Double? in
      unsafe raw.baseAddress.flatMap {
        unsafe FineDetail.share(
          PlanarPixels.Plane(start: $0, bytesPerRow: width * side, width: side, height: side), bitDepth: bitDepth)
      }
    }
  }

  @Test func `edges are fine, and blurred ones are not`() throws {
    let sharp = try #require(Self.share(Self.tiles(7)))
    let soft = try #require(Self.share(Self.blurred(Self.tiles(7), times: 6)))
    #expect(sharp > 0.06, "\(sharp)")
    #expect(soft < 0.018, "\(soft)")
  }

  @Test func `ten bits and eight give the same measurement`() throws {
    let eight = try #require(Self.share(Self.tiles(7)))
    let ten = try #require(Self.share(Self.tiles(7, bitDepth: 10), bitDepth: 10))
    #expect(abs(eight - ten) < 0.001)
  }

  @Test func `plain and small pictures are not judged`() {
    #expect(Self.share([UInt16](repeating: 90, count: Self.side * Self.side)) == nil)
    #expect(Self.share(Self.tiles(7), side: 48) == nil)
  }
}
