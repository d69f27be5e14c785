import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkStore

@Suite("A file that was handed out")
struct LeaseHarmTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// What a player may do to its file.
  enum Harm: String, CaseIterable {
    case truncate, append, overwrite, delete, rename, chmod, settled, replace

    func act(on path: String) throws {
      let url = URL(fileURLWithPath: path)
      func write(_ body: (FileHandle) throws -> Void) throws {
        let file = try FileHandle(forUpdating: url)
        try body(file)
        try file.close()
      }
      switch self {
      case .truncate: try write { try $0.truncate(atOffset: 3) }
      case .append:
        try write {
          try $0.seekToEnd()
          try $0.write(contentsOf: Data("more".utf8))
        }
      case .overwrite: try write { try $0.write(contentsOf: Data("OTHER".utf8)) }
      case .delete: try FileManager.default.removeItem(at: url)
      case .rename: try FileManager.default.moveItem(atPath: path, toPath: path + ".mine")
      case .chmod:
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        try write { try $0.write(contentsOf: Data("OTHER".utf8)) }
      case .settled:
        // As long as before, and with the old time of change.
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        try write { try $0.write(contentsOf: Data("OTHER".utf8)) }
        try FileManager.default.setAttributes(
          [.modificationDate: time ?? Date.distantPast], ofItemAtPath: path)
      case .replace:
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      }
    }
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

  private func lease(_ session: SessionID, _ center: NowPlayingCenter) async throws -> Lease {
    let answer = try await center.video(for: session, .square, within: .seconds(60))
    guard case .video(let lease) = answer else {
      throw StoreError(.failed, "no video: \(answer)")
    }
    return lease
  }

  @Test(
    "is the session's own: harm reaches nothing else", arguments: Harm.allCases, [false, true])
  func own(harm: Harm, immutable: Bool) async throws {
    let store = try fixture.open()
    _ = try await store.put(
      StoreFixture.reference("a"), fixture.source(Self.text, immutable: immutable))
    let (center, sessions) = try await center(store)
    let (one, two) = (
      try await lease(sessions[0], center), try await lease(sessions[1], center)
    )
    #expect(one.making != .link && one.making == two.making)
    try harm.act(on: one.file.string)
    let video = FilePath(fixture.folder.appendingPathComponent("video.mp4").path)
    for path in [two.file, try stored(store), video] { #expect(bytes(path) == Self.text) }
    // Everybody is given the right bytes.
    for id in sessions { #expect(bytes(try await lease(id, center).file) == Self.text) }
    #expect(try await lease(sessions[1], center) == two)
    #expect(fixture.inspector.inspections == 1)
  }

  @Test(
    "that is a hard link is read-only, and harm is noticed before it reaches others",
    arguments: Harm.allCases)
  func link(harm: Harm) async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let (one, two) = (
      try await lease(sessions[0], center), try await lease(sessions[1], center)
    )
    try #require(one.making == .link || one.making == .reflink)
    if one.making == .link {
      let mode = try FileManager.default.attributesOfItem(atPath: one.file.string)[
        .posixPermissions]
      #expect(mode as? Int == 0o400)
    }
    try harm.act(on: one.file.string)
    let video = FilePath(fixture.folder.appendingPathComponent("video.mp4").path)
    #expect(bytes(video) == Self.text)
    for id in sessions.reversed() { #expect(bytes(try await lease(id, center).file) == Self.text) }
    #expect(bytes(try stored(store)) == Self.text)
    #expect(bytes(video) == Self.text)
    withExtendedLifetime(two) {}
  }

  @Test("an immutable source is never linked to a session, however large")
  func immutableSource() async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text, immutable: true))
    let (center, sessions) = try await center(store)
    let one = try await lease(sessions[0], center)
    #expect(one.making != .link)
    try Harm.overwrite.act(on: one.file.string)
    #expect(
      bytes(FilePath(fixture.folder.appendingPathComponent("video.mp4").path)) == Self.text)
  }

  @Test("an immutable source that replaces a damaged video with links is not linked either")
  func immutableReplacement() async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    let reference = try StoreFixture.reference("a")
    _ = try await store.put(reference, fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let one = try await lease(sessions[0], center)
    try Harm.overwrite.act(on: one.file.string)
    if one.making != .link { try Harm.overwrite.act(on: stored(store).string) }
    _ = try await store.put(reference, fixture.source(Self.text, name: "mine.mp4", immutable: true))
    #expect(try await lease(sessions[1], center).making != .link)
  }

  @Test(
    "a changed video whose source is gone or other is refused with the reason",
    arguments: [nil, "OTHER"])
  func sourceGone(text: String?) async throws {
    let store = try fixture.open { $0.copyLimit = 5 }
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let kept = try await lease(sessions[0], center)
    if let text {
      _ = try fixture.source(text)
    } else {
      try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent("video.mp4"))
    }
    try Data("OTHER BYTES".utf8).write(to: URL(fileURLWithPath: stored(store).string))
    for _ in 0..<2 {
      let answer = try await center.video(for: sessions[1], .square, within: .seconds(60))
      guard case .none(let code, _) = answer else {
        Issue.record("\(answer)")
        return
      }
      #expect(code == (text == nil ? "source-unavailable" : "conflict"))
    }
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.video(StoreFixture.reference("a")) { _ in [nil] }
    }
    #expect(error?.code == (text == nil ? .sourceUnavailable : .conflict))
    // The right bytes are taken in.
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    for id in sessions { #expect(bytes(try await lease(id, center).file) == Self.text) }
    withExtendedLifetime(kept) {}
  }

  @Test("the right bytes make a stored video good again, which others have damaged")
  func putAgain() async throws {
    let store = try fixture.open()
    let (reference, source) = (try StoreFixture.reference("a"), try fixture.source(Self.text))
    _ = try await store.put(reference, source)
    try Data("OTHER".utf8).write(to: URL(fileURLWithPath: stored(store).string))
    let (artwork, isNew) = try await store.put(reference, source)
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
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let before = try await lease(sessions[0], center)
    try FileManager.default.removeItem(atPath: fixture.root.appending(name).string)
    for id in sessions { #expect(bytes(try await lease(id, center).file) == Self.text) }
    if name != "leases" { #expect(try await lease(sessions[0], center) == before) }
    _ = try await store.put(
      StoreFixture.reference("b"), fixture.source("another video", name: "b"))
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
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    let (center, sessions) = try await center(store)
    let leases = [
      try await lease(sessions[0], center), try await lease(sessions[1], center),
    ]
    if leases[0].making == .reflink { return }
    #expect(leases.map(\.making) == [.copy, .link])
    #expect(store.usage().bytes == 2 * each + preview)
    #expect(store.usage().leasedBytes == store.usage().bytes)
    #expect(try StoreListing(of: fixture.root).bytes == store.usage().bytes)
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.put(StoreFixture.reference("b"), fixture.source("b", name: "b"))
    }
    #expect(error?.code == .noSpace)
    for id in sessions { _ = try await center.end(id) }
    #expect(store.usage().bytes == each + preview)
  }

  @Test("is compared with its digest after the system was started again, and made again")
  func otherBoot() async throws {
    var file: FilePath
    do {
      let store = try fixture.open()
      _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
      let (center, sessions) = try await center(store)
      file = try await lease(sessions[0], center).file
    }
    for (boot, isNoticed) in [(SystemStart.identifier, true), ("another", true)] {
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
      #expect((bytes(file) == Self.text) == isNoticed)
      withExtendedLifetime(store) {}
    }
  }

  @Test("of an earlier version becomes the session's own under its path")
  func earlierVersion() async throws {
    var lease: Lease
    do {
      let store = try fixture.open()
      _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
      let (center, sessions) = try await center(store)
      lease = try await self.lease(sessions[0], center)
      lease.making = nil
      let folder = lease.file.removingLastComponent()
      try FileManager.default.removeItem(atPath: lease.file.string)
      try DurableFiles.link(stored(store), to: lease.file)
      try Data(StoreFormat.bytes(LeaseDocument(lease, "video.mp4", nil))).write(
        to: URL(fileURLWithPath: folder.appending("lease.json").string))
    }
    let store = try await fixture.reopened()
    #expect(store.leases().map(\.file) == [lease.file])
    try Harm.overwrite.act(on: lease.file.string)
    #expect(bytes(try stored(store)) == Self.text)
  }

  @Test("a store reports that it cannot work until it can again")
  func health() async throws {
    let store = try fixture.open { $0.now = { .seconds(2 * Int(ticks.next())) } }
    try await store.checkHealth()
    let incoming = fixture.root.appending("incoming").string
    try FileManager.default.removeItem(atPath: incoming)
    try Data().write(to: URL(fileURLWithPath: incoming))
    let error = await #expect(throws: StoreError.self) { try await store.checkHealth() }
    #expect(error?.code == .failed && error?.message.contains(fixture.root.string) == true)
    try FileManager.default.removeItem(atPath: incoming)
    try await store.checkHealth()
    // The index is made again.
    _ = try await store.put(StoreFixture.reference("a"), fixture.source(Self.text))
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(
        atPath: fixture.root.appending("index.sqlite\(suffix)").string)
    }
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
