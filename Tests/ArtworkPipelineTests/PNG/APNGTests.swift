@Suite struct APNGTests {
  static func frames(_ count: Int, _ channels: PixelImage.Channels, width: Int = 37, height: Int = 23) -> [PixelImage] {
    var noise = Noise(seed: 5)
    return (0..<count).map { index in
      let bytes = (0..<width * height * channels.rawValue).map { place in
        index % 2 == 0
          ? UInt8(truncatingIfNeeded: noise.next() >> 40)
          : UInt8(truncatingIfNeeded: place / channels.rawValue * 7 + index * 31)
      }
      return PixelImage(size: PixelSize(width: width, height: height), channels: channels, bytes: bytes)
    }
  }

  @Test(arguments: [(2, PixelImage.Channels.rgb), (7, .rgb), (5, .rgba)])
  func `ffmpeg decodes every frame as it was`(count: Int, channels: PixelImage.Channels) throws {
    let frames = Self.frames(count, channels)
    let bytes = try AnimatedPicture.png(frames, seconds: frames.map { _ in Rational(1, 30) ?? .one }, limits: Limits())
    #expect(APNGFile.isWellFormed(bytes, mostFrames: count, inside: PixelSize(width: 37, height: 23)))
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("a.png"))
    let result = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "apng", "-i", "a.png", "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt",
        channels == .rgb ? "rgb24" : "rgba", "-",
      ], in: folder.root)
    #expect(result.error == "")
    #expect(Array(result.output) == frames.flatMap(\.bytes))
  }

  @Test func `frames last as long as requested, and the animation repeats for ever`() throws {
    let seconds = [Rational(1, 30), Rational(1001, 60_000), Rational(7, 100), Rational(3, 2), Rational(1, 24)].compactMap(
      \.self)
    let bytes = try AnimatedPicture.png(Self.frames(5, .rgb), seconds: seconds, limits: Limits())
    let chunks = try PNGChunk.all(bytes)
    func number(_ data: [UInt8], _ place: Int) -> Int { Int(data[place]) * 256 + Int(data[place + 1]) }
    let delays = chunks.filter { $0.type == "fcTL" }.map { chunk in [number(chunk.data, 20), number(chunk.data, 22)] }
    #expect(delays == [[1, 30], [1001, 60_000], [7, 100], [3, 2], [1, 24]])
    #expect(chunks.first { $0.type == "acTL" }?.data == [0, 0, 0, 5, 0, 0, 0, 0])
    #expect(chunks.contains { $0.type == "sRGB" })
  }

  @Test func `what a lying worker sends is not taken for an animation`() throws {
    let box = PixelSize(width: 37, height: 23)
    let bytes = try AnimatedPicture.png(Self.frames(3, .rgb), seconds: [.one, .one, .one], limits: Limits())
    #expect(APNGFile.isWellFormed(bytes, mostFrames: 3, inside: box))
    #expect(!APNGFile.isWellFormed(bytes, mostFrames: 2, inside: box))
    #expect(!APNGFile.isWellFormed(bytes, mostFrames: 3, inside: PixelSize(width: 36, height: 23)))
    #expect(!APNGFile.isWellFormed(bytes + [0], mostFrames: 3, inside: box))
    for length in stride(from: 0, to: bytes.count, by: 5) {
      #expect(!APNGFile.isWellFormed(Array(bytes.prefix(length)), mostFrames: 3, inside: box))
    }
    // A plain PNG, a chunk that is never written, frames out of order, and beyond the canvas.
    #expect(!APNGFile.isWellFormed(try PNGEncoder.encode(Self.frames(1, .rgb)[0]), mostFrames: 3, inside: box))
    let places = bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == Array("fcTL".utf8) }
    #expect(places.count == 3)
    for (offset, value) in [(0, UInt8(ascii: "x")), (7, 9), (10, 1), (19, 90)] {
      var changed = bytes
      changed[places[1] + offset] = value
      #expect(!APNGFile.isWellFormed(changed, mostFrames: 3, inside: box), "\(offset)")
    }
    var noise = Noise(seed: 3)
    for _ in 0..<2000 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      _ = APNGFile.isWellFormed(changed, mostFrames: 3, inside: box)
    }
  }
}
