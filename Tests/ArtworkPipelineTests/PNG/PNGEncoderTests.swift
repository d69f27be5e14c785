@Suite struct PNGEncoderTests {
  enum Pattern: String, CaseIterable, Sendable { case noise, flat, gradient }

  static func picture(_ size: (Int, Int), _ channels: PixelImage.Channels, _ pattern: Pattern) -> PixelImage {
    var noise = Noise(seed: 42)
    let bytes = (0..<size.0 * size.1 * channels.rawValue).map { index -> UInt8 in
      switch pattern {
      case .noise: UInt8(truncatingIfNeeded: noise.next() >> 33)
      case .flat: [200, 17, 99, 128][index % channels.rawValue]
      case .gradient: UInt8(truncatingIfNeeded: index / channels.rawValue * 3 + index % 4 * 50)
      }
    }
    return PixelImage(size: PixelSize(width: size.0, height: size.1), channels: channels, bytes: bytes)
  }

  /// The widths and heights that are written and read back.
  static let sizes = Nightly.some(3, of: [(1, 1), (1, 9), (7, 1), (97, 31), (256, 64), (3, 5)])

  @Test(arguments: sizes, Pattern.allCases)
  func `ffmpeg reads back every pixel`(size: (Int, Int), pattern: Pattern) throws {
    try Self.expectRoundTrip(size, pattern, through: "picture.png") { try PNGEncoder.encode($0) }
  }

  /// Encodes a picture with and without alpha, and compares what ffmpeg reads with it.
  static func expectRoundTrip(
    _ size: (Int, Int), _ pattern: Pattern, through name: String, encode: (PixelImage) throws -> [UInt8]
  ) throws {
    let folder = try TemporaryFolder()
    for channels in [PixelImage.Channels.rgb, .rgba] {
      let image = picture(size, channels, pattern)
      let file = folder.url(name)
      try Data(encode(image)).write(to: file)
      let decoded = try run(
        "ffmpeg", ["-v", "error", "-i", file.path, "-pix_fmt", channels == .rgb ? "rgb24" : "rgba", "-f", "rawvideo", "-"])
      #expect(decoded.status == 0)
      #expect(decoded.error == "")
      #expect([UInt8](decoded.output) == image.bytes)
    }
  }

  @Test func `the file is tagged sRGB, its chunks are in order and their checksums right`() throws {
    #expect(PNGChunk.crc32("123456789".utf8) == 0xcbf4_3926, "the test's own CRC is wrong")
    for channels in [PixelImage.Channels.rgb, .rgba] {
      let png = try PNGEncoder.encode(Self.picture((300, 5), channels, .noise))
      let chunks = try PNGChunk.all(png)
      for chunk in chunks { #expect(PNGChunk.crc32(Array(chunk.type.utf8) + chunk.data) == chunk.checksum) }
      #expect(chunks.first?.type == "IHDR")
      // 300 x 5, 8 bits, RGB or RGBA, deflate, adaptive filters, not interlaced.
      #expect(chunks.first?.data == [0, 0, 1, 44, 0, 0, 0, 5, 8, channels == .rgb ? 2 : 6, 0, 0, 0])
      #expect(chunks.last == PNGChunk(type: "IEND", data: [], checksum: 0xae42_6082))
      // Perceptual intent; 1/2.2 in 100000ths.
      #expect(chunks.first { $0.type == "sRGB" }?.data == [0])
      #expect(chunks.first { $0.type == "gAMA" }?.data == [0, 0, 0xb1, 0x8f])
      let types = chunks.map(\.type)
      let pixels = try #require(types.firstIndex(of: "IDAT"))
      #expect(types[..<pixels].contains("sRGB") && types[..<pixels].contains("gAMA"))
      #expect(types[pixels...].dropLast().allSatisfy { $0 == "IDAT" })
    }
  }

  @Test func `the same picture gives the same bytes`() throws {
    let image = Self.picture((61, 47), .rgba, .noise)
    #expect(try PNGEncoder.encode(image) == PNGEncoder.encode(image))
  }

  @Test func `a flat picture compresses to almost nothing`() throws {
    #expect(try PNGEncoder.encode(Self.picture((256, 256), .rgb, .flat)).count < 2000)
  }

  /// libpng takes at most a million pixels per row; its error must come back through the C shim.
  @Test func `what libpng refuses is an error with libpng's words`() {
    let image = PixelImage(
      size: PixelSize(width: 1_000_001, height: 1), channels: .rgb, bytes: Array(repeating: 0, count: 3_000_003))
    let error = #expect(throws: InspectionError.self) { try PNGEncoder.encode(image) }
    #expect(error?.code == .previewNotWritten)
    #expect(error?.operation == "encode the preview")
    #expect(error?.message.isEmpty == false)
  }
}
