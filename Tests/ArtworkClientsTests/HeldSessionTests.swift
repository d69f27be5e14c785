import ArtworkClients
import TestSupport

@Suite struct HeldSessionTests {
  private let place: FakePlace
  private let client: ArtworkClient

  init() throws {
    place = try FakePlace()
    client = place.client
  }

  @Test("A session lives as long as its object")
  func endsWhenDropped() async throws {
    let service = try await place.start()
    let id = try SessionSamples.id("main")
    var held: HeldSession? = try await client.hold(SessionSamples.session(), as: id)
    #expect(held?.trouble == nil)
    #expect(service.with { $0.holders } == [SessionReference("player", id): 1])
    let published = try #require(service.with { $0.board.session(id) })
    #expect(published == SessionSamples.session())
    try await held?.update(SessionSamples.session(title: "Next"))
    #expect(service.with { $0.board.session(id)?.content?.title } == "Next")
    // A change is sent as a small patch.
    #expect(service.with { $0.patches } == [#"{"content":{"title":"Next"}}"#])
    // A version that another client published meanwhile is replaced completely.
    let other = SessionSamples.session(title: "Other", playing: .paused)
    service.with { $0.board.publish(other, as: id) }
    try await held?.update(SessionSamples.session(title: "Last"))
    #expect(service.with { $0.board.session(id) } == SessionSamples.session(title: "Last"))
    held = nil
    try await until("the session did not end") { service.with { $0.board.sessions.isEmpty } }
  }

  @Test("After a restart of the service, it is published again as it was last")
  func survivesRestart() async throws {
    let id = try SessionSamples.id("main")
    let first = try await place.start()
    let held = try await client.hold(SessionSamples.session(), as: id)
    var troubles = held.troubleChanges.makeAsyncIterator()
    #expect(await troubles.next() == .some(nil))
    try await held.update(SessionSamples.session(title: "Next", playing: .playing()))
    let stamp = try #require(first.with { $0.board.session(id)?.playback?.timestamp })
    await first.stop()
    try await until("it did not notice") { held.trouble != nil }
    let second = try await place.start()
    try await until("it did not come back") { held.trouble == nil }
    // The latest at least.
    #expect(await troubles.next() == .some(nil))
    #expect(second.with { $0.board.session(id)?.content?.title } == "Next")
    // The timestamp is that of the player's update, not of the restart.
    #expect(second.with { $0.board.session(id)?.playback?.timestamp } == stamp)
    #expect(second.with { $0.holders } == [SessionReference("player", id): 1])
    try await held.end()
    #expect(second.with { $0.board.sessions.isEmpty })
    #expect(held.isEnded)
    await held.untilEnded()
    #expect(await troubles.next() == nil)
    await second.stop()
  }

  @Test("What somebody else ended is not published again")
  func staysEnded() async throws {
    let service = try await place.start()
    let id = try SessionSamples.id("main")
    let held = try await client.hold(SessionSamples.session(), as: id)
    try await client.end(id)
    await held.untilEnded()
    #expect(held.isEnded)
    #expect(service.with { $0.board.sessions.isEmpty })
    #expect(service.with { $0.requests.filter { $0.hasPrefix("PUT") }.count } == 1)
    try await held.end()
  }

  @Test("Without a service there is no session, and the error states that")
  func needsService() async throws {
    let id = try SessionSamples.id("main")
    #expect(
      await failure { try await client.hold(SessionSamples.session(), as: id) }?.kind
        == "no service")
  }

  @Test("A player is published with its artwork, which the service is offered once")
  @MainActor func publishesPlayers() async throws {
    let service = try await place.start()
    let player = Jukebox()
    player.track = Jukebox.Track(
      title: "Night Drive", artist: "Band", album: "Roads", seconds: 215,
      artworkID: "night-drive/1", square: URL(fileURLWithPath: "/music/night drive.mp4"),
      tall: URL(fileURLWithPath: "/music/tall.mp4"))
    player.isPlaying = true
    try await player.publish(through: client)
    let id = try SessionSamples.id(player.id)
    let artworkID = try SessionSamples.artwork("night-drive/1")
    let session = try #require(service.with { $0.board.session(id) })
    #expect(session.application == "org.example.jukebox")
    #expect(
      session.content == .music(songTitle: "Night Drive", artistName: "Band", albumName: "Roads"))
    #expect(session.artwork == [.square: artworkID, .tall: artworkID])
    #expect(session.playback?.state == .playing())
    #expect(session.playback?.duration == .finite(215))
    #expect(
      service.with { $0.artworks } == [
        ArtworkReference(artworkID, .square): "/music/night drive.mp4",
        ArtworkReference(artworkID, .tall): "/music/tall.mp4",
      ])
    player.isPlaying = false
    try await player.publish(through: client)
    #expect(service.with { $0.board.session(id)?.playback?.state } == .paused)
    #expect(service.with { $0.requests.filter { $0.hasPrefix("PUT /v1/artworks") }.count } == 2)
    let loop = try await player.loop(.square, size: PixelSize(width: 600, height: 600))
    #expect(loop?.path == "/leases/a.mp4")
    player.stop()
    try await until("the session did not end") { service.with { $0.board.sessions.isEmpty } }
    await service.stop()
  }

  @Test("The example in the documents shows both shapes")
  @MainActor func showsBothShapes() async throws {
    let service = try await RunningService()
    let player = Jukebox()
    let files = ["good-1x1.mp4", "good-3x4.mp4"].map { Fixture.named($0).url }
    player.track = Jukebox.Track(
      title: "Night Drive", artist: "Band", album: "Roads", seconds: 215,
      artworkID: "night-drive/1", square: files[0], tall: files[1])
    let socket = service.folder.path("run/a.sock").string
    try await player.publish(through: ArtworkClient(.socket(path: socket)))
    for (shape, file) in zip([ArtworkKey.square, .tall], files) {
      let size = PixelSize(width: 2000, height: 2000)
      let loop = try #require(try await player.loop(shape, size: size))
      #expect(try Data(contentsOf: loop) == Data(contentsOf: file))
      #expect(try await player.still(shape, size: size)?.isEmpty == false)
    }
    player.stop()
  }

  @Test("The example in the documents is the one that these tests compile")
  func documentsExample() throws {
    let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Jukebox.swift")
    let document = Checkout.root.appendingPathComponent("docs/now-playing.md")
    let code = try String(contentsOf: example, encoding: .utf8)
    #expect(try String(contentsOf: document, encoding: .utf8).contains("```swift\n\(code)```\n"))
  }
}
