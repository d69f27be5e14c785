@testable import ArtworkMedia

@Suite struct EncodedMovieTests {
  /// A ball that goes round over a gradient; picture `count` would be picture 0.
  static func picture(_ number: Int, of count: Int, side: Int) -> PixelImage {
    let angle = 2 * Double.pi * Double(number) / Double(count)
    let center = (x: Double(side) * (0.5 + 0.3 * cos(angle)), y: Double(side) * (0.5 + 0.3 * sin(angle)))
    return PixelImage(side, side) { x, y in
      let distance = hypot(Double(x) - center.x, Double(y) - center.y) / Double(side)
      return [UInt8(max(0, 200 - distance * 400)), UInt8(x * 200 / side), UInt8(y * 200 / side)]
    }
  }

  static func movie(
    _ durations: [Int64], timeBase: Rational, rate: Rational, side: Int = 64, container: MovieContainer = .mp4,
    rateLimit: RateLimit? = nil
  ) throws -> (bytes: [UInt8], pictures: [PixelImage]) {
    let pictures = durations.indices.map { picture($0, of: durations.count, side: side) }
    return try LogCapture.scope {
      var format = VideoEncoder.Format(size: PixelSize(width: side, height: side), timeBase: timeBase, rate: rate)
      format.rateLimit = rateLimit
      var movie = try unsafe EncodedMovie.open(format, muxer: container.rawValue, atMost: 10 << 20)
      for (picture, duration) in zip(pictures, durations) {
        try movie.append(FrameConverter.encodable(picture, size: picture.size), duration: duration)
      }
      return (try movie.finish(), pictures)
    }
  }

  private static func stream(_ file: URL, _ entries: String) throws -> [String] {
    let result = try run(
      "ffprobe", ["-v", "error", "-show_entries", "stream=\(entries)", "-of", "default=nk=1:nw=1", file.path])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `each frame lasts exactly as long as it was given, also at a variable rate`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.mp4")
    let durations: [Int64] = [3000, 7500, 900, 45_000, 3001, 2999, 9000]
    let made = try Self.movie(durations, timeBase: #require(Rational(1, 90_000)), rate: Rational(10))
    try Data(made.bytes).write(to: file)
    var time: Int64 = 0
    var expected: [String] = []
    for duration in durations {
      expected.append("\(time),\(time),\(duration)")
      time += duration
    }
    #expect(try folder.ffprobe("a.mp4", "packet=pts,dts,duration") == expected)
    #expect(try Self.stream(file, "codec_tag_string,start_pts,duration_ts,nb_frames") == ["avc1", "0", "\(time)", "7"])
  }

  @Test(arguments: [(Int64(1), Int64(24), 48), (1001, 30_000, 90), (7, 100, 10), (1, 60, 1)])
  func `rates are exact to the end`(_ numerator: Int64, _ denominator: Int64, _ count: Int) throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.mov")
    let step = try #require(Rational(numerator, denominator))
    let made = try Self.movie(
      [Int64](repeating: 1, count: count), timeBase: step, rate: #require(step.inverse), side: 32, container: .mov)
    try Data(made.bytes).write(to: file)
    let printed = try Self.stream(file, "duration_ts,time_base,nb_frames")
    let base = try #require(printed.first { $0.hasPrefix("1/") }?.dropFirst(2))
    let ticks = try #require(printed.first { $0 != "\(count)" && Int64($0) != nil } ?? printed.last)
    #expect(Rational(try #require(Int64(ticks)), try #require(Int64(base))) == step.multiplied(by: Rational(Int64(count))))
    // No edit list hides anything, and the header comes first.
    let inspection = try Inspector().inspect(.init(file.path)).inspection
    #expect(inspection.facts.editList == nil && inspection.facts.movieHeaderFirst == true)
    #expect(inspection.facts.frameCount == count && inspection.facts.startSeconds == 0)
    #expect(inspection.facts.frameRateRatio == step.inverse)
    #expect(inspection.facts.color == .video && inspection.facts.container == "mov")
  }

  @Test func `decoded frames have the lightness of the pictures: 40 dB`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url("a.mp4")
    let made = try Self.movie(
      [Int64](repeating: 1, count: 12), timeBase: #require(Rational(1, 12)), rate: Rational(12), side: 128)
    try Data(made.bytes).write(to: file)
    var worst = Double.infinity
    for (number, picture) in made.pictures.enumerated() {
      let decoded = try run(
        "ffmpeg",
        [
          "-v", "error", "-i", file.path, "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
          "yuv420p", "-",
        ]
      ).output
      let luma = unsafe CodedPicture(picture).withPlanes { planes in
        (0..<128 * 128).map { unsafe planes.luma.start.load(fromByteOffset: $0, as: UInt8.self) }
      }
      let errors = zip(decoded, luma).map { Double($0) - Double($1) }
      let mean = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      worst = min(worst, 10 * log10(255 * 255 / mean))
      #expect(decoded.count == 128 * 128 * 3 / 2)
    }
    #expect(worst >= 40)
  }

  @Test(arguments: [25, 75])
  func `a least bit rate is met by pictures that need few bits, and the most is not exceeded`(frames: Int) throws {
    var profile = Profile.appleMotionDistributor
    (profile.minBitRate, profile.maxBitRate) = (4_500_000, 10_000_000)
    let seconds = Double(frames) / 25
    let limit = try #require(Recipe.rateLimit(for: [profile], seconds: seconds))
    let movie = try Self.movie(
      Array(repeating: 1, count: frames), timeBase: #require(Rational(1, 25)), rate: Rational(25), rateLimit: limit)
    let folder = try TemporaryFolder()
    let file = folder.url("least.mp4")
    try Data(movie.bytes).write(to: file)
    let rate = try #require(Int(try folder.ffprobe("least.mp4", "format=bit_rate").first ?? ""))
    #expect((4_500_000...5_500_000).contains(rate))
    // Without a room between the two, the most counts.
    profile.maxBitRate = 4_600_000
    #expect(Recipe.rateLimit(for: [profile], seconds: seconds)?.isConstant == false)
  }

  @Test func `the same pictures give the same bytes`() throws {
    let step = try #require(Rational(1, 25))
    let first = try Self.movie([1, 1, 1], timeBase: step, rate: Rational(25), side: 32)
    #expect(try Self.movie([1, 1, 1], timeBase: step, rate: Rational(25), side: 32).bytes == first.bytes)
  }

  @Test func `a file beyond its cap is an error that names the cap`() throws {
    let image = Self.picture(0, of: 1, side: 256)
    let error = #expect(throws: InspectionError.self) {
      try LogCapture.scope {
        var movie = try EncodedMovie.open(
          VideoEncoder.Format(size: image.size, timeBase: #require(Rational(1, 25)), rate: Rational(25)), atMost: 2000)
        try movie.append(FrameConverter.encodable(image, size: image.size), duration: 1)
        _ = try movie.finish()
      }
    }
    #expect(error?.code == .videoNotWritten)
    #expect(error?.message == "the video would have more than 2000 bytes")
  }
}
