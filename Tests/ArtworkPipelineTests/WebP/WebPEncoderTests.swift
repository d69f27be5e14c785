@testable import ArtworkMedia
@testable import ArtworkPipeline

extension Trait where Self == ConditionTrait {
  /// For tests of features that a build without the package trait `WebP` lacks.
  static var needsWebP: Self {
    .enabled(if: WebPEncoder.isAvailable, "this build lacks libwebp: the package trait WebP is off")
  }
}

@Suite struct WebPEncoderTests {
  static func flat(_ width: Int, _ height: Int) -> PixelImage { PixelImage(width, height) { _, _ in [99, 99, 99] } }

  @Test(
    "ffmpeg, which has a decoder of its own, reads back every pixel", .needsWebP, arguments: PNGEncoderTests.sizes,
    PNGEncoderTests.Pattern.allCases)
  func roundTrip(size: (Int, Int), pattern: PNGEncoderTests.Pattern) throws {
    try PNGEncoderTests.expectRoundTrip(size, pattern, through: "picture.webp") { try WebPEncoder.encode($0) }
  }

  @Test(.needsWebP)
  func `transparent pixels keep their colour`() throws {
    let folder = try TemporaryFolder()
    let image = PixelImage(40, 20, .rgba) { x, y in [UInt8(6 * x + y), 7, 200, (40 * y + x) % 3 == 0 ? 255 : 0] }
    let file = folder.url("picture.webp")
    try Data(WebPEncoder.encode(image)).write(to: file)
    let decoded = try run("ffmpeg", ["-v", "error", "-i", file.path, "-pix_fmt", "rgba", "-f", "rawvideo", "-"])
    #expect([UInt8](decoded.output) == image.bytes)
  }

  @Test(.needsWebP)
  func `the same picture gives the same bytes`() throws {
    let image = PNGEncoderTests.picture((61, 47), .rgba, .noise)
    #expect(try WebPEncoder.encode(image) == WebPEncoder.encode(image))
  }

  @Test(.needsWebP)
  func `noise fits into the room that a worker's answer has for a PNG`() throws {
    for size in [(1, 1), (3, 4000), (4000, 3), (400, 300)] {
      let image = PNGEncoderTests.picture(size, .rgba, .noise)
      #expect(try WebPEncoder.encode(image).count <= PictureBytes.png(pixels: size.0 * size.1))
    }
    // Without the mebibyte that small pictures get.
    let image = PNGEncoderTests.picture((400, 300), .rgba, .noise)
    #expect(try WebPEncoder.encode(image).count <= image.bytes.count * 65 / 64)
  }

  @Test(.needsWebP, arguments: [(16383, 1), (1, 16383)])
  func `16383 pixels a side can be written`(size: (Int, Int)) throws {
    #expect(try WebPFile.isWellFormed(WebPEncoder.encode(Self.flat(size.0, size.1))))
  }

  /// The same in every build.
  @Test(arguments: [(16384, 1), (1, 16384)])
  func `16384 pixels a side are refused, with both numbers`(size: (Int, Int)) {
    let error = #expect(throws: InspectionError.self) { try WebPEncoder.encode(Self.flat(size.0, size.1)) }
    #expect(error?.code == .previewNotWritten)
    #expect(error?.message.contains("at most 16383 pixels a side") == true)
    #expect(error?.message.contains("\(size.0)x\(size.1)") == true)
    #expect(error?.help == "make it smaller (--size), or write PNG")
  }

  @Test(.enabled(if: !WebPEncoder.isAvailable, "this build has libwebp"))
  func `a build without libwebp reports that`() {
    let error = #expect(throws: InspectionError.self) { try WebPEncoder.encode(Self.flat(2, 2)) }
    #expect(error?.code == .previewNotWritten)
    #expect(error?.message == "this build lacks libwebp")
  }
}
