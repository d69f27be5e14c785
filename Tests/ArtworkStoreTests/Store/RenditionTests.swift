import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

/// Versions of videos that the store makes itself.
@Suite struct RenditionTests {
  private let fixture: StoreFixture
  private let reference: ArtworkReference

  init() throws {
    fixture = try StoreFixture()
    reference = try StoreFixture.reference("a")
  }

  // MARK: What suits a request

  @Test(
    arguments: [
      // The video, the box, and the version.
      (1080, 1080, 500, 500, 540, 540), (1080, 1080, 540, 540, 540, 540),
      (1080, 1080, 541, 541, 720, 720), (1080, 1080, 100, 100, 240, 240),
      // In a wide box the height counts.
      (1080, 1080, 1920, 300, 360, 360), (1080, 1440, 300, 400, 360, 480),
      (2048, 2732, 1000, 4000, 1080, 1440), (3840, 3840, 1500, 1500, 2160, 2160),
      // It would not pay, or would be larger than the video.
      (1080, 1080, 721, 721, 0, 0), (1080, 1080, 4000, 4000, 0, 0), (240, 240, 100, 100, 0, 0),
      (290, 290, 10, 10, 0, 0), (294, 294, 10, 10, 240, 240), (1, 10_000, 5, 5, 0, 0),
    ])
  func `a version fills its box, and is much smaller than the video`(
    width: Int, height: Int, boxWidth: Int, boxHeight: Int, toWidth: Int, toHeight: Int
  ) {
    let key = RenditionKey(
      of: "", (PixelSize(width: width, height: height), "h264"),
      for: RenditionRequest(size: PixelSize(width: boxWidth, height: boxHeight)),
      isPlayable: true)
    #expect(key?.size.width ?? 0 == toWidth && key?.size.height ?? 0 == toHeight)
  }

  @Test func `another codec is replaced in the size of the video`() {
    let size = PixelSize(width: 1081, height: 1080)
    func key(_ codecs: Set<String>?, _ box: Int?) -> RenditionKey? {
      let box = box.map { PixelSize(width: $0, height: $0) }
      return RenditionKey(
        of: "", (size, "hevc"), for: RenditionRequest(size: box, codecs: codecs),
        isPlayable: codecs?.contains("hevc") ?? true)
    }
    #expect(key(["h264"], nil)?.size == PixelSize(width: 1080, height: 1080))
    #expect(key(["h264"], 300)?.size == PixelSize(width: 360, height: 360))
    #expect(key(["h264", "hevc"], nil) == nil && key(nil, 2000) == nil)
    // A rendition would not play.
    #expect(key(["hevc"], 300) == nil)
  }

  // MARK: Made by the store

  private func open(budget: Int64 = 1 << 30) throws -> AssetStore {
    var options = AssetStore.Options(folder: fixture.root)
    options.byteBudget = budget
    return try AssetStore.open(
      options, inspector: Inspector(), clipMaker: Inspector(), logger: StoreFixture.quiet)
  }

  /// One second of 480x480 in H.264.
  private func large() throws -> URL {
    try fixture.folder.ffmpeg(
      "-f lavfi -i testsrc2=s=480x480:r=12:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p "
        + "large.mp4")
    return fixture.folder.url("large.mp4")
  }

  private func publish(
    _ center: NowPlayingCenter, codecs: Set<String>? = nil
  ) async throws -> SessionID {
    let id = try SessionSamples.id("s")
    _ = try await center.publish(
      MediaSession(
        application: "app", artwork: [.square: reference.artworkID], videoCodecs: codecs), as: id)
    return id
  }

  private func lease(
    _ center: NowPlayingCenter, _ id: SessionID, _ side: Int?
  ) async throws -> Lease {
    try await center.lease(id, size: side.map { PixelSize(width: $0, height: $0) })
  }

  /// Codec, width, height and frames according to ffprobe.
  private func facts(_ file: FilePath) throws -> String {
    try probed(file.string, "stream=codec_name,width,height,nb_read_frames")
  }

  private func problems() throws -> [StoreVerification.Problem] {
    try StoreVerification(of: fixture.root).problems
  }

  @Test func `the first request gets the video, and a later one what was made for its size`()
    async throws
  {
    let source = try large()
    let small: Lease
    do {
      let store = try open()
      let center = try await fixture.center(store)
      _ = try await store.put(reference, .file(path: source.path))
      let id = try await publish(center)
      let reported = Mutex(0)
      center.whenChanged { event in
        if case .artwork = event { reported.withLock { $0 += 1 } }
        return true
      }
      let first = try await lease(center, id, 100)
      #expect(first.rendition == nil)
      #expect(try Data(contentsOf: URL(filePath: first.file.string)) == Data(contentsOf: source))
      #expect(try await eventually { try await lease(center, id, 100).rendition != nil })
      small = try await lease(center, id, 240)
      #expect(try await eventually { reported.withLock(\.self) == 1 })
      #expect(small.rendition == PixelSize(width: 240, height: 240) && small.bytes < first.bytes)
      #expect(try facts(small.file) == "h264,240,240,12")
      // One session has both, and each stays.
      #expect(first.opens && store.leases().count == 2)
      #expect(store.describe(reference)?.leases == 1)
      #expect(try await lease(center, id, nil) == first)
      #expect(try problems() == [])
    }
    // It is known after a start, also after one without an index.
    for harm in [false, true] {
      if harm { try FileManager.default.removeItem(atPath: fixture.root.string + "/index.sqlite") }
      let store = try await reopened()
      let center = try await fixture.center(store)
      #expect(store.core.isStored(RenditionKey(digest: digest(store), size: small.rendition!)))
      #expect(store.lease(small.session, reference, rendition: small.rendition) == small)
      #expect(try await lease(center, small.session.id, 200) == small)
    }
    let store = try await reopened()
    let center = try await fixture.center(store)
    _ = try await center.end(small.session.id)
    #expect(store.leases().isEmpty && !small.opens)
    // It goes with what it was made of.
    #expect(try await store.remove(reference))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.root.string + "/assets") == [])
  }

  private func digest(_ store: AssetStore) -> String { store.describe(reference)?.digest ?? "" }

  private func reopened(budget: Int64 = 1 << 30) async throws -> AssetStore {
    var store: AssetStore?
    #expect(
      try await eventually {
        store = try? open(budget: budget)
        return store != nil
      })
    return try #require(store)
  }

  @Test func `a player without HEVC gets H.264, and one without either gets none`() async throws {
    let store = try open()
    let center = try await fixture.center(store)
    let source = Fixture.named("hevc-hvc1.mp4").url
    _ = try await store.put(reference, .file(path: source.path))
    let id = try await publish(center, codecs: ["h264", "vp9"])
    let made = try await lease(center, id, nil)
    let before = try facts(FilePath(source.path))
    #expect(before.hasPrefix("hevc,"))
    #expect(try facts(made.file) == before.replacing("hevc", with: "h264"))
    _ = try await publish(center, codecs: nil)
    let whole = try await lease(center, id, nil)
    #expect(try facts(whole.file) == before)
    _ = try await publish(center, codecs: ["av1"])
    let reason = Presentation.Reason(
      code: "codec-not-supported",
      message:
        "The video is hevc; the player declares only av1, and the service can make only h264.")
    #expect(try await center.reason(id) == reason)
    // What is shown agrees.
    let shown = try center.presentation(of: .square, in: id)
    #expect(shown.reason == reason && shown.show == .preview)
    _ = try await publish(center, codecs: ["av1", "h264"])
    #expect(try center.presentation(of: .square, in: id).show == .video)
    #expect(try problems() == [])
  }

  @Test func `a player of HEVC gets hev1 as hvc1, with the same frames, and others get H.264`()
    async throws
  {
    let store = try open()
    let center = try await fixture.center(store)
    let source = Fixture.named("codec-hev1.mp4").url
    _ = try await store.put(reference, .file(path: source.path))
    let id = try await publish(center, codecs: ["hevc", "h264"])
    let made = try await lease(center, id, nil)
    #expect(made.rendition == nil && made.digest != digest(store))
    #expect(try probe(made.file, "codec_tag_string") == "hvc1")
    #expect(try probe(FilePath(source.path), "codec_tag_string") == "hev1")
    #expect(try frames(made.file) == frames(FilePath(source.path)))
    // It stays, and is there for the next session; one without HEVC gets something else.
    #expect(try await lease(center, id, nil) == made)
    let prepared = try await store.makeReady(reference, RenditionRequest(codecs: ["hevc"]))
    #expect(prepared.bytes == made.bytes && prepared.codec == "hevc" && prepared.rendition == nil)
    _ = try await publish(center, codecs: ["h264"])
    let other = try await lease(center, id, nil)
    #expect(try probe(other.file, "codec_name") == "h264" && other.rendition != nil)
    // What plays on Apple's systems is that copy.
    _ = try await publish(center, codecs: nil)
    #expect(try center.presentation(of: .square, in: id).show == .video)
    #expect(try probe(try await lease(center, id, nil).file, "codec_tag_string") == "hvc1")
    #expect(try problems() == [])
  }

  @Test func `what cannot be copied faithfully is handed out as it is`() async throws {
    var options = AssetStore.Options(folder: fixture.root)
    options.byteBudget = 1 << 30
    let store = try AssetStore.open(options, inspector: Inspector(), logger: StoreFixture.quiet)
    let center = try await fixture.center(store)
    let source = Fixture.named("codec-hev1.mp4").url
    _ = try await store.put(reference, .file(path: source.path))
    let id = try await publish(center, codecs: ["hevc"])
    #expect(try await lease(center, id, nil).digest == digest(store))
  }

  @Test func `what a session asked for comes, though the service died before it was made`()
    async throws
  {
    let (file, id) = (try large(), try SessionSamples.id("s"))
    var paths: [FilePath] = []
    do {
      // It hands out the original and never makes anything.
      let options = AssetStore.Options(folder: fixture.root)
      let store = try AssetStore.open(options, inspector: Inspector(), logger: StoreFixture.quiet)
      let center = try await fixture.center(store)
      _ = try await store.put(reference, .file(path: file.path))
      _ = try await publish(center)
      paths.append(try await lease(center, id, 240).file)
    }
    let store = try await reopened()
    let center = try await fixture.center(store)
    let announced = Mutex(false)
    center.whenChanged { [reference] event in
      if case .artwork(reference, _) = event { announced.withLock { $0 = true } }
      return true
    }
    // Nobody asks.
    #expect(try await eventually { announced.withLock(\.self) })
    #expect(try facts(paths[0]).hasPrefix("h264,480,480"))
    let made = try await lease(center, id, 240)
    #expect(try facts(made.file).hasPrefix("h264,240,240") && paths[0].exists)
    // It is forgotten with what it was asked for.
    #expect(center.state.withLock(\.asked).count == 1)
    #expect(try await center.end(id))
    #expect(center.state.withLock(\.asked).isEmpty)
  }

  private func probe(_ file: FilePath, _ field: String) throws -> String {
    try probed(file.string, "stream=\(field)")
  }

  /// A digest of every frame according to FFmpeg.
  private func frames(_ file: FilePath) throws -> String {
    let result = try execute("ffmpeg -v error -i \(file.string) -f framemd5 -")
    let digests = result.output.split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    #expect(digests.count > 1)
    return digests.joined(separator: "\n")
  }

  @Test(arguments: ["image-anim.gif", "image-anim.apng", "image-anim.webp", "drawing.json"])
  func `moving pictures are handed out as a video of them`(name: String) async throws {
    let file = fixture.folder.url(name)
    if name == "drawing.json" {
      try Data(
        #"{"v":"5.5.0","fr":10,"ip":0,"op":5,"w":60,"h":60,"layers":[{"ty":4,"ip":0,"op":5,"st":0,"ks":{},"shapes":[{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[30,30]},"s":{"a":0,"k":[40,40]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}]}]}"#
          .utf8
      ).write(to: file)
    } else {
      try FileManager.default.copyItem(at: Fixture.named(name).url, to: file)
    }
    let store = try open()
    let center = try await fixture.center(store)
    _ = try await store.put(reference, .file(path: file.path))
    let availability = store.availability(reference)
    guard case .ready(let broken, _, let codec?) = availability else {
      // Without libwebp or rlottie.
      if case .refused = availability { return }
      Issue.record("\(availability)")
      return
    }
    #expect(Presentation.picturesByCodec.contains(codec) && broken.contains("codec"))
    #expect(!broken.contains("aspect-ratio"))
    let id = try await publish(center)
    #expect(try center.presentation(of: .square, in: id).show == .video)
    let made = try await lease(center, id, nil)
    let (before, after) = (
      try Inspector().inspect(FilePath(file.path)).inspection.facts,
      try Inspector().inspect(made.file).inspection.facts
    )
    #expect(after.codec == "h264" && after.container == "mp4" && after.chroma == "4:2:0")
    #expect(abs(after.durationSeconds - before.durationSeconds) < 0.05)
    #expect(after.displayWidth == (codec == "lottie" ? 1080 : before.displayWidth / 2 * 2))
    // A player that takes them gets the file itself.
    _ = try await publish(center, codecs: [codec])
    #expect(try await lease(center, id, nil).bytes == Int64(Data(contentsOf: file).count))
    #expect(try problems() == [])
  }

  @Test func `bytes that somebody put under an ID stay when what they were made of goes`()
    async throws
  {
    let store = try open()
    let source = try large()
    _ = try await store.put(reference, .file(path: source.path))
    let key = RenditionKey(digest: digest(store), size: PixelSize(width: 240, height: 240))
    try await store.make(key)
    let made = try #require(store.core.present(reference, as: key.size))
    let path = store.core.layout.asset(made).appending("video.mp4")
    let other = try StoreFixture.reference("b")
    _ = try await store.put(other, .file(path: path.string))
    #expect(store.describe(other)?.digest == made)
    #expect(try await store.remove(reference))
    #expect(store.core.isStored(made) && path.exists)
    #expect(try await store.remove(other) && !path.exists)
  }

  @Test func `without room for it, the video stays what is handed out`() async throws {
    let source = try large()
    let first: Lease
    let used: Int64
    do {
      let store = try open()
      let center = try await fixture.center(store)
      _ = try await store.put(reference, .file(path: source.path))
      first = try await lease(center, publish(center), nil)
      used = store.usage().bytes
    }
    let store = try await reopened(budget: used + 100)
    let center = try await fixture.center(store)
    let id = first.session.id
    #expect(try await lease(center, id, 100) == first)
    let key = RenditionKey(digest: digest(store), size: PixelSize(width: 240, height: 240))
    #expect(await refusal { try await store.make(key) }?.code == .noSpace)
    #expect(try await lease(center, id, 100) == first)
    #expect(store.usage().bytes == used)
  }

  @Test func `an encoding ends when its artwork is removed`() async throws {
    let encoder = UnfinishedEncoder()
    let store = try AssetStore.open(
      AssetStore.Options(folder: fixture.root), inspector: Inspector(), clipMaker: encoder,
      logger: StoreFixture.quiet)
    let source = Fixture.named("good-1x1.mp4").url
    _ = try await store.put(reference, .file(path: source.path))
    let key = RenditionKey(digest: digest(store), size: PixelSize(width: 8, height: 8))
    let making = Task { try await store.make(key) }
    #expect(try await eventually { encoder.state.withLock(\.self) == .running })
    #expect(try await store.remove(reference))
    #expect(await refusal { try await making.value }?.code == .late)
    #expect(try await eventually { store.encoding.pending == 0 })
    #expect(encoder.state.withLock(\.self) == .cancelled)
    #expect(store.refusals[.version(key)] == nil)
  }

  @Test
  func `a form that is evicted before it is opened is made again, though another was refused`()
    async throws
  {
    let store = try open()
    let source = Fixture.named("good-1x1.mp4").url
    _ = try await store.put(reference, .file(path: source.path))
    let format = try #require(store.core.format(digest(store)))
    let refused = try #require(RenditionKey(of: digest(store), format, as: .webp))
    store.refusals[.version(refused)] = StoreError(.refused, "no such form")
    let first = try #require(try await store.video(reference) { _ in [.webp, .mp4] })
    try first.file.close()
    try FileManager.default.removeItem(
      atPath: store.core.layout.asset(first.tag).appending("video.mp4").string)
    let again = try #require(try await store.video(reference) { _ in [.webp, .mp4] })
    try again.file.close()
    #expect(again.contentType == "video/mp4" && again.bytes == first.bytes)
  }
}

/// Begins to encode, and ends when it is cancelled, or after some seconds.
private final class UnfinishedEncoder: JobRunner {
  enum State { case idle, running, cancelled }

  let state = Mutex(State.idle)
  let limits = Limits()

  func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> Work.Outcome {
    state.withLock { $0 = .running }
    for _ in 0..<300 {
      if isCancelled() {
        state.withLock { $0 = .cancelled }
        break
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw InspectionError(.workerFailed, "not finished")
  }
}
