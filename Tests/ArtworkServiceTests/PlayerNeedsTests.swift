import NIOHTTP1
import TestSupport

@testable import ArtworkService

/// The guarantees that the author of a player relies on.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PlayerNeedsTests {
  // MARK: Clocks

  /// Two clocks that the test moves.
  private final class Clocks: Sendable {
    private struct State {
      var wall = 1_700_000_000.0
      var passed = 5000.0
    }

    private let state = Mutex(State())
    var wall: Double { state.withLock(\.wall) }
    var passed: Double { state.withLock(\.passed) }

    func pass(_ seconds: Double) {
      state.withLock {
        $0.wall += seconds
        $0.passed += seconds
      }
    }

    func set(by seconds: Double) { state.withLock { $0.wall += seconds } }
  }

  @Test(arguments: [-3600.0, 3600, -5_000_000])
  func `setting the clock moves no position, and a pause keeps no error`(step: Double) async throws {
    let clocks = Clocks()
    let service = try await RunningService(clock: { clocks.wall }, passed: { clocks.passed })
    let client = try service.client()
    func position() throws -> JSONNode? {
      try client.ask("GET", "/v1/now-playing").at("shown.playback.positionSeconds")
    }
    _ = try client.ask(
      "PUT", "/v1/sessions/s",
      json: #"{"application":"app","playback":{"state":"playing","elapsedSeconds":10,"#
        + #""durationSeconds":1000}}"#)
    clocks.pass(1)
    #expect(try position() == 11)
    clocks.set(by: step)
    #expect(try position() == 11)
    clocks.pass(3)
    #expect(try position() == 14)
    // By the wall clock of now, so that a reader who extrapolates from it comes to the same.
    let session = try client.ask("GET", "/v1/sessions/s")
    #expect(session.at("playback.timestamp")?.number == clocks.wall - 4)
    let paused = try client.ask(
      "PATCH", "/v1/sessions/s", json: #"{"playback":{"state":"paused"}}"#)
    #expect(paused.at("playback.elapsedSeconds") == 14)
    // A player that sends a timestamp, by the current setting of the clock.
    _ = try client.ask(
      "PUT", "/v1/sessions/s",
      json: #"{"application":"app","playback":{"state":"playing","elapsedSeconds":20,"#
        + #""timestamp":\#(clocks.wall - 2)}}"#)
    #expect(try position() == 22)
  }

  @Test func `a song without a duration is not live, and can be skipped in`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    _ = try client.ask(
      "PUT", "/v1/sessions/s",
      json: #"{"application":"app","commands":{"skipForward":{"preferredIntervals":[15]}},"#
        + #""playback":{"state":"playing","elapsedSeconds":0}}"#)
    let answer = try client.ask(
      "POST", "/v1/sessions/s/commands", json: #"{"command":"skipForward"}"#)
    // No connection holds the session, which is checked last.
    #expect(answer.text.contains("not-listening"))
  }

  // MARK: Waiting

  @Test func `work goes on after the answer late, who asks again joins it, and an event ends it`()
    async throws
  {
    let inspector = ScriptedInspector()
    inspector.delay = 60
    let service = try await RunningService({ $0.answer = .milliseconds(200) }, inspector: inspector)
    let listener = try service.client()
    try listener.send("GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try listener.receive(until: "event: now-playing\n")
    let put = try service.register("a", "good-1x1-2s.mp4")
    #expect(put.status == 504 && put.text.contains(#""code":"late""#))
    // On a busy machine the answer is late before the work has begun.
    #expect(try await eventually { inspector.inspections == 1 })
    #expect(
      try service.client().ask("GET", "/v1/artworks/a/1x1").at("status") == "preparing")
    #expect(try service.client().ask("GET", "/v1/artworks/a/1x1/preview").status == 504)
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 504)
    #expect(inspector.inspections == 1 && inspector.stopped == 0)
    inspector.delay = 0
    #expect(try listener.receive(until: #""status":"ready""#).contains(#""artworkID":"a""#))
    let preview = try service.client().ask("GET", "/v1/artworks/a/1x1/preview?wait=28")
    #expect(preview.status == 200)
    #expect(inspector.inspections == 1 && inspector.stopped == 0)
  }

  @Test func `a request states how long it waits`() async throws {
    let inspector = ScriptedInspector()
    inspector.delay = 60
    let service = try await RunningService(inspector: inspector)
    let path = Fixture.named("good-1x1-2s.mp4").url.path
    let body = #"{"source":{"path":"\#(path)"}}"#
    #expect(try service.client().ask("PUT", "/v1/artworks/a/1x1?wait=0", json: body).status == 504)
    #expect(try service.client().ask("PUT", "/v1/artworks/a/1x1?wait=29", json: body).status == 400)
    inspector.delay = 0
  }

  // MARK: Presentation

  @Test(arguments: [
    ("good-1x1.mp4", "video", "plays"), ("aspect-16x9.mp4", "cover", "ignored"),
    ("codec-vp9.webm", "video", "plays"), ("rate-61.mp4", "preview", "does-not-play"),
    ("broken-text.mp4", "cover", "refused"),
  ])
  func `the answer to PUT states what will be shown, and POST video agrees`(
    file: String, shows: String, code: String
  ) async throws {
    let service = try await RunningService(clipMaker: Inspector())
    let put = try service.register("a", file)
    // A cover lies beside the sample clips.
    #expect(put.at("shows")?.text == shows && put.at("reason.code")?.text == code)
    try service.folder.copy(file, to: "alone.mp4")
    let client = try service.client()
    let other = try client.ask(
      "PUT", "/v1/artworks/alone/1x1",
      json: #"{"source":{"path":"\#(service.folder.url("alone.mp4").path)"}}"#)
    #expect(other.at("shows")?.text == (shows == "cover" ? "nothing" : shows))
    _ = try client.ask(
      "PUT", "/v1/sessions/s", json: #"{"application":"app","artwork":{"1x1":"a"}}"#)
    let video = try client.ask(
      "POST", "/v1/sessions/s/artwork/1x1/video?wait=28", json: #"{"width":9,"height":9}"#)
    #expect(video.at("reason.code")?.text == code)
    let shown = try client.ask("GET", "/v1/now-playing").at("shown.variants.1x1")
    #expect(shown?.at("reason.code")?.text == code)
    #expect(video.at("show") == shown?["show"])
  }

  @Test func `a player that plays VP9 gets it, and one that does not gets H.264`() async throws {
    let service = try await RunningService(clipMaker: Inspector())
    let client = try service.client()
    #expect(try service.register("a", "codec-vp9.webm").status == 201)
    func video(_ codecs: String) throws -> RawClient.Answer {
      _ = try client.ask(
        "PUT", "/v1/sessions/s",
        json: #"{"application":"app","artwork":{"1x1":"a"},"videoCodecs":\#(codecs)}"#)
      return try client.ask(
        "POST", "/v1/sessions/s/artwork/1x1/video", json: #"{"width":4000,"height":4000}"#)
    }
    let own = try video(#"["vp9","h264"]"#)
    let file = try #require(own.at("url")?.text.flatMap { URL(string: $0) })
    #expect(own.at("rendition") == nil)
    #expect(
      try Data(contentsOf: file) == Data(contentsOf: Fixture.named("codec-vp9.webm").url))
    let made = try video(#"["h264"]"#)
    #expect(made.at("rendition") != nil && made.at("url") != own.at("url"))
    #expect(try video(#"["av1"]"#).at("reason.code") == "codec-not-supported")
    // The files that the next session will request are made before it is published.
    let prepared = try client.ask(
      "POST", "/v1/artworks/a/1x1/prepare", json: #"{"videoCodecs":["h264"]}"#)
    #expect(prepared.status == 200 && prepared.text.contains(#""codec":"h264""#))
    // So it is for a player that names no codecs.
    let usual = try client.ask("POST", "/v1/artworks/a/1x1/prepare", json: "{}").text
    #expect(usual.contains(#""codec":"h264""#))
  }

  @Test func `previews are answered when the store is full, and when their video is evicted`()
    async throws
  {
    let inspector = ScriptedInspector()
    let preview = try ScriptedInspector.previewBytes
    let service = try await RunningService(
      inspector: inspector, store: { $0.byteBudget = Int64(preview + 5000) })
    let client = try service.client()
    func put(_ id: String, _ byte: String) throws -> Int {
      try service.folder.write(String(repeating: byte, count: 4000), to: "\(id).mp4")
      let path = service.folder.url("\(id).mp4").path
      return try client.ask(
        "PUT", "/v1/artworks/\(id)/1x1", json: #"{"source":{"path":"\#(path)"}}"#
      ).status
    }
    #expect(try put("one", "1") == 201)
    #expect(try put("two", "2") == 201)
    #expect(try client.ask("GET", "/v1/artworks/one/1x1").at("bytes") == nil)
    let before = inspector.inspections
    let evicted = try client.ask("GET", "/v1/artworks/one/1x1/preview?width=8")
    #expect(evicted.status == 200 && inspector.inspections == before)
    for id in ["two", "three"] {
      _ = try client.ask(
        "PUT", "/v1/sessions/\(id)", json: #"{"application":"app","artwork":{"1x1":"\#(id)"}}"#)
    }
    let size = #"{"width":9000,"height":9000}"#
    let leased = try client.ask("POST", "/v1/sessions/two/artwork/1x1/video", json: size)
    #expect(leased.text.contains("file://"))
    #expect(try put("three", "3") == 507)
    #expect(try client.ask("GET", "/v1/artworks/three/1x1/preview").status == 200)
    let refused = try client.ask("POST", "/v1/sessions/three/artwork/1x1/video", json: size)
    #expect(refused.at("reason.code") == "no-space")
    let sentence =
      "\(4000 + preview) bytes do not fit: sessions hold all but 1000 bytes of the budget of "
      + "\(preview + 5000)"
    #expect(refused.at("reason.message")?.text == sentence)
    _ = try client.ask("POST", "/v1/sessions/three/primary", json: #"{"scope":"system"}"#)
    #expect(try client.ask("GET", "/v1/now-playing").text.contains(#""code":"no-space""#))
  }

  // MARK: Requests

  @Test func `a target with a host is that of its path`() async throws {
    let service = try await RunningService(onTCP: true)
    let token = try #require(service.sockets.token).text
    let client = try RawClient(service.loopback, of: service)
    func status(_ target: String, host: String) throws -> Int {
      try client.ask("GET", target, ["Host": host, "Authorization": "Bearer \(token)"]).status
    }
    #expect(try status("http://\(service.host)/v1/leases", host: service.host) == 200)
    // The host of the target counts, and not the field (RFC 9112, 3.2.2).
    #expect(try status("http://\(service.host)/v1/leases", host: "ignored") == 200)
    let other = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "http://evil.test/v1", headers: ["host": service.host])
    #expect(other.inOriginForm.uri == "/v1" && other.inOriginForm.headers["host"] == ["evil.test"])
    let bare = HTTPRequestHead(
      version: .http1_1, method: .GET, uri: "HTTP://a?b=1", headers: ["host": "a"])
    #expect(bare.inOriginForm.uri == "/?b=1")
    for uri in ["/http://a/b", "*", "a:80", "https://a/b", "http:///b", "http://u@a/b"] {
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: ["host": "a"])
      #expect(head.inOriginForm == head)
    }
  }

  @Test func `artworks come in pages`() async throws {
    let service = try await RunningService()
    for id in ["b", "a", "d", "c", "e"] { _ = try service.register(id, "good-1x1.mp4") }
    var (ids, next): ([String], String?) = ([], "")
    while let after = next {
      let page = try service.client().ask("GET", "/v1/artworks?limit=2&after=\(after)").json
      ids += page.texts("artworks.*.artworkID")
      next = page["next"]?.text
    }
    #expect(ids == ["a", "b", "c", "d", "e"])
    #expect(try service.client().ask("GET", "/v1/artworks?limit=0").status == 400)
  }

  @Test func `own takes a session, and session chooses its events`()
    async throws
  {
    let service = try await RunningService(grace: .milliseconds(50))
    func listen(_ query: String) throws -> RawClient {
      let client = try service.client()
      try client.send("GET /v1/events?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.receive(until: "event: now-playing\n")
      return client
    }
    let client = try service.client()
    let body = #"{"application":"app"}"#
    for id in ["a", "b"] { _ = try client.ask("PUT", "/v1/sessions/\(id)", json: body) }
    var filter: RawClient? = try listen("session=a")
    _ = try filter?.receive(until: "\n\n")
    _ = try client.ask("DELETE", "/v1/sessions/b")
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    let heard = try filter?.receive(until: "event: conditions") ?? ""
    #expect(!heard.contains(#""sessionID":"b""#))
    filter = nil
    // The application need not be named while it is the only one.
    var owner: RawClient? = try listen("own=a")
    // Who filters has owned nothing.
    try await Task.sleep(for: .milliseconds(200))
    #expect(try client.ask("GET", "/v1/sessions/a").status == 200)
    _ = owner
    owner = nil
    #expect(try await eventually { try client.ask("GET", "/v1/sessions/a").status == 404 })
    // One of that name that is published later is owned as well.
    owner = try listen("own=a")
    _ = try client.ask("PUT", "/v1/sessions/a", json: body)
    _ = try owner?.receive(until: "event: session")
    try await Task.sleep(for: .milliseconds(200))
    #expect(try client.ask("GET", "/v1/sessions/a").status == 200)
    _ = owner
    owner = nil
    #expect(try await eventually { try client.ask("GET", "/v1/sessions/a").status == 404 })
  }
}
