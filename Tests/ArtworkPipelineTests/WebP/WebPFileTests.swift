@testable import ArtworkMedia

@Suite struct WebPFileTests {
  /// A file with this header and arbitrary compressed data, without libwebp.
  static func file(width: Int = 10, height: Int = 6, version: Int = 0, chunk: String = "VP8L", count: Int = 20) -> [UInt8] {
    func number(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    let header = [0x2f] + number(width - 1 | (height - 1) << 14 | version << 29)
    let data = (header + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    let chunks = Array("WEBP".utf8) + Array(chunk.utf8) + number(data.count) + data + (data.count % 2 == 0 ? [] : [0])
    return Array("RIFF".utf8) + number(chunks.count) + chunks
  }

  @Test(.needsWebP, arguments: [PixelImage.Channels.rgb, .rgba])
  func `what our encoder writes is well-formed`(channels: PixelImage.Channels) throws {
    for size in [(1, 1), (10, 6), (301, 7)] {
      for pattern in PNGEncoderTests.Pattern.allCases {
        #expect(WebPFile.isWellFormed(try WebPEncoder.encode(PNGEncoderTests.picture(size, channels, pattern))))
      }
    }
  }

  @Test func `a file of this form is well-formed, whether its data is padded or not`() {
    #expect(WebPFile.isWellFormed(Self.file(count: 20)))
    #expect(WebPFile.isWellFormed(Self.file(count: 21)))
    #expect(WebPFile.isWellFormed(Self.file(width: 16383, height: 8192)))
    #expect(WebPFile.isWellFormed(Self.file(width: 8192, height: 16383)))
  }

  @Test func `a file that is cut anywhere or goes on is not`() {
    for whole in [Self.file(count: 20), Self.file(count: 21)] {
      for length in 0..<whole.count { #expect(!WebPFile.isWellFormed(Array(whole.prefix(length)))) }
      #expect(!WebPFile.isWellFormed(whole + [0]))
      #expect(!WebPFile.isWellFormed(whole + whole))
    }
  }

  @Test func `lossy and animated files, sizes beyond a preview and other signatures are refused`() {
    // An extended header announces animation and metadata.
    for chunk in ["VP8 ", "VP8X", "ANIM", "EXIF"] { #expect(!WebPFile.isWellFormed(Self.file(chunk: chunk)), "\(chunk)") }
    #expect(!WebPFile.isWellFormed(Self.file(width: 16383, height: 8193)))
    #expect(!WebPFile.isWellFormed(Self.file(width: 16384, height: 16384)))
    #expect(!WebPFile.isWellFormed(Self.file(version: 1)))
    for offset in [0, 4, 8, 12, 16, 20] {
      var changed = Self.file()
      changed[offset] ^= 2
      #expect(!WebPFile.isWellFormed(changed), "byte \(offset)")
    }
  }
}
