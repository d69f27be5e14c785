import ArtworkClients
import TestSupport

/// A player's static artwork, with a real service.
@Suite struct StaticArtworkTests {
  private struct Player: MediaSessionRepresentable {
    let id = "main"
    var content: MediaContent? { .generic(title: "t") }
    var playbackSnapshot: PlaybackSnapshot? { nil }
    var artwork: Artwork?
  }

  private struct NotNow: Error {}

  @Test func `the provider is asked once, and the service shows its picture`() async throws {
    let service = try await RunningService()
    let client = ArtworkClient(.socket(path: "\(service.local)"))
    let file = try Data(contentsOf: Fixture.named("cover.jpg").url)
    let asked = Mutex(0)
    let artwork = Artwork(id: "album/1") { size in
      #expect(size.width > 0 && size.height > 0)
      let count = asked.withLock {
        $0 += 1
        return $0
      }
      if count == 1 { throw NotNow() }
      return try ArtworkRepresentation(data: file)
    }
    let player = Player(artwork: artwork)
    let held = try await client.publish(player, application: "app")
    // The provider threw: the session exists without its cover.
    #expect(try await client.nowPlaying().shown?.cover == nil)
    try await held.update(from: player)
    try await held.update(from: player)
    #expect(asked.withLock(\.self) == 2)
    let id = try SessionSamples.artwork("album/1")
    #expect(try await client.nowPlaying().shown?.cover == id)
    let picture = try await client.preview(
      ArtworkReference(coverOf: id), inside: PixelSize(width: 40, height: 40))
    #expect(max(picture.size.width, picture.size.height) == 40)
    let record = try await client.artwork(ArtworkReference(coverOf: id))
    #expect(record.reference == ArtworkReference(coverOf: id) && record.key == nil)
    // The file that brought it is gone.
    guard case .file(let path, _) = record.source else {
      Issue.record("the source is not a file")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    try await held.end()
  }

  @Test func `a representation is PNG or JPEG`() throws {
    let png = try ArtworkRepresentation(data: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1])
    #expect(png.type == .png && png.data.count == 9)
    #expect(try ArtworkRepresentation(data: [0xff, 0xd8, 0xff, 0xe0]).type == .jpeg)
    #expect(throws: ArtworkRepresentation.UnsupportedType.self) {
      try ArtworkRepresentation(data: Array("GIF89a".utf8))
    }
  }
}
