import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel

@Suite struct ArtworkClientTests {
  private let folder: TemporaryFolder
  private let service: FakeService
  private let client: ArtworkClient

  init() async throws {
    folder = try TemporaryFolder()
    let path = folder.url("a.sock").path
    service = try FakeService(at: path)
    client = ArtworkClient(.socket(path: path))
  }

  private func reference(_ text: String, _ key: ArtworkKey = .square) throws -> ArtworkReference {
    ArtworkReference(try SessionSamples.artwork(text), key)
  }

  @Test("An artwork is put, found and removed, and what a newer service adds is passed over")
  func artworks() async throws {
    let reference = try reference("night-drive")
    let put = try await client.put(reference, .file(path: "/a.mp4"))
    #expect(put.reference == reference)
    #expect(put.status == .ready)
    #expect(put.source == .file(path: "/a.mp4"))
    #expect(put.bytes == 5)
    #expect(put.report?.verdict == "warn")
    #expect(put.report?.findings?.first?.rule == "static")
    #expect(try await client.artwork(reference) == put)
    try await client.remove(reference)
    #expect(await failure { try await client.artwork(reference) }?.code == "unknown-artwork")
  }

  @Test(
    "Identifiers arrive as they were given", arguments: ["a/b", "../..", "..", ".", "é?#%2F&x=1"])
  func carriesIdentifiers(text: String) async throws {
    let reference = try reference(text, .tall)
    #expect(try await client.put(reference, .file(path: "/é \"a\".mp4")).reference == reference)
    #expect(service.with { $0.artworks } == [reference: "/é \"a\".mp4"])
  }

  @Test(
    "A preview is asked for by size, and comes from memory when the service reports it as unchanged"
  )
  func previews() async throws {
    let reference = try reference("a")
    _ = try await client.put(reference, .file(path: "/a.mp4"))
    let size = PixelSize(width: 600, height: 400)
    let first = try await client.preview(reference, inside: size)
    #expect(first.size == PixelSize(width: 1, height: 1))
    #expect(Data(first.png) == FakeRoutes.png)
    #expect(try await client.preview(reference, inside: size) == first)
    #expect(try await client.preview(reference) == first)
    #expect(service.with { $0.ifNoneMatch } == ["", "\"tag\"", ""])
    let asked = service.with { $0.requests.filter { $0.contains("preview") } }
    #expect(asked.first == "GET /v1/artworks/a/1x1/preview?width=600&height=400&wait=28")
    #expect(asked.last == "GET /v1/artworks/a/1x1/preview?wait=28")
  }

  @Test("A preview that is not a PNG file is refused")
  func refusesOtherPictures() async throws {
    service.with { $0.surprise = FakeAnswer(200, [:], .whole(Data("GIF89a".utf8))) }
    await #expect(throws: ClientError.notUnderstood("the preview is not a PNG file")) {
      try await client.preview(reference("a"))
    }
  }

  @Test("A session is published, promoted, asked for its video and ended")
  func sessions() async throws {
    let id = try SessionSamples.id("main/1")
    let artwork = try SessionSamples.artwork("a")
    var session = SessionSamples.session(
      playing: .playing(), artwork: [.square: artwork, .tall: artwork])
    session.playback?.timestamp = 990
    let published = try await client.publish(session, as: id, ownedBy: 4711)
    #expect(published.session == session)
    #expect(published.ownerProcess == 4711)
    #expect(published.isSystemPrimary)
    #expect(try await client.session(id) == published)
    try await client.promote(id, .system)
    let shown = try #require(try await client.nowPlaying().shown)
    #expect(shown.sessionID == id)
    #expect(shown.playback?.positionSeconds == 10)
    #expect(shown.variants[.square]?.reason.code == "unknown-artwork")
    let size = PixelSize(width: 1080, height: 1080)
    let video = try await client.video(for: id, .square, size: size)
    #expect(video.url == "file:///leases/a.mp4" && video.artworkID == artwork && video.bytes == 5)
    let none = try await client.video(for: id, .tall, size: size)
    #expect(none.url == nil && none.reason == .init(code: "late", message: "It takes too long."))
    try await client.end(id)
    #expect(await failure { try await client.end(id) }?.code == "unknown-session")
  }

  @Test("An update sends what differs, and nothing else")
  func updates() async throws {
    let id = try SessionSamples.id("main/1")
    let artwork = try SessionSamples.artwork("a")
    var session = SessionSamples.session(playing: .playing(), artwork: [.square: artwork])
    session.playback?.timestamp = 990
    _ = try await client.publish(session, as: id)
    var paused = session
    paused.playback?.state = .paused
    let published = try await client.update(id, from: session, to: paused)
    #expect(published.session == paused)
    #expect(service.with { $0.patches } == [#"{"playback":{"rate":null,"state":"paused"}}"#])
    let other = try SessionSamples.id("other")
    #expect(
      await failure { try await client.update(other, from: session, to: paused) }?.code
        == "unknown-session")
    #expect(try await client.sessions().map(\.id) == [id])
    try await client.promote(id, .system)
    try await client.demote(id, .system)
    #expect(
      service.with { $0.requests.last }
        == "DELETE /v1/sessions/main%2F1/primary?scope=system")
    let again = await failure { try await client.publish(session, as: id, isNew: true) }
    #expect(again?.code == "precondition-failed")
  }

  @Test("An artwork is read with all its keys")
  func artworkVariants() async throws {
    let id = try SessionSamples.artwork("a")
    for key in ArtworkKey.allCases {
      _ = try await client.put(ArtworkReference(id, key), .file(path: "/a.mp4"))
    }
    let variants = try await client.artworks(id)
    #expect(Set(variants.keys) == [.square, .tall])
    #expect(variants[.tall]?.reference == ArtworkReference(id, .tall))
  }

  @Test("A refusal carries the problem, with what to do and when to ask again")
  func explainsRefusals() async throws {
    let error = await failure { try await client.artwork(reference("nobody")) }
    #expect(
      error
        == .refused(
          ClientError.Problem(
            code: "unknown-artwork", status: 404, title: "No", detail: "Put it first.",
            retryAfterSeconds: 7)))
    #expect(error?.description == "Put it first.")
  }

  @Test("An answer that is not a document of the contract is not understood")
  func noticesOtherServices() async throws {
    service.with { $0.surprise = FakeAnswer(200, [:], .whole(Data("<html>".utf8))) }
    #expect(await failure { try await client.nowPlaying() }?.kind == "not understood")
    service.with { $0.surprise = FakeAnswer(502) }
    #expect(await failure { try await client.nowPlaying() }?.code == "status-502")
    service.with { $0.surprise = FakeAnswer(200, [:], .whole(Data("data: 1\n\n".utf8))) }
    #expect(await failure { try await client.events() }?.kind == "not understood")
  }

  @Test("Without a service, the error asks whether it runs")
  func noService() async throws {
    try folder.write("", to: "file")
    for (name, reason) in [
      ("nobody.sock", "no such file or directory"),
      (String(repeating: "x", count: 200), "a socket's path has 1 to 107 bytes"),
      ("file", "connection refused"),
    ] {
      let path = folder.url(name).path
      let error = await failure { try await ArtworkClient(.socket(path: path)).nowPlaying() }
      #expect(
        error?.description == "no service at \(path) (\(reason)): is artworkd serve running?")
    }
  }

  @Test("A port wants its token, and gets it")
  func tokens() async throws {
    let service = try FakeService(token: "secret")
    let port = service.port
    let without = ArtworkClient(.tcp(host: "127.0.0.1", port: port))
    #expect(await failure { try await without.set(DeviceConditions()) }?.code == "unauthorized")
    #expect(await failure { try await without.nowPlaying() }?.code == "unauthorized")
    let file = folder.url("token")
    let address = ServiceAddress.tcp(host: "127.0.0.1", port: port)
    let renewing = ArtworkClient(address, tokenFile: file.path)
    #expect(await failure { try await renewing.nowPlaying() }?.code == "unauthorized")
    for token in ["secret", "another"] {
      service.with { $0.token = token }
      try Data("\(token)\n".utf8).write(to: file)
      _ = try await renewing.nowPlaying()
      // It is kept.
      let before = service.with { $0.requests.count }
      _ = try await renewing.nowPlaying()
      #expect(service.with { $0.requests.count } == before + 1)
    }
    service.with { $0.token = "secret" }
    let client = ArtworkClient(.tcp(host: "127.0.0.1", port: port, token: "secret"))
    try await client.set(DeviceConditions())
    _ = try await client.nowPlaying()
    _ = try await client.events()
    await service.stop()
    let kind = await failure { try await without.nowPlaying() }?.kind
    #expect(kind == "no service" || kind == "lost")
  }

  /// The connection breaks off in the middle of the next answer.
  private static let broken = FakeAnswer(200, [:], .broken)

  @Test("a DELETE whose answer was lost is sent again, and what is gone then is deleted")
  func lostDeletion() async throws {
    service.with { $0.surprise = Self.broken }
    let before = service.with { $0.requests.count }
    try await client.end(try #require(SessionID("gone")))
    #expect(service.with { $0.requests.count } == before + 2)
  }

  @Test("a session that must be new is not published twice when an answer is lost")
  func lostPublication() async throws {
    service.with { $0.surprise = Self.broken }
    let before = service.with { $0.requests.count }
    let id = try #require(SessionID("new"))
    let session = SessionSamples.session(playing: .playing())
    #expect(
      await failure { try await client.publish(session, as: id, isNew: true) }?.kind == "lost")
    #expect(service.with { $0.requests.count } == before + 1)
  }

  @Test("A request that takes too long fails as late, and is not sent again")
  func late() async throws {
    service.with { $0.surprise = FakeAnswer(200, [:], .never) }
    let before = service.with { $0.requests.count }
    await #expect(throws: ClientError.late) {
      try await client.send("GET", ["v1", "now-playing"], within: .seconds(2))
    }
    #expect(service.with { $0.requests.count } == before + 1)
  }

  @Test("Events come as they happen, the document first")
  func events() async throws {
    let id = try SessionSamples.id("s")
    let reference = try reference("a/b", .tall)
    var events = try await client.events().makeAsyncIterator()
    guard case .nowPlaying(let document)? = try await events.next() else {
      Issue.record("no document")
      return
    }
    #expect(document.shown == nil)
    _ = try await client.put(reference, .file(path: "/a.mp4"))
    #expect(try await events.next() == .artwork(reference, status: .ready))
    _ = try await client.publish(SessionSamples.session(), as: id)
    #expect(try await events.next() == .session(id, application: "player", ended: false))
    try await client.promote(id)
    #expect(try await events.next() == .primary(session: id, application: "player", .application))
    try await client.set(DeviceConditions(lowData: true))
    #expect(try await events.next() == .conditions(DeviceConditions(lowData: true)))
    try await client.end(id)
    #expect(try await events.next() == .session(id, application: "player", ended: true))
  }

  @Test(
    "Every event of the contract is understood, and so is one with words of a newer service",
    arguments: [
      (
        "lease",
        #"{"sessionID":"s","artworkID":"a","key":"1x1","rendition":{"width":3,"height":4},"released":true}"#
      ),
      ("missed", "{}"), ("primary", #"{"scope":"system"}"#), ("weather", "rain"),
      ("artwork", #"{"artworkID":"a","key":"1x1","status":"melting"}"#),
      ("cover", #"{"artworkID":"a","key":"9x16"}"#), ("conditions", #"{"thermal":"molten"}"#),
    ])
  func understandsEvents(name: String, data: String) throws {
    let event = try ServiceEvent(.init(name: name, data: data))
    let expected: [String: ServiceEvent] = [
      "lease": .lease(
        try SessionSamples.id("s"), application: nil, try reference("a"),
        rendition: PixelSize(width: 3, height: 4), released: true),
      "missed": .missed, "primary": .primary(session: nil, application: nil, .system),
      "artwork": .artwork(try reference("a"), status: nil),
    ]
    #expect(event == expected[name] ?? .unknown(name: name))
  }

  @Test("An event that lacks a field is refused")
  func refusesPartialEvents() {
    #expect(throws: DecodingError.self) {
      try ServiceEvent(.init(name: "session", data: #"{"ended":true}"#))
    }
  }
}
