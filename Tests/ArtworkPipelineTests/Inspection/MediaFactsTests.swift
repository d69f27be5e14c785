@Suite struct MediaFactsTests {
  /// Clips for which ffprobe's value is not what a player shows: the expected value, and why.
  struct Explained: Sendable {
    var why: String
    var duration: Double?
    var rate: Double?
    var mode: FrameRateMode?
    var codecTag: String?
    var profile: String??
    var color: ColorDescription?
    var displaySize: [Int]?
    var frames: Int?
    var start: Double?
  }

  static let explained: [String: Explained] = [
    "aspect-clap.mp4": Explained(why: "ffmpeg 5.1 ignores clean apertures", displaySize: [96, 96]),
    "edit-decoding-order.mp4": Explained(why: "the decoder gives the first frame the time of a later packet", start: 0),
    "broken-tail-ones.mp4": Explained(why: "two of 26 frames never come out", duration: 1),
    "broken-tail-zeros.mp4": Explained(why: "two of 26 frames never come out", duration: 1),
    "broken-truncated.mp4": Explained(
      why: "21 of 48 frames are there, with a gap", duration: 22 / 24.0, rate: 21 / (22 / 24.0), mode: .variable),
    "codec-mpeg2.ts": Explained(why: "the stream type, which is no text", codecTag: "????"),
    "codec-vp8.webm": Explained(
      why: "no stream duration; times in whole milliseconds, a usual step is 41. VP8 itself says BT.601", duration: 0.999,
      profile: .some(nil), color: ColorDescription(matrix: "bt470bg", primaries: "bt709", transfer: "bt709", range: "tv")),
    "codec-vp9-odd.webm": Explained(why: "as above", duration: 0.499),
    "codec-vp9.webm": Explained(why: "as above", duration: 0.999),
    "image-anim.apng": Explained(
      why: "no stream duration; libavformat cuts each delay of 1/12 s to 8333 of 100000", duration: 0.66664,
      rate: 100_000 / 8333.0), "rate-24000-1001.mkv": Explained(why: "no stream duration; times in whole ms", duration: 1),
    "vfr-burst.mp4": Explained(why: "made so", mode: .variable),
    "vfr-mixed.mp4": Explained(
      why: "the edit list cuts the last frame short, which ffprobe's mean does not know", rate: 24 / 1.4, mode: .variable),
    "vfr-one-drop.mp4": Explained(why: "made so", mode: .variable),
  ]

  @Test(arguments: Fixture.decodable)
  func `facts are what ffprobe prints, or differ for a known reason`(fixture: Fixture) throws {
    let facts = try Inspector().inspect(fixture.path).inspection.facts
    try Self.expect(facts, like: #require(Probe(fixture)), explained: Self.explained[fixture.file] ?? Explained(why: ""))
  }

  /// Compares everything ffprobe knows too.
  static func expect(_ facts: MediaFacts, like probe: Probe, explained: Explained) throws {
    #expect(facts.format == probe.format)
    #expect(facts.majorBrand == probe.majorBrand?.replacing(" ", with: ""))
    #expect(facts.videoStreamCount == probe.streams.count { $0.hasPrefix("video:") })
    #expect(facts.hasAudio == probe.streams.contains { $0.hasPrefix("audio:") })
    #expect(facts.fileBytes == probe.bytes)

    #expect(facts.codec == probe.codec)
    #expect(facts.profile == explained.profile ?? probe.profile)
    if let tag = probe.codecTag { #expect(facts.codecTag == explained.codecTag ?? (tag == "[0][0][0][0]" ? nil : tag)) }
    #expect(facts.pixelFormat == probe.pixelFormat)
    #expect(facts.bitDepth == probe.bitDepth)
    #expect(facts.chroma == probe.chroma)
    #expect(facts.hasAlpha == probe.hasAlpha)
    #expect(facts.color == explained.color ?? probe.color)

    #expect([facts.codedWidth, facts.codedHeight] == probe.codedSize)
    #expect(facts.paddedWidth >= facts.codedWidth && facts.paddedHeight >= facts.codedHeight)
    #expect(facts.sampleAspect == Rational(Int64(probe.sampleAspect[0]), Int64(probe.sampleAspect[1])))
    #expect(facts.rotation == probe.clockwise)
    #expect(facts.mirrored == probe.mirrored)
    #expect([facts.displayWidth, facts.displayHeight] == explained.displaySize ?? probe.displaySize)
    let aspect = explained.displaySize.map { ($0[0], $0[1]) } ?? probe.displayAspect
    #expect(facts.displayAspectRatio == Rational(Int64(aspect.0), Int64(aspect.1)))
    #expect(facts.displayAspect == facts.displayAspectRatio.value)

    try expectTimes(facts, like: probe, explained: explained)
  }

  private static func expectTimes(_ facts: MediaFacts, like probe: Probe, explained: Explained) throws {
    #expect(facts.frameCount == explained.frames ?? probe.frames)
    #expect(facts.discardedFrameCount == probe.discarded)
    expectNear(facts.startSeconds, explained.start ?? (explained.frames == nil ? probe.start : 0), within: 1e-5)
    expectNear(facts.durationSeconds, explained.duration ?? probe.streamDuration, within: 1e-5)
    #expect(facts.frameRateMode == explained.mode ?? .constant)
    expectNear(facts.frameRate, explained.rate ?? probe.averageRate, within: 1e-4)
    #expect(facts.frameRate == facts.frameRateRatio?.value)
    // ffprobe's times have six decimals.
    if let shortest = probe.shortestStep, let longest = probe.longestStep, shortest > 0 {
      expectNear(1 / (facts.maxFrameRate ?? 0), shortest, within: 2e-6)
      expectNear(1 / (facts.minFrameRate ?? 0), longest, within: 2e-6)
    }
  }

  static func expectNear(
    _ value: Double?, _ expected: Double?, within tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let value, let expected else {
      #expect(value == expected, sourceLocation: sourceLocation)
      return
    }
    #expect(abs(value - expected) <= tolerance, "\(value) is not \(expected)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("good-1x1.mp4", "mp4"), ("prores-422.mov", "mov"), ("codec-mjpeg.mov", "mov"), ("codec-vp9.webm", "webm"),
    ("rate-24000-1001.mkv", "matroska"), ("codec-mjpeg.avi", "avi"), ("codec-mpeg2.ts", "mpegts"), ("image-anim.gif", "gif"),
    ("image-gif-renamed.mp4", "gif"), ("image-anim.apng", "apng"), ("frag-no-index.mp4", "mp4"),
  ])
  func `the container is named as people name it`(file: String, container: String) throws {
    #expect(try Inspector().inspect(Fixture.named(file).path).inspection.facts.container == container)
  }

  @Test(
    arguments: [
      ("moov-first.mp4", true), ("good-1x1.mp4", false), ("frag-keyframe.mp4", true), ("broken-truncated.mp4", true),
      ("codec-png.mov", false), ("codec-vp9.webm", nil), ("image-anim.gif", nil),
    ] as [(String, Bool?)])
  func `the place of the movie header is reported where there is one`(file: String, isFirst: Bool?) throws {
    #expect(try Inspector().inspect(Fixture.named(file).path).inspection.facts.movieHeaderFirst == isFirst)
  }

  /// By construction: a B-frame delay of two frames is cut off, 12 frames more or an empty second.
  @Test(
    arguments: [
      ("good-1x1.mp4", [(1, 2 / 24)]), ("edit-none.mp4", nil), ("edit-preroll.mp4", [(1, 14 / 24)]),
      ("edit-start-1s.mp4", [(1, nil), (1, 2 / 24)]), ("edit-tail.mp4", [(1, 0)]), ("codec-vp9.webm", nil),
    ] as [(String, [(Double, Double?)]?)])
  func `edit lists are reported as they are written`(file: String, segments: [(Double, Double?)]?) throws {
    let facts = try Inspector().inspect(Fixture.named(file).path).inspection.facts
    #expect(facts.editList == segments?.map { EditSegment(durationSeconds: $0.0, mediaSeconds: $0.1) })
  }

  @Test func `cropping in the bitstream and by clean aperture are both reported`() throws {
    let cropped = try Inspector().inspect(Fixture.named("aspect-cropped.mp4").path).inspection.facts
    #expect([cropped.paddedWidth, cropped.paddedHeight] == [112, 112] as [Int])
    #expect(cropped.cleanAperture == nil)
    let aperture = try Inspector().inspect(Fixture.named("aspect-clap.mp4").path).inspection.facts
    #expect(aperture.cleanAperture == CleanAperture(x: 0, y: 4, width: 96, height: 96))
  }
}
