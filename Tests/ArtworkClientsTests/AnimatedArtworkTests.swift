import ArtworkClients
import TestSupport

/// A content's animated artwork, with a real service.
@Suite(.timeLimit(.minutes(5))) struct AnimatedArtworkTests {
  private struct Player: MediaSessionRepresentable {
    let id = "main"
    var content: MediaContent?
    var playbackSnapshot: PlaybackSnapshot? { nil }
  }

  private struct NotNow: Error {}

  /// The requests to a provider, in order.
  private final class Requests: Sendable {
    struct Request: Hashable {
      var size: PixelSize
      var ratio: ArtworkKey
    }

    private let all = Mutex<[Request]>([])

    /// Records a request, and returns how often its shape has been requested.
    func note(_ size: PixelSize, _ ratio: ArtworkKey) -> Int {
      all.withLock {
        $0.append(Request(size: size, ratio: ratio))
        return $0.count { $0.ratio == ratio }
      }
    }

    var made: [Request] { all.withLock(\.self) }
  }

  @Sendable private static func file(_ ratio: ArtworkKey) -> URL {
    Fixture.named(ratio == .square ? "good-1x1.mp4" : "good-3x4.mp4").url
  }

  private static let sizes: Set<Requests.Request> = [
    Requests.Request(size: PixelSize(width: 1080, height: 1080), ratio: .square),
    Requests.Request(size: PixelSize(width: 1080, height: 1440), ratio: .tall),
  ]

  private static func shown(_ client: ArtworkClient) async throws -> NowPlaying.Shown {
    try #require(try await client.nowPlaying().shown)
  }

  @Test func `both shapes are put under one ID, and each provider is asked once`() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let requests = Requests()
    let artwork = AnimatedArtwork(
      id: "album/1", supportedAspectRatios: AnimatedArtwork.compatibleAspectRatios,
      preview: { _, _ in
        Issue.record("the preview is made from the video")
        throw NotNow()
      },
      video: { size, ratio in
        _ = requests.note(size, ratio)
        return Self.file(ratio)
      })
    var content = MediaContent.music(
      songTitle: "Song", artistName: "Band", albumName: "Album", composer: "Clara", genre: "Lied",
      isExplicit: false)
    content.animatedArtwork = artwork
    let player = Player(content: content)
    let held = try await client.publish(player, application: "app")
    try await held.update(from: player)
    #expect(requests.made.count == 2 && Set(requests.made) == Self.sizes)
    let id = try SessionSamples.artwork("album/1")
    let session = try await client.session(held.id).session
    #expect(session.artwork == [.square: id, .tall: id])
    let shown = try await Self.shown(client)
    for key in ArtworkKey.allCases {
      #expect(shown.variants[key]?.show == .video)
      let record = try await client.artwork(ArtworkReference(id, key))
      #expect(record.bytes == Int64(try Data(contentsOf: Self.file(key)).count))
    }
    // The providers of the session's own artwork have the same shapes.
    let own = held.animatedArtwork(id, supportedAspectRatios: [.square, .tall])
    #expect(own == artwork)
    let tall = try await own.video(PixelSize(width: 4000, height: 4000), .tall)
    #expect(try Data(contentsOf: tall) == Data(contentsOf: Self.file(.tall)))
    let preview = try await own.preview?(PixelSize(width: 30, height: 40), .tall)
    #expect(preview?.type == .png)
    try await held.end()
    await #expect(throws: ClientError.self) {
      try await own.video(PixelSize(width: 4000, height: 4000), .tall)
    }
  }

  @Test func `a provider that throws leaves its shape out, and is asked again`() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let requests = Requests()
    let artwork = AnimatedArtwork(
      id: "album/2", supportedAspectRatios: [.tall, .square],
      video: { size, ratio in
        if requests.note(size, ratio) == 1, ratio == .tall { throw NotNow() }
        return Self.file(ratio)
      })
    let player = Player(content: .generic(title: "t", animatedArtwork: artwork))
    let held = try await client.publish(player, application: "app")
    var variants = try await Self.shown(client).variants
    #expect(variants[.square]?.show == .video)
    #expect(variants[.tall]?.show == .cover)
    #expect(variants[.tall]?.reason.code == "unknown-artwork")
    let own = held.animatedArtwork(try SessionSamples.artwork("album/2"))
    #expect(await failure { try await own.preview?(PixelSize(width: 1, height: 1), .tall) } != nil)
    await #expect { try await own.video(PixelSize(width: 4000, height: 4000), .tall) } throws: {
      ($0 as? Presentation.Reason)?.code == "unknown-artwork"
    }
    try await held.update(from: player)
    variants = try await Self.shown(client).variants
    #expect(variants.values.allSatisfy { $0.show == .video } && variants.count == 2)
    #expect(
      requests.made.map(\.ratio).sorted { $0.rawValue < $1.rawValue } == [.square, .tall, .tall])
    try await held.end()
  }

  @Test func `a session without a player registers the artwork of its content, too`() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let one = AnimatedArtwork(
      id: try SessionSamples.artwork("one"), video: { _, ratio in Self.file(ratio) })
    let two = AnimatedArtwork(
      id: try SessionSamples.artwork("two"), video: { _, ratio in Self.file(ratio) })
    var session = MediaSession(
      application: "app", content: .radio(stationName: "r", animatedArtwork: one))
    let id = try SessionSamples.id("radio")
    _ = try await client.publish(session, as: id)
    #expect(try await Self.shown(client).variants[.square]?.show == .video)
    let former = session
    session.content?.animatedArtwork = two
    let changed = try await client.update(id, from: former, to: session)
    #expect(changed.session.artwork == [.square: two.id])
    #expect(try await client.artwork(ArtworkReference(two.id, .square)).status != .refused)
  }

  @Test(arguments: [true, false, nil])
  func `composer, genre and whether it is explicit arrive`(isExplicit: Bool?) async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let content = MediaContent.music(
      songTitle: "Song", artistName: "Band", albumName: "Album", composer: "Clara", genre: "Lied",
      isExplicit: isExplicit)
    let held = try await client.publish(Player(content: content), application: "app")
    #expect(try await Self.shown(client).content == content)
    let shown = try service.client().ask("GET", "/v1/now-playing").at("shown.content")
    #expect(shown?["composer"] == "Clara" && shown?["genre"] == "Lied")
    #expect(shown?["isExplicit"] == isExplicit.map(JSONNode.bool))
    try await held.end()
  }
}
