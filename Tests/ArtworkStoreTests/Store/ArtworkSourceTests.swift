import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("Where an artwork comes from")
struct ArtworkSourceTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Brings the bytes of the URL, those of `slow` ones when the gate is opened.
  private final class GatedFetcher: ArtworkFetcher {
    let asked = Mutex<[String]>([])
    let isOpen = Mutex(false)

    func check(_ url: String) throws(StoreError) {}

    func fetch(
      _ url: String, into file: FileDescriptor, byteLimit: Int64,
      isCrowded: @escaping @Sendable () -> Bool
    ) async throws(StoreError) {
      asked.withLock { $0.append(url) }
      do {
        while url.contains("slow"), !isOpen.withLock(\.self) {
          try await Task.sleep(for: .milliseconds(5))
        }
        _ = try file.writeAll(Array(url.utf8))
      } catch {
        throw error as? StoreError ?? StoreError(.sourceUnavailable, "\(error)")
      }
    }
  }

  @Test("what was registered outlives the index, with its bytes")
  func outlivesIndex() async throws {
    let names = ["kept", "waiting", "web", "removed", "evicted"]
    let all = try names.map { try StoreFixture.reference($0) }
    var digest: String?
    do {
      let store = try fixture.open(fetcher: GatedFetcher())
      for (name, reference) in zip(names, all) where name != "web" {
        let source = try fixture.source("video \(name)", name: "\(name).mp4")
        let isPut = name == "kept" || name == "evicted"
        _ = try await store.put(reference, source, prepares: isPut)
      }
      _ = try await store.put(all[2], .url("https://a.example/slow.mp4"))
      #expect(try await store.remove(all[3]))
      digest = store.core.record(all[4])?.digest
      _ = try await store.evict(downTo: 0)
    }
    let store = try await withoutIndex()
    #expect(Set(store.artworks().map(\.reference)) == Set([all[0], all[1], all[2], all[4]]))
    // An ID still stands for the bytes that it stood for.
    #expect(digest != nil && store.core.record(all[4])?.digest == digest)
    #expect(store.repairs >= 1)
  }

  private func bytes(_ reference: ArtworkReference, _ store: AssetStore) async throws -> String {
    let video = try #require(try await store.video(reference) { _ in [nil] })
    defer { try? video.file.close() }
    let handle = FileHandle(fileDescriptor: video.file.rawValue, closeOnDealloc: false)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test(
    "a download from a source that was replaced meanwhile has no effect",
    arguments: [false, true])
  func overtaken(isRemoved: Bool) async throws {
    let old = "slow"
    let fetcher = GatedFetcher()
    let store = try fixture.open(fetcher: fetcher)
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, .url(old))
    let early = Task { try await bytes(reference, store) }
    #expect(try await eventually { fetcher.asked.withLock { $0 == [old] } })
    if isRemoved {
      #expect(try await store.remove(reference))
      let error = await refusal { try await early.value }
      #expect(error?.code == .unknownArtwork)
    }
    _ = try await store.put(reference, .url("new"))
    // Nobody waits for the old one, which never ends by itself.
    let late = Task { try await bytes(reference, store) }
    if !isRemoved { #expect(try await early.value == "new") }
    #expect(try await late.value == "new")
    #expect(fetcher.asked.withLock { $0 == [old, "new"] })
    #expect(store.describe(reference)?.source == .url("new"))
    #expect(store.describe(reference)?.status == .ready)
  }

  @Test("slow hosts stop no other, and a download that waits for its turn comes")
  func slowHosts() async throws {
    let fetcher = GatedFetcher()
    let store = try fixture.open(fetcher: fetcher)
    func ask(_ url: String) async throws -> Task<String, any Error> {
      let reference = try StoreFixture.reference(url)
      _ = try await store.put(reference, .url(url))
      return Task { try await bytes(reference, store) }
    }
    var slow: [Task<String, any Error>] = []
    for number in 1...5 { slow.append(try await ask("https://a.example/slow\(number)")) }
    #expect(try await eventually { fetcher.asked.withLock { $0.count == 2 } })
    let quick = try await ask("https://b.example/quick")
    #expect(try await quick.value == "https://b.example/quick")
    #expect(fetcher.asked.withLock { $0.count { $0.contains("slow") } } == 2)
    // One that nobody waits for any more gives up its turn.
    slow[4].cancel()
    fetcher.isOpen.withLock { $0 = true }
    for (number, task) in slow.dropLast().enumerated() {
      #expect(try await task.value == "https://a.example/slow\(number + 1)")
    }
    #expect(fetcher.asked.withLock { $0.count { $0.contains("slow") } } == 4)
  }

  @Test("a file that is registered without an inspection is taken in on the first request")
  func lazyFile() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    let put = try await store.put(reference, fixture.source("bytes"), prepares: false)
    #expect(put.isNew && put.artwork.status == .registered && put.artwork.digest == nil)
    #expect(fixture.inspector.inspections == 0)
    #expect(try await bytes(reference, store) == "bytes")
    #expect(store.describe(reference)?.status == .ready)
    // Nothing is inspected, so nothing can be missing yet.
    let missing = ArtworkSource.file(path: fixture.folder.url("nothing.mp4").path)
    let other = try StoreFixture.reference("b")
    #expect(try await store.put(other, missing, prepares: false).artwork.status == .registered)
    let error = await refusal { try await store.preview(other) }
    #expect(error?.code == .sourceUnavailable && error?.isOfLocalFile == true)
  }

  @Test("a known artwork stays known when its file has gone, and an unknown one is refused")
  func goneFile() async throws {
    let store = try fixture.open()
    let (reference, other) = (try StoreFixture.reference("a"), try StoreFixture.reference("b"))
    let source = try fixture.source("bytes")
    _ = try await store.put(reference, source)
    try fixture.folder.remove("video.mp4")
    let again = try await store.put(reference, source)
    #expect(!again.isNew && again.artwork.status == .ready)
    for (reference, source) in [
      (other, source), (reference, .file(path: fixture.folder.url("elsewhere.mp4").path)),
    ] {
      let error = await refusal { try await store.put(reference, source) }
      #expect(error?.code == .sourceUnavailable)
    }
    // Once the video is evicted, there is nothing left to know.
    _ = try await store.evict(downTo: 0)
    #expect(await refusal { try await store.put(reference, source) }?.code == .sourceUnavailable)
  }

  @Test("a file URL names any path, also one that is not UTF-8")
  func fileURLs() async throws {
    let store = try fixture.open()
    let path = FilePath(
      bytes: FilePath(fixture.folder.root.path).pathBytes + [0x2f, 0x20, 0xff, 0x25])
    let file = try FileDescriptor.open(
      path, .writeOnly, options: .create, permissions: .ownerReadWrite)
    _ = try file.closeAfter { try file.writeAll(Array("bytes".utf8)) }
    let reference = try StoreFixture.reference("a")
    for (index, start) in ["file://", "file:", "FILE://localhost"].enumerated() {
      let source = ArtworkSource.url(start + path.percentEncoded)
      let put = try await store.put(reference, source, prepares: index != 1)
      #expect(put.artwork.status == (index == 1 ? .registered : .ready))
      #expect(try await bytes(reference, store) == "bytes")
      _ = try await store.remove(reference)
    }
  }

  @Test(
    "a file URL of another form is refused",
    arguments: [
      "file:a.mp4", "file://host/a.mp4", "file:///a?b", "file:///a#b", "file:///%zz",
      "file:///%00", "file://", "file:",
    ])
  func wrongFileURLs(url: String) async throws {
    let store = try fixture.open()
    for prepares in [false, true] {
      let error = await refusal {
        try await store.put(StoreFixture.reference("a"), .url(url), prepares: prepares)
      }
      #expect(error?.code == .badRequest)
    }
  }

  @Test("a download for a removed artwork does not restore it")
  func removed() async throws {
    let fetcher = GatedFetcher()
    let store = try fixture.open(fetcher: fetcher)
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, .url("slow"))
    let caller = Task { _ = try await store.preview(reference) }
    #expect(try await eventually { fetcher.asked.withLock { $0 == ["slow"] } })
    #expect(try await store.remove(reference))
    #expect(await refusal { try await caller.value }?.code == .unknownArtwork)
    #expect(store.artworks().isEmpty && store.usage().bytes == 0)
    // Put again, it is fetched anew, and not by what was stopped.
    _ = try await store.put(reference, .url("slow"))
    let next = Task { try await bytes(reference, store) }
    #expect(try await eventually { fetcher.asked.withLock { $0 == ["slow", "slow"] } })
    fetcher.isOpen.withLock { $0 = true }
    #expect(try await next.value == "slow")
  }

  @Test("a cancelled download is not a refusal")
  func abandoned() async throws {
    let fetcher = GatedFetcher()
    let store = try fixture.open(fetcher: fetcher)
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, .url("slow"))
    let caller = Task { _ = try await store.preview(reference) }
    #expect(try await eventually { fetcher.asked.withLock { $0.count == 1 } })
    caller.cancel()
    await #expect(throws: StoreError.self) { try await caller.value }
    // Its work ends a moment later.
    try await Task.sleep(for: .milliseconds(100))
    #expect(store.status(reference) == .registered)
    fetcher.isOpen.withLock { $0 = true }
    #expect(try await bytes(reference, store) == "slow")
  }

  @Test("a file that is being inspected when another source is registered has no effect")
  func overtakenFile() async throws {
    fixture.inspector.delay = 600
    let store = try fixture.open(fetcher: GatedFetcher())
    let (reference, source) = (try StoreFixture.reference("a"), try fixture.source("file"))
    let early = Task { _ = try await store.put(reference, source) }
    #expect(try await eventually { fixture.inspector.inspections == 1 })
    _ = try await store.put(reference, .url("new"))
    fixture.inspector.delay = 0
    #expect(await refusal { try await early.value }?.code == .late)
    #expect(try await bytes(reference, store) == "new")
    #expect(store.describe(reference)?.source == .url("new"))
  }

  @Test("the source that was named last is known after the index was lost")
  func sourceOutlivesIndex() async throws {
    let reference = try StoreFixture.reference("a")
    let sources = try ["x", "y"].map { try fixture.source("same", name: $0) }
    do {
      let store = try fixture.open(fetcher: GatedFetcher())
      for source in sources { _ = try await store.put(reference, source) }
    }
    for expected in [sources[1], .url("z")] {
      let store = try await withoutIndex()
      #expect(store.core.record(reference)?.source == expected)
      try store.core.register(reference, .url("z"))
    }
  }

  /// Opens the store whose index has gone.
  private func withoutIndex() async throws -> AssetStore {
    var store: AssetStore?
    #expect(
      try await eventually {
        fixture.removeIndex()
        store = try? fixture.open()
        return store != nil
      })
    return try #require(store)
  }

  @Test("a file that cannot be taken does not become the source of what stands for bytes")
  func keepsKnown() throws {
    let store = try fixture.open()
    let (reference, source) = (try StoreFixture.reference("a"), try fixture.source("one"))
    try store.core.register(reference, source, keepsKnown: true)
    let staged = try StagedVideo.create(
      fixture.folder.path("video.mp4"), immutable: false,
      into: store.core.layout, limit: 100, isCancelled: { false })
    let inspected = try fixture.inspector.inspect(
      Candidate(path: staged.path), InspectionRequest(preview: .original))
    try store.core.adopt(
      staged, inspected.inspection, preview: [1],
      as: StoreCore.Claim(reference: reference, source: source, formerSource: source))
    try store.core.register(reference, .file(path: "/other"), keepsKnown: true)
    #expect(store.core.record(reference)?.source == source)
    try store.core.register(reference, .file(path: "/other"))
    #expect(store.core.record(reference)?.source == .file(path: "/other"))
  }

  @Test(
    "what was removed stays removed when the index is lost, and its ID may stand for other bytes")
  func removedName() async throws {
    do {
      let store = try fixture.open()
      for name in ["a", "b"] { try await fixture.put(name, "one", into: store) }
      #expect(try await store.remove(StoreFixture.reference("a")))
      try await fixture.put("a", "two", name: "c", into: store)
    }
    let store = try await withoutIndex()
    #expect(try await bytes(StoreFixture.reference("a"), store) == "two")
    #expect(try await bytes(StoreFixture.reference("b"), store) == "one")
  }

  @Test("a file larger than the whole budget is not taken in, and nothing goes for it")
  func largerThanBudget() async throws {
    let store = try fixture.open { $0.byteBudget = 1000 }
    try await fixture.put("a", "one", into: store)
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.put(
        StoreFixture.reference("b"),
        fixture.source(String(repeating: "b", count: 1001), name: "b"))
    }
    #expect(error?.code == .sourceUnavailable)
    #expect(error?.message.contains("at most 1000") == true)
    #expect(store.artworks().map(\.status) == [.ready])
  }
}
