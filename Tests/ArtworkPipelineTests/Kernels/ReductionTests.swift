@Suite struct ReductionTests {
  /// The same filter by its definition, one pixel at a time.
  private static func slow(_ image: PixelImage, _ size: PixelSize) -> [UInt8] {
    func lanczos(_ x: Double) -> Double {
      if x == 0 { return 1 }
      return abs(x) < 3 ? 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x) : 0
    }
    func weights(_ length: Int, _ wanted: Int) -> [[(place: Int, weight: Double)]] {
      let scale = Double(length) / Double(wanted)
      return (0..<wanted).map { place in
        let center = (Double(place) + 0.5) * scale - 0.5
        let all = (0..<length).map { ($0, lanczos((Double($0) - center) / scale)) }
        let sum = all.reduce(0) { $0 + $1.1 }
        return all.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
      }
    }
    let rows = weights(image.size.height, size.height)
    let columns = weights(image.size.width, size.width)
    let channels = image.channels.rawValue
    return rows.flatMap { row in
      columns.flatMap { column in
        (0..<channels).map { channel in
          var sum = 0.0
          for (y, weightY) in row {
            for (x, weightX) in column {
              let sample = image.bytes[y * image.bytesPerRow + x * channels + channel]
              sum += weightY * weightX * Double(sample)
            }
          }
          return UInt8(clamping: Int(sum.rounded()))
        }
      }
    }
  }

  @Test(
    arguments: [
      ((1, 1), (1, 1)), ((2, 9), (1, 4)), ((9, 2), (9, 1)), ((31, 17), (30, 16)), ((40, 30), (13, 7)), ((64, 64), (1, 1)),
      ((33, 50), (4, 50)),
    ], [PixelImage.Channels.rgb, .rgba])
  func `agrees with the definition of the filter`(sizes: ((Int, Int), (Int, Int)), channels: PixelImage.Channels) throws {
    let image = PNGEncoderTests.picture(sizes.0, channels, .noise)
    let size = PixelSize(width: sizes.1.0, height: sizes.1.1)
    let reduced = try image.scaledDown(to: size)
    #expect(reduced.size == size && reduced.channels == channels)
    // Where the exact value is half way, the last bit of a floating-point number decides.
    for (one, other) in zip(reduced.bytes, Self.slow(image, size)) { #expect(abs(Int(one) - Int(other)) <= 1) }
  }

  @Test func `a level picture stays level, and white does not overflow`() throws {
    for level: UInt8 in [0, 1, 128, 254, 255] {
      let image = PixelImage(50, 41) { _, _ in [level, level, level] }
      #expect(try image.scaledDown(to: PixelSize(width: 17, height: 13)).bytes.allSatisfy { $0 == level })
    }
  }

  @Test func `resembles what the decoder's picture becomes, without decoding`() throws {
    for name in ["good-1x1.mp4", "good-3x4.mp4"] {
      let path = Fixture.named(name).path
      let whole = try #require(try Inspector().inspect(path, preview: .original).preview)
      let box = PixelSize(width: whole.size.width * 2 / 3, height: whole.size.height)
      let decoded = try #require(try Inspector().inspect(path, preview: .fitted(box)).preview)
      let reduced = try whole.scaledDown(to: decoded.size)
      let differences = zip(reduced.bytes, decoded.bytes).map { abs(Int($0) - Int($1)) }
      #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 1.5)
    }
  }
}
