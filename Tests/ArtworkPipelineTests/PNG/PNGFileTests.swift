@Suite struct PNGFileTests {
  static func encoded(channels: PixelImage.Channels = .rgb) throws -> [UInt8] {
    let bytes = (0..<60 * channels.rawValue).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    return try PNGEncoder.encode(PixelImage(size: PixelSize(width: 10, height: 6), channels: channels, bytes: bytes))
  }

  @Test(arguments: [PixelImage.Channels.rgb, .rgba])
  func `what our encoder writes is well-formed`(channels: PixelImage.Channels) throws {
    #expect(PNGFile.isWellFormed(try Self.encoded(channels: channels)))
  }

  @Test func `a file that is cut anywhere or goes on is not`() throws {
    let whole = try Self.encoded()
    for length in 0..<whole.count { #expect(!PNGFile.isWellFormed(Array(whole.prefix(length)))) }
    #expect(!PNGFile.isWellFormed(whole + [0]))
    #expect(!PNGFile.isWellFormed(whole + whole.suffix(12)))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a million empty chunks are refused`() throws {
    let whole = try Self.encoded()
    let empty: [UInt8] = [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xaf, 0x06, 0x1e]
    var bytes = Array(whole.dropLast(12))
    for _ in 0..<1_000_000 { bytes += empty }
    #expect(!PNGFile.isWellFormed(bytes + whole.suffix(12)))
  }

  @Test func `foreign chunks, sizes beyond a preview and other signatures are refused`() throws {
    let whole = try Self.encoded()
    func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
      var copy = whole
      copy.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      return copy
    }
    #expect(!PNGFile.isWellFormed(changed(1, Array("JNG".utf8))))
    // The first chunk after the header starts at 33, its type at 37.
    #expect(!PNGFile.isWellFormed(changed(37, Array("tEXt".utf8))))
    #expect(!PNGFile.isWellFormed(changed(16, [0, 0, 0x40, 1])), "16385 pixels wide")
    #expect(!PNGFile.isWellFormed(changed(16, [0xff, 0xff, 0xff, 0xff])))
    #expect(!PNGFile.isWellFormed(changed(20, [0, 0, 0, 0])))
    #expect(!PNGFile.isWellFormed(changed(24, [16])), "16 bits")
    #expect(!PNGFile.isWellFormed(changed(25, [3])), "a palette")
    #expect(!PNGFile.isWellFormed(changed(28, [1])), "interlaced")
    #expect(!PNGFile.isWellFormed(changed(33, [0x7f, 0xff, 0xff, 0xff])))
  }
}
