@testable import ArtworkPipeline

@Suite struct ClipCopyTests {
  /// A copy of a clip, for destinations that accept every container; `nil` for a clip that is not copied.
  private static func copy(_ path: FilePath) throws -> (CopiedClip, Recipe, Inspection)? {
    let inspector = Inspector()
    let found = try inspector.inspect(path).inspection
    guard let request = Recipe(copying: found.facts, for: [.nowPlaying], repairing: [.lossless]), !found.decoding.isCutShort
    else { return nil }
    do { return (try inspector.copy(Candidate(path: path), request, inspecting: nil), request, found) } catch
      where error.code == .notCopied
    { return nil }
  }

  private static let byDay: Set<String> = [
    "audio-aac.mp4", "codec-hev1.mp4", "codec-mjpeg.avi", "edit-none.mp4", "edit-start-1s.mp4", "rate-24000-1001.mkv",
    "rotate-90.mp4", "vfr-mixed.mp4", "frames-1.mp4", "color-container-only.mp4", "h264-pyramid.mp4", "aspect-sar-4x3.mp4",
    "prores-4444-alpha.mov", "frag-keyframe.mp4", "color-pq.mp4",
  ]

  @Test(arguments: Fixture.decodable.filter { Nightly.isOn || byDay.contains($0.file) })
  func `a copy has every frame of a fixture, at its time, and is described alike`(fixture: Fixture) throws {
    guard let (copied, request, inspection) = try Self.copy(fixture.path) else {
      #expect(!Self.byDay.contains(fixture.file), "it is not copied")
      return
    }
    let facts = inspection.facts
    #expect(Repairer.rejectionReason(copied, facts, request) == nil)
    #expect(copied.before.frames.count == fixture.facts.decodedFrames)
    let after = copied.facts
    #expect(abs(after.startSeconds) < 0.0005)
    #expect(after.movieHeaderFirst == true && !after.hasAudio && after.videoStreamCount == 1)
    if facts.codec == "hevc" { #expect(after.codecTag == "hvc1") }
    #expect(after.frameRateRatio == facts.frameRateRatio || facts.frameRateMode == .variable)
    #expect(after.displayAspectRatio == facts.displayAspectRatio)
    // It is not inspected again: it has the facts of its decode, and the measurements of the clip.
    let folder = try TemporaryFolder()
    try Data(copied.movie).write(to: folder.url("copy"))
    let again = try Inspector().inspect(folder.path("copy")).inspection
    #expect(after == again.facts)
    #expect(again.seam == inspection.seam && again.firstFrame == inspection.firstFrame)
    let (looks, own) = (again.looks, inspection.looks)
    #expect(looks?.borders == own?.borders && looks?.firstFrame == own?.firstFrame)
    // When it flashes is rounded to the ticks of each file.
    #expect(looks?.flash?.general?.flashes == own?.flash?.general?.flashes)
    #expect(looks?.flash?.red?.flashes == own?.flash?.red?.flashes)
    // If the packets alone prove it, decoding both proves the same, and the measurements of the copy are those of the
    // clip.
    let once = try Inspector().copy(Candidate(path: fixture.path), request, inspecting: InspectionRequest())
    #expect(once.movie == copied.movie && once.facts == copied.facts && once.differing == 0)
    guard ["h264", "hevc"].contains(facts.codec) else {
      #expect(once.inspection == nil, "packets of \(facts.codec) prove nothing")
      return
    }
    let measured = try #require(once.inspection)
    #expect(measured.facts == after && measured.firstFrame == inspection.firstFrame)
    // Where every frame is decoded, the seam has more of them to be compared with.
    func verdict(_ inspection: Inspection) -> SeamJudgement.Verdict? {
      Rules.seam(of: inspection, profile: .nowPlaying)?.verdict
    }
    #expect(verdict(measured) == verdict(inspection))
  }

  @Test(arguments: ["color-untagged.mp4", "codec-hev1.mp4"])
  func `a stated matrix changes nothing else, which the packets prove; the frames are the same`(name: String) throws {
    let source = Fixture.named(name)
    let facts = try Inspector().inspect(source.path).inspection.facts
    let request = try #require(Recipe(copying: facts, for: [.nowPlaying], repairing: [.lossless, .metadata]))
    guard case .packets(let matrix?, _) = request.content else {
      Issue.record("it states no matrix")
      return
    }
    let candidate = Candidate(path: source.path)
    let once = try Inspector().copy(candidate, request, inspecting: InspectionRequest())
    let inspection = try #require(once.inspection, "the packets prove nothing")
    #expect(inspection.facts.color.matrix == matrix)
    let both = try Inspector().copy(candidate, request, inspecting: nil)
    #expect(both.movie == once.movie && both.differing == 0 && both.inspection == nil)
  }

  @Test func `a clip whose times contradict the order of its frames is not copied`() throws {
    var bytes = try Data(contentsOf: Fixture.named("h264-pyramid.mp4").url)
    // The table of differences between presentation and decoding: a count, and how long it is (ISO/IEC 14496-12, 8.6.1.3).
    let box = try #require(bytes.range(of: Data("ctts".utf8)))
    func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let entries = (0..<number(box.upperBound + 4)).map { box.upperBound + 8 + 8 * $0 }
    let entry = try #require(entries.dropFirst(2).first { number($0) == 1 && number($0 + 4) > 0x200 })
    // Less by a tick than when it is decoded, far before the frames that it follows.
    bytes.replaceSubrange(entry + 4..<entry + 8, with: [0, 0, 0, 1])
    let folder = try TemporaryFolder()
    try bytes.write(to: folder.url("clip.mp4"))
    let candidate = Candidate(path: folder.path("clip.mp4"))
    let request = Recipe(content: .packets(matrix: nil, sourceBytes: Int64(bytes.count)))
    for inspecting in [nil, InspectionRequest()] {
      let error = #expect(throws: InspectionError.self) { try Inspector().copy(candidate, request, inspecting: inspecting) }
      #expect(error?.code == .notCopied && error?.message.contains("contradict") == true)
    }
  }

  @Test func `one changed byte of a packet is another decoder input, and other times are not`() throws {
    let source = Fixture.named("codec-hev1.mp4")
    let bytes = try Data(contentsOf: source.url)
    let folder = try TemporaryFolder()
    func input(_ bytes: Data) throws -> ReadPackets? {
      try bytes.write(to: folder.url("clip.mp4"))
      return try Inspector().run(PacketsJob(), on: Candidate(path: folder.path("clip.mp4")))
    }
    let plain = try #require(try input(bytes))
    #expect(plain.displayed.frames.count == source.facts.decodedFrames)
    var damaged = bytes
    // Inside of the largest box, which holds the packets.
    damaged[bytes.count / 2] ^= 0x10
    #expect(try input(damaged)?.input != plain.input)
    let made = try MadeClip(["-i", source.path.string, "-c", "copy", "-tag:v", "hvc1"])
    let copy = try #require(try input(try Data(contentsOf: made.folder.url(made.name))))
    #expect(copy.input == plain.input)
  }

  /// No copy makes a video of these codecs play.
  private static let unplayable = ["vp8", "vp9", "mpeg1video", "mpeg2video", "png"]
  /// All frames of the first have the same time; of the second, ffmpeg cannot decode one.
  private static let unsound = [
    "androidx+media/sample_with_fake_auxiliary_tracks.mp4", "androidx+media/sample_with_invalid_nalu.mp4",
  ]

  @Test(.enabled(if: RealMedia.isPresent && Nightly.isOn, RealMedia.absence), arguments: RealMedia.all)
  func `a copy has every frame of a real file`(media: RealMedia) throws {
    let made: (CopiedClip, Recipe, Inspection)?
    do { made = try Self.copy(media.path) } catch let error as InspectionError {
      #expect(RealMediaFactsTests.unreadable[media.name] == error.code, "\(error)")
      return
    }
    #expect(RealMediaFactsTests.unreadable[media.name] == nil)
    let hasAlphaTrack = media.facts.brand == "avis" && media.facts.streams.count { $0.hasPrefix("video:") } == 2
    // According to ffprobe. A copy would reveal packets that the edit list discards.
    let isCopied =
      (media.facts.discard_packets ?? 0) == 0 && !Self.unplayable.contains(media.facts.codec ?? "")
      && !Self.unsound.contains(media.name) && !hasAlphaTrack
    guard isCopied else {
      #expect(made == nil)
      return
    }
    let (copied, request, inspection) = try #require(made)
    #expect(Repairer.rejectionReason(copied, inspection.facts, request) == nil)
    #expect(copied.before.differing(from: copied.after) == 0)
  }

  @Test func `one changed sample is another digest`() throws {
    let pixels = [UInt8](repeating: 40, count: 30 * 20 * 3)
    func digest(_ bytes: [UInt8], _ width: Int = 30, _ height: Int = 20) throws -> SIMD2<UInt64> {
      try Frame.copy(of: PixelImage(size: PixelSize(width: width, height: height), channels: .rgb, bytes: bytes)).digest()
    }
    let plain = try digest(pixels)
    #expect(try digest(pixels) == plain)
    #expect(try digest(pixels, 20, 30) != plain)
    for place in [0, 899, 1799] {
      var other = pixels
      other[place] ^= 1
      #expect(try digest(other) != plain, "\(place)")
    }
  }

  @Test func `digests and times travel as bytes, and other bytes are none`() throws {
    let shown = DisplayedFrames(
      frames: [.init(digest: [1, .max], nanoseconds: 0), .init(digest: [2, 3], nanoseconds: -7)], tickNanoseconds: 41_667)
    #expect(DisplayedFrames(bytes: shown.bytes, tickNanoseconds: 41_667) == shown)
    #expect(DisplayedFrames(bytes: Array(shown.bytes.dropLast()), tickNanoseconds: 1) == nil)
    #expect(DisplayedFrames(bytes: shown.bytes, tickNanoseconds: -1) == nil)
    #expect(DisplayedFrames(bytes: [UInt8](repeating: 0x7f, count: 24), tickNanoseconds: 1) == nil)
    #expect(shown.differing(from: DisplayedFrames()) == 2)
  }
}
