import TestSupport

@testable import ArtworkService

/// `artworkd cache` and `artworkd leases`, on a store with two clips of which a session holds one.
@Suite struct CacheCommandTests {
  private let folder: TemporaryFolder
  private let store: String
  private let lease: Lease

  init() async throws {
    folder = try TemporaryFolder()
    store = folder.url("store").path
    lease = try await Self.fill(FilePath(store))
    // The process that filled it releases the lock when its last thread has ended.
    #expect(try await eventually { try run("cache gc").status == 0 })
  }

  private static func open(_ folder: FilePath) throws -> AssetStore {
    try AssetStore.open(
      AssetStore.Options(folder: folder), inspector: Inspector(), logger: StoreFixture.quiet)
  }

  private static func fill(_ folder: FilePath) async throws -> Lease {
    let store = try open(folder)
    let center = try await NowPlayingCenter(store: store)
    for (name, file) in [("album", "good-1x1-2s.mp4"), ("other", "rate-24.mp4")] {
      _ = try await store.put(
        StoreFixture.reference(name), .file(path: Fixture.named(file).url.path))
    }
    let session = try SessionSamples.id("player")
    try await center.publish(
      MediaSession(application: "app", artwork: [.square: SessionSamples.artwork("album")]),
      as: session)
    guard
      case .video(let lease) = try await center.video(for: session, .square, within: .seconds(60))
    else { throw StoreError(.failed, "no video") }
    return lease
  }

  private func run(_ line: String) throws -> BuiltTool.Result {
    try BuiltTool.run("\(line) --store \(store)")
  }

  @Test("list and leases print what is there, as text and as JSON")
  func lists() throws {
    let listed = try run("cache list")
    #expect(listed.status == 0)
    #expect(listed.lines.count == 5)
    #expect(listed.lines[0].hasPrefix("album  1x1  ") && listed.lines[0].hasSuffix("  leased"))
    #expect(listed.lines[2].hasPrefix("other  1x1  "))
    #expect(listed.lines[4].hasPrefix("2 artworks, ") && listed.lines[4].hasSuffix(", 1 lease"))
    let json = try run("cache list --format json").json
    #expect(json["schemaVersion"] == 1)
    #expect(json.at("artworks.*.artworkID") == ["album", "other"])
    #expect(json.at("artworks.*.status") == ["ready", "ready"])
    #expect(json.at("artworks.*.leases") == [1, 0])
    #expect(json.at("artworks.0.digest")?.text == lease.digest)

    let held = try run("leases")
    #expect(held.status == 0)
    #expect(held.lines == [held.lines[0], "  \(lease.file)", "1 lease"])
    #expect(held.lines[0].hasPrefix("player  album  1x1  "))
    let leases = try run("leases --format json").json
    #expect(leases.texts("leases.*.path") == [lease.file.string])
    #expect(leases.at("leases.*.opens") == [true])
  }

  @Test("verify finds what is damaged with 1, gc repairs it, and a lost lease is reported")
  func repairs() throws {
    let good = try run("cache verify")
    #expect(good.status == 0 && good.output == "3 videos read, all intact\n")
    let video = StoreLayout(root: FilePath(store)).asset(lease.digest).appending("video.mp4")
    for path in [video, lease.file] {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path.string))
      try file.write(contentsOf: Data("no movie".utf8))
      try file.close()
    }
    let bad = try run("cache verify")
    #expect(bad.status == 1)
    #expect(bad.lines.last == "3 videos read, 2 problems")
    #expect(bad.output.contains("\(video): its SHA-256 is "))
    #expect(bad.output.contains("artworkd cache gc"))
    let repaired = try run("cache gc")
    #expect(repaired.status == 0, "\(repaired.error)")
    #expect(repaired.output.hasPrefix("2 damaged, 1 leases released, 0 videos removed; "))
    #expect(try run("cache verify").status == 0)
    #expect(try run("leases").output == "0 leases\n")
  }

  @Test("a lease whose file is gone is reported with 1")
  func lostLease() throws {
    try FileManager.default.removeItem(atPath: lease.file.string)
    let held = try run("leases")
    #expect(held.status == 1)
    #expect(held.output.contains("LOST"))
    // The store has its bytes: the next who opens it links it again, at the same path.
    #expect(try run("cache gc").status == 0)
    #expect(try run("leases").status == 0)
    #expect(lease.opens)
  }

  @Test("an index that is lost is made again by gc")
  func lostIndex() throws {
    for suffix in ["", "-wal", "-shm"] { try? folder.remove("store/index.sqlite" + suffix) }
    let verified = try run("cache verify")
    #expect(verified.status == 1 && verified.output.contains("index.sqlite"))
    #expect(try run("cache list").status == 2)
    #expect(try run("cache gc").status == 0)
    #expect(try run("cache verify").status == 0)
    #expect(try run("cache list").lines.count == 5)
  }

  @Test("gc comes down to a budget, clear forgets the rest, and what a session holds stays")
  func removes() throws {
    let collected = try run("cache gc --budget 1")
    #expect(collected.status == 0)
    #expect(collected.output.hasPrefix("0 damaged, 0 leases released, 1 videos removed; "))
    #expect(try run("cache list").output.contains("other  1x1  not stored"))
    let cleared = try run("cache clear")
    #expect(cleared.status == 0)
    #expect(
      cleared.output
        == "1 artwork removed; 1 kept because sessions publish them (artworkd leases)\n")
    #expect(lease.opens)
  }

  @Test("without a store, none is created, and the exit code is 2")
  func none() throws {
    let nowhere = folder.url("nowhere").path
    for line in ["cache list", "cache verify", "cache gc", "cache clear", "leases"] {
      let result = try BuiltTool.run("\(line) --store \(nowhere)")
      #expect(result.status == 2, "\(line)")
      #expect(result.error == "artworkd: no store in \(nowhere)\n", "\(line)")
      #expect(!folder.has("nowhere"), "\(line)")
    }
  }

  @Test("while another process uses the store, list and verify work; gc and clear exit with 75")
  func locked() throws {
    let holder = try Self.open(FilePath(store))
    for verb in ["list", "verify"] { #expect(try run("cache \(verb)").status == 0) }
    for verb in ["gc", "clear"] {
      let result = try run("cache \(verb)")
      #expect(result.status == 75)
      #expect(result.error.contains("process \(getpid()) uses the store"))
    }
    withExtendedLifetime(holder) {}
  }
}
