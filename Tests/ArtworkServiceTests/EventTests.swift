import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkService

@Suite(.serialized) struct EventTests {
  private func listen(_ service: RunningService, _ query: String = "") throws -> RawClient {
    let client = try service.client()
    try client.send("GET /v1/events\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.receive(until: "event: now-playing\n").contains("text/event-stream"))
    return client
  }

  /// The data of the next event of a name.
  private func next(_ name: String, _ listener: RawClient) throws -> JSONNode {
    _ = try listener.receive(until: "event: \(name)\n")
    let line = try #require(try listener.receive(until: "\n\n").split(separator: "\n").first)
    return try JSONNode.read(String(line.dropFirst("data: ".count)))
  }

  @Test func `a listener is notified of what is shown, then of changes`() async throws {
    let service = try await RunningService()
    let listener = try listen(service)
    #expect(try listener.receive(until: "\n\n").contains(#""sessions":[]"#))
    let client = try service.client()
    _ = try client.ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    let published = try next("session", listener)
    #expect(published["sessionID"] == "s" && published["ended"] == false)
    #expect(published.at("session.isSystemPrimary") == true)
    _ = try client.ask("PUT", "/v1/conditions", json: #"{"lowData":true}"#)
    #expect(try next("conditions", listener)["lowData"] == true)
    _ = try client.ask("POST", "/v1/sessions/s/primary", json: #"{"scope":"system"}"#)
    let primary = try next("primary", listener)
    #expect(primary["scope"] == "system" && primary["sessionID"] == "s")
    #expect(primary["application"] == "app")
    _ = try service.register("a", "good-1x1-2s.mp4")
    let artwork = try next("artwork", listener)
    #expect(artwork["artworkID"] == "a" && artwork["key"] == "1x1" && artwork["status"] == "ready")
    #expect(artwork["digest"] != nil && artwork["report"] == nil)
    _ = try client.ask("PUT", "/v1/conditions", json: "{}")
    let session = #"{"application":"app","artwork":{"1x1":"a"}}"#
    _ = try client.ask("PUT", "/v1/sessions/s", json: session)
    let size = #"{"width":100,"height":100}"#
    let video = try client.ask("POST", "/v1/sessions/s/artwork/1x1/video", json: size)
    let lease = try next("lease", listener)
    #expect(lease["url"] == video.at("url") && lease["url"] != nil && lease["released"] == false)
    _ = try client.ask("DELETE", "/v1/sessions/s")
    #expect(try next("lease", listener)["released"] == true)
    let ended = try next("session", listener)
    #expect(ended["ended"] == true && ended["session"] == nil)
  }

  @Test func `who comes back is sent what came in between, or notified that it missed something`()
    async throws
  {
    let service = try await RunningService()
    let client = try service.client()
    func id(_ text: String) -> String? {
      text.components(separatedBy: "id: ").dropFirst().last.map { String($0.prefix { $0 != "\n" }) }
    }
    var listener: RawClient? = try service.client()
    try listener?.send("GET /v1/events HTTP/1.1\r\nHost: a\r\n\r\n")
    let first = try #require(listener).receive(until: "event: now-playing\n")
    let known = try #require(id(first))
    listener = nil
    for title in ["one", "two"] {
      let session = #"{"application":"app","content":{"kind":"music","title":"\#(title)"}}"#
      _ = try client.ask("PUT", "/v1/sessions/s", json: session)
    }
    let back = try service.client()
    try back.send("GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \(known)\r\n\r\n")
    let missed = try back.receive(until: "event: now-playing\n")
    // In order, with the state at the time, and numbered.
    let titles = missed.components(separatedBy: #""title":""#).dropFirst().map { $0.prefix(3) }
    #expect(titles.first == "one" && titles.last == "two")
    #expect(missed.components(separatedBy: "event: session\n").count == 3)
    #expect(id(missed) != known)
    // Nothing came since.
    let again = try service.client()
    try again.send(
      "GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \(try #require(id(missed)))\r\n\r\n")
    let nothing = try again.receive(until: "event: now-playing\n")
    #expect(!nothing.contains("event: session") && !nothing.contains("event: missed"))
    for unknown in ["other-1", "1", known + "9999", "-"] {
      let client = try service.client()
      try client.send("GET /v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: \(unknown)\r\n\r\n")
      #expect(try client.receive(until: "event: now-playing\n").contains("event: missed"))
    }
  }

  @Test func `as many events are kept as are allowed, and a slow listener loses the rest`()
    async throws
  {
    let service = try await RunningService()
    let log = EventLog(center: service.center, keeping: 2)
    func listen(after last: String?) async throws -> String {
      let queue = EventQueue(limit: 1, missed: EventMessage.missed)
      try log.listen(queue, after: last)
      queue.finish()
      let texts = Mutex("")
      try await queue.deliver { text in texts.withLock { $0 += text } }
      return texts.withLock(\.self)
    }
    let start = try #require(try await listen(after: nil).split(separator: "\n").first)
    let run = start.dropFirst("id: ".count).prefix { $0 != "-" }
    let slow = EventQueue(limit: 1, missed: EventMessage.missed)
    try log.listen(slow, after: nil)
    for _ in 0..<3 { try await service.center.set(DeviceConditions()) }
    #expect(try await listen(after: "\(run)-0").contains("event: missed"))
    let last = try await listen(after: "\(run)-1")
    #expect(last.components(separatedBy: "event: conditions").count == 3)
    #expect(!last.contains("missed"))
    slow.finish()
    let heard = Mutex("")
    try await slow.deliver { text in heard.withLock { $0 += text } }
    #expect(heard.withLock(\.self).hasSuffix(EventMessage.missed))
    #expect(heard.withLock { $0.components(separatedBy: "event: conditions").count } <= 2)
  }

  @Test func `a quiet stream shows that it is alive`() async throws {
    let service = try await RunningService { $0.heartbeat = .milliseconds(50) }
    let listener = try listen(service)
    _ = try listener.receive(until: "\n\n")
    for _ in 0..<2 {
      // In a separate chunk.
      #expect(try listener.receive(until: ": keep-alive\n\n").split(separator: "\r\n").count == 2)
    }
  }

  @Test func `the session of a stream ends with it`() async throws {
    let service = try await RunningService()
    var owner: RawClient? = try listen(service, "?own=s%2F1&application=app")
    let watcher = try listen(service)
    let client = try service.client()
    _ = try client.ask("PUT", "/v1/sessions/s%2F1", json: #"{"application":"app"}"#)
    _ = try client.ask("PUT", "/v1/sessions/other", json: #"{"application":"app"}"#)
    withExtendedLifetime(owner) {}
    owner = nil
    _ = try watcher.receive(until: #""ended":true,"sessionID":"s/1""#)
    #expect(try client.ask("GET", "/v1/sessions/s%2F1").status == 404)
    #expect(try client.ask("GET", "/v1/sessions/other").status == 200)
  }

  @Test func `a stream whose client only closes its side ends as well`() async throws {
    let service = try await RunningService()
    let owner = try listen(service, "?own=s&application=app")
    let watcher = try listen(service)
    _ = try service.client().ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    owner.closeOutput()
    _ = try watcher.receive(until: #""ended":true,"sessionID":"s""#)
  }

  @Test func `a service that stops ends streams and no sessions`() async throws {
    let service = try await RunningService(grace: .milliseconds(200))
    let owner = try listen(service, "?own=s&application=app")
    _ = try service.client().ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#)
    try await service.stop()
    _ = try owner.receiveToEnd()
    try await Task.sleep(for: service.center.options.grace + .milliseconds(500))
    let id = try #require(SessionID("s"))
    #expect(service.center.session(id) != nil)
  }
}
