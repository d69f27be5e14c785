@testable import ArtworkPipeline

@Suite struct PipelineTests {
  private let pipeline = Pipeline(Inspector())

  private func sample(_ name: String) -> FilePath { FilePath(Fixture.named("\(name).mp4").url.path) }

  @Test func `a clip that jumps fails, and one that loops does not`() async throws {
    let jump = try await pipeline.check(sample("loop-jump")).value
    #expect(jump.seam?.verdict == .jump)
    #expect(jump.verdict == .fail)
    let slow = try await pipeline.check(sample("loop-seamless-slow")).value
    #expect(slow.seam?.verdict == .seamless)
  }

  @Test func `a file that cannot be read is a report of check and an error of inspect`() async throws {
    let broken = sample("broken-text")
    #expect(try await pipeline.check(broken).value.error?.code == .notAMovie)
    await #expect(throws: InspectionError.self) { try await pipeline.inspect(broken).value }
  }

  @Test func `the steps of a folder are its files, and the stream of steps ends`() async throws {
    let folder = try TemporaryFolder()
    for name in ["good-1x1-2s", "loop-jump", "broken-text"] {
      try FileManager.default.copyItem(
        atPath: sample(name).string, toPath: folder.root.appendingPathComponent("\(name).mp4").path)
    }
    let work = pipeline.check(folders: [FilePath(folder.root.path)], jobs: 2)
    var last: Work<CheckReport>.Step?
    for await step in work.progress { last = step }
    #expect(last == .init(done: 3, count: 3))
    let report = try await work.value
    #expect(report.results.map(\.verdict) == [.error, .pass, .fail])
    #expect(report.summary.total == 3)
  }

  @Test func `hev1 becomes hvc1 by a copy`() async throws {
    let result = try await pipeline.repair(sample("codec-hev1")).value
    guard case .repaired(let bytes) = result.outcome else {
      Issue.record("not repaired: \(result.outcome)")
      return
    }
    #expect(result.repaired.contains { $0.rule == "codec-tag" })
    #expect(Data(bytes).range(of: Data("hvc1".utf8)) != nil)
    #expect(Data(bytes).range(of: Data("hev1".utf8)) == nil)
  }

  @Test func `the other variant has its shape, and the first frame of a preview fits its box`() async throws {
    let tall = try await pipeline.derive(sample("good-1x1-2s"), as: .tall).value
    let facts = tall.inspection.facts
    #expect(facts.displayWidth * 4 == facts.displayHeight * 3)
    let picture = try await pipeline.preview(of: sample("good-1x1-2s"), fitting: PixelSize(width: 40, height: 80)).value
    // The header of a PNG: width and height in bytes 16 to 23.
    #expect(Array(picture[16..<24]) == [0, 0, 0, 40, 0, 0, 0, 40])
  }

  @Test func `a GIF becomes an H.264 video of as many frames, in its own size or another`() async throws {
    let gif = Fixture.named("image-anim.gif")
    for size in [nil, PixelSize(width: 80, height: 80)] {
      let video = try await pipeline.importAnimation(gif.path, size: size).value
      let facts = video.inspection.facts
      #expect(facts.codec == "h264" && facts.container == "mp4")
      #expect(facts.frameCount == gif.facts.decodedFrames)
      #expect(facts.displayWidth == size?.width ?? gif.facts.codedWidth)
    }
  }

  @Test(
    "the facts of a quick look are those of an inspection",
    arguments: ["image-anim.gif", "image-anim.apng", "good-1x1-2s.mp4", "rotate-90.mp4"])
  func facts(name: String) async throws {
    let file = Fixture.named(name).path
    #expect(try await pipeline.facts(of: file).value == pipeline.inspect(file).value.facts)
  }

  @Test func `a part that is cut out has its frames, and nothing is cut out of a file that changed`() async throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264 + ["-g", "10"])
    let file = clip.folder.path(clip.name)
    let found = try await pipeline.loops(in: file).value
    let part = try #require(found.candidates.first)
    let cut = try await pipeline.cut(.numbered(1), of: file, found).value
    #expect(cut.inspection.facts.frameCount == part.frameCount && cut.changes.isEmpty)
    #expect(cut.seam?.verdict == .seamless)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file.string)
    await #expect(throws: InspectionError.self) { try await pipeline.cut(.numbered(1), of: file, found).value }
  }

  @Test func `cancelled work throws CancellationError, whoever cancels`() async throws {
    let path = sample("loop-jump")
    let work = pipeline.loops(in: path)
    work.cancel()
    await #expect(throws: CancellationError.self) { try await work.value }
    let waiting = Task { [pipeline] in try await pipeline.loops(in: path).value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
