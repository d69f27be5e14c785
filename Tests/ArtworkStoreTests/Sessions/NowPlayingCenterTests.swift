import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("Sessions and their leases")
struct NowPlayingCenterTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func session(_ id: String?) -> MediaSession {
    MediaSession(
      application: "test", artwork: id.flatMap { ArtworkID($0) }.map { [.square: $0] } ?? [:])
  }

  /// A session of this application.
  private func named(_ id: SessionID) -> SessionReference { SessionReference("test", id) }

  private func put(_ names: [String], _ store: AssetStore) async throws {
    for name in names { try await fixture.put(name, "video \(name)", into: store) }
  }

  @Test("a path opens for as long as its session publishes it, and no longer")
  func lifetime() async throws {
    let (store, center) = try await fixture.running()
    try await put(["a", "b"], store)
    let (one, two) = (try SessionSamples.id("one"), try SessionSamples.id("two"))
    try await center.publish(session("a"), as: one)
    try await center.publish(session("a"), as: two)
    let first = try await center.lease(one).file
    let second = try await center.lease(two).file
    #expect(first != second)
    #expect(try await center.lease(one).file == first)
    // The same artwork again, as a player does for the next song of an album.
    try await center.publish(session("a"), as: one)
    #expect(first.exists)
    try await center.publish(session("b"), as: one)
    #expect(!first.exists && second.exists)
    #expect(try await center.end(two))
    #expect(!second.exists)
    #expect(try await center.end(two) == false)
    #expect(
      await refusal { try await center.video(for: two, .square, within: .seconds(20)) }?.code
        == .unknownSession)
    #expect(await refusal { try await center.video(for: one, .tall, within: .seconds(20)) } != nil)
  }

  @Test("reports why there is no video, and in time")
  func reasons() async throws {
    fixture.inspector.delay = 20
    let store = try fixture.open { $0.jobs = 8 }
    let center = try await fixture.center(store)
    let id = try SessionSamples.id("s")
    try await center.publish(session("nowhere"), as: id)
    #expect(
      try await center.reason(id)?.code == "unknown-artwork",
      "an artwork that nobody put has a video")
    let (reference, source) = (try StoreFixture.reference("slow"), try fixture.source("slow"))
    let put = Task { try await store.put(reference, source) }
    #expect(try await eventually { store.artworks().count == 1 })
    try await center.publish(session("slow"), as: id)
    #expect(
      try await center.reason(id, within: .milliseconds(200))?.code == "late",
      "what takes 20 seconds was there at once")
    put.cancel()
  }

  @Test("sessions and leases survive a restart; leases of unpublished artwork are released")
  func restart() async throws {
    let id = try SessionSamples.id("s")
    var leases: [FilePath] = []
    do {
      let (store, center) = try await fixture.running()
      try await put(["a", "b"], store)
      try await center.publish(session("a"), as: id, ownedBy: getpid())
      leases.append(try await center.lease(id).file)
      // As after a crash between a replacement and its releases.
      let stray = try store.core.commit(
        try store.core.prepareLease(
          .init(named(id), StoreFixture.reference("b")), owner: SessionOwner())
      ).lease
      leases.append(try #require(stray).file)
    }
    let store = try await fixture.reopened()
    let center = try await fixture.center(store)
    #expect(center.session(id) == session("a"))
    #expect(leases.map(\.exists) == [true, false])
    #expect(try await center.lease(id).file == leases[0])
    #expect(center.owner(of: named(id)).process?.identifier == getpid())
  }

  @Test("if the sessions are lost, every lease is kept until its session ends")
  func lostSessions() async throws {
    let id = try SessionSamples.id("s")
    var lease: FilePath = ""
    do {
      let (store, center) = try await fixture.running()
      try await put(["a"], store)
      try await center.publish(session("a"), as: id)
      lease = try await center.lease(id).file
    }
    try fixture.folder.write("{", to: "store/sessions.ndjson")
    do {
      let center = try await fixture.center(fixture.reopened())
      #expect(center.session(id) == nil && lease.exists)
      // Another session is no reason to forget it.
      try await center.publish(session("b"), as: try SessionSamples.id("other"))
    }
    let center = try await fixture.center(fixture.reopened())
    #expect(lease.exists)
    #expect(try await center.end(id))
    #expect(!lease.exists)
    #expect(try fixture.folder.text("store/sessions.ndjson.damaged") == "{")
  }

  @Test("a wrong byte in the sessions costs one of them, and keeps its leases")
  func damagedLine() async throws {
    let ids = try ["one", "two", "three"].map { try #require(SessionID($0)) }
    var leases: [FilePath] = []
    do {
      let (store, center) = try await fixture.running()
      try await put(["a"], store)
      for id in ids {
        try await center.publish(session("a"), as: id)
        leases.append(try await center.lease(id).file)
      }
      try await center.promote(ids[0], .system)
      try await center.set(DeviceConditions(lowData: true))
    }
    var bytes = try fixture.folder.data("store/sessions.ndjson")
    let place = try #require(bytes.firstRange(of: Data(#""two""#.utf8)))
    bytes[place.lowerBound] = 0xff
    try fixture.folder.write(bytes, to: "store/sessions.ndjson")
    let store = try await fixture.reopened()
    let center = try await fixture.center(store)
    #expect(ids.map { center.session($0) != nil } == [true, false, true])
    #expect(center.board.systemPrimary?.id == ids[0] && center.conditions.lowData)
    #expect(leases.allSatisfy(\.exists) && store.repairs == 1)
    #expect(try await center.end(ids[1]))
    #expect(leases.map(\.exists) == [true, false, true])
  }

  @Test("sessions, their order and promotions are read as they were written")
  func fileOfSessions() throws {
    var (file, steps) = (
      SessionFile(layout: StoreLayout(root: fixture.root)), SystemRandomNumberGenerator()
    )
    try FileManager.default.createDirectory(
      atPath: fixture.root.string, withIntermediateDirectories: true)
    var record = SessionRecord()
    for step in 0..<200 {
      let name = try #require(SessionID("s\(Int.random(in: 0..<4, using: &steps))"))
      let id = SessionReference("app\(step % 2)", name)
      switch Int.random(in: 0..<4, using: &steps) {
      case 0: _ = record.board.end(id)
      case 1: record.board.promote(id, step % 3 == 0 ? .system : .application)
      default:
        var session = SessionSamples.session(id.application)
        session.playback = PlaybackSnapshot(
          state: step % 5 < 3 ? .playing() : .paused, elapsedSeconds: Double(step), timestamp: 1)
        record.board.publish(session, as: name)
      }
      try file.write(record)
      let read = try #require(try file.read())
      #expect(read.record == record && read.damaged == 0, "\(step)")
    }
  }

  /// A player with a picture in its metadata, which reports its position each second for a minute.
  @Test("a change of playback writes the playback only")
  func writesPlayback() async throws {
    let id = try SessionSamples.id("s")
    var session = MediaSession(application: "a", content: MediaContent(kind: .music, title: "Song"))
    session.content?.metadata = [MetadataItem(.description, String(repeating: "A", count: 700_000))]
    do {
      let center = try await fixture.center(fixture.open())
      try await center.publish(session, as: id)
      let path = fixture.root.appending("sessions.ndjson")
      let before = try #require(FileState(of: path))
      for second in 1...60 {
        session.playback = PlaybackSnapshot(
          state: .playing(), elapsedSeconds: Double(second), timestamp: Double(second))
        try await center.publish(session, as: id)
      }
      let after = try #require(FileState(of: path))
      #expect(before.size > 700_000 && after.isSameFile(as: before))
      #expect(after.size - before.size < 20_000)
    }
    #expect(try await fixture.center(fixture.reopened()).session(id) == session)
  }

  @Test("what playback alone changes is appended to the sessions, and is there after a restart")
  func playback() async throws {
    let id = try SessionSamples.id("s")
    let file = fixture.root.appending("sessions.ndjson")
    func publish(_ artwork: String, at seconds: [Double], _ center: NowPlayingCenter) async throws {
      for seconds in seconds { try await center.publish(playing(artwork, at: seconds), as: id) }
    }
    func playing(_ artwork: String, at seconds: Double) -> MediaSession {
      var session = session(artwork)
      session.playback = PlaybackSnapshot(state: .playing(), elapsedSeconds: seconds, timestamp: 1)
      return session
    }
    func lines() throws -> Int {
      try String(contentsOfFile: file.string, encoding: .utf8).split(separator: "\n").count
    }
    do {
      let center = try await fixture.center(fixture.open())
      try await center.publish(session("a"), as: id)
      let state = try #require(FileState(of: file))
      try await publish("a", at: [1, 2], center)
      #expect(FileState(of: file)?.isSameFile(as: state) == true)
      #expect(try lines() == 4)
    }
    do {
      let center = try await fixture.center(fixture.reopened())
      #expect(center.session(id) == playing("a", at: 2))
      // Another artwork is more than playback.
      try await publish("b", at: [3], center)
      #expect(try lines() == 2)
      try await publish("b", at: [4, 5], center)
    }
    // As a power failure may leave it.
    try Data(Data(contentsOf: URL(filePath: file.string)).dropLast(9)).write(
      to: URL(filePath: file.string))
    do {
      let center = try await fixture.center(fixture.reopened())
      #expect(center.session(id) == playing("b", at: 4))
      try await publish("b", at: [6, 7], center)
    }
    do {
      let center = try await fixture.center(fixture.reopened())
      #expect(center.session(id) == playing("b", at: 7))
      // The lines do not grow without end.
      try await publish("b", at: (8..<1000).map(Double.init), center)
      #expect(try lines() < 900)
      // An end is more than playback, too.
      #expect(try await center.end(id))
    }
    #expect(try await fixture.center(fixture.reopened()).session(id) == nil)
  }

  @Test("a connection that held a session of the same name before a restart does not end it")
  func formerHolder() async throws {
    let id = try SessionSamples.id("s")
    do {
      let (_, center) = try await fixture.running()
      _ = try center.hold(.init(named(id)), peer: getpid())
      try await center.publish(session(nil), as: id, from: getpid())
      #expect(try await center.end(id))
      // Written with the next change.
      try await center.set(DeviceConditions())
    }
    let store = try await fixture.reopened()
    // The process at the other end has gone meanwhile.
    let center = try await fixture.center(store) { $0.isAlive = { _ in false } }
    try await center.publish(session(nil), as: id)
    try await center.endOrphans()
    #expect(center.session(id) != nil)
  }

  @Test("a leased video is returned again, whatever happened to the store's copy")
  func heldAnyway() async throws {
    let id = try SessionSamples.id("s")
    let (store, center) = try await fixture.running()
    try await put(["a"], store)
    try await center.publish(session("a"), as: id)
    let lease = try await center.lease(id).file
    let digest = try #require(store.core.present(StoreFixture.reference("a")))
    _ = try store.core.change { index throws(StoreError) in store.core.removeAsset(digest, &index) }
    try fixture.folder.remove("a")
    #expect(try await center.lease(id).file == lease)
    #expect(lease.exists)
  }

  @Test("a link that another program truncated is replaced, with events")
  func cutLink() async throws {
    let id = try SessionSamples.id("s")
    let (store, center) = try await fixture.running()
    try await put(["a"], store)
    try await center.publish(session("a"), as: id)
    let cut = try await center.lease(id).file
    try FileManager.default.removeItem(atPath: cut.string)
    try Data("vid".utf8).write(to: URL(fileURLWithPath: cut.string))
    var events = center.events().makeAsyncIterator()
    let again = try await center.lease(id).file
    #expect(again != cut && !cut.exists)
    #expect(FileManager.default.contents(atPath: again.string) == Data("video a".utf8))
    try await center.set(DeviceConditions())
    let heard = await events.all(until: .conditions(DeviceConditions()))
    let reference = try StoreFixture.reference("a")
    #expect(
      heard == [
        .lease(named(id), reference, released: true), .lease(named(id), reference, released: false),
        .conditions(DeviceConditions()),
      ])
  }

  @Test("a video that breaks only visual rules is shown and leased")
  func looksWrong() async throws {
    var options = AssetStore.Options(folder: fixture.root)
    options.jobs = 1
    let store = try AssetStore.open(options, inspector: Inspector(), logger: StoreFixture.quiet)
    let center = try await fixture.center(store)
    let reference = try StoreFixture.reference("fade")
    let clip = Fixture.named("loop-fade-in.mp4").url.path
    _ = try await store.put(reference, .file(path: clip))
    #expect(store.brokenRules(reference) == ["fade", "blank-first-frame"])
    let id = try SessionSamples.id("s")
    try await center.publish(session("fade"), as: id)
    #expect(center.nowPlaying().shown?.variants[.square]?.show == .video)
    #expect(try await center.lease(id).file.exists)
  }

  @Test("an artwork that a session publishes is not removed, leased or not")
  func publishedArtwork() async throws {
    let (store, center) = try await fixture.running()
    try await put(["a", "b"], store)
    let reference = try StoreFixture.reference("a")
    let (one, two) = (try SessionSamples.id("one"), try SessionSamples.id("two"))
    try await center.publish(session("a"), as: one)
    try await center.publish(session("a"), as: two)
    let error = await refusal { try await store.remove(reference) }
    #expect(error?.code == .inUse)
    #expect(error?.message.contains("2 sessions") == true)
    #expect(try await center.end(one))
    // Its ID does not come to stand for other bytes by another way either.
    #expect(
      await refusal { try await store.put(reference, fixture.source("other bytes")) }?.code
        == .conflict)
    try await center.publish(session("b"), as: two)
    #expect(try await store.remove(reference))
    // What was never registered is unknown, published or not.
    try await center.publish(session("a"), as: two)
    #expect(try await store.remove(reference) == false)
  }

  @Test(
    "no video is prepared or returned while the device shows none; a file that was handed out stays",
    arguments: [
      (DeviceConditions(lowPower: true), "low-power"), (.init(lowData: true), "low-data"),
      (.init(thermal: .serious), "thermal"), (.init(reduceMotion: true), "reduce-motion"),
      (.init(autoPlayOff: true), "auto-play-off"),
      (.init(supportedKeys: [.tall]), "unsupported-key"),
    ])
  func stillPictures(conditions: DeviceConditions, code: String) async throws {
    let (store, center) = try await fixture.running()
    try await put(["a"], store)
    _ = try await store.put(
      StoreFixture.reference("lazy"), fixture.source("lazy", name: "lazy"), prepares: false)
    let (id, lazy) = (try SessionSamples.id("s"), try SessionSamples.id("lazy"))
    try await center.publish(session("a"), as: id)
    try await center.publish(session("lazy"), as: lazy)
    let held = try await center.lease(id).file
    try await center.set(conditions)
    for id in [id, lazy] {
      let reason = try #require(
        try await center.reason(id), "a video is handed out under \(conditions)")
      #expect(reason.code == code)
      #expect(try center.presentation(of: .square, in: id).reason == reason)
    }
    #expect(try store.status(StoreFixture.reference("lazy")) == .registered)
    #expect(held.exists)
    try await center.set(DeviceConditions())
    #expect(try await center.lease(id).file == held)
    #expect(try await center.lease(lazy).file.exists)
  }

  @Test("every change of a primary is an event")
  func primaries() async throws {
    let (_, center) = try await fixture.running()
    var events = center.events().makeAsyncIterator()
    let (one, two) = (try SessionSamples.id("one"), try SessionSamples.id("two"))
    try await center.publish(session(nil), as: one)
    try await center.publish(session(nil), as: two)
    try await center.promote(one, .system)
    _ = try await center.end(one)
    var aside = session(nil)
    aside.mixesWithOthers = true
    try await center.publish(aside, as: two)
    try await center.publish(session(nil), as: two)
    _ = try await center.end(two)
    try await center.set(DeviceConditions())
    let wanted: [ServiceEvent] = [
      .session(named(one), ended: false), .primary(named(one), .application),
      .primary(named(one), .system),
      .session(named(two), ended: false), .primary(named(two), .application),
      .primary(named(two), .system),
      .primary(named(one), .system), .primary(named(one), .application),
      .session(named(one), ended: true), .primary(named(two), .application),
      .primary(named(two), .system),
      .session(named(two), ended: false), .primary(nil, .system),
      .primary(session: nil, application: "test", .application),
      .session(named(two), ended: false), .primary(named(two), .application),
      .primary(named(two), .system),
      .session(named(two), ended: true), .primary(nil, .system), .conditions(DeviceConditions()),
    ]
    let heard = await events.all(until: .conditions(DeviceConditions()))
    #expect(heard == wanted)
  }

  @Test("a session ends with its process, but not while the process is stopped")
  func processes() async throws {
    let store = try fixture.open()
    let center = try await fixture.center(store) { $0.watchInterval = .milliseconds(20) }
    let watch = Task { await center.watch() }
    defer { watch.cancel() }
    try await put(["a"], store)
    let player = Process()
    player.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    player.arguments = ["sleep", "600"]
    try player.run()
    let id = try SessionSamples.id("s")
    try await center.publish(session("a"), as: id, ownedBy: player.processIdentifier)
    let lease = try await center.lease(id).file
    kill(player.processIdentifier, SIGSTOP)
    try await Task.sleep(for: .milliseconds(300))
    #expect(lease.exists && center.session(id) != nil)
    kill(player.processIdentifier, SIGKILL)
    #expect(try await eventually { !lease.exists && center.session(id) == nil })
    player.waitUntilExit()
    #expect(
      await refusal {
        try await center.publish(session("a"), as: id, ownedBy: player.processIdentifier)
      } != nil)
  }

  @Test("artwork that no system would show is not leased")
  func brokenArtwork() async throws {
    let (store, center) = try await fixture.running()
    let tall = try StoreFixture.reference("square", .tall)
    _ = try await store.put(tall, fixture.source("square"))
    let id = try SessionSamples.id("s")
    try await center.publish(
      MediaSession(application: "test", artwork: [.tall: tall.artworkID]), as: id)
    let reason = try #require(
      try await center.reason(id, .tall), "a square video is handed out as a tall one")
    #expect(reason.code == "ignored")
    #expect(reason.message.contains("aspect-ratio"))
    #expect(store.availability(tall) == .ready(broken: ["aspect-ratio"], codec: "h264"))
  }

  @Test("a session has ended although its lease cannot be removed, and listeners hear of it")
  func leaseStays() async throws {
    let (store, center) = try await fixture.running()
    let id = try SessionSamples.id("s")
    try await put(["a"], store)
    try await center.publish(session("a"), as: id)
    _ = try await center.lease(id).file
    var events = center.events().makeAsyncIterator()
    let leases = fixture.root.appending("leases")
    try DurableFiles.rename(leases, to: fixture.root.appending("away"))
    try Data().write(to: URL(fileURLWithPath: leases.string))
    await #expect { try await center.end(id) } throws: {
      ($0 as? StoreError)?.message.contains("cannot remove the lease") == true
    }
    #expect(center.session(id) == nil)
    let heard = await events.all(until: .session(named(id), ended: true))
    #expect(!heard.contains { if case .lease = $0 { true } else { false } })
  }

  @Test("listeners receive every change, and each once")
  func events() async throws {
    let (store, center) = try await fixture.running()
    let id = try SessionSamples.id("s")
    var events = center.events().makeAsyncIterator()
    // Registered twice, which changes nothing the second time.
    for _ in 0..<2 { try await put(["a"], store) }
    try await center.publish(session("a"), as: id)
    _ = try await center.video(for: id, .square, within: .seconds(20))
    _ = try await center.end(id)
    let reference = try StoreFixture.reference("a")
    let heard = await events.all(until: .session(named(id), ended: true))
    #expect(heard.contains(.artwork(reference, status: .ready)))
    #expect(heard.contains(.session(named(id), ended: false)))
    #expect(heard.contains(.lease(named(id), reference, released: false)))
    #expect(heard.contains(.lease(named(id), reference, released: true)))
    #expect(heard.count { $0 == .artwork(reference, status: .ready) } == 1)
  }
}
