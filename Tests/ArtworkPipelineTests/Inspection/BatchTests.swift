import Synchronization

@Suite struct BatchTests {
  static func candidates(_ files: [String]) -> [Candidate] { files.map { Candidate(path: Fixture.folder.appending($0)) } }

  static let mixed = [
    "good-3x4.mp4", "broken-text.mp4", "loop-jump.mp4", "good-1x1.mp4", "audio-only.mp4", "broken-truncated.mp4",
    "rotate-90.mp4", "image-anim.gif", "color-pq.mp4", "frames-1.mp4",
  ]

  @Test func `many jobs report what one job reports, in the order of the candidates`() async throws {
    let others = Fixture.all.map(\.file).filter { $0.hasPrefix("codec") || $0.hasPrefix("broken") }
    let candidates = Self.candidates(Self.mixed + others + Self.mixed)
    let serial = await Batch(options: Batch.Options(jobs: 1)).run(candidates)
    let parallel = await Batch(options: Batch.Options(jobs: 8)).run(candidates)
    #expect(serial.map(\.path) == candidates.map(\.path))
    #expect(parallel.count == serial.count)
    for (one, many) in zip(serial, parallel) { #expect(try JSONReport.line(one) == JSONReport.line(many)) }
  }

  /// Returns the same for every file, and records its requests.
  struct Actor: CandidateInspector {
    let requests = Requests()

    func inspect(_ candidate: Candidate, _ request: InspectionRequest) throws(InspectionError) -> InspectedCandidate {
      requests.add(request)
      return InspectedCandidate(inspection: .sample(), preview: request.preview == .none ? nil : [1, 2, 3])
    }

    func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
      throw InspectionError(.notFound, "there are no stills here")
    }

    func drawCrop(of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts) throws(InspectionError) -> [UInt8] {
      throw InspectionError(.notCopied, "no picture")
    }
  }

  final class Requests: Sendable {
    private let all = Mutex<[InspectionRequest]>([])
    func add(_ request: InspectionRequest) { all.withLock { $0.append(request) } }
    var list: [InspectionRequest] { all.withLock { $0 } }
  }

  @Test func `a candidate is inspected once, and the request states when every frame is wanted`() throws {
    func request(_ everyFrame: Batch.EveryFrame, _ profiles: [Profile] = [.nowPlaying]) throws -> InspectionRequest {
      let actor = Actor()
      var options = Batch.Options(jobs: 1)
      options.everyFrame = everyFrame
      options.profiles = profiles
      #expect(Batch(options: options, inspector: actor).check(Candidate(path: "a.mp4")).error == nil)
      #expect(actor.requests.list.count == 1)
      return try #require(actor.requests.list.first)
    }
    #expect(try request(.whereInDoubt) == InspectionRequest(everyFrame: false, settlesDoubts: true, countsFlashes: true))
    #expect(try request(.always).everyFrame)
    let never = try request(.never)
    #expect(!never.everyFrame && !never.settlesDoubts)
    // Flashes are errors there, and only every frame reveals them all.
    for profile in [Profile.web, .spotifyCanvas] {
      #expect(try request(.whereInDoubt, [.nowPlaying, profile]).everyFrame)
      #expect(try !request(.never, [profile]).everyFrame)
    }
    var off = Profile.web
    off.severities["flash"] = .off
    let unflashed = try request(.whereInDoubt, [off])
    #expect(!unflashed.everyFrame && unflashed.settlesDoubts && !unflashed.countsFlashes)
  }

  @Test func `a bad file costs its own report only`() async {
    let files = ["broken-empty.mp4", "good-1x1.mp4", "missing.mp4", "good-3x4.mp4"]
    let reports = await Batch(options: Batch.Options(jobs: 2)).run(Self.candidates(files))
    #expect(reports.map(\.error?.code) == [.emptyFile, nil, .notFound, nil])
    #expect(reports.map(\.verdict) == [.error, .pass, .error, .pass])
    #expect(reports[0].inspection == nil && reports[0].findings.isEmpty && reports[0].seam == nil)
  }

  @Test func `no candidates are no reports`() async { #expect(await Batch(options: Batch.Options(jobs: 3)).run([]).isEmpty) }

  @Test func `the key is the one that is asked for, else the name's, else the shape's`() throws {
    let folder = try TemporaryFolder()
    for name in ["cover_3x4.mp4", "artwork.mp4"] { try folder.copy(.named("good-1x1.mp4"), to: name) }
    func key(_ name: String, asked: ArtworkKey? = nil) -> ArtworkKey? {
      var options = Batch.Options(jobs: 1)
      options.key = asked
      let report = Batch(options: options).check(Candidate(path: folder.path(name)))
      #expect(report.findings.contains { $0.rule == "aspect-ratio" } == (report.key == .tall))
      return report.key
    }
    #expect(key("artwork.mp4") == .square)
    #expect(key("cover_3x4.mp4") == .tall)
    #expect(key("cover_3x4.mp4", asked: .square) == .square)
    #expect(key("artwork.mp4", asked: .tall) == .tall)
    // A file that cannot be inspected keeps the key its name states.
    let missing = Batch(options: Batch.Options(jobs: 1)).check(Candidate(path: folder.path("3x4.mov")))
    #expect(missing.key == .tall)
  }

  @Test func `each profile judges, and names itself`() {
    var strict = Profile.nowPlaying
    strict.name = "strict"
    strict.maxFrameRate = Rational(12)
    var options = Batch.Options(jobs: 1)
    options.profiles = [.nowPlaying, strict]
    let report = Batch(options: options).check(Self.candidates(["good-1x1.mp4"])[0])
    // The clip is small, which both report.
    let findings = report.findings.filter { $0.rule != "dimensions" }
    #expect(findings.map { [$0.rule, $0.profile] } == [["frame-rate", "strict"]])
    #expect(report.verdict(for: "now-playing") == .pass && report.verdict(for: "strict") == .fail)
  }

  @Test func `previews are written where they are promised, and nowhere else`() async throws {
    let folder = try TemporaryFolder()
    let tree = try TemporaryFolder()
    let files = [
      "album/1x1.mp4": "good-1x1.mp4", "album/3x4.mp4": "good-3x4.mp4", "other/deep/cover.mov": "prores-4444-alpha.mov",
      "broken.mp4": "broken-text.mp4",
    ]
    for (name, fixture) in files { try tree.copy(.named(fixture), to: name) }
    var options = Batch.Options(jobs: 2)
    options.previewFolder = folder.path("made/here")
    let reports = await Batch(options: options).run(CandidateFinder.find([FilePath(tree.root.path)]))
    let expected = ["album/1x1.1x1.png", "album/3x4.3x4.png", "other/deep/cover.1x1.png"]
    #expect(reports.map(\.preview) == [nil] + expected.map { folder.path("made/here/" + $0) })
    let written = try FileManager.default.subpathsOfDirectory(atPath: folder.url("made/here").path)
    #expect(written.filter { $0.hasSuffix(".png") }.sorted() == expected)
    #expect(Set(written.filter { !$0.hasSuffix(".png") }) == ["album", "other", "other/deep"])
    for preview in reports.compactMap(\.preview) {
      #expect(try Data(contentsOf: URL(fileURLWithPath: preview.string)).starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }
  }

  @Test func `a preview that cannot be written is an error that names the file`() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: folder.url("taken"))
    var options = Batch.Options(jobs: 1)
    options.previewFolder = folder.path("taken")
    let report = Batch(options: options).check(Self.candidates(["good-1x1.mp4"])[0])
    #expect(report.verdict == .error)
    #expect(report.error?.code == .previewNotWritten)
    #expect(report.error?.message.contains(folder.path("taken/good-1x1.1x1.png").string) == true)
    #expect(report.preview == nil)
    // The inspection is not lost.
    #expect(report.inspection?.facts.frameCount == 24)
  }

  @Test func `a batch without a job is a programmer's error`() async {
    await #expect(processExitsWith: .failure) { _ = Batch(options: Batch.Options(jobs: 0)) }
  }
}

extension URL { fileprivate func appending(_ name: String) -> FilePath { FilePath(appendingPathComponent(name).path) } }
