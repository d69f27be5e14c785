@Suite struct PNGDecoderTests {
  @Test(arguments: [(1, 1), (1, 9), (7, 1), (3, 5), (97, 31), (256, 64)], PNGEncoderTests.Pattern.allCases)
  func `every pixel comes back`(size: (Int, Int), pattern: PNGEncoderTests.Pattern) throws {
    for channels in [PixelImage.Channels.rgb, .rgba] {
      let image = PNGEncoderTests.picture(size, channels, pattern)
      #expect(PNGDecoder.decode(try PNGEncoder.encode(image)) == image)
    }
  }

  @Test func `a damaged file is refused, or its pixels are whole`() throws {
    let image = PNGEncoderTests.picture((23, 11), .rgb, .noise)
    let file = try PNGEncoder.encode(image)
    for place in file.indices {
      for bit in 0..<8 {
        var damaged = file
        damaged[place] ^= 1 << UInt8(bit)
        // Checksums of chunks are not compared, and the size may change into one of as many bytes.
        if let read = PNGDecoder.decode(damaged) { #expect(read == image) }
      }
    }
    for count in file.indices { #expect(PNGDecoder.decode(Array(file.prefix(count))) == nil) }
    #expect(PNGDecoder.decode(file + [0]) == nil)
    #expect(PNGDecoder.decode([]) == nil)
  }

  @Test func `a stream of another length than the header promises is refused`() throws {
    var file = try PNGEncoder.encode(PNGEncoderTests.picture((16, 16), .rgb, .gradient))
    for (place, value) in [(19, UInt8(17)), (23, 15), (23, 17), (17, 1), (25, 6)] {
      let former = file[place]
      file[place] = value
      #expect(PNGDecoder.decode(file) == nil)
      file[place] = former
    }
    #expect(PNGDecoder.decode(file) != nil)
  }
}
