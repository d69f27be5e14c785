@testable import ArtworkMedia
@testable import ArtworkPipeline

@Suite struct LoopFinderTests {
  static func find(_ path: FilePath, _ request: TrimRequest = TrimRequest(), pictures: Bool = false) throws -> LoopCandidates {
    try Inspector().run(LoopJob(request: request, withPictures: pictures), on: Candidate(path: path))
  }

  @Test("the loop behind a lead-in is found in a real file, to the frame")
  func leadIn() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264)
    let report = try Self.find(clip.path).report
    #expect(report.answer == .trim)
    let best = try #require(report.candidates.first)
    #expect(best.frameCount == 60)
    #expect((40...71).contains(best.startFrame))
    #expect(best.seam.verdict == .seamless)
    #expect(report.whole?.seam.verdict.loops == false)
    #expect(abs(best.durationSeconds - 2) < 1e-6)
  }

  @Test(
    "a part that is said to be lossless is: a copy of its packets has exactly its frames",
    arguments: Nightly.some(
      2,
      of: [
        ("clip.mp4", ["-c:v", "libx264", "-g", "20", "-bf", "0"], true),
        ("clip.mp4", ["-c:v", "libx264", "-g", "20", "-bf", "3", "-b_strategy", "0"], true),
        ("clip.mov", ["-c:v", "libx264", "-g", "15", "-keyint_min", "15", "-bf", "2", "-flags", "+cgop"], true),
        ("clip.mp4", ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=20:bframes=3:b-adapt=0"], false),
        (
          "clip.mp4", ["-c:v", "libx265", "-x265-params", "keyint=20:bframes=3:open-gop=0:log-level=none", "-tag:v", "hvc1"],
          true
        ), ("clip.mkv", ["-c:v", "libx264", "-g", "20", "-bf", "2"], true),
        ("clip.mkv", ["-c:v", "libx264", "-g", "20", "-bf", "2", "-output_ts_offset", "5.123"], true),
      ] as [(String, [String], Bool)]))
  func lossless(name: String, encoder: [String], isPossible: Bool) throws {
    let clip = try MadeClip(
      named: name, ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-frames:v", "75", "-pix_fmt", "yuv420p"] + encoder)
    let (places, _) = try Self.places(clip.path)
    let starts = places.starts.indices.filter { places.starts[$0] }
    let ends = places.ends.indices.filter { places.ends[$0] }
    #expect(starts.contains(0))
    #expect((starts.count > 1) == isPossible, "\(starts)")
    let source = try clip.digests()
    for start in starts {
      for end in [ends.first { $0 > start + 5 }, ends.last].compactMap(\.self) {
        let out = "out.mp4"
        let copied = try Inspector().copy(
          Candidate(path: clip.path),
          Recipe(frames: FrameSelection(start..<end), content: .packets(matrix: nil, sourceBytes: 1 << 20)), inspecting: nil)
        #expect(copied.differing == 0)
        try Data(copied.movie).write(to: clip.folder.url(out))
        #expect(try clip.digests(out) == Array(source[start..<end]), "\(start)..<\(end)")
        let shown = try clip.times(out)
        for (index, time) in shown.enumerated() { #expect(abs(time - Double(index) / 30) < 0.002) }
      }
    }
  }

  @Test func `sound that starts before the picture shifts no cut`() throws {
    let clip = try MadeClip([
      "-f", "lavfi", "-i", "sine=r=44100", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-map", "0:a", "-map", "1:v", "-t",
      "3", "-vf", "setpts=PTS+0.7/TB", "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-g", "20", "-bf",
      "2",
    ])
    let report = try Self.find(clip.path).report
    #expect(report.startSeconds > 0.6)
    let (places, _) = try Self.places(clip.path)
    let starts = places.starts.indices.filter { places.starts[$0] }
    let start = try #require(starts.dropFirst().first)
    let end = try #require(places.ends.indices.last { places.ends[$0] })
    let copied = try Inspector().copy(
      Candidate(path: clip.path),
      Recipe(frames: FrameSelection(start..<end), content: .packets(matrix: nil, sourceBytes: 1 << 20)), inspecting: nil)
    try Data(copied.movie).write(to: clip.folder.url("out.mp4"))
    #expect(try clip.digests("out.mp4") == Array(clip.digests()[start..<end]))
    let cut = try Self.find(clip.folder.path("out.mp4")).report
    #expect(cut.frameCount == end - start && cut.startSeconds == 0)
  }

  /// Where a file can be cut, and when its frames are shown.
  static func places(_ path: FilePath) throws -> (CutPlaces, [Double]) {
    let input = try InputFile.open(path)
    return try input.withClip(limits: Limits()) { clip throws(InspectionError) in
      let decoded = try DecodedClip(reading: clip, limits: clip.limits)
      return unsafe (try CutPlaces(demuxer: clip.demuxer, stream: clip.stream, table: clip.table), decoded.times)
    }
  }

  @Test(
    "a file whose frames are cut by an edit list, hidden or without order cannot be cut without loss",
    arguments: ["edit-preroll.mp4", "codec-vp8.webm", "broken-truncated.mp4"])
  func notLossless(fixture: String) throws {
    let (places, _) = try Self.places(Fixture.named(fixture).path)
    #expect(!places.starts.dropFirst().contains(true))
  }

  @Test(arguments: [
    "h264-open-gop.mp4", "hevc-open-gop.mp4", "h264-pyramid.mp4", "rotate-90.mp4", "color-pq.mp4", "codec-qtrle-alpha.mov",
  ])
  func `pictures of an excerpt are those of a full decode`(fixture: String) throws {
    let input = try InputFile.open(Fixture.named(fixture).path)
    try input.withClip(limits: Limits()) { clip throws(InspectionError) in
      let decoded = try DecodedClip(reading: clip, limits: clip.limits)
      let count = decoded.frames.count
      let places = try unsafe CutPlaces(demuxer: clip.demuxer, stream: clip.stream, table: clip.table)
      let numbers: Set<Int> = [0, count / 2, count - 2, count - 1]
      let box = PixelSize(width: 100, height: 100)
      let quick = try PictureReader.read(numbers, clip, decoded: decoded, places: places, inside: box)
      var doubtful = decoded
      doubtful.damagedFrames = 1
      let full = try PictureReader.read(numbers, clip, decoded: doubtful, places: places, inside: box)
      #expect(Set(quick.keys) == numbers)
      #expect(quick == full)
    }
  }

  @Test func `pictures: a strip, and an animation with the frames around the seam`() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264)
    let found = try Self.find(clip.path, pictures: true)
    #expect(PNGFile.isWellFormed(try #require(found.strip)))
    let animation = try #require(found.animation)
    #expect(APNGFile.isWellFormed(animation, mostFrames: LoopPictures.mostFrames, inside: LoopPictures.animation))
    try Data(animation).write(to: clip.folder.url("loop.png"))
    // 0.75 s on either side at 30 fps: 22 or 23 frames.
    let shown = try clip.folder.ffprobe("loop.png", "packet=duration_time", ["-f", "apng"]).compactMap { Double($0) }
    #expect((44...46).contains(shown.count))
    #expect(shown.allSatisfy { abs($0 - 1 / 30) < 0.001 })
  }

  @Test(
    "clips of 1, 2 and 3 frames, and one that does not move, get a clear answer",
    arguments: [
      ("frames-1.mp4", LoopReport.Answer.tooShort), ("frames-2.mp4", .tooShort), ("frames-3.mp4", .tooShort),
      ("loop-static.mp4", .static),
    ])
  func small(fixture: String, answer: LoopReport.Answer) throws {
    let found = try Self.find(Fixture.named(fixture).path, pictures: true)
    #expect(found.report.answer == answer)
    #expect(found.report.candidates.isEmpty)
    #expect((found.strip == nil) == (fixture == "frames-1.mp4"))
  }

  @Test(arguments: Fixture.all.filter { $0.file.hasPrefix("loop-") })
  func `check, loop and seam report the same with few frames, with every frame and for a page`(fixture: Fixture) throws {
    func judged(_ request: InspectionRequest) throws -> SeamJudgement? {
      let seen = try Inspector().inspect(Candidate(path: fixture.path), request).inspection
      return Rules.seam(of: seen, profile: .nowPlaying)
    }
    let judgement = try #require(try judged(InspectionRequest(everyFrame: true)))
    for request in [
      InspectionRequest(), InspectionRequest(settlesDoubts: true, countsFlashes: true), InspectionRequest(reportImages: true),
      InspectionRequest(everyFrame: true, reportImages: true), InspectionRequest(preview: .seam),
    ] { #expect(try judged(request) == judgement) }
    #expect(try Self.find(fixture.path).report.whole?.seam == judgement)
    if let label = fixture.label.loop { #expect(judgement.verdict.rawValue == label) }
  }
}
