@testable import ArtworkMedia
@testable import ArtworkPipeline

/// Real-world files that state less, or something else, than files usually do. Each is made by ffmpeg.
@Suite struct OddMediaTests {
  static func inspection(_ clip: MadeClip, _ name: String? = nil) throws -> Inspection {
    try Inspector().inspect(clip.folder.path(name ?? clip.name)).inspection
  }

  static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p"]

  @Test func `a GIF whose screen has no size says so: browsers take that of its first picture`() throws {
    let clip = try MadeClip(named: "a.gif", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-frames:v", "3"])
    #expect(try Self.inspection(clip).facts.frameCount == 3)
    var bytes = try Data(contentsOf: clip.folder.url(clip.name))
    // The size of the logical screen (GIF89a, 18).
    for place in 6..<10 { bytes[place] = 0 }
    try bytes.write(to: clip.folder.url(clip.name))
    let error = #expect(throws: InspectionError.self) { try Self.inspection(clip) }
    #expect(error?.code == .notAMovie && error?.message.contains("width or height of 0") == true)
    #expect(error?.help == "export it again")
    // libavformat takes these few bytes for sound.
    let start: [UInt8] = [0, 0, 32, 0, 0xf1, 3, 0, 0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 255, 255, 255]
    let rest: [UInt8] = [0x21, 0xf9, 4, 0xc9, 0, 0, 0, 0, 0x2c, 0, 0, 0, 255, 0, 0, 0x29, 5, 0, 0x8f]
    try Data("GIF89a".utf8 + start + rest).write(to: clip.folder.url("b.gif"))
    let other = #expect(throws: InspectionError.self) { try Self.inspection(clip, "b.gif") }
    #expect(other?.message == error?.message)
  }

  // MARK: - Times

  @Test(arguments: [24, 30])
  func `H.264 with B-frames in AVI has the rate and the length of its header`(rate: Int) throws {
    let clip = try MadeClip(
      named: "a.avi", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=\(rate):d=2"] + Self.h264 + ["-bf", "2"])
    let facts = try Self.inspection(clip).facts
    #expect(facts.frameCount == rate * 2)
    #expect(facts.frameRateRatio == Rational(Int64(rate)))
    #expect(facts.frameRateMode == .constant)
    #expect(abs(facts.durationSeconds - 2) < 0.001 && facts.startSeconds == 0)
    #expect(facts.timeSource == .decoding)
    #expect(Recipe(copying: facts, for: [.nowPlaying], repairing: [.lossless]) == nil)
  }

  @Test func `AVI made by remuxing an MP4 file keeps its rate`() throws {
    let clip = try MadeClip(named: "x.mp4", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=24:d=4"] + Self.h264 + ["-bf", "2"])
    try clip.folder.ffmpeg("", ["-i", "x.mp4", "-c", "copy", "x.avi"])
    let facts = try Self.inspection(clip, "x.avi").facts
    #expect(facts.frameRateRatio == Rational(24) && facts.frameCount == 96)
    #expect(abs(facts.durationSeconds - 4) < 0.001)
    #expect(try Self.inspection(clip).facts.timeSource == .presentation)
  }

  @Test func `a cut copy lasts to the end of its last frame, and its own copy is the same clip`() throws {
    let clip = try MadeClip(named: "s.mp4", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=6"] + Self.h264 + ["-g", "60"])
    try clip.folder.ffmpeg("", ["-i", "s.mp4", "-ss", "1", "-t", "2", "-c", "copy", "cut.mp4"])
    let times = try clip.times("cut.mp4")
    // A frame that others refer to is gone.
    #expect(zip(times, times.dropFirst()).contains { $1 - $0 > 1.5 / 30 })
    let facts = try Self.inspection(clip, "cut.mp4").facts
    // To the end of the last frame, which a thirtieth of a second ends.
    #expect(abs(facts.durationSeconds - ((times.last ?? 0) + 1.0 / 30)) < 0.002)
    let recipe = try #require(
      Recipe(copying: facts, for: [.nowPlaying], repairing: [.lossless]))
    let copy = try Inspector().copy(
      Candidate(path: clip.folder.path("cut.mp4")), recipe, inspecting: nil)
    #expect(Repairer.rejectionReason(copy, facts, recipe) == nil)
  }

  @Test func `WebP pictures of 16, 17 and 17 ms are 60 a second, one that is shown twice as long is not`() throws {
    func timing(_ milliseconds: [Int64]) throws -> FrameTiming {
      let clock = PictureSequence.Clock(milliseconds.compactMap { Rational($0, 1000) })
      return FrameTiming(
        timestamps: clock.timestamps, timeBase: clock.timeBase, lastDuration: clock.lastDuration, declaredDuration: nil,
        rounding: clock.rounding)
    }
    let even = try timing((0..<60).map { $0 % 3 == 0 ? 16 : 17 })
    #expect(even.mode == .constant && even.rate == Rational(60))
    #expect(try timing([16, 17, 17, 33, 17, 16, 17, 17]).mode == .variable)
  }

  // MARK: - Parameter sets

  /// A clip of which the box of this name has no parameter sets: the byte counts their arrays.
  static func withoutSets(_ encoder: [String], box: String, count: Int) throws -> MadeClip {
    let clip = try MadeClip(["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1", "-pix_fmt", "yuv420p"] + encoder)
    var bytes = try Data(contentsOf: clip.folder.url(clip.name))
    let found = try #require(bytes.range(of: Data(box.utf8)))
    bytes[found.upperBound + count] &= box == "avcC" ? 0xe0 : 0
    try bytes.write(to: clip.folder.url(clip.name))
    return clip
  }

  static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params"]

  @Test(arguments: ["hev1", "hvc1", "avc1"])
  func `parameter sets that are all in the first frame move into the header, and nothing else changes`(tag: String) throws {
    let isHEVC = tag != "avc1"
    let clip = try Self.withoutSets(
      isHEVC
        ? Self.hevc + ["log-level=none:repeat-headers=1:bframes=0:keyint=10", "-tag:v", tag]
        : Self.h264 + ["-x264-params", "repeat-headers=1:keyint=10"], box: isHEVC ? "hvcC" : "avcC", count: isHEVC ? 22 : 5)
    let inspection = try Self.inspection(clip)
    #expect(inspection.facts.codecTag == tag && inspection.facts.parameterSets == .frames)
    #expect(inspection.facts.hasMovableParameterSets == true)
    let finding = try #require(findings(of: inspection, "codec-tag").first)
    #expect(finding.severity == .error && finding.repair == .lossless)
    #expect(Recipe(copying: inspection.facts, for: [.nowPlaying], repairing: [.metadata]) == nil)
    let recipe = try #require(Recipe(copying: inspection.facts, for: [.nowPlaying], repairing: [.lossless]))
    let copy = try Inspector().copy(Candidate(path: clip.path), recipe, inspecting: nil)
    #expect(Repairer.rejectionReason(copy, inspection.facts, recipe) == nil)
    #expect(
      copy.facts.parameterSets == .header && copy.facts.codecTag == (isHEVC ? "hvc1" : "avc1"))
    // None remains among the frames, because these sample entries do not allow them there.
    try Data(copy.movie).write(to: clip.folder.url("copy.mp4"))
    let units = try run(
      "ffmpeg",
      [
        "-v", "verbose", "-i", "copy.mp4", "-c", "copy", "-bsf:v", "filter_units=pass_types=\(isHEVC ? "32-34" : "7-8")", "-f",
        "rawvideo", "sets",
      ], in: clip.folder.root)
    #expect(units.status == 0 || units.error.contains("empty"))
    let left = (try? Data(contentsOf: clip.folder.url("sets")))?.count ?? 0
    #expect(left == 0, "\(left) bytes of parameter sets among the frames")
    let frames = try clip.digests()
    #expect(try !frames.isEmpty && clip.digests("copy.mp4") == frames)
  }

  @Test func `parameter sets in the header are no finding`() throws {
    let inspection = try Self.inspection(MadeClip(["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1"] + Self.h264))
    #expect(inspection.facts.parameterSets == .header && findings(of: inspection, "codec-tag").isEmpty)
  }

  // MARK: - Pictures

  @Test func `the aspect byte of a GIF is not read, as in browsers`() throws {
    let clip = try MadeClip(named: "a.gif", ["-f", "lavfi", "-i", "testsrc2=s=80x80:r=10:d=0.5"])
    var bytes = try Data(contentsOf: clip.folder.url("a.gif"))
    // 0.75 (GIF89a, 18: (value + 15) / 64).
    bytes[12] = 33
    try bytes.write(to: clip.folder.url("a.gif"))
    let facts = try Self.inspection(clip).facts
    #expect(facts.displayWidth == 80 && facts.displayHeight == 80)
    #expect(facts.sampleAspect == .one)
  }

  @Test func `a 16-bit APNG with transparency has the pictures that it was made of`() throws {
    let source = ["-f", "lavfi", "-i", "testsrc2=s=32x32:r=10:d=0.5"]
    let clip = try MadeClip(named: "a.apng", source + ["-vf", "format=rgba,format=rgba64be", "-f", "apng"])
    let expected = try clip.folder.ffmpeg("", source + ["-vf", "format=rgba", "-f", "rawvideo", "-"])
    let facts = try Self.inspection(clip).facts
    #expect(facts.frameCount == 5 && facts.bitDepth == 16 && facts.pixelFormat == "rgba64be")
    #expect(facts.frameRateRatio == Rational(10))
    let pictures = try #require(try PictureFile.open(InputFile.open(clip.path), limits: Limits()))
    // Backwards, so that it starts over.
    for number in [4, 2, 3] {
      let drawn = try pictures.picture(number).bytes
      let wanted = expected.dropFirst(number * drawn.count).prefix(drawn.count)
      #expect(zip(drawn, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(number)")
    }
  }

  @Test func `VP9 with transparency is seen, and its preview shows it`() throws {
    let clip = try MadeClip(
      named: "a.webm",
      ["-f", "lavfi", "-i", "color=red@0.5:s=64x64:r=10:d=0.5,format=yuva420p", "-c:v", "libvpx-vp9", "-pix_fmt", "yuva420p"])
    let facts = try Self.inspection(clip).facts
    #expect(facts.hasAlpha && facts.pixelFormat == "yuva420p")
    #expect(Recipe(copying: facts, for: [.nowPlaying], repairing: [.lossless]) == nil)
  }

  @Test func `transparency in a track of its own, as in AVIF sequences, is composed`() throws {
    // A gray with luma 126 beside a red, and the same in steps.
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "color=red:s=64x64:r=10:d=0.5", "-f", "lavfi", "-i", "color=0x808080:s=64x64:r=10:d=0.5", "-map",
        "0:v", "-map", "1:v",
      ] + Self.h264)
    #expect(try !Self.inspection(clip).facts.hasAlpha)
    // The handler of the second track; each track has one, and so may the movie.
    var bytes = try Data(contentsOf: clip.folder.url(clip.name))
    let place = try #require(bytes.range(of: Data("vide".utf8), options: .backwards))
    bytes.replaceSubrange(place, with: Data("auxv".utf8))
    try bytes.write(to: clip.folder.url(clip.name))
    for everyFrame in [false, true] {
      let found = try Inspector().inspect(clip.path, preview: .original, everyFrame: everyFrame)
      let facts = found.inspection.facts
      #expect(facts.hasAlpha && facts.hasUnreadAlpha == nil && facts.pixelFormat == "yuva420p")
      #expect(facts.frameCount == 5)
      let preview = try #require(found.preview)
      #expect(preview.channels == .rgba)
      let middle = Array(preview.bytes[(32 * 64 + 32) * 4..<(32 * 64 + 32) * 4 + 4])
      for (part, wanted) in zip(middle, [254, 0, 0, 126]) { #expect(abs(Int(part) - wanted) <= 2, "\(middle)") }
    }
  }

  @Test func `the layer of transparency of HEVC is said`() throws {
    let clip = try MadeClip(
      named: "a.hevc",
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=10:d=0.5", "-pix_fmt", "yuv420p"] + Self.hevc + ["log-level=none:bframes=0"])
    // Before the first picture: its type is 20 or 19, and this is the message (ITU-T H.265, F.7.3.5).
    let stream = try Data(contentsOf: clip.folder.url("a.hevc"))
    let picture = try #require([0x26, 0x28].compactMap { stream.range(of: Data([0, 0, 1, $0])) }.map(\.lowerBound).min())
    for cancels in [UInt8(0), 0x80] {
      var changed = stream
      changed.insert(contentsOf: [0, 0, 1, 0x4e, 1, 165, 5, cancels, 0, 0x7f, 0x40, 0x80, 0x80], at: picture)
      try changed.write(to: clip.folder.url("b.hevc"))
      try clip.folder.ffmpeg("", ["-i", "b.hevc", "-c", "copy", "-tag:v", "hvc1", "b.mp4"])
      let inspection = try Self.inspection(clip, "b.mp4")
      #expect(inspection.facts.hasUnreadAlpha == (cancels == 0 ? true : nil))
      #expect(findings(of: inspection, "color").contains { $0.message.contains("layer of its own") } == (cancels == 0))
    }
  }

  @Test func `the profile of ProRes has its name, and interlaced frames are an error`() throws {
    for (profile, title, depth) in [
      ("1", "ProRes 422 LT", 10), ("3", "ProRes 422 HQ", 10), ("4", "ProRes 4444", 12), ("5", "ProRes 4444 XQ", 12),
    ] {
      let clip = try MadeClip(
        named: "a.mov", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=10:d=0.3", "-c:v", "prores_ks", "-profile:v", profile])
      let inspection = try Self.inspection(clip)
      #expect(inspection.facts.codecTitle == title && inspection.facts.bitDepth == depth)
      #expect(inspection.facts.fieldOrder == .progressive)
      #expect(findings(of: inspection, "field-order").isEmpty)
    }
    let clip = try MadeClip(
      named: "i.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=10:d=0.3", "-vf", "setfield=tff", "-c:v", "prores_ks", "-flags", "+ildct"])
    let inspection = try Self.inspection(clip)
    #expect(inspection.facts.fieldOrder == .upperFirst)
    for profile in Profile.all {
      let found = Rules.judge(inspection, key: .square, profile: profile).findings
      #expect(found.contains { $0.rule == "field-order" && $0.severity == .error })
    }
  }

  @Test func `a level beyond those of hardware is a warning, and Dolby Vision has its name`() throws {
    let source = ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=10:d=0.5"]
    let high = try MadeClip(source + Self.h264 + ["-level:v", "6.1"])
    var inspection = try Self.inspection(high)
    #expect(inspection.facts.level == "6.1" && inspection.facts.codecTitle == "H.264 High")
    #expect(findings(of: inspection, "decode-cost").map(\.severity) == [.warning])
    inspection.facts.level = "5.2"
    #expect(findings(of: inspection, "decode-cost").isEmpty)
    // The box of the pixel aspect ratio becomes the configuration record, of profile 8.4.
    let hlg = try MadeClip(
      named: "h.mp4",
      source + ["-vf", "setsar=1,format=yuv420p10le"] + Self.hevc + [
        "log-level=none:transfer=arib-std-b67:colorprim=bt2020:colormatrix=bt2020nc", "-tag:v", "hvc1",
      ])
    var bytes = try Data(contentsOf: hlg.folder.url(hlg.name))
    let box = try #require(bytes.range(of: Data("pasp".utf8)))
    bytes.replaceSubrange(box.lowerBound..<box.upperBound + 8, with: Data("dvvC".utf8) + [1, 0, 0x10, 0x0d, 0x40, 0, 0, 0])
    try bytes.write(to: hlg.folder.url(hlg.name))
    let vision = try Self.inspection(hlg)
    #expect(vision.facts.dolbyVision == "8.4" && vision.facts.level == "1.0")
    #expect(findings(of: vision, "color").first?.measured == "Dolby Vision profile 8.4 over HLG (arib-std-b67)")
  }

  @Test func `a container that states other colours than the bitstream is a finding`() throws {
    let bt709 = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
    let clip = try MadeClip(named: "s.mp4", ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1"] + Self.h264 + bt709)
    try clip.folder.ffmpeg(
      "",
      [
        "-i", "s.mp4", "-c", "copy", "-colorspace", "smpte170m", "-color_primaries", "smpte170m", "-color_trc", "smpte170m",
        "-movflags", "write_colr", "o.mp4",
      ])
    #expect(try Self.inspection(clip).facts.containerColor == nil)
    let inspection = try Self.inspection(clip, "o.mp4")
    #expect(inspection.facts.color.matrix == "bt709")
    #expect(inspection.facts.containerColor?.matrix == "smpte170m")
    #expect(findings(of: inspection, "color").map(\.severity) == [.warning])
  }
}
