@testable import ArtworkMedia

@Suite struct LoopEndTests {
  private static let size = PixelSize(width: 96, height: 96)
  private static let count = 60

  /// A texture whose light comes and goes, or which sways, and which rests at the beginning and at the end.
  private static func picture(_ number: Int, swaying: Bool) -> PixelImage {
    let rest = (1 - cos(2 * Double.pi * Double(number) / Double(count))) / 2
    let shift = swaying ? 4 * rest : 0
    return PixelImage(size.width, size.height) { x, y in
      let (across, down) = (Double(x) + shift, Double(y))
      let texture =
        30 * sin(across * 1.7 + down * 0.9) + 25 * sin(across * 0.6 - down * 1.3) + 15 * sin(across * 2.3 * sin(down * 0.2))
      let light = swaying ? 0 : 20 * rest * Double(x) / Double(size.width)
      return [UInt8](repeating: UInt8(120 + texture + light), count: 3)
    }
  }

  /// The luma of each frame, as ffmpeg decodes it.
  private static func frames(_ swaying: Bool, _ codec: MovieCodec) throws -> [[Double]] {
    let folder = try TemporaryFolder()
    let file = folder.url("a.mp4")
    let bytes = try LogCapture.scope {
      var format = VideoEncoder.Format(
        codec: .movie(codec), size: size, timeBase: try #require(Rational(1, 30)), rate: Rational(30))
      format.frameCount = count
      var movie = try unsafe EncodedMovie.open(format, muxer: codec == .vp9 ? "webm" : "mp4", atMost: 10 << 20)
      for number in 0..<count {
        try movie.append(FrameConverter.encodable(picture(number, swaying: swaying), size: size), duration: 1)
      }
      return try movie.finish()
    }
    try Data(bytes).write(to: file)
    let raw = try run("ffmpeg", ["-v", "error", "-i", file.path, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
    return stride(from: 0, to: raw.output.count, by: size.area).map { start in
      raw.output[start..<start + size.area].map(Double.init)
    }
  }

  private static func step(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(one.count)
  }

  /// The variance of the Laplacian: how sharp a frame is.
  private static func sharpness(_ luma: [Double]) -> Double {
    var values: [Double] = []
    let width = size.width
    for y in 1..<size.height - 1 {
      for x in 1..<width - 1 {
        let place = y * width + x
        values.append(luma[place - 1] + luma[place + 1] + luma[place - width] + luma[place + width] - 4 * luma[place])
      }
    }
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
  }

  @Test(
    "the last frame of a loop is as sharp as the first, and changes into it no more than any other", arguments: [true, false],
    [MovieCodec.h264, .hevc])
  func noTick(swaying: Bool, codec: MovieCodec) throws {
    let frames = try Self.frames(swaying, codec)
    #expect(frames.count == Self.count)
    let steps = zip(frames, frames.dropFirst()).map(Self.step).sorted()
    let median = steps[steps.count / 2]
    #expect(median > 0.1, "it moves")
    let first = try #require(frames.first)
    #expect(Self.step(try #require(frames.last), first) <= max(1.5 * median, 0.25))
    for frame in frames.suffix(4) { #expect(abs(Self.sharpness(frame) / Self.sharpness(first) - 1) < 0.02) }
  }
}
