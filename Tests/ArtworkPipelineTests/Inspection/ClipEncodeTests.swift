@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct ClipEncodeTests {
  /// The mean luma of each frame on screen, by ffmpeg.
  private static func levels(_ clip: MadeClip, _ name: String, _ filter: String = "null") throws -> [Int] {
    let result = try TestSupport.run(
      "ffmpeg",
      [
        "-v", "error", "-i", name, "-vf", "\(filter),scale=1:1:flags=area,format=gray", "-fps_mode", "passthrough", "-f",
        "rawvideo", "-",
      ], in: clip.folder.root)
    return result.output.map { Int($0) }
  }

  /// Frame N is a plain 40 + 8 N.
  private static func ramp(_ count: Int, rate: Int = 30) throws -> MadeClip {
    try MadeClip(
      [
        "-f", "lavfi", "-i", "color=black:s=64x48:r=\(rate),format=gray,geq=lum='40+8*N',format=yuv420p", "-frames:v",
        "\(count)",
      ] + MadeClip.h264)
  }

  private static func encode(_ clip: MadeClip, _ change: (inout Recipe) -> Void) throws -> [Int] {
    let candidate = Candidate(path: clip.path)
    let inspector = Inspector()
    let facts = try inspector.inspect(clip.path).inspection.facts
    var recipe = try #require(Recipe(encoding: facts, for: [.nowPlaying]))
    change(&recipe)
    let made = try inspector.encode(candidate, recipe)
    try Data(made.movie).write(to: clip.folder.url("new.mp4"))
    return try levels(clip, "new.mp4")
  }

  private static func isNear(_ one: [Int], _ other: [Int], within: Int = 2) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= within }
  }

  @Test func `frames are taken, played there and back, repeated, and left out`() throws {
    let clip = try Self.ramp(12)
    let source = try Self.levels(clip, clip.name)
    try #require(source.count == 12 && source[0] + 50 < source[11])
    #expect(Self.isNear(try Self.encode(clip) { $0.frames = FrameSelection(3..<9) }, Array(source[3..<9])))
    let back = try Self.encode(clip) {
      $0.frames = FrameSelection(0..<5)
      $0.frames.order = .autoReverse
    }
    #expect(Self.isNear(back, [0, 1, 2, 3, 4, 3, 2, 1].map { source[$0] }))
    let twice = try Self.encode(clip) {
      $0.frames = FrameSelection(0..<4)
      $0.frames.order = .repeated(2)
    }
    #expect(Self.isNear(twice, [0, 1, 2, 3, 0, 1, 2, 3].map { source[$0] }))
    let slow = try Self.encode(clip) {
      $0.frames = FrameSelection(0..<4)
      ($0.frames.order, $0.frames.rate) = (.autoReverse, Rational(60))
    }
    #expect(Self.isNear(slow, [0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 1, 1].map { source[$0] }))
    let half = try Self.encode(clip) { $0.frames.rate = Rational(15) }
    #expect(Self.isNear(half, [0, 2, 4, 6, 8, 10].map { source[$0] }))
    #expect(try clip.times("new.mp4").dropFirst().first.map { abs($0 - 1.0 / 15) < 1e-4 } == true)
  }

  @Test func `the end dissolves into what comes before the start`() throws {
    let clip = try Self.ramp(12)
    let source = try Self.levels(clip, clip.name)
    let mixed = try Self.encode(clip) {
      $0.frames = FrameSelection(4..<12)
      $0.frames.dissolvedFrames = 3
    }
    // Frames 9, 10, 11 with 5, 16 and 27 parts of 32 of 1, 2, 3: slowly at first and at last.
    let ends: [Int] = zip(1...3, [5, 16, 27]).map { place, share in
      (source[8 + place] * (32 - share) + source[place] * share + 16) / 32
    }
    #expect(Self.isNear(mixed, Array(source[4..<9]) + ends, within: 3))
    #expect(throws: InspectionError.self) {
      try Self.encode(clip) {
        $0.frames = FrameSelection(2..<12)
        $0.frames.dissolvedFrames = 3
      }
    }
  }

  @Test func `a drift of light is taken out of the frames, and the first stays`() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x48:r=30,format=gray,geq=lum='(60+40*gt(X,31)+4*sin(N/30*2*PI))*(1+N/90)',format=yuv420p", "-frames:v",
        "30",
      ] + MadeClip.h264)
    let half: [Float] = [0, 0.8, 1.6, 2.4, 3, 3.4, 3.8, 4, 4, 3.8, 3.4, 3, 2.4, 1.6, 0.8]
    let grey = [Float](repeating: 128, count: 32 * 32)
    let thumbnails = (half + half.map { -$0 }).enumerated().map { number, wave in
      let gain = 219 / 255 * (1 + Float(number) / 90)
      let sides = [16 + gain * (60 + wave), 16 + gain * (100 + wave)]
      return Thumbnail(luma: (0..<64 * 64).map { sides[$0 % 64 / 32] }, blue: grey, red: grey)
    }
    let source = try Self.levels(clip, clip.name)
    let drift = try #require(LightDrift(0..<30, of: ReducedClip(thumbnails)))
    let level = try Self.encode(clip) { $0.encoding?.drift = drift }
    #expect(source[29] - source[0] > 15)
    #expect(abs(level[0] - source[0]) <= 2 && abs(level[29] - level[0]) <= 6)
  }

  @Test(arguments: ["rotate-90.mp4", "rotate-180.mp4", "mirror-transpose.mp4", "aspect-sar-4x3.mp4"])
  func `a part on screen is the same part of a clip that is turned or mirrored`(name: String) throws {
    let clip = try MadeClip(["-i", Fixture.named(name).path.string, "-c", "copy"])
    try FileManager.default.removeItem(at: clip.folder.url(clip.name))
    try clip.folder.copy(.named(name), to: clip.name)
    let facts = try Inspector().inspect(clip.path).inspection.facts
    var area = CropArea(facts)
    (area.width, area.height) = (area.width / 4 * 2, area.height / 6 * 2)
    (area.x, area.y) = (area.width / 4 * 2, area.height / 2 * 2)
    let wide = "scale=\(facts.displayWidth):\(facts.displayHeight)"
    let wanted = try Self.levels(clip, clip.name, "\(wide),crop=\(area.width):\(area.height):\(area.x):\(area.y)")
    let made = try Self.encode(clip) { recipe in
      recipe.encoding?.area = .part(area, of: PixelSize(width: facts.displayWidth, height: facts.displayHeight))
      recipe.encoding?.size = area.size
    }
    #expect(Self.isNear(made, wanted, within: 4))
    let after = try Inspector().inspect(clip.folder.path("new.mp4")).inspection.facts
    #expect(after.displayWidth == area.width && after.displayHeight == area.height)
  }

  @Test("of two edits, the stricter one counts")
  func merged() {
    let inner = CropArea(.sample { $0.setDisplay(400, 300) })
    var one = ClipEdit(droppedFrames: 1, rate: Rational(60))
    one.area = CropArea(.sample { $0.setDisplay(1080, 1080) })
    var two = ClipEdit(rate: Rational(30), area: inner)
    two.loop = ClipEdit.LoopSearch(shortest: 2, below: 20)
    let both = one.merged(with: two)
    #expect(both.rate == Rational(30) && both.droppedFrames == 1 && both.area == inner)
    #expect(both.loop == two.loop && both == two.merged(with: one))
  }
}
