@testable import ArtworkJudging

/// Files whose parts contradict each other. ffmpeg makes them, some bytes are changed, and ffprobe says what is right.
@Suite struct ContradictionTests {
  private static let clip = ["-f", "lavfi", "-i", "testsrc2=s=96x128:r=30:d=2"] + OddMediaTests.h264

  private static func probe(_ clip: MadeClip, _ name: String, _ entries: String) throws -> String {
    try clip.folder.ffprobe(name, entries, ["-select_streams", "V", "-count_frames"]).joined(separator: "\n")
  }

  @Test func `a media header that states another length is named, and a copy states the right one`() throws {
    let clip = try MadeClip(Self.clip)
    // Version 0: the length follows two dates and the time scale.
    try HeaderFaultTests.set("mdhd", 16, [512], in: clip)
    #expect(try Self.probe(clip, clip.name, "stream=duration,nb_read_frames") == "0.033333,60")
    let inspection = try OddMediaTests.inspection(clip)
    #expect(inspection.facts.frameCount == 60 && abs(inspection.facts.durationSeconds - 2) < 0.001)
    let finding = try #require(findings(of: inspection, "duration").first)
    #expect(finding.severity == .warning && finding.measured?.hasPrefix("0.033 s") == true)
    let recipe = try #require(Recipe(copying: inspection.facts, for: [.nowPlaying], repairing: [.lossless]))
    let copy = try Inspector().copy(Candidate(path: clip.path), recipe, inspecting: nil)
    try Data(copy.movie).write(to: clip.folder.url("copy.mp4"))
    #expect(try Self.probe(clip, "copy.mp4", "stream=duration,nb_read_frames") == "2.000000,60")
    #expect(try clip.digests("copy.mp4") == clip.digests())
  }

  @Test func `a cover that is an ordinary first track is passed over for the track that moves`() throws {
    let clip = try MadeClip(named: "clip.mp4", Self.clip)
    try clip.folder.ffmpeg(
      "",
      [
        "-i", Fixture.named("cover.jpg").url.path, "-i", "clip.mp4", "-map", "0", "-map", "1", "-c", "copy", "cover-first.mov",
      ])
    let streams = try Self.probe(clip, "cover-first.mov", "stream=codec_name")
    #expect(streams.split(separator: "\n") == ["mjpeg", "h264"])
    let facts = try OddMediaTests.inspection(clip, "cover-first.mov").facts
    #expect(facts.codec == "h264" && facts.frameCount == 60)
    #expect(facts.displayDescription == "96x128")
  }

  @Test func `a rotation that makes the shape wrong is named as the cause`() throws {
    let clip = try MadeClip(Self.clip)
    // The matrix of a quarter turn in the track's header (ISO/IEC 14496-12, 8.3.2).
    let matrix: [Int32] = [0, 1 << 16, 0, -1 << 16, 0, 0, 96 << 16, 0, 1 << 30]
    try HeaderFaultTests.set("tkhd", 40, matrix.map(UInt32.init(bitPattern:)), in: clip)
    #expect(try Self.probe(clip, clip.name, "stream_side_data=rotation").contains("-90"))
    let inspection = try OddMediaTests.inspection(clip)
    #expect(inspection.facts.rotation == 90 && inspection.facts.displayDescription == "128x96")
    let judged = Rules.judge(inspection, key: .tall, profile: .nowPlaying).findings
    let finding = try #require(judged.first { $0.rule == "aspect-ratio" })
    #expect(finding.help.contains("the stored picture is 3x4"), "\(finding.help)")
    // Nothing says whether the picture is turned rightly.
    #expect(finding.repair == nil)
  }

  @Test func `frames before time zero in a movie of fragments are shown`() throws {
    let clip = try MadeClip(Self.clip + ["-bf", "2"])
    try clip.folder.ffmpeg(
      "",
      [
        "-copyts", "-i", clip.name, "-c", "copy", "-bsf:v", "setts=pts=PTS-3072:dts=DTS-3072", "-avoid_negative_ts", "disabled",
        "-movflags", "+frag_keyframe+empty_moov+delay_moov", "early.mp4",
      ])
    #expect(try Self.probe(clip, "early.mp4", "stream=start_time,nb_read_frames") == "-0.200000,60")
    let facts = try OddMediaTests.inspection(clip, "early.mp4").facts
    #expect(facts.frameCount == 60 && abs(facts.startSeconds + 0.2) < 0.001)
    #expect(abs(facts.durationSeconds - 2) < 0.001)
  }

  @Test(arguments: ["avif", "avis", "avci", "jpeg", "j2ki", "vvic", "msf1", "mif1", "mif3", "heic"])
  func `stills with the brands of sequences and other codecs are stills, in folders and by name`(brand: String) throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] { PNGChunk.big(content.count + 8) + Array(type.utf8) + content }
    let folder = try TemporaryFolder()
    let items = brand == "mif3" ? box("mini", [0, 0, 0, 0]) : box("meta", [0, 0, 0, 0])
    let bytes = box("ftyp", Array(brand.utf8) + [0, 0, 0, 0]) + items + box("mdat", [1, 2, 3])
    try Data(bytes).write(to: folder.url("still.heif"))
    #expect(CandidateFinder.find([folder.path("")]).isEmpty)
    let error = refusal { try Inspector().inspect(folder.path("still.heif")) }
    #expect(error?.code == .notAMovie && error?.message.contains("picture") == true, "\(error as Any)")
  }

  @Test(arguments: ["pc", "tv"])
  func `a picture in full range is encoded in limited range, whatever its size and matrix`(of source: String) throws {
    // Red, by the equations of BT.709: 63, 102, 240 in limited range, and 54, 99, 255 in full range.
    let clip = try MadeClip([
      "-f", "lavfi", "-i", "color=red:s=96x96:r=30:d=1", "-vf",
      "scale=out_color_matrix=bt709:out_range=\(source),format=yuv420p", "-color_range", source, "-colorspace", "bt709", "-c:v",
      "libx264", "-qp", "4",
    ])
    let facts = try OddMediaTests.inspection(clip).facts
    #expect(facts.color.range == source && facts.color.matrix == "bt709")
    let recipe = try #require(Recipe(encoding: facts, for: [.web], ClipEdit()))
    let made = try recipe.make(from: InputFile.open(clip.path), limits: Limits(), progress: { _, _ in })
    try Data(made.bytes).write(to: clip.folder.url("made.mp4"))
    #expect(try Self.probe(clip, "made.mp4", "stream=color_range") == "tv")
    let planes = try clip.folder.ffmpeg("", ["-i", "made.mp4", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
    let middle = [planes[48 * 96 + 48], planes[96 * 96 + 24 * 48 + 24], planes[96 * 96 * 5 / 4 + 24 * 48 + 24]]
    #expect(zip(middle, [63, 102, 240]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(middle)")
  }
}
