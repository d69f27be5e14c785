import Synchronization

/// Headers that FFmpeg and browsers pass over, and other players follow: tracks that are not enabled, wrong sizes, odd
/// matrices, streams that change on the way, edits of another speed. Each is a clip of ffmpeg with other bytes.
@Suite struct HeaderFaultTests {
  private static let plain = ["-bf", "0", "-pix_fmt", "yuv420p", "-c:v", "libx264"]

  /// A disc that goes round in 60 frames, 2 s.
  private static func disc(_ size: String) -> [String] {
    [
      "-f", "lavfi", "-i",
      "color=black:s=\(size):r=30,format=gray,geq=lum='60+180*"
        + "exp(-(pow(X-W/2-W/4*sin(2*PI*N/60),2)+pow(Y-H/2-H/4*cos(2*PI*N/60),2))/300)'", "-frames:v", "60",
    ]
  }

  /// What ffmpeg made, by its options: drawing takes longer than all else here.
  private static let made = Mutex<[[String]: MadeClip]>([:])

  private static func clip(
    _ size: String = "96x96", encoder: [String] = plain, named name: String = "a.mp4",
    _ change: (inout [UInt8]) throws -> Void = { _ in }
  ) throws -> MadeClip {
    let options = disc(size) + encoder
    let first = try made.withLock { made in
      let clip = try made[options] ?? MadeClip(named: name, options)
      made[options] = clip
      return clip
    }
    let clip = try MadeClip(named: name, copying: first)
    var bytes = try [UInt8](Data(contentsOf: clip.folder.url(name)))
    try change(&bytes)
    try Data(bytes).write(to: clip.folder.url(name))
    return clip
  }

  /// Writes numbers of four bytes into the first box of this name, from `offset` of its payload on.
  private static func set(_ type: String, _ offset: Int, _ numbers: [UInt32], in bytes: inout [UInt8]) throws {
    let name = Array(type.utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + 4 + offset
    for (index, number) in numbers.enumerated() {
      for byte in 0..<4 { bytes[place + 4 * index + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte)) }
    }
  }

  /// The same in a made clip.
  static func set(_ type: String, _ offset: Int, _ numbers: [UInt32], in clip: MadeClip) throws {
    var bytes = try [UInt8](Data(contentsOf: clip.folder.url(clip.name)))
    try set(type, offset, numbers, in: &bytes)
    try Data(bytes).write(to: clip.folder.url(clip.name))
  }

  /// What is found in the copy that `artworkd repair` makes; also that it was one.
  private static func repaired(_ clip: MadeClip) throws -> Inspection {
    let result = try BuiltTool.run(["repair", clip.name, "--output-dir", "fixed"], in: clip.folder.root)
    let name = clip.name.hasSuffix(".mp4") ? clip.name : clip.name + ".mp4"
    #expect(try clip.digests("fixed/\(name)") == clip.digests(), "\(result.output)")
    return try Inspector().inspect(clip.folder.path("fixed/\(name)")).inspection
  }

  // MARK: - Tracks

  @Test(arguments: [plain, ["-c:v", "libx265", "-tag:v", "hvc1", "-pix_fmt", "yuv420p"]])
  func `a track that is not enabled is an error, and a copy enables it`(encoder: [String]) throws {
    let clip = try Self.clip(encoder: encoder) { try Self.set("tkhd", 0, [2], in: &$0) }
    let inspection = try OddMediaTests.inspection(clip)
    #expect(inspection.facts.isDisabled == true)
    for profile in [Profile.nowPlaying, .appleAlbumMotion, .web] {
      let found = findings(of: inspection, "container", profile)
      #expect(found.first?.severity == .error, "\(profile.name)")
      #expect(found.first?.message.contains("not enabled") == true)
    }
    #expect(findings(of: inspection, "container").first?.repair == .lossless)
    #expect(try Self.repaired(clip).facts.isDisabled == nil)
  }

  @Test func `of two tracks that move, the enabled one is judged`() throws {
    let clip = try MadeClip(
      named: "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x96:r=30:d=1", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=1", "-map", "0", "-map",
        "1", "-disposition:v:0", "0", "-disposition:v:1", "default",
      ] + Self.plain)
    let facts = try OddMediaTests.inspection(clip).facts
    #expect(facts.codedWidth == 64 && facts.isDisabled == nil)
  }

  // MARK: - Sizes

  @Test(
    "a header that contradicts the size of the picture is a warning that names both, and a copy writes the right one",
    arguments: [
      // A side of 0; the padded size or another one in the sample entry; the padding of the codec on screen.
      (96, nil, [0, 96 << 16], "0x96"), (96, nil, [96 << 16, 0], "96x0"),
      (96, 112 << 16 | 96, [112 << 16, 96 << 16], "112x96"), (96, 96 << 16 | 112, [96 << 16, 112 << 16], "96x112"),
      (90, nil, [96 << 16, 96 << 16], "96x96"),
      // Pixels that are not square, or larger.
      (96, nil, [128 << 16, 96 << 16], nil), (96, nil, [192 << 16, 192 << 16], nil),
    ] as [(Int, UInt32?, [UInt32], String?)])
  func size(side: Int, entry: UInt32?, shown: [UInt32], stated: String?) throws {
    let clip = try Self.clip("\(side)x\(side)") {
      // After the count of entries, the header and the first fields of the only one.
      if let entry { try Self.set("stsd", 40, [entry], in: &$0) }
      try Self.set("tkhd", 76, shown, in: &$0)
    }
    let inspection = try OddMediaTests.inspection(clip)
    #expect(inspection.facts.contradictedSize == stated)
    let found = findings(of: inspection, "container")
    guard let stated else {
      #expect(found.isEmpty)
      return
    }
    #expect(found.map(\.severity) == [.warning] && found.first?.repair == .lossless)
    #expect(found.first?.measured?.contains(stated) == true && found.first?.limit?.contains("\(side)x\(side)") == true)
    #expect(inspection.facts.displayDescription == "\(side)x\(side)")
    let copy = try Self.repaired(clip).facts
    #expect(copy.contradictedSize == nil && copy.displayDescription == "\(side)x\(side)")
  }

  @Test func `a clip as ffmpeg makes it, with an empty edit and one of rate 1, has no such fault`() throws {
    let plain = try OddMediaTests.inspection(Self.clip()).facts
    #expect(plain.contradictedSize == nil && plain.retimedEdit == nil)
  }

  // MARK: - Matrices

  @Test func `a matrix that turns by no quarter, or scales to nothing, is a remark`() throws {
    let (one, half): (UInt32, UInt32) = (0x10000, 46341)
    let minus = { (number: UInt32) in UInt32(bitPattern: -Int32(bitPattern: number)) }
    let cases: [([UInt32], Bool)] = [
      ([half, half, 0, minus(half), half], true), ([0, 0, 0, 0, 0], true), ([one, 0, 0, 0, 0], true),
      ([one, one, 0, 0, one], true), ([0, one, 0, minus(one), 0], false), ([minus(one), 0, 0, 0, one], false),
      ([one / 2, 0, 0, 0, one / 2], false), ([3, one, 0, minus(one), 2], false),
    ]
    for (matrix, isOdd) in cases {
      let clip = try Self.clip { try Self.set("tkhd", 40, matrix, in: &$0) }
      let inspection = try OddMediaTests.inspection(clip)
      #expect(inspection.facts.isOddlyTurned == (isOdd ? true : nil), "\(matrix)")
      #expect(findings(of: inspection, "container").map(\.severity) == (isOdd ? [.info] : []), "\(matrix)")
    }
  }

  // MARK: - Changes on the way

  /// Two streams of 60 frames, one after the other, in one track.
  private static func joined(_ second: [String], named name: String) throws -> MadeClip {
    let source = disc("96x96")
    let clip = try MadeClip(named: "1.h264", source + plain)
    try clip.folder.ffmpeg("", source + plain + second + ["2.h264"])
    let both = try ["1.h264", "2.h264"].map { try Data(contentsOf: clip.folder.url($0)) }
    try (both[0] + both[1]).write(to: clip.folder.url("both.h264"))
    try clip.folder.ffmpeg("", ["-framerate", "30", "-i", "both.h264", "-c", "copy", "both.mp4"])
    if name != "both.mp4" { try clip.folder.ffmpeg("", ["-i", "both.mp4", "-c", "copy", name]) }
    return clip
  }

  @Test(
    "another size, and other parameter sets, are an error that names the frame; only encoding repairs it",
    arguments: [
      (["-s", "64x64"], "both.mp4"), (["-s", "64x64"], "both.mkv"), (["-profile:v", "baseline"], "both.mp4"),
      (["-profile:v", "baseline"], "both.mkv"),
    ])
  func changes(second: [String], name: String) throws {
    let clip = try Self.joined(second, named: name)
    let inspection = try OddMediaTests.inspection(clip, name)
    #expect(inspection.facts.frameCount == 120 && inspection.facts.changesAtFrame == 60)
    let found = try #require(findings(of: inspection, "container").first { $0.message.contains("change") })
    #expect(found.severity == .error && found.measured?.contains("frame 60") == true)
    #expect(found.repair == .unsafe)
    #expect(Recipe(copying: inspection.facts, for: [.nowPlaying], repairing: [.lossless]) == nil)
    let error = #expect(throws: InspectionError.self) {
      try InputFile.open(clip.folder.path(name)).withClip(limits: Limits()) { clip throws(InspectionError) in
        _ = try clip.copy(FrameSelection(), stating: nil, into: .mp4, mostBytes: 1 << 20)
      }
    }
    #expect(error?.code == .notCopied)
    let result = try BuiltTool.run(["repair", "--unsafe", name, "--output-dir", "fixed"], in: clip.folder.root)
    let fixed = try OddMediaTests.inspection(clip, "fixed/both.mp4").facts
    #expect(fixed.changesAtFrame == nil && fixed.frameCount == 120, "\(result.output)")
  }

  @Test func `parameter sets that are repeated with each keyframe change nothing`() throws {
    let clip = try Self.clip(encoder: Self.plain + ["-g", "10", "-x264-params", "repeat-headers=1"])
    let facts = try OddMediaTests.inspection(clip).facts
    #expect(facts.changesAtFrame == nil && facts.frameCount == 60)
  }

  @Test func `the size of VP9 may change without parameter sets`() throws {
    let clip = try Self.clip(encoder: ["-c:v", "libvpx-vp9", "-b:v", "100k"], named: "1.webm")
    try clip.folder.ffmpeg("", ["-i", "1.webm", "-s", "64x64", "-c:v", "libvpx-vp9", "-b:v", "100k", "2.webm"])
    try Data("file 1.webm\nfile 2.webm\n".utf8).write(to: clip.folder.url("list"))
    try clip.folder.ffmpeg("", ["-f", "concat", "-i", "list", "-c", "copy", "both.webm"])
    #expect(try OddMediaTests.inspection(clip, "both.webm").facts.changesAtFrame == 60)
  }

  // MARK: - Edits

  @Test(arguments: [(0, 1000), (1, 4000), (4, 1000)] as [(UInt32, UInt32)])
  func `an edit of another speed is named, and encoding keeps its times`(halves: UInt32, milliseconds: UInt32) throws {
    let encoder = ["-bf", halves == 4 ? "2" : "0", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
    let clip = try Self.clip(encoder: encoder) {
      try Self.set("elst", 8, [milliseconds], in: &$0)
      try Self.set("elst", 16, [halves << 15], in: &$0)
    }
    let inspection = try OddMediaTests.inspection(clip)
    let rate = Double(halves) / 2
    #expect(inspection.facts.editList?.map(\.rate) == [rate])
    #expect(Rules.seam(of: inspection, profile: .nowPlaying) == nil)
    let findings = Rules.judge(inspection, key: .square, profile: .nowPlaying).findings
    let found = try #require(findings.first { $0.rule == "start-offset" })
    #expect(found.severity == .warning && found.repair == .unsafe)
    #expect(found.measured == "rate \(decimal(rate, places: 3)) for \(milliseconds / 1000) s")
    #expect(!findings.contains { ["loop-gap", "loop-seam"].contains($0.rule) })
    let result = try BuiltTool.run(["repair", "--unsafe", clip.name, "--output-dir", "fixed"], in: clip.folder.root)
    if rate == 0 {
      #expect(result.output.contains("nothing moves"), "one picture for the whole second: \(result.output)")
      return
    }
    let fixed = try OddMediaTests.inspection(clip, "fixed/a.mp4")
    #expect(fixed.facts.retimedEdit == nil && fixed.facts.frameCount == 60, "\(result.output)")
    #expect(fixed.facts.frameRate == 30 * rate && fixed.facts.durationSeconds == Double(milliseconds) / 1000)
    // Each of the 60 pictures is there once, in order, so that the disc comes round.
    #expect(Rules.seam(of: fixed, profile: .nowPlaying)?.verdict == .seamless)
  }

  // MARK: - Encryption

  @Test func `encrypted video says so: WebM, and fragments that libavformat does not open`() throws {
    // Of the tests of androidx/media (Apache-2.0).
    let webm = """
      GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAEpEU2bdKpNu4tTq4QVSalmU6yBbk27i1OrhBZU\
      rmtTrIGlTbuLU6uEH0O2dVOsgf/svQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAVSalmsirXsYMPQkBEiYQ/gAAATYCPbGlid2VibS0wLjIuMS4wV0GPbGlid2VibS0wLjIuMS4wFlSua9Wu09eBAXPF\
      h95OR5TcTIqDgQGGhVZfVlA5bYCwYkCtUDGBAFAygQFQM4EBUDWeR+GBBUfikAECAwQFBgcICRAREhMUFRZH54RH6IEB4IewggFo\
      uoHwH0O2dQEAAAAAAAAe54EAo5mBAAAAAwEBAQEBAQEBAQAAAAIAAAAAAAAA
      """
    let key = ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
    let clip = try Self.clip(
      encoder: Self.plain + ["-movflags", "+frag_keyframe+empty_moov"] + ["-encryption_scheme", "cenc-aes-ctr"] + key + [
        "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
      ])
    try #require(Data(base64Encoded: webm)).write(to: clip.folder.url("b.webm"))
    try FileManager.default.copyItem(at: clip.folder.url(clip.name), to: clip.folder.url("c.mp4"))
    try Self.set("senc", 0, [.max, .max, .max], in: clip)
    for name in [clip.name, "b.webm", "c.mp4"] {
      let error = refusal { try OddMediaTests.inspection(clip, name) }
      #expect(error?.code == .unsupportedCodec && error?.message == "the video is encrypted", "\(name)")
    }
  }
}
