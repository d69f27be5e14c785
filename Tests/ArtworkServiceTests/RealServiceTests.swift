import ArtworkClients
import TestSupport

/// The client and the service, with real videos.
@Suite struct RealServiceTests {
  private let service: RunningService
  private let client: ArtworkClient
  private let reference: ArtworkReference
  private let id: SessionID
  private let clip = Fixture.named("good-1x1.mp4").url

  init() async throws {
    service = try await RunningService()
    client = ArtworkClient(.socket(path: "\(service.local)"))
    reference = ArtworkReference(try SessionSamples.artwork("night drive/é"), .square)
    id = try SessionSamples.id("main/1")
  }

  private func session() -> MediaSession {
    SessionSamples.session(playing: .playing(), artwork: [.square: reference.artworkID])
  }

  @Test(
    "A video's file is there while a session publishes it, and gone soon after the session was let go"
  )
  func leases() async throws {
    let artwork = try await client.put(reference, .file(path: clip.path))
    #expect(artwork.status == .ready && artwork.report?.verdict == "pass")
    #expect(try await client.artwork(reference).digest == artwork.digest)
    let box = PixelSize(width: 50, height: 80)
    #expect(
      try await client.preview(reference, inside: box).size == PixelSize(width: 50, height: 50))
    var held: HeldSession? = try await client.hold(session(), as: id)
    let answer = try await client.video(
      for: id, .square, size: PixelSize(width: 1080, height: 1080))
    let file = try #require(answer.url.flatMap { URL(string: $0) })
    #expect(try Data(contentsOf: file) == Data(contentsOf: clip))
    let shown = try #require(try await client.nowPlaying().shown)
    #expect(shown.sessionID == id && shown.variants[.square]?.show == .video)
    #expect(held?.trouble == nil)
    held = nil
    #expect(try await eventually { !FileManager.default.fileExists(atPath: file.path) })
  }

  @Test("Conditions, promotions, events and the end of a session arrive as they were meant")
  func tells() async throws {
    _ = try await client.put(reference, .file(path: clip.path))
    let published = try await client.publish(session(), as: id, ownedBy: getpid())
    #expect(published.session.content == session().content)
    #expect(published.isApplicationPrimary && published.isSystemPrimary)
    #expect(published.ownerProcess == getpid())
    var events = try await client.events().makeAsyncIterator()
    guard case .nowPlaying(let first)? = try await events.next() else {
      Issue.record("no document")
      return
    }
    #expect(first.shown?.sessionID == id)
    let conditions = DeviceConditions(lowPower: true)
    try await client.set(conditions)
    #expect(try await events.next() == .conditions(conditions))
    #expect(try await client.conditions() == conditions)
    #expect(try await client.nowPlaying().shown?.variants[.square]?.reason.code == "low-power")
    try await client.promote(id, .system)
    try await client.end(id)
    while let event = try await events.next(),
      event != .session(id, application: "player", ended: true)
    {}
    #expect(try await client.nowPlaying().shown == nil)
    await #expect { try await client.session(id) } throws: {
      ($0 as? ClientError)?.code == "unknown-session"
    }
  }
}
