@testable import ArtworkMeasuring
@testable import ArtworkPipeline

/// `loop` and `seam` in workers: the same answers as in this process, and lies found out.
@Suite struct IsolatedLoopTests {
  @Test(
    arguments: Nightly.some(
      3, of: ["loop-jump.mp4", "loop-held.mp4", "loop-static.mp4", "frames-1.mp4", "rotate-90.mp4", "vfr-mixed.mp4"]))
  func `a worker finds and draws what this process does`(fixture: String) throws {
    let file = fixture
    var results: [[Data]] = []
    for environment in [[:], BuiltTool.withoutIsolation] {
      let folder = try TemporaryFolder()
      try folder.copy(.named(fixture), to: file)
      let result = try run(
        BuiltTool.find().path, ["loop", file, "--format", "json"], in: folder.root, environment: environment)
      #expect(result.status == 0, "\(result.error)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted()
      #expect(names.count == (fixture == "frames-1.mp4" ? 1 : 3))
      results.append([result.output] + (try names.map { try Data(contentsOf: folder.url($0)) }))
      let seam = try run(BuiltTool.find().path, ["seam", file, "-o", "-"], in: folder.root, environment: environment)
      #expect(seam.status == (fixture == "frames-1.mp4" ? 2 : ["loop-jump.mp4", "loop-held.mp4"].contains(fixture) ? 1 : 0))
      results[results.count - 1].append(seam.output)
    }
    #expect(results[0] == results[1])
  }

  @Test func `a broken file is refused with the same words`() throws {
    for command in ["loop", "seam"] {
      for fixture in ["broken-text.mp4", "audio-only.mp4", "broken-empty.mp4"] {
        let file = Fixture.named(fixture).path.string
        let isolated = try BuiltTool.run([command, file])
        let direct = try BuiltTool.run([command, file], environment: BuiltTool.withoutIsolation)
        #expect(isolated.status == 2 && direct.status == 2)
        #expect(isolated.output == "" && isolated.error == direct.error)
        #expect(isolated.error.contains(fixture))
      }
    }
  }

  @Test(arguments: ["half", "segv"])
  func `whatever a worker does, the command ends with a message`(fault: String) throws {
    let folder = try TemporaryFolder()
    try Data("ARTWORKD-FAULT \(fault)\n".utf8).write(to: folder.url("fault.mp4"))
    for command in ["loop", "seam"] {
      let result = try BuiltTool.run([command, "fault.mp4"], in: folder.root)
      #expect(result.status == 2, "\(command) \(fault)")
      #expect(result.error.contains("→"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["fault.mp4"])
    }
  }

  static func report(_ change: (inout LoopReport) -> Void = { _ in }) -> LoopReport {
    let part = TrimCandidate(
      startFrame: 3, endFrame: 40, startSeconds: 0.1, endSeconds: 1.3, motion: 1, isLossless: false, seam: .sample())
    var report = LoopReport(
      answer: .trim, candidates: [part], whole: part,
      crossFade: CrossFade(startFrame: 10, endFrame: 40, startSeconds: 0, endSeconds: 1, fadeFrames: 5), frameCount: 50,
      startSeconds: 0, endSeconds: 1.6, frameRate: Rational(30), isVariableRate: false, damagedFrames: 0, below: 30)
    change(&report)
    return report
  }

  @Test func `a report whose numbers make no part is not believed`() {
    let request = TrimRequest()
    #expect(Self.report().isConsistent(with: request))
    let lies: [(inout LoopReport) -> Void] = [
      { $0.candidates[0].startFrame = -1 }, { $0.candidates[0].endFrame = 51 }, { $0.candidates[0].endFrame = 3 },
      { $0.whole?.endFrame = 99 }, { $0.candidates = Array(repeating: $0.candidates[0], count: 6) }, { $0.below = 60 },
      { $0.crossFade?.fadeFrames = 11 }, { $0.crossFade?.fadeFrames = 0 }, { $0.crossFade?.endFrame = 9 },
      { $0.frameRate = Rational(0) }, { $0.frameRate = Rational(-3) },
    ]
    for (index, lie) in lies.enumerated() { #expect(!Self.report(lie).isConsistent(with: request), "\(index)") }
  }

  @Test("the largest pictures fit into a reply")
  func capacity() throws {
    func capacity(withPictures: Bool) -> Int64 {
      WorkerExchange.capacity(for: LoopJob(request: TrimRequest(), withPictures: withPictures), Limits())
    }
    let loops = capacity(withPictures: true)
    #expect(loops > capacity(withPictures: false))
    // Noise in four channels, which does not compress.
    var noise = Noise(seed: 9)
    let frame = PixelImage(
      size: LoopPictures.animation, channels: .rgba,
      bytes: (0..<LoopPictures.animation.area * 4).map { _ in UInt8(truncatingIfNeeded: noise.next() >> 40) })
    let two = try AnimatedPicture.png([frame, frame], seconds: [.one, .one], limits: Limits())
    #expect(Int64(two.count * LoopPictures.mostFrames) < 2 * loops)
  }
}
