import Logging

@testable import ArtworkPipeline

@Suite struct CachingInspectorTests {
  /// A folder with one good clip, and a cache beside it.
  private struct Scene {
    let folder: TemporaryFolder
    let cache: InspectionCache
    let clip: Candidate
    var inner = CountingInspector()

    init(_ fixture: String = "good-1x1.mp4") throws {
      folder = try TemporaryFolder()
      try folder.copy(.named(fixture), to: "artwork/sub/clip.mp4")
      cache = try #require(InspectionCache.open(in: folder.path("cache"), logger: Logger(label: "test")))
      clip = Candidate(path: folder.path("artwork/sub/clip.mp4"), folder: folder.path("artwork"), previewStem: "sub/clip")
    }

    var inspections: Int { inner.inspections }

    /// The clip is old enough to be trusted.
    func inspector(limits: Limits = Limits(), version: String? = "1", now: Duration = .sinceEpoch + .seconds(60))
      -> CachingInspector
    { CachingInspector(inner, limits: limits, cache: cache, version: version) { now } }

    /// Inspects the clip, and lets the cache write what it keeps.
    @discardableResult func inspect(_ request: InspectionRequest = InspectionRequest(), by inspector: CachingInspector? = nil)
      throws -> InspectedCandidate
    {
      defer { cache.flush() }
      return try (inspector ?? self.inspector()).inspect(clip, request)
    }
  }

  @Test(arguments: [false, true])
  func `an unchanged file is inspected once`(everyFrame: Bool) throws {
    let scene = try Scene()
    let request = InspectionRequest(everyFrame: everyFrame)
    let first = try scene.inspect(request).inspection
    #expect(try scene.inspect(request).inspection == first)
    #expect(try Inspector().inspect(scene.clip, request).inspection == first)
    #expect(scene.inspections == 1)
    try scene.inspect(InspectionRequest(everyFrame: !everyFrame))
    #expect(scene.inspections == 2, "the other request has its own answer")
  }

  @Test func `what depends on another version or other limits is not used`() throws {
    let scene = try Scene()
    try scene.inspect()
    try scene.inspect(by: scene.inspector(version: "2"))
    #expect(scene.inspections == 2)
    var limits = Limits()
    limits.frames += 1
    try scene.inspect(by: scene.inspector(limits: limits))
    #expect(scene.inspections == 3)
    for _ in 0..<2 { try scene.inspect(by: scene.inspector(version: nil)) }
    #expect(scene.inspections == 5, "without a version nothing is kept")
  }

  @Test func `the version names this build and its FFmpeg`() throws {
    let version = try #require(MeasuringVersion.current)
    #expect(version.contains(" ffmpeg "))
    #expect(version.wholeMatch(of: /\d+ \d+ \d+ \d+ ffmpeg \S+ \d+\.\d+\.\d+ .*/) != nil)
  }

  @Test func `a file whose bytes were changed under its old length and time is inspected again`() throws {
    let scene = try Scene()
    try scene.inspect()
    let url = URL(fileURLWithPath: scene.clip.path.string)
    let before = try #require(FileStamp(of: scene.clip.path, beneath: nil))
    let stamp = scene.folder.url("stamp").path
    try run("touch", ["-r", url.path, stamp])
    let file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: Data(repeating: 0, count: 64))
    try file.close()
    try run("touch", ["-r", stamp, url.path])
    let after = try #require(FileStamp(of: scene.clip.path, beneath: nil))
    #expect(after.state == before.state && after != before)
    #expect(throws: InspectionError.self) { try scene.inspect() }
    #expect(scene.inspections == 2)
  }

  @Test(arguments: [(0, 2), (2, 2), (3, 1)])
  func `a file that has only just been written is not trusted`(later: Int, inspections: Int) throws {
    let scene = try Scene()
    let stamp = try #require(FileStamp(of: scene.clip.path, beneath: nil))
    let now = max(stamp.state.modified, stamp.statusChanged) + .seconds(later)
    for _ in 0..<2 { try scene.inspect(by: scene.inspector(now: now)) }
    #expect(scene.inspections == inspections)
  }

  @Test func `what a file was while it changed is not kept`() throws {
    var scene = try Scene()
    let path = scene.clip.path.string
    scene.inner = CountingInspector { () throws(InspectionError) in
      // Its status only: the inspection itself does not mind.
      guard unsafe chmod(path, 0o600) == 0 else { throw InspectionError(.unreadable, "no chmod") }
    }
    for _ in 0..<2 { try scene.inspect() }
    #expect(scene.inspections == 2)
  }

  @Test func `a link that leads out of the folder is refused, though the file behind it is known`() throws {
    let scene = try Scene()
    try scene.inspect()
    let before = FileStamp(of: scene.clip.path, beneath: nil)
    let sub = scene.folder.url("artwork/sub")
    try FileManager.default.moveItem(at: sub, to: scene.folder.url("elsewhere"))
    try scene.folder.link("artwork/sub", to: scene.folder.path("elsewhere").string)
    #expect(FileStamp(of: scene.clip.path, beneath: nil) == before, "it is the very same file")
    #expect(refusal { try scene.inspect() }?.code == .outsideFolder)
    let named = Candidate(path: scene.clip.path)
    #expect(throws: Never.self) { try scene.inspector().inspect(named, InspectionRequest()) }
  }

  @Test func `a refusal that the file earned is kept, one that the machine earned is not`() throws {
    let scene = try Scene("broken-text.mp4")
    for _ in 0..<2 { #expect(refusal { try scene.inspect() }?.code == .notAMovie) }
    #expect(scene.inspections == 1)
    for code in [
      InspectionError.Code.unreadable, .changedWhileReading, .outOfMemory, .timedOut, .decoderCrashed, .workerFailed,
    ] {
      var other = try Scene()
      other.inner = CountingInspector { () throws(InspectionError) in throw InspectionError(code, "once") }
      for _ in 0..<2 { _ = try? other.inspect() }
      #expect(other.inspections == 2, "\(code)")
    }
  }

  @Test func `the pictures for reports are made once, for each set of frames that is decoded`() throws {
    let scene = try Scene()
    try scene.inspect()
    for (everyFrame, inspections) in [(false, 2), (true, 3)] {
      let request = InspectionRequest(everyFrame: everyFrame, reportImages: true)
      let first = try scene.inspect(request)
      #expect(scene.inspections == inspections)
      let second = try scene.inspect(request)
      #expect(second.inspection == first.inspection)
      #expect(second.reportImages == first.reportImages)
      #expect(first.reportImages?.strip.isEmpty == false)
      #expect(try Inspector().inspect(scene.clip, request).reportImages == first.reportImages)
      #expect(scene.inspections == inspections)
    }
  }

  @Test func `previews are made each time, and leave the inspection behind`() throws {
    let scene = try Scene()
    for _ in 0..<2 { #expect(try scene.inspect(InspectionRequest(preview: .original)).preview?.isEmpty == false) }
    let result = try scene.inspect(InspectionRequest(reportImages: true))
    #expect(result.reportImages != nil)
    #expect(scene.inspections == 3)
    #expect(try scene.inspect().inspection == result.inspection)
    #expect(scene.inspections == 3)
  }

  @Test func `stills are inspected once`() throws {
    let scene = try Scene()
    let drawn = try Inspector().inspect(scene.clip, InspectionRequest(preview: .original))
    try Data(try #require(drawn.preview)).write(to: scene.folder.url("artwork/cover.png"))
    let still = Candidate(path: scene.folder.path("artwork/cover.png"))
    let inspector = scene.inspector()
    let first = try inspector.inspectStill(still)
    scene.cache.flush()
    #expect(try inspector.inspectStill(still) == first)
    #expect(first.width == drawn.inspection.facts.displayWidth)
    #expect(scene.inner.stills == 1)
  }

  @Test func `where the cache may be another machine's, a copy under another name is known by its bytes`() throws {
    let scene = try Scene()
    let inspector = CachingInspector(scene.inner, limits: Limits(), cache: scene.cache, isPortable: true)
    let first = try scene.inspect(by: inspector).inspection
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.clip.path.string))
    try bytes.write(to: scene.folder.url("other.mp4"))
    let copy = Candidate(path: scene.folder.path("other.mp4"))
    #expect(try inspector.inspect(copy, InspectionRequest()).inspection == first)
    #expect(scene.inspections == 1)
    // One byte more in a box that players skip.
    try (bytes + Data([0, 0, 0, 9, 0x66, 0x72, 0x65, 0x65, 1])).write(to: scene.folder.url("other.mp4"))
    _ = try inspector.inspect(copy, InspectionRequest())
    #expect(scene.inspections == 2)
    try scene.inspect(InspectionRequest(everyFrame: true), by: inspector)
    #expect(scene.inspections == 3, "the other request has its own answer")
  }

  @Test func `digests are those of the bytes, also after these change`() throws {
    let scene = try Scene()
    let digester = CachingDigester(cache: scene.cache) { .sinceEpoch + .seconds(60) }
    let first = digester.digest(of: scene.clip)
    #expect(first == FileDigester().digest(of: scene.clip))
    scene.cache.flush()
    #expect(digester.digest(of: scene.clip) == first)
    try Data("other".utf8).write(to: URL(fileURLWithPath: scene.clip.path.string))
    #expect(digester.digest(of: scene.clip) == FileDigester().digest(of: scene.clip))
    #expect(digester.digest(of: scene.clip) != first)
  }
}
