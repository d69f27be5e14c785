import NIOCore
import TestSupport

@testable import ArtworkMedia
@testable import ArtworkService

@Suite(.serialized) struct ConnectionGuardTests {
  private static func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return try #require(fields.count > 1 ? Int(fields[1]) : nil) * sysconf(Int32(_SC_PAGESIZE))
  }

  /// So short that a test need not wait, and long enough for a busy machine to answer within. A test in which only one of
  /// them should pass changes that one alone: the others could end its requests while the machine is busy.
  private static func hasty(_ limits: inout ServiceLimits) {
    limits.head = .seconds(1)
    limits.request = .seconds(1)
    limits.idle = .seconds(1)
    limits.write = .milliseconds(600)
    limits.linger = .milliseconds(200)
  }

  /// Sends a byte now and then until the other side responds.
  private func dribble(_ client: RawClient, _ text: String) throws -> RawClient.Answer {
    for byte in Array(text.utf8) {
      do {
        try client.send([byte])
      } catch is RawClient.Closed {
        break
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return try client.answer()
  }

  /// Where a request with a body of JSON goes on after these fields.
  private static func put(_ fields: String) -> String {
    "PUT /v1/conditions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n"
  }

  @Test(arguments: [
    (
      "",
      "GET /healthz HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X-Slow: loris\r\n", count: 100)
    ),
    (put("Content-Length: 5000"), String(repeating: " ", count: 4000)),
  ])
  func `what comes byte by byte is cut off at its deadline`(start: String, rest: String)
    async throws
  {
    let service = try await RunningService {
      ($0.head, $0.request, $0.linger) = (
        .milliseconds(400), .milliseconds(800), .milliseconds(200)
      )
    }
    let client = try service.client()
    if start.isEmpty { #expect(try client.ask("GET", "/healthz").status == 200) }
    try client.send(start)
    let answer = try dribble(client, rest)
    #expect(answer.status == 408)
    #expect(answer.fields["connection"] == "close")
    #expect(answer.fields["content-type"] == "application/problem+json")
    #expect(try client.receiveToEnd() == "")
  }

  @Test func `a connection without requests is closed`() async throws {
    let service = try await RunningService { $0.idle = .milliseconds(1500) }
    let silent = try service.client()
    let used = try service.client()
    #expect(try used.ask("GET", "/healthz").status == 200)
    #expect(try silent.receiveToEnd() == "")
    #expect(try used.receiveToEnd() == "")
  }

  @Test func `a client that never reads its answer is cut off`() async throws {
    let service = try await RunningService { $0.write = .milliseconds(600) }
    #expect(try service.register("a", "good-1x1.mp4").status == 201)
    let client = try service.client()
    // More than the system's buffers take.
    let request = "GET /v1/artworks/a/1x1/video HTTP/1.1\r\nHost: a\r\n\r\n"
    do {
      for _ in 0..<20_000 { try client.send(request) }
      Issue.record("it takes requests without end")
    } catch is RawClient.Closed {
    }
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }

  @Test func `a stream that owns a session is never too slow`() async throws {
    let service = try await RunningService {
      Self.hasty(&$0)
      $0.heartbeat = .milliseconds(50)
      $0.waitingEvents = 16
    }
    let owner = try service.client()
    try owner.send("GET /v1/events?own=s&application=app HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try owner.receive(until: "event: now-playing")
    let publisher = try service.client()
    #expect(
      try publisher.ask("PUT", "/v1/sessions/s", json: #"{"application":"app"}"#).status == 201)
    // The client does not read: more than all buffers hold, for longer than any deadline of those that own nothing.
    let text = String(repeating: "x", count: 4000)
    let content =
      #"{"kind":"music","title":"\#(text)","subtitle":"\#(text)","collection":"\#(text)"}"#
    for number in 0..<60 {
      _ = try publisher.ask(
        "PUT", "/v1/sessions/\(number % 4)",
        json: #"{"application":"app","content":\#(content)}"#)
    }
    try await Task.sleep(for: .milliseconds(1500))
    #expect(try service.client().ask("GET", "/v1/sessions/s").status == 200)
    #expect(try owner.receive(until: "event: missed").contains("event: session"))
    #expect(try owner.receive(until: ": keep-alive").contains("data: {}"))
  }

  private static let noRequests = [
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
    "GET  HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nHost a\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc",
    "G\0T / HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  ]

  @Test func `what is not HTTP is answered with 4xx and the end`() async throws {
    let service = try await RunningService(Self.hasty)
    for text in Self.noRequests {
      let client = try service.client()
      try client.send(text)
      let answer = try client.receiveToEnd()
      #expect(answer.hasPrefix("HTTP/1.1 4"), "\(text): \(answer)")
      #expect(try service.client().ask("GET", "/healthz").status == 200)
    }
  }

  @Test(arguments: [
    // 64 KiB in all, in one field or in many, and 100 fields with that of the host.
    (1, 64_000, 200), (1, 66_000, 431), (90, 600, 200), (110, 600, 431), (99, 1, 200),
    (100, 1, 431), (5000, 1, 431),
  ])
  func `headers have a size and a number`(count: Int, size: Int, status: Int) async throws {
    let service = try await RunningService()
    let client = try service.client()
    let value = String(repeating: "x", count: size)
    let fields = (0..<count).map { "X-\($0): \(value)\r\n" }.joined()
    // The service may close before it has read all.
    try? client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    #expect(try client.answer().status == status)
    #expect(try service.client().ask("GET", "/healthz", ["X-Fits": "1"]).status == 200)
  }

  @Test func `bodies have a size, announced or not`() async throws {
    let service = try await RunningService { $0.linger = .seconds(60) }
    let announced = try service.client()
    try announced.send(
      Self.put("Content-Length: 1000000000"))
    #expect(try announced.answer().status == 413)
    let endless = try service.client()
    try endless.send(
      Self.put("Transfer-Encoding: chunked"))
    let chunk = "1000\r\n" + String(repeating: " ", count: 4096) + "\r\n"
    // Four times the limit; bytes after that are discarded until the connection closes.
    for _ in 0..<64 { try endless.send(chunk) }
    #expect(try endless.answer().status == 413)
    #expect(try endless.receiveToEnd() == "")
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }

  @Test(arguments: [
    "1;\(String(repeating: "x", count: 1000))\r\na\r\n", "1\r\na\r\n",
    "0\r\n" + (0..<90).map { "X-\($0): 1\r\n" }.joined(),
    "0\r\nX-Long: " + String(repeating: "x", count: 16_000),
  ])
  func `what a body has beside its data has a size`(beginning: String) async throws {
    let service = try await RunningService()
    let client = try service.client()
    try client.send(
      Self.put("Transfer-Encoding: chunked"))
    let sender = client.sender
    // Not a task: the service needs the threads of those. Ends when the service closes.
    Thread.detachNewThread {
      let next = beginning.hasPrefix("0") ? "X: y\r\n" : beginning
      try? sender.send(beginning)
      for _ in 0..<200_000 where (try? sender.send(next)) == nil { break }
    }
    #expect([413, 431].contains(try client.answer().status))
    #expect(try client.receiveToEnd() == "")
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }

  @Test func `a body whose every byte is a chunk is read`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let json = "{" + String(repeating: " ", count: 60_000) + "}"
    try client.send(
      Self.put("Transfer-Encoding: chunked") + json.map { "1\r\n\($0)\r\n" }.joined()
        + "0\r\nX-Trailer: 1\r\n\r\n")
    #expect(try client.answer().status == 200)
  }

  /// The service would wait for hours for requests that do not end on their own.
  @Test(.timeLimit(.minutes(3)), arguments: ["/v1/events", "/v1/events?own=s&application=app"])
  func `who hears events does not hold up a service that stops`(target: String) async throws {
    let service = try await RunningService {
      $0.heartbeat = .microseconds(50)
      ($0.stop, $0.idle, $0.write, $0.linger) = (.hours(1), .hours(1), .hours(1), .hours(1))
    }
    func listener() throws -> RawClient {
      let client = try service.client()
      try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = try client.receive(until: "event: now-playing")
      return client
    }
    let (reader, idler) = (try listener(), try listener())
    // The client does not read: heartbeats fill all buffers.
    try await Task.sleep(for: .seconds(1))
    try await service.stop()
    _ = try reader.receiveToEnd()
    withExtendedLifetime(idler) {}
  }

  @Test func `thousands of requests in one go are answered in order`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let sender = client.sender
    // Not a task: the service needs the threads of those.
    Thread.detachNewThread {
      for number in 0..<3000 {
        let target = number % 2 == 0 ? "/healthz" : "/nowhere"
        try? sender.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      }
    }
    for number in 0..<3000 {
      let status = try client.answer().status
      guard status == (number % 2 == 0 ? 200 : 404) else {
        Issue.record("answer \(number) is \(status)")
        return
      }
    }
  }

  @Test func `one client too many gets a response that states it`() async throws {
    let service = try await RunningService { $0.connections = 16 }
    var clients = try (0..<16).map { _ in try service.client() }
    for client in clients { #expect(try client.ask("GET", "/healthz").status == 200) }
    let answer = try service.client().answer()
    #expect(answer.status == 503)
    #expect(answer.fields["retry-after"] != nil)
    #expect(try clients[3].ask("GET", "/healthz").status == 200)
    clients = []
    // Places are free again as soon as the service has seen it.
    var status = 503
    for _ in 0..<3000 where status == 503 {
      try await Task.sleep(for: .milliseconds(10))
      status = (try? service.client().ask("GET", "/healthz").status) ?? 503
    }
    #expect(status == 200)
  }

  @Test func `a client that closes its side still gets its answer`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    try client.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    client.closeOutput()
    #expect(try client.receiveToEnd().contains(#""status":"ok""#))
  }

  /// More than the system's buffers take.
  private func largePreview() async throws -> (service: RunningService, target: String, count: Int) {
    let inspector = ScriptedInspector()
    inspector.preview =
      PNGFile.signature + [UInt8](repeating: 7, count: (3 << 20) - PNGFile.signature.count)
    let service = try await RunningService({ $0.linger = .milliseconds(200) }, inspector: inspector)
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    let target = "/v1/artworks/a/1x1/preview"
    // From now on it lies ready.
    #expect(try service.client().ask("GET", target).body.count == 3 << 20)
    return (service, target, 3 << 20)
  }

  @Test(arguments: ["", "Connection: close\r\n", "Content-Length: 0\r\n"])
  func `a client that closes its side gets all of a large answer, also when it is slow`(
    fields: String
  ) async throws {
    let (service, target, count) = try await largePreview()
    let client = try service.client()
    try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
    client.closeOutput()
    // Longer than it lingers, shorter than it waits for a reader.
    try await Task.sleep(for: .milliseconds(400))
    #expect(try client.answer().body.count == count)
    #expect(try client.receiveToEnd() == "")
  }

  @Test func `who reads slowly gets all of the last answer, also when the service stops`()
    async throws
  {
    let (service, target, count) = try await largePreview()
    let clients = try (0..<3).map { _ in try service.client() }
    try clients[0].send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    try clients[1].send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    let long = "GET \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
    try clients[2].send(long + long)
    // Their answers have begun.
    for client in clients { try client.waitForInput() }
    let stopping = Task { try await service.stop() }
    try await Task.sleep(for: .milliseconds(100))
    for client in clients { #expect(try client.answer().body.count == count) }
    // Its second answer is on its way.
    _ = try clients[2].receiveToEnd()
    try await stopping.value
  }

  @Test func `who wants to upgrade is answered, and nothing that it sends then piles up`()
    async throws
  {
    let service = try await RunningService()
    let client = try service.client()
    try client.send(
      "GET /v1/events HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
    #expect(try client.receive(until: "event: now-playing").contains("connection: close"))
    let before = try Self.residentBytes()
    let chunk = [UInt8](repeating: 120, count: 1 << 20)
    for _ in 0..<256 { try client.send(chunk) }
    #expect(try Self.residentBytes() - before < 100 << 20)
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }

  @Test func `old clients and those that want no other answer see the end`() async throws {
    let service = try await RunningService()
    let old = try service.client()
    try old.send("GET /healthz HTTP/1.0\r\n\r\n")
    #expect(try old.receiveToEnd().contains(#""status":"ok""#))
    let tunnel = try service.client()
    try tunnel.send("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try tunnel.receiveToEnd().contains("connection: close"))
    let last = try service.client()
    try last.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(try last.receiveToEnd().contains(#""status":"ok""#))
  }

  /// The last target has a video, which is streamed.
  @Test(arguments: ["/healthz", "/v1/artworks/a/1x1/preview", "/v1/artworks/a/1x1/video"])
  func `a client of HTTP/1.0 that asks to stay connected is answered that it is`(target: String)
    async throws
  {
    let service = try await RunningService()
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    let client = try service.client()
    // The second answer may be from memory.
    for _ in 0..<2 {
      try client.send("GET \(target) HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let answer = try client.answer()
      #expect(answer.status == 200 && answer.fields["connection"] == "keep-alive")
    }
    // A body whose length is not known before ends with the connection.
    try client.send("GET /v1/events HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    let events = try client.receive(until: "event: now-playing")
    #expect(events.contains("connection: close") && !events.contains("chunked"))
  }

  @Test func `requests before the last one are answered as well`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    let fields = "HTTP/1.1\r\nHost: a\r\n"
    try client.send(
      "GET /healthz \(fields)\r\nGET /v1/now-playing \(fields)\r\n"
        + "GET /nowhere \(fields)Connection: close\r\n\r\nGET /healthz \(fields)\r\n")
    let answers = try (0..<3).map { _ in try client.answer() }
    #expect(answers.map(\.status) == [200, 200, 404])
    #expect(answers.map { $0.fields["connection"] } == [nil, nil, "close"])
    #expect(try client.receiveToEnd() == "")
  }

  @Test func `what only a client that has left waits for is given up`() async throws {
    let inspector = ScriptedInspector()
    inspector.delay = 60
    let service = try await RunningService(inspector: inspector)
    var client: RawClient? = try service.client()
    let path = Fixture.named("good-1x1-2s.mp4").url.path
    try client?.request("PUT", "/v1/artworks/a/1x1", json: #"{"source":{"path":"\#(path)"}}"#)
    #expect(try await eventually { inspector.inspections == 1 })
    client = nil
    #expect(try await eventually { inspector.stopped == 1 })
    #expect(try service.client().ask("GET", "/healthz").status == 200)
  }

  @Test(arguments: [nil, 300])
  func `what runs too long when the service stops is answered late and given up`(
    milliseconds: Int64?
  ) async throws {
    let inspector = ScriptedInspector()
    inspector.delay = 60
    let service = try await RunningService(
      { if let milliseconds { $0.stop = .milliseconds(milliseconds) } }, inspector: inspector)
    let client = try service.client()
    let path = Fixture.named("good-1x1-2s.mp4").url.path
    try client.request("PUT", "/v1/artworks/a/1x1", json: #"{"source":{"path":"\#(path)"}}"#)
    #expect(try await eventually { inspector.inspections == 1 })
    try await service.stop()
    // The inspection continues for a minute, and no client waited for it.
    #expect(inspector.delay == 60)
    let answer = try client.answer()
    #expect(answer.status == 504 && answer.text.contains(#""code":"late""#))
    #expect(try client.receiveToEnd() == "")
    #expect(try await eventually { inspector.stopped == 1 })
  }

  @Test(.timeLimit(.minutes(5)))
  func `a video that is waited for does not hold up a service that stops`() async throws {
    let inspector = ScriptedInspector()
    let service = try await RunningService(
      { ($0.stop, $0.answer) = (.milliseconds(300), .seconds(3600)) }, inspector: inspector)
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    _ = try await service.center.store.evict(downTo: 0)
    inspector.delay = 60
    let session = #"{"application":"app","artwork":{"1x1":"a"}}"#
    #expect(try service.client().ask("PUT", "/v1/sessions/s", json: session).status == 201)
    let waiting = try service.client()
    try waiting.request(
      "POST", "/v1/sessions/s/artwork/1x1/video", json: #"{"width":8,"height":8}"#)
    #expect(try await eventually { inspector.inspections == 2 })
    // It may be waited for an hour.
    try await service.stop()
    let answer = try waiting.answer()
    #expect(answer.status == 200 && answer.text.contains(#""code":"late""#))
    #expect(try waiting.receiveToEnd() == "")
  }

  @Test func `who waits for permission to send gets it`() async throws {
    let service = try await RunningService()
    let client = try service.client()
    try client.send(
      Self.put("Expect: 100-continue\r\nContent-Length: 2"))
    #expect(try client.answer().status == 100)
    try client.send("{}")
    #expect(try client.answer().status == 200)
  }

  /// AdmissionTests has the hosts, the origins and the tokens.
  @Test func `over TCP a request is admitted before anything else happens`() async throws {
    let service = try await RunningService(onTCP: true)
    let token = try #require(service.sockets.token).text
    func ask(
      _ method: String, _ target: String, _ fields: [String: String] = [:], json: String? = nil
    ) throws -> RawClient.Answer {
      try RawClient(service.loopback, of: service).ask(
        method, target, ["Host": service.host].merging(fields) { $1 }, json: json)
    }
    #expect(try ask("GET", "/nowhere", ["Host": "evil.test"]).status == 421)
    #expect(try ask("GET", "/healthz", ["Origin": "null"]).status == 403)
    #expect(try ask("PUT", "/v1/conditions", json: "{}").status == 401)
    // A preview that lies ready is answered before the router.
    #expect(try service.register("a", "good-1x1-2s.mp4").status == 201)
    let preview = "/v1/artworks/a/1x1/preview"
    #expect(try service.client().ask("GET", preview).status == 200)
    for target in [preview, "/v1/events"] {
      let refused = try ask("GET", target)
      #expect(refused.status == 401)
      #expect(refused.text.contains("in the file named token beside the Unix socket"))
    }
    let proof = ["Authorization": "Bearer \(token)"]
    #expect(try ask("GET", preview, proof).status == 200)
    let text = proof.merging(["Content-Type": "text/plain"]) { $1 }
    #expect(try ask("PUT", "/v1/conditions", text, json: "{}").status == 415)
    let allowed = try ask("PUT", "/v1/conditions", proof, json: "{}")
    #expect(allowed.status == 200)
    #expect(!allowed.fields.keys.contains { $0.hasPrefix("access-control-") })
  }
}
