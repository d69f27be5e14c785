import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("The store")
struct AssetStoreTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("keeps a real clip by its SHA-256, with the preview that the inspector makes")
  func realClip() async throws {
    let clip = Fixture.named("good-1x1.mp4")
    let options = AssetStore.Options(folder: fixture.root)
    let store = try AssetStore.open(options, inspector: Inspector(), logger: StoreFixture.quiet)
    let reference = try StoreFixture.reference("real")
    let (artwork, isNew, _) = try await store.put(reference, .file(path: clip.url.path))
    let digest = try execute("sha256sum \(clip.url.path)").data.prefix(64)
    #expect(isNew && artwork.status == .ready)
    #expect(artwork.digest == String(decoding: digest, as: UTF8.self))
    let expected = try Inspector().inspect(
      Candidate(path: clip.path), InspectionRequest(preview: .original))
    #expect(try await store.inspection(of: artwork).0 == expected.inspection)
    #expect(try await store.preview(reference).bytes == expected.preview)
    let small = try await store.preview(reference, inside: PixelSize(width: 60, height: 40))
    #expect(small.size == PixelSize(width: 40, height: 40))
    let picture = try #require(PNGDecoder.decode(expected.preview ?? []))
    #expect(small.bytes == (try PNGEncoder.encode(picture.scaledDown(to: small.size))))
    // Never larger than it is.
    let large = try await store.preview(reference, inside: PixelSize(width: 9000, height: 9000))
    #expect(large == (try await store.preview(reference)))
  }

  @Test("reads what it has while a change is under way, from the index too")
  func readsDamagedDuringChange() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    let digest = try #require(try await store.put(reference, fixture.source("one")).artwork.digest)
    let description = store.core.layout.asset(digest).appending(StoreLayout.assetFile)
    try Data("damaged".utf8).write(to: URL(filePath: description.string))
    // On the thread of the change: to wait for its end here would never end.
    let inspection = try store.core.change { _ in store.core.inspection(digest) }
    #expect(inspection?.facts.displayWidth == inspection?.facts.displayHeight)
    #expect(inspection != nil)
  }

  @Test("refuses other bytes under an ID that stands for some, and reports what to do")
  func conflict() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source("one"))
    let error = await refusal {
      try await store.put(reference, fixture.source("two", name: "other.mp4"))
    }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("new content needs a new artworkID") == true)
    // Also when the bytes are not here any more, and when the store was opened again.
    _ = try await store.evict(downTo: 0)
    #expect(store.describe(reference)?.status == .registered)
    #expect(await refusal { try await store.put(reference, fixture.source("two")) } != nil)
    // The same bytes from elsewhere are no conflict.
    let again = try await store.put(reference, fixture.source("one", name: "moved.mp4"))
    #expect(again.artwork.status == .ready && !again.isNew)
  }

  /// Whether `read` returns on another thread while a change of the store is made.
  private func returnsDuringChange(
    of core: StoreCore, _ read: @escaping @Sendable () -> Void
  ) throws -> Bool {
    let isRead = DispatchSemaphore(value: 0)
    return try core.change { _ in
      Thread.detachNewThread {
        read()
        isRead.signal()
      }
      return isRead.wait(timeout: .now() + 60) == .success
    }
  }

  @Test("what a video is can be read during a change, also the first time after a start")
  func readsDuringChange() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source("one"))
    let digest = try #require(store.core.present(reference))
    // As after a start: nothing is remembered.
    store.core.state.withLock { state in state.assets[digest]?.brokenRules = [:] }
    let core = store.core
    #expect(try returnsDuringChange(of: core) { _ = core.format(digest) })
    #expect(try returnsDuringChange(of: core) { _ = core.brokenRules(digest, as: .square) })
    #expect(core.format(digest) != nil && core.brokenRules(digest, as: .square) != nil)
  }

  @Test("a hundred callers share one inspection, and a cancelled one disturbs no other")
  func coalescing() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    // Known, but not here.
    let source = try fixture.source("one")
    _ = try await store.put(reference, source)
    _ = try await store.evict(downTo: 0)
    store.core.state.withLock { state in
      for artwork in state.artworks.values {
        if let digest = artwork.digest { state.stills.removeValue(for: digest) }
      }
    }
    let before = fixture.inspector.inspections
    // The inspection ends when the cancelled callers have left.
    fixture.inspector.delay = 600
    let first = Task { try await store.preview(reference) }
    #expect(try await eventually { fixture.inspector.inspections == before + 1 })
    let callers = (0..<99).map { _ in Task { try await store.preview(reference) } }
    let leaving = callers.indices.filter { $0 % 3 == 0 }
    for number in leaving { callers[number].cancel() }
    for number in leaving {
      await #expect(throws: StoreError.self) { try await callers[number].value }
    }
    fixture.inspector.delay = 0
    var previews = [try await first.value]
    for number in callers.indices where !leaving.contains(number) {
      previews.append(try await callers[number].value)
    }
    #expect(previews.count == 67)
    #expect(Set(previews.map(\.tag)).count == 1)
    #expect(fixture.inspector.inspections == before + 1)
  }

  @Test("the same bytes under many IDs are inspected once, also when the first caller is cancelled")
  func sameBytes() async throws {
    fixture.inspector.delay = 600
    let store = try fixture.open()
    let source = try fixture.source("one")
    let references = try (0..<8).map { try StoreFixture.reference("\($0)") }
    let first = Task { _ = try await store.put(references[0], source) }
    #expect(try await eventually { fixture.inspector.inspections == 1 })
    let others = references.dropFirst().map { reference in
      Task { try await store.put(reference, source).artwork.digest }
    }
    #expect(try await eventually { references.allSatisfy { store.status($0) == .preparing } })
    // Eight files were taken in, and nothing runs but the inspection that the first one began: all of them wait for it
    // in a moment.
    #expect(try await eventually { store.usage().pending == 1 })
    try await Task.sleep(for: .milliseconds(100))
    first.cancel()
    fixture.inspector.delay = 0
    var digests: Set<String?> = []
    for other in others { digests.insert(try await other.value) }
    #expect(digests.count == 1)
    #expect(digests.first != .some(nil))
    #expect(fixture.inspector.inspections == 1)
    let incoming = fixture.root.appending("incoming").string
    #expect(
      try await eventually {
        try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty
      })
  }

  @Test("the last caller to be cancelled stops the inspection")
  func lastCallerLeaves() async throws {
    fixture.inspector.delay = 30
    let store = try fixture.open()
    let (reference, source) = (try StoreFixture.reference("a"), try fixture.source("one"))
    let callers = (0..<5).map { _ in Task { _ = try await store.put(reference, source) } }
    #expect(try await eventually { fixture.inspector.inspections > 0 })
    for caller in callers { caller.cancel() }
    #expect(try await eventually { fixture.inspector.stopped > 0 })
    #expect(try await eventually { store.usage().pending == 0 })
    #expect(store.usage().bytes == 0)
  }

  @Test("one request too many is busy", .timeLimit(.minutes(2)))
  func busy() async throws {
    fixture.inspector.delay = 600
    let store = try fixture.open {
      $0.jobs = 1
      $0.waiting = 1
    }
    let sources = try (0..<4).map { try fixture.source("video \($0)", name: "\($0).mp4") }
    // One is inspected and one waits, for as long as the test: the others end.
    let (ended, ends) = AsyncStream.makeStream(of: StoreError.Code.self)
    let callers = try (0..<4).map { number in
      let reference = try StoreFixture.reference("a\(number)")
      return Task {
        let refusal = await refusal { try await store.put(reference, sources[number]) }?.code
        if let refusal { ends.yield(refusal) }
      }
    }
    var codes = ended.makeAsyncIterator()
    for _ in 0..<2 { #expect(await codes.next() == .busy) }
    for caller in callers { caller.cancel() }
  }

  @Test("a refusal is remembered for the same bytes until it expires")
  func refusals() async throws {
    let clock = Mutex(Duration.zero)
    let store = try fixture.open {
      $0.refusalLife = .seconds(60)
      $0.now = { clock.withLock(\.self) }
    }
    let reference = try StoreFixture.reference("a")
    let put = try await store.put(reference, fixture.source("bad video"))
    #expect(put.artwork.status == .refused)
    #expect(try await store.inspection(of: put.artwork).refusal?.code == .notAMovie)
    let first = await refusal { try await store.preview(reference) }?.code
    #expect(first == .refused)
    // Under another name as well: a poisonous file is inspected once.
    try await fixture.put("b", "bad video", name: "b.mp4", into: store)
    #expect(fixture.inspector.inspections == 1)
    clock.withLock { $0 = .seconds(61) }
    let second = await refusal { try await store.preview(reference) }?.code
    #expect(second == .refused)
    #expect(fixture.inspector.inspections == 2)
    // What was refused was never shown: other bytes may have its name.
    let repaired = try await store.put(reference, fixture.source("good video"))
    #expect(repaired.artwork.status == .ready)
  }

  @Test("stays within its budget, least recently used first, and spares what is leased")
  func eviction() async throws {
    // Each takes its 50 bytes and its preview's; the lease may be a copy of 50 bytes.
    let each = 50 + Int64(try ScriptedInspector.previewBytes)
    let store = try fixture.open { $0.byteBudget = 3 * each + 55 }
    let session = SessionReference("test", try SessionSamples.id("s"))
    let names = ["a", "b", "c"]
    for name in names {
      let text = String(repeating: name, count: 50)
      try await fixture.put(name, text, into: store)
      if name == "a" {
        let reference = try StoreFixture.reference("a")
        let lease = try store.core.commit(
          try store.core.prepareLease(.init(session, reference), owner: SessionOwner())
        ).lease
        #expect(lease != nil)
      }
    }
    #expect(store.usage().bytes == 3 * each + store.leases().reduce(0) { $0 + $1.ownBytes })
    _ = try await store.preview(StoreFixture.reference("b"))
    _ = try await store.put(
      StoreFixture.reference("d"), fixture.source(String(repeating: "d", count: 50), name: "d"))
    #expect(store.artworks().map(\.status) == [.ready, .ready, .registered, .ready])
    // Larger than all that may go.
    let large = String(repeating: "e", count: 110 + Int(each))
    #expect(await refusal { try await fixture.put("e", large, into: store) }?.code == .noSpace)
    // Nothing went for what does not fit anyway.
    #expect(store.artworks().map(\.status) == [.ready, .ready, .registered, .ready, .registered])
    #expect(store.leases().allSatisfy { $0.opens })
  }

  @Test("a video is compared with its digest and handed out while a change is made")
  func draftsDuringChange() async throws {
    // Linked, which needs no room in the budget.
    let store = try fixture.open { $0.copyLimit = 0 }
    let reference = try StoreFixture.reference("a")
    let digest = try #require(try await store.put(reference, fixture.source("one")).artwork.digest)
    // Nobody knows any more that its bytes are right.
    store.core.state.withLock { $0.assets[digest]?.stamp = nil }
    let key = StoreState.LeaseKey(SessionReference("test", try SessionSamples.id("s")), reference)
    let core = store.core
    let prepares = Mutex<PreparedLease?>(nil)
    let isPrepared = try returnsDuringChange(of: core) {
      let prepared = try? core.prepareLease(key, owner: SessionOwner())
      prepares.withLock { $0 = prepared }
    }
    #expect(isPrepared)
    let lease = prepares.withLock(\.self)
    #expect(try core.commit(try #require(lease)).isNew)
    #expect(store.lease(key.session, reference)?.opens == true)
  }

  @Test("a file that is being made has its room and its video, and gives both back")
  func preparesTwice() async throws {
    let store = try fixture.open()
    let core = store.core
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source(String(repeating: "a", count: 50)))
    let key = StoreState.LeaseKey(SessionReference("test", try SessionSamples.id("s")), reference)
    let before = store.usage().bytes
    let (first, second) = (
      try core.prepareLease(key, owner: SessionOwner()),
      try core.prepareLease(key, owner: SessionOwner())
    )
    let made = try #require(first.made)
    #expect(store.usage().bytes == before + 2 * made.lease.ownBytes)
    #expect(try core.evict(downTo: 0) == 0)
    #expect(try core.commit(first).isNew)
    // The other request was slower, and gets the same file.
    let (lease, isNew) = try core.commit(second)
    #expect(!isNew && lease == store.lease(key.session, reference))
    #expect(store.usage().bytes == before + made.lease.ownBytes)
    try core.release(key)
    // Given up, and too late.
    core.discard(try core.prepareLease(key, owner: SessionOwner()))
    let late = try core.prepareLease(key, owner: SessionOwner())
    #expect(try core.forget(reference))
    #expect(try core.commit(late).lease == nil)
    #expect(store.usage().bytes == 0 && store.leases().isEmpty)
    #expect(try DurableFiles.names(in: core.layout.incoming).isEmpty)
  }

  @Test("an immutable file is linked, and only such a one", arguments: [true, false])
  func immutable(isImmutable: Bool) async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    let source = try fixture.source("the bytes", immutable: isImmutable)
    let artwork = try await store.put(reference, source).artwork
    let digest = try #require(artwork.digest)
    func inode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    let isLinked =
      try inode(store.core.layout.asset(digest).appending("video.mp4").string)
      == inode(fixture.folder.url("video.mp4").path)
    #expect(isLinked == isImmutable)
  }

  @Test(
    "refuses sources that are no files, with a code and their path",
    arguments: ["missing.mp4", "folder", "pipe", "empty"])
  func badSources(name: String) async throws {
    let store = try fixture.open()
    let path = fixture.folder.url(name).path
    switch name {
    case "folder":
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": _ = try execute("mkfifo \(path)")
    case "empty": _ = FileManager.default.createFile(atPath: path, contents: Data())
    default: break
    }
    let error = await refusal {
      try await store.put(StoreFixture.reference("a"), .file(path: path))
    }
    #expect(error?.code == .sourceUnavailable)
    #expect(error?.message.contains(path) == true)
    #expect(try await store.put(StoreFixture.reference("b"), fixture.source("fine")).isNew)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: store.core.layout.incoming.string)
    #expect(left.isEmpty)
  }

  @Test("a second process learns which process uses the store")
  func locked() throws {
    let store = try fixture.open()
    let error = #expect(throws: StoreError.self) { _ = try fixture.open() }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("process \(ProcessInfo.processInfo.processIdentifier)") == true)
    withExtendedLifetime(store) {}
  }

  @Test("IDs that differ in one byte, or in case, are different artworks and stay below the folder")
  func identities() async throws {
    let store = try fixture.open()
    // é in one scalar and in two, which Swift takes for equal text.
    let ids = [
      "../../x", "a", "A", "\u{e9}", "e\u{301}", "CON", "a\u{0}b",
      String(repeating: "x", count: 1024), "/",
      ".", "a/b",
    ]
    for (number, id) in ids.enumerated() {
      try await fixture.put(id, "video \(number)", name: "\(number)", into: store)
    }
    #expect(Set(store.artworks().map(\.digest)).count == ids.count)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.root.path)
    #expect(
      paths.filter { $0.hasPrefix("store/assets/") && $0.hasSuffix(".json") }.count == ids.count)
    #expect(ArtworkID("") == nil && ArtworkID(String(repeating: "x", count: 1025)) == nil)
  }

  @Test(
    "a preview with loss names the version of its encoder, in its tag and on disk",
    .enabled(if: PictureFormat.webp.isAvailable))
  func previewEncoder() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    let digest = try #require(try await store.put(reference, fixture.source("one")).artwork.digest)
    let box = PixelSize(width: 8, height: 8)
    let preview = try await store.preview(reference, inside: box, as: [.webp])
    let name = "8x8.\(try #require(OptionalLibrary.webP.version)).webp"
    #expect(preview.tag == "\(digest.prefix(32))-\(name)")
    #expect(store.previewTag(reference, inside: box, as: [.webp]) == preview.tag)
  }

  @Test("previews in many sizes are drawn from the stored picture, and leave nothing on the disk")
  func previewSizes() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    let digest = try #require(try await store.put(reference, fixture.source("one")).artwork.digest)
    for side in 1...40 {
      let box = PixelSize(width: side, height: side)
      let preview = try await store.preview(reference, inside: box)
      #expect(preview.size == box && store.previewTag(reference, inside: box) == preview.tag)
    }
    // The video is decoded when it is put, and never again.
    #expect(fixture.inspector.inspections == 1)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: store.core.layout.asset(digest).string)
    #expect(files.sorted() == ["asset.json", "preview.png", "video.mp4"])
  }
}
