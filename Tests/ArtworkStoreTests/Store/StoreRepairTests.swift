import Logging
import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("A store that was damaged")
struct StoreRepairTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// A store with three artworks, two of them the same bytes, and a lease on one; closed again.
  private func fill() async throws -> Lease {
    let store = try fixture.open()
    for (name, text) in [("a", "one"), ("b", "two"), ("a-again", "one")] {
      try await fixture.put(name, text, into: store)
    }
    let session = SessionReference("test", try SessionSamples.id("s"))
    return try #require(
      try store.core.commit(
        try store.core.prepareLease(
          .init(session, StoreFixture.reference("a")), owner: SessionOwner())
      ).lease)
  }

  private var layout: StoreLayout { StoreLayout(root: fixture.root) }

  @Test("a file that cannot be read now does not count as damaged")
  func unreadable() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      chmod(folder.root.path, 0o755)
      let file = folder.path("asset.json")
      try folder.write("{}", to: "asset.json")
      chmod(file.string, 0)
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      #expect(throws: StoreError.self) { try StoreCore.document(in: folder.path("")) }
      #expect(throws: StoreError.self) { try StoreCore.asset(in: folder.path(""), nil) }
      #expect(try StoreCore.contents(of: folder.path("none.json"), atMost: 10) == nil)
      #expect(try StoreCore.contents(of: folder.path(""), atMost: 10) == nil)
      _ = seteuid(getuid())
    }
  }

  @Test(
    "makes its index again and keeps artworks and leases",
    arguments: ["removed", "flipped", "truncated", "text", "row"])
  func index(damage: String) async throws {
    let lease = try await fill()
    _ = try await fixture.reopened()
    let path = layout.index.string
    #expect(try await eventually { (try? fixture.open()) != nil })
    switch damage {
    case "removed": try FileManager.default.removeItem(atPath: path)
    case "flipped":
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      for place in stride(from: 0, to: bytes.count, by: 97) { bytes[place] ^= 0xff }
      try bytes.write(to: URL(fileURLWithPath: path))
    case "truncated":
      try Data(Data(contentsOf: URL(fileURLWithPath: path)).prefix(5000)).write(
        to: URL(fileURLWithPath: path))
    case "row": try changeIndex("UPDATE artwork SET source = x'00'")
    default: try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    }
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    #expect(try StoreVerification(of: fixture.root).problems.map(\.path) == [layout.index])
    #expect(throws: StoreError.self) { _ = try StoreListing(of: fixture.root) }
    let store = try await fixture.reopened()
    #expect(try StoreVerification(of: fixture.root).problems.isEmpty)
    #expect(store.artworks().map(\.reference.artworkID.text) == ["a", "a-again", "b"])
    #expect(store.artworks().allSatisfy { $0.status == .ready })
    #expect(store.leases() == [lease] && lease.opens)
    // And it still knows what each ID stands for.
    #expect(
      await refusal { try await store.put(StoreFixture.reference("b"), fixture.source("other")) }
        != nil)
  }

  private func changeIndex(_ statement: String) throws {
    let program =
      "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
    let ended = try execute("/usr/bin/python3 -c", [program, layout.index.string, statement])
    #expect(ended.status == 0)
  }

  @Test(
    "of another version is refused as it is, by name and with the remedy, also without its index",
    arguments: [(2, "an earlier"), (99, "a later"), (nil, "an earlier")])
  func otherFormat(format: Int?, version: String) async throws {
    let lease = try await fill()
    let digest = try await fixture.reopened().core.present(StoreFixture.reference("a"))
    #expect(try await eventually { (try? fixture.open()) != nil })
    if let format {
      try changeIndex("PRAGMA user_version=\(format)")
    } else {
      fixture.removeIndex()
      let path = layout.asset(try #require(digest)).appending(StoreLayout.assetFile).string
      let document = try String(contentsOfFile: path, encoding: .utf8)
      try document.replacing("\"format\":\(StoreFormat.current)", with: "\"format\":1").write(
        toFile: path, atomically: false, encoding: .utf8)
    }
    let before = try FileManager.default.subpathsOfDirectory(atPath: layout.assets.string)
    for open in [
      { _ = try fixture.open() }, { _ = try StoreListing(of: fixture.root) },
      { _ = try StoreVerification(of: fixture.root) },
    ].prefix(format == nil ? 1 : 3) {
      let error = #expect(throws: StoreError.self, performing: open)
      let message = error?.message ?? ""
      #expect(
        error?.code == .failed && message.hasPrefix("\(fixture.root) is a store of \(version)"))
      #expect(message.contains("remove the folder or choose another one with --store"))
    }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: layout.assets.string) == before)
    #expect(lease.opens)
  }

  @Test("goes on when the index is damaged under it")
  func damagedMeanwhile() async throws {
    let store = try fixture.open()
    try await fixture.put("a", "one", into: store)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: layout.index.string))
    try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try file.close()
    let log = try FileHandle(forWritingTo: URL(fileURLWithPath: layout.index.string + "-wal"))
    try log.truncate(atOffset: 0)
    try log.close()
    try await fixture.put("b", "two", into: store)
    #expect(store.artworks().map(\.status) == [.ready, .ready])
    try await fixture.put("c", "three", into: store)
  }

  @Test("what is damaged is found by reading, and repaired")
  func repair() async throws {
    let lease = try await fill()
    do {
      let store = try await fixture.reopened()
      let digests = try ["a", "b"].map {
        try #require(store.core.record(StoreFixture.reference($0))?.digest)
      }
      // As many bytes, others.
      for path in [layout.asset(digests[0]).appending("video.mp4"), lease.file] {
        try Data("ONE".utf8).write(to: URL(fileURLWithPath: path.string))
      }
      try Data("no picture".utf8).write(
        to: URL(fileURLWithPath: layout.asset(digests[1]).appending("preview.png").string))
      try Data("{".utf8).write(
        to: URL(fileURLWithPath: layout.asset(digests[1]).appending("asset.json").string))
      try FileManager.default.createDirectory(
        atPath: layout.leases.appending("stray").string, withIntermediateDirectories: false)
      let found = try StoreVerification(of: fixture.root)
      #expect(
        Set(found.problems.map(\.path)) == [
          layout.asset(digests[0]).appending("video.mp4"), lease.file,
          layout.asset(digests[1]).appending("preview.png"),
          layout.asset(digests[1]).appending("asset.json"), layout.leases.appending("stray"),
        ])
      // What is repaired does not need its source.
      try fixture.folder.remove("b")
      #expect(try await store.repair() == 5)
      #expect(try StoreVerification(of: fixture.root).problems.isEmpty)
      #expect(store.artworks().map(\.status) == [.registered, .registered, .ready])
      #expect(store.leases().isEmpty && store.usage().bytes == 3)
      let names = store.core.assetDocument(digests[1])?.artworks
      #expect(names?.map(\.reference.artworkID.text) == ["b"])
      let preview = try await store.preview(StoreFixture.reference("b"))
      #expect(PNGDecoder.decode(preview.bytes) != nil)
      #expect(layout.asset(digests[1]).appending("preview.png").exists)
    }
    // And after the next start.
    let store = try await fixture.reopened()
    #expect(store.artworks().map(\.status) == [.registered, .registered, .ready])
    #expect(try StoreVerification(of: fixture.root).problems.isEmpty)
  }

  @Test("a lease whose bytes are wrong gets the right ones from the store")
  func relink() async throws {
    let lease = try await fill()
    let store = try await fixture.reopened()
    try FileManager.default.removeItem(atPath: lease.file.string)
    try Data("ONE".utf8).write(to: URL(fileURLWithPath: lease.file.string))
    _ = try await store.repair()
    #expect(FileManager.default.contents(atPath: lease.file.string) == Data("one".utf8))
    #expect(store.leases() == [lease])
  }

  @Test("a lease whose video is lost goes with its session, and its session may ask again")
  func lostLease() async throws {
    let lease = try await fill()
    _ = try await fixture.reopened()
    for path in [lease.file, layout.asset(lease.digest)] {
      try FileManager.default.removeItem(atPath: path.string)
    }
    let store = try await fixture.reopened()
    #expect(store.leases() == [lease] && !lease.opens)
    #expect(try StoreVerification(of: fixture.root).problems.map(\.path) == [lease.file])
    try await store.prepare(StoreFixture.reference("a"))
    let again = try store.core.commit(
      try store.core.prepareLease(
        .init(lease.session, StoreFixture.reference("a")), owner: SessionOwner())
    ).lease
    #expect(again?.opens == true && again?.file != lease.file)
    #expect(try store.core.release(.init(lease.session, lease.reference)))
    #expect(try StoreCore.names(in: layout.leases).isEmpty)
  }

  @Test(
    "a folder that cannot be listed is an error, and nothing of it counts as gone",
    arguments: ["assets", "leases"])
  func unlistable(_ name: String) async throws {
    let lease = try await fill()
    let folder = layout.root.appending(name)
    let moved = layout.root.appending("moved")
    try FileManager.default.moveItem(atPath: folder.string, toPath: moved.string)
    try Data().write(to: URL(fileURLWithPath: folder.string))
    #expect(throws: StoreError.self) { _ = try StoreVerification(of: fixture.root) }
    #expect(throws: StoreError.self) {
      _ = try StoreCore.open(
        fixture.root, byteBudget: 1 << 20, profile: .nowPlaying, logger: Logger(label: "test"))
    }
    try FileManager.default.removeItem(atPath: folder.string)
    try FileManager.default.moveItem(atPath: moved.string, toPath: folder.string)
    let store = try await fixture.reopened()
    #expect(store.leases() == [lease] && lease.opens)
    #expect(try StoreVerification(of: fixture.root).problems.isEmpty)
  }

  @Test(
    "a folder of other files is refused, and nothing in it changes",
    arguments: ["site.css", "assets/logo.png", "incoming/upload.bin"])
  func foreign(_ name: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url("web/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.root.path)
    let error = #expect(throws: StoreError.self) {
      _ = try StoreCore.open(
        folder.path("web"), byteBudget: 1 << 20, profile: .nowPlaying, logger: Logger(label: "test")
      )
    }
    #expect(error?.message.contains("holds files that are no store") == true)
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.root.path) == before)
  }

  @Test("a lease that its player has renamed goes, and what was never a lease stays")
  func renamedLease() async throws {
    let lease = try await fill()
    let folder = lease.file.removingLastComponent()
    let renamed = layout.leases.appending("\(folder.lastComponent?.string ?? "").x")
    try DurableFiles.rename(folder, to: renamed)
    try Data("mine".utf8).write(to: URL(filePath: layout.leases.appending("notes").string))
    let store = try await fixture.reopened()
    #expect(!renamed.exists && layout.leases.appending("notes").exists)
    #expect(store.leases().isEmpty)
  }

  @Test("an entry that no store makes stays where it is, and an empty folder becomes private")
  func unknownEntries() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("store"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try folder.make("store/lost+found")
    func open() throws {
      _ = try StoreCore.open(
        folder.path("store"), byteBudget: 1 << 20, profile: .nowPlaying,
        logger: Logger(label: "test"))
    }
    try open()
    let mode = try FileManager.default.attributesOfItem(atPath: folder.url("store").path)
    #expect(mode[.posixPermissions] as? Int == 0o700)
    let made = String(repeating: "0", count: 32)
    for name in ["assets/notes", "incoming/notes", "incoming/\(made)"] {
      try folder.write("mine", to: "store/\(name)")
    }
    try open()
    #expect(FileManager.default.contents(atPath: folder.url("store/assets/notes").path) != nil)
    #expect(FileManager.default.contents(atPath: folder.url("store/incoming/notes").path) != nil)
    #expect(FileManager.default.contents(atPath: folder.url("store/incoming/\(made)").path) == nil)
  }

  @Test("what the store writes is for its user alone")
  func modes() async throws {
    _ = try await fill()
    let files = try #require(FileManager.default.enumerator(atPath: fixture.root.string))
    var count = 0
    for case let name as String in files {
      let path = fixture.root.appending(name).string
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect((mode ?? 0o777) & 0o077 == 0, "\(name)")
      count += 1
    }
    #expect(count > 10)
  }

  @Test("syncs a video and its folder before it is renamed, and the place where it goes after")
  func order() async throws {
    let trial = try BuiltTool.find().deletingLastPathComponent().appendingPathComponent(
      "store-trial")
    let sources = fixture.folder.url("sources")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    for name in ["a", "b", "c"] {
      try Data(name.utf8).write(to: sources.appendingPathComponent(name))
    }
    let log = fixture.folder.url("log")
    let ended = try execute(
      "strace -f -y -qq -o \(log.path) -e trace=fsync,rename \(trial.path) crash",
      [fixture.folder.url("trial").path, sources.path])
    try #require(ended.status == 0, "\(ended.error)")
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map(String.init)
    let into = try #require(lines.firstIndex { $0.contains("rename(") && $0.contains("/assets/") })
    func staged(_ file: String) -> Bool {
      lines[..<into].contains {
        $0.contains("fsync(") && $0.contains("/incoming/") && $0.contains(file)
      }
    }
    #expect(staged("video.mp4>") && staged("preview.png>") && staged("asset.json>"))
    // The folder, and no file in it.
    #expect(lines[into - 1].contains(/fsync\(.*\/incoming\/[0-9a-f]+>/))
    #expect(lines[into + 1].contains("fsync(") && lines[into + 1].contains("/assets>"))
  }
}
