import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("A file that was handed out")
struct LeaseHarmTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Writes other bytes, as many.
  private func harm(_ path: FilePath) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.string)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path.string))
    try file.write(contentsOf: Data("OTHER".utf8))
    try file.close()
  }

  private static let text = "the bytes of the video"

  private func bytes(_ path: FilePath) -> String? {
    FileManager.default.contents(atPath: path.string).map { String(decoding: $0, as: UTF8.self) }
  }

  private func stored(_ store: AssetStore) throws -> FilePath {
    let digest = try #require(store.core.record(StoreFixture.reference("a"))?.digest)
    return store.core.layout.asset(digest).appending("video.mp4")
  }

  /// A store with one artwork, and three sessions that publish it.
  private func center(_ store: AssetStore) async throws -> (NowPlayingCenter, [SessionID]) {
    let center = try await NowPlayingCenter(store: store)
    let sessions = try ["one", "two", "three"].map { try #require(SessionID($0)) }
    for id in sessions {
      try await center.publish(
        MediaSession(application: "test", artwork: [.square: try #require(ArtworkID("a"))]), as: id)
    }
    return (center, sessions)
  }

  @Test(
    "is the session's own, or a hard link that is read-only: harm reaches nobody else",
    arguments: [Int64.max, 5])
  func own(copyLimit: Int64) async throws {
    let store = try fixture.open { $0.copyLimit = copyLimit }
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    let (center, sessions) = try await center(store)
    let (one, two) = (try await center.lease(sessions[0]), try await center.lease(sessions[1]))
    #expect(one.making == two.making && one.making != (copyLimit == 5 ? .copy : .link))
    let mode = try FileManager.default.attributesOfItem(atPath: one.file.string)[.posixPermissions]
    #expect(mode as? Int == (one.making == .link ? 0o400 : 0o600))
    try harm(one.file)
    // Everybody is given the right bytes.
    for id in sessions.reversed() { #expect(bytes(try await center.lease(id).file) == Self.text) }
    #expect(bytes(try stored(store)) == Self.text)
    #expect(bytes(fixture.folder.path("video.mp4")) == Self.text)
    #expect(fixture.inspector.inspections == (one.making == .link ? 2 : 1))
  }

  @Test("an immutable source is never linked to a session, however large")
  func immutableSource() async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text, immutable: true))
    let (center, sessions) = try await center(store)
    let one = try await center.lease(sessions[0])
    #expect(one.making != .link)
    try harm(one.file)
    #expect(bytes(fixture.folder.path("video.mp4")) == Self.text)
  }

  @Test("an immutable source that replaces a damaged video with links is not linked either")
  func immutableReplacement() async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let one = try await center.lease(sessions[0])
    try harm(one.file)
    if one.making != .link { try harm(stored(store)) }
    _ = try await store.put(reference, fixture.source(Self.text, name: "mine.mp4", immutable: true))
    #expect(try await center.lease(sessions[1]).making != .link)
  }

  @Test(
    "a changed video whose source is gone or other is refused with the reason",
    arguments: [nil, "OTHER"])
  func sourceGone(text: String?) async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    let (center, sessions) = try await center(store)
    let kept = try await center.lease(sessions[0])
    if let text {
      _ = try fixture.source(text)
    } else {
      try fixture.folder.remove("video.mp4")
    }
    try Data("OTHER BYTES".utf8).write(to: URL(fileURLWithPath: stored(store).string))
    for _ in 0..<2 {
      let reason = try await center.reason(sessions[1])
      #expect(reason?.code == (text == nil ? "source-unavailable" : "conflict"))
    }
    let error = await refusal { try await store.video(StoreFixture.reference("a")) { _ in [nil] } }
    #expect(error?.code == (text == nil ? .sourceUnavailable : .conflict))
    // The right bytes are taken in.
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    for id in sessions { #expect(bytes(try await center.lease(id).file) == Self.text) }
    withExtendedLifetime(kept) {}
  }

  @Test("the right bytes make a stored video good again, which others have damaged")
  func putAgain() async throws {
    let store = try fixture.open()
    let (reference, source) = (try StoreFixture.reference("a"), try fixture.source(Self.text))
    _ = try await store.put(reference, source)
    try Data("OTHER".utf8).write(to: URL(fileURLWithPath: stored(store).string))
    let (artwork, isNew, _) = try await store.put(reference, source)
    #expect(artwork.status == .ready && !isNew)
    #expect(bytes(try stored(store)) == Self.text)
    // Also under another ID.
    try Data("OTHER".utf8).write(to: URL(fileURLWithPath: stored(store).string))
    _ = try await store.put(StoreFixture.reference("b"), source)
    #expect(bytes(try stored(store)) == Self.text)
    #expect(store.artworks().map(\.status) == [.ready, .ready])
  }

  @Test("a preview that is removed is drawn again")
  func previewRemoved() async throws {
    let store = try fixture.open()
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source(Self.text))
    let before = try await store.preview(reference)
    let folder = try stored(store).removingLastComponent()
    try FileManager.default.removeItem(atPath: folder.appending("preview.png").string)
    #expect(try await store.preview(reference).size == before.size)
    #expect(folder.appending("preview.png").exists)
  }

  @Test(
    "folders that another program removes are made again",
    arguments: ["leases", "incoming", "assets"])
  func lostFolder(name: String) async throws {
    let store = try fixture.open()
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    let (center, sessions) = try await center(store)
    let before = try await center.lease(sessions[0])
    try FileManager.default.removeItem(atPath: fixture.root.appending(name).string)
    for id in sessions { #expect(bytes(try await center.lease(id).file) == Self.text) }
    if name != "leases" { #expect(try await center.lease(sessions[0]) == before) }
    try await fixture.put("b", "another video", into: store)
    #expect(store.artworks().map(\.status) == [.ready, .ready])
    #expect(try await center.end(sessions[0]))
    try await store.checkHealth()
    #expect(fixture.root.appending(name).exists)
  }

  @Test("copies count, and what does not fit beside them is linked or refused")
  func budget() async throws {
    let each = Int64(Self.text.utf8.count)
    let preview = Int64(try ScriptedInspector.previewBytes)
    let store = try fixture.open { $0.byteBudget = 2 * each + preview }
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    let (center, sessions) = try await center(store)
    let leases = [try await center.lease(sessions[0]), try await center.lease(sessions[1])]
    if leases[0].making == .reflink { return }
    #expect(leases.map(\.making) == [.copy, .link])
    #expect(store.usage().bytes == 2 * each + preview)
    #expect(store.usage().leasedBytes == store.usage().bytes)
    #expect(try StoreListing(of: fixture.root).bytes == store.usage().bytes)
    #expect(
      await refusal {
        try await store.put(StoreFixture.reference("b"), fixture.source("b", name: "b"))
      }?.code == .noSpace)
    for id in sessions { _ = try await center.end(id) }
    #expect(store.usage().bytes == each + preview)
  }

  @Test("is compared with its digest after the system was started again, and made again")
  func otherBoot() async throws {
    var file: FilePath
    do {
      let store = try fixture.open()
      try await fixture.put("a", Self.text, name: "video.mp4", into: store)
      let (center, sessions) = try await center(store)
      file = try await center.lease(sessions[0]).file
    }
    for boot in [SystemStart.identifier, "another"] {
      // What a crash of the system leaves of a copy that was not synced.
      try Data(repeating: 0, count: Self.text.utf8.count).write(
        to: URL(fileURLWithPath: file.string))
      let path = file.removingLastComponent().appending("lease.json")
      var document = try #require(
        StoreFormat.document(
          LeaseDocument.self, Array(try Data(contentsOf: URL(fileURLWithPath: path.string)))))
      let stamp = try #require(FileStamp(of: file))
      document.seen = boot.map { LeaseDocument.Seen(stamp: stamp, boot: $0) }
      if boot == SystemStart.identifier { document.seen?.stamp.state.size += 1 }
      try Data(StoreFormat.bytes(document)).write(to: URL(fileURLWithPath: path.string))
      let store = try await fixture.reopened()
      #expect(bytes(file) == Self.text)
      withExtendedLifetime(store) {}
    }
  }

  @Test("a store reports that it cannot work until it can again")
  func health() async throws {
    let store = try fixture.open { $0.now = { .seconds(2 * Int(ticks.next())) } }
    try await store.checkHealth()
    let incoming = fixture.root.appending("incoming").string
    try FileManager.default.removeItem(atPath: incoming)
    try Data().write(to: URL(fileURLWithPath: incoming))
    let error = await refusal { try await store.checkHealth() }
    #expect(error?.code == .failed && error?.message.contains(fixture.root.string) == true)
    try FileManager.default.removeItem(atPath: incoming)
    try await store.checkHealth()
    // The index is made again.
    try await fixture.put("a", Self.text, name: "video.mp4", into: store)
    fixture.removeIndex()
    try await store.checkHealth()
    #expect(try StoreListing(of: fixture.root).artworks.map(\.status) == [.ready])
    // Without its folder, nothing helps.
    try FileManager.default.removeItem(atPath: fixture.root.string)
    await #expect(throws: StoreError.self) { try await store.checkHealth() }
  }

  private let ticks = Ticks()
}

/// 0, 1, 2 and so on.
private final class Ticks: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
