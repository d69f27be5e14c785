import Logging

@testable import ArtworkPipeline

@Suite struct CachingInspectorTests {
  /// A folder with one good clip, and a cache beside it.
  private struct Scene {
    let folder: TemporaryFolder
    let cache: InspectionCache
    let clip: Candidate

    init(_ fixture: String = "good-1x1.mp4") throws {
      folder = try TemporaryFolder()
      try folder.copy(.named(fixture), to: "artwork/sub/clip.mp4")
      cache = try #require(
        InspectionCache.open(in: folder.path("cache"), logger: Logger(label: "test")))
      clip = Candidate(
        path: folder.path("artwork/sub/clip.mp4"), folder: folder.path("artwork"),
        previewStem: "sub/clip")
    }

    /// The clip is old enough to be trusted.
    func inspector(
      _ inner: any CandidateInspector, limits: Limits = Limits(), version: String? = "1"
    ) -> CachingInspector {
      CachingInspector(inner, limits: limits, cache: cache, version: version) {
        .sinceEpoch + .seconds(60)
      }
    }
  }

  @Test("an unchanged file is inspected once", arguments: [false, true])
  func once(everyFrame: Bool) throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let inspector = scene.inspector(inner)
    let request = InspectionRequest(everyFrame: everyFrame)
    let first = try inspector.inspect(scene.clip, request).inspection
    scene.cache.flush()
    #expect(try inspector.inspect(scene.clip, request).inspection == first)
    #expect(try Inspector().inspect(scene.clip, request).inspection == first)
    #expect(inner.inspections == 1)
    _ = try inspector.inspect(scene.clip, InspectionRequest(everyFrame: !everyFrame))
    #expect(inner.inspections == 2, "the other request has its own answer")
  }

  @Test("what depends on another version or other limits is not used")
  func conditions() throws {
    let scene = try Scene()
    let inner = CountingInspector()
    _ = try scene.inspector(inner).inspect(scene.clip, InspectionRequest())
    scene.cache.flush()
    _ = try scene.inspector(inner, version: "2").inspect(scene.clip, InspectionRequest())
    #expect(inner.inspections == 2)
    var limits = Limits()
    limits.frames += 1
    _ = try scene.inspector(inner, limits: limits).inspect(scene.clip, InspectionRequest())
    #expect(inner.inspections == 3)
    for _ in 0..<2 {
      _ = try scene.inspector(inner, version: nil).inspect(scene.clip, InspectionRequest())
    }
    #expect(inner.inspections == 5, "without a version nothing is kept")
  }

  @Test("the version names this build and its FFmpeg")
  func version() throws {
    let version = try #require(MeasuringVersion.current)
    #expect(version.contains(" ffmpeg "))
    #expect(version.wholeMatch(of: /\d+ \d+ \d+ \d+ ffmpeg \S+ \d+\.\d+\.\d+ .*/) != nil)
  }

  @Test("a file whose bytes were changed under its old length and time is inspected again")
  func sameTime() throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let inspector = scene.inspector(inner)
    _ = try inspector.inspect(scene.clip, InspectionRequest())
    scene.cache.flush()
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
    #expect(throws: InspectionError.self) {
      try inspector.inspect(scene.clip, InspectionRequest())
    }
    #expect(inner.inspections == 2)
  }

  @Test(
    "a file that has only just been written is not trusted", arguments: [(0, 2), (2, 2), (3, 1)])
  func racy(later: Int, inspections: Int) throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let stamp = try #require(FileStamp(of: scene.clip.path, beneath: nil))
    let now = max(stamp.state.modified, stamp.statusChanged) + .seconds(later)
    for _ in 0..<2 {
      let inspector = CachingInspector(
        inner, limits: Limits(), cache: scene.cache, version: "1"
      ) { now }
      _ = try inspector.inspect(scene.clip, InspectionRequest())
      scene.cache.flush()
    }
    #expect(inner.inspections == inspections)
  }

  @Test("what a file was while it changed is not kept")
  func changing() throws {
    let scene = try Scene()
    let path = scene.clip.path.string
    let inner = CountingInspector { () throws(InspectionError) in
      // Its status only: the inspection itself does not mind.
      guard chmod(path, 0o600) == 0 else { throw InspectionError(.unreadable, "no chmod") }
    }
    for _ in 0..<2 {
      _ = try scene.inspector(inner).inspect(scene.clip, InspectionRequest())
      scene.cache.flush()
    }
    #expect(inner.inspections == 2)
  }

  @Test("a link that leads out of the folder is refused, though the file behind it is known")
  func confined() throws {
    let scene = try Scene()
    let inspector = scene.inspector(CountingInspector())
    _ = try inspector.inspect(scene.clip, InspectionRequest())
    scene.cache.flush()
    let before = FileStamp(of: scene.clip.path, beneath: nil)
    let sub = scene.folder.url("artwork/sub")
    try FileManager.default.moveItem(at: sub, to: scene.folder.url("elsewhere"))
    try FileManager.default.createSymbolicLink(
      at: sub, withDestinationURL: scene.folder.url("elsewhere"))
    #expect(FileStamp(of: scene.clip.path, beneath: nil) == before, "it is the very same file")
    #expect(refusal { try inspector.inspect(scene.clip, InspectionRequest()) }?.code == .outsideFolder)
    let named = Candidate(path: scene.clip.path)
    #expect(throws: Never.self) { try inspector.inspect(named, InspectionRequest()) }
  }

  @Test("a refusal that the file earned is kept, one that the machine earned is not")
  func refusals() throws {
    let scene = try Scene("broken-text.mp4")
    let inner = CountingInspector()
    for _ in 0..<2 {
      #expect(refusal { try scene.inspector(inner).inspect(scene.clip, InspectionRequest()) }?.code == .notAMovie)
      scene.cache.flush()
    }
    #expect(inner.inspections == 1)
    let codes: [InspectionError.Code] = [
      .unreadable, .changedWhileReading, .outOfMemory, .timedOut, .decoderCrashed, .workerFailed,
    ]
    for code in codes {
      let other = try Scene()
      let failing = CountingInspector { () throws(InspectionError) in
        throw InspectionError(code, "once")
      }
      for _ in 0..<2 {
        _ = try? other.inspector(failing).inspect(other.clip, InspectionRequest())
        other.cache.flush()
      }
      #expect(failing.inspections == 2, "\(code)")
    }
  }

  @Test("the pictures for reports are made once, for each set of frames that is decoded")
  func reportImages() throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let inspector = scene.inspector(inner)
    _ = try inspector.inspect(scene.clip, InspectionRequest())
    scene.cache.flush()
    for (everyFrame, inspections) in [(false, 2), (true, 3)] {
      let request = InspectionRequest(everyFrame: everyFrame, reportImages: true)
      let first = try inspector.inspect(scene.clip, request)
      scene.cache.flush()
      #expect(inner.inspections == inspections)
      let second = try inspector.inspect(scene.clip, request)
      #expect(second.inspection == first.inspection)
      #expect(second.reportImages == first.reportImages)
      #expect(first.reportImages?.strip.isEmpty == false)
      #expect(try Inspector().inspect(scene.clip, request).reportImages == first.reportImages)
      #expect(inner.inspections == inspections)
    }
  }

  @Test("previews are made each time, and leave the inspection behind")
  func previews() throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let inspector = scene.inspector(inner)
    for _ in 0..<2 {
      let result = try inspector.inspect(scene.clip, InspectionRequest(preview: .original))
      #expect(result.preview?.isEmpty == false)
      scene.cache.flush()
    }
    let result = try inspector.inspect(scene.clip, InspectionRequest(reportImages: true))
    #expect(result.reportImages != nil)
    #expect(inner.inspections == 3)
    let known = try inspector.inspect(scene.clip, InspectionRequest()).inspection
    #expect(known == result.inspection)
    #expect(inner.inspections == 3)
  }

  @Test("stills are inspected once")
  func stills() throws {
    let scene = try Scene()
    let (picture, _) = try Inspector().inspect(scene.clip.path)
    let drawn = try Inspector().inspect(scene.clip, InspectionRequest(preview: .original))
    try Data(try #require(drawn.preview)).write(to: scene.folder.url("artwork/cover.png"))
    let still = Candidate(path: scene.folder.path("artwork/cover.png"))
    let inner = CountingInspector()
    let inspector = scene.inspector(inner)
    let first = try inspector.inspectStill(still)
    scene.cache.flush()
    #expect(try inspector.inspectStill(still) == first)
    #expect(first.width == picture.facts.displayWidth)
    #expect(inner.stills == 1)
  }

  @Test("where the cache may be another machine's, a copy under another name is known by its bytes")
  func content() throws {
    let scene = try Scene()
    let inner = CountingInspector()
    let inspector = CachingInspector(
      inner, limits: Limits(), cache: scene.cache, isPortable: true)
    let request = InspectionRequest()
    let first = try inspector.inspect(scene.clip, request).inspection
    scene.cache.flush()
    let other = scene.folder.root.appendingPathComponent("other.mp4")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.clip.path.string))
    try bytes.write(to: other)
    let copy = Candidate(path: scene.folder.path("other.mp4"))
    #expect(try inspector.inspect(copy, request).inspection == first)
    #expect(inner.inspections == 1)
    // One byte more in a box that players skip.
    try (bytes + Data([0, 0, 0, 9, 0x66, 0x72, 0x65, 0x65, 1])).write(to: other)
    _ = try inspector.inspect(copy, request)
    #expect(inner.inspections == 2)
    _ = try inspector.inspect(scene.clip, InspectionRequest(everyFrame: true))
    #expect(inner.inspections == 3, "the other request has its own answer")
  }

  @Test("digests are those of the bytes, also after these change")
  func digests() throws {
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
