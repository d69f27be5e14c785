import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

/// The fetcher against a hostile server.
@Suite(.timeLimit(.minutes(5))) struct WebFetcherTests {
  private static let generous: WebFetcher.Timeouts = {
    var timeouts = WebFetcher.Timeouts()
    (timeouts.connect, timeouts.idle, timeouts.total) = (.seconds(30), .seconds(60), .seconds(60))
    return timeouts
  }()

  /// What arrived, or the error.
  private static func fetch(
    _ path: String, from server: LoopbackServer, allowing: [String]? = nil,
    host: String = "127.0.0.1",
    timeouts: WebFetcher.Timeouts = generous, limit: Int64 = 1000, isCrowded: Bool = false,
    lookUp: (@Sendable (String) async throws -> [IPAddress])? = nil
  ) async throws -> Result<String, StoreError> {
    let folder = try TemporaryFolder()
    let file = try FileDescriptor.open(
      folder.path("video"), .readWrite, options: .create, permissions: .ownerReadWrite)
    defer { try? file.close() }
    let list = try AllowList(allowing ?? ["http://\(host):\(server.port)"])
    let fetcher = WebFetcher(list, timeouts: timeouts, lookUp: lookUp ?? NameLookup.addresses)
    do {
      try await fetcher.fetch(
        "http://\(host):\(server.port)\(path)", into: file, byteLimit: limit,
        isCrowded: { isCrowded })
    } catch {
      return .failure(error)
    }
    return .success(try folder.text("video"))
  }

  private static func error(_ result: Result<String, StoreError>) -> StoreError? {
    if case .failure(let error) = result { error } else { nil }
  }

  private static func code(_ result: Result<String, StoreError>) -> StoreError.Code? {
    error(result)?.code
  }

  @Test("a video arrives unchanged, and the request identifies nobody")
  func good() async throws {
    let server = try LoopbackServer { _, send in
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: a=b\r\n\r\nvideo")
    }
    #expect(try await Self.fetch("/a.mp4?x=1", from: server).get() == "video")
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("GET /a.mp4?x=1 HTTP/1.1\r\n"))
    for line in ["cookie", "authorization", "range", "gzip"] {
      #expect(!request.lowercased().contains(line))
    }
  }

  @Test(
    "a response that contradicts itself is an error",
    arguments: [
      "HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nvideo",
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nvideo",
      "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nvideo",
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip\r\n\r\nvideo",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nvideo",
      "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", "",
    ])
  func broken(answer: String) async throws {
    let server = try LoopbackServer { _, send in _ = send(answer) }
    #expect(Self.code(try await Self.fetch("/", from: server)) == .sourceUnavailable)
  }

  @Test("an endless response stops at the limit")
  func endless() async throws {
    let sent = Mutex(0)
    let server = try LoopbackServer { _, send in
      guard send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") else { return }
      let part = "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n"
      while send(part) { sent.withLock { $0 += 4096 } }
    }
    let result = try await Self.fetch("/", from: server, limit: 1_000_000)
    #expect(Self.code(result) == .sourceUnavailable)
    // What the sockets between us hold comes on top.
    #expect(sent.withLock(\.self) < 50_000_000)
  }

  @Test("a slow response fails at the total timeout, a stalled one at the idle timeout")
  func slow() async throws {
    var timeouts = WebFetcher.Timeouts()
    (timeouts.idle, timeouts.total) = (.seconds(60), .seconds(3))
    let dripping = try LoopbackServer { _, send in
      guard send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n") else { return }
      while send("x") { usleep(20_000) }
    }
    let late = try await Self.fetch("/", from: dripping, timeouts: timeouts)
    #expect(Self.code(late) == .sourceUnavailable)
    #expect(Self.error(late)?.message == "download timed out after 3.0 seconds")
    (timeouts.idle, timeouts.total) = (.milliseconds(300), .seconds(30))
    let silent = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\nx")
      _ = peer.waitForEnd()
    }
    #expect(
      Self.code(try await Self.fetch("/", from: silent, timeouts: timeouts)) == .sourceUnavailable)
  }

  @Test(
    "a download below the least speed is given up, though bytes keep coming",
    arguments: [false, true])
  func leastSpeed(isCrowded: Bool) async throws {
    var timeouts = Self.generous
    timeouts.leastSpeed = 10_000
    // While others wait, the short time counts.
    (timeouts.speedWindow, timeouts.crowdedWindow) =
      isCrowded ? (.seconds(3600), .milliseconds(200)) : (.milliseconds(200), .zero)
    /// Sends as many bytes 50 times a second until the video is complete.
    func server(_ part: Int) throws -> LoopbackServer {
      try LoopbackServer { _, send in
        guard send("HTTP/1.1 200 OK\r\nContent-Length: 800000\r\n\r\n") else { return }
        for _ in 0..<800_000 / part {
          guard send(String(repeating: "x", count: part)) else { return }
          usleep(20_000)
        }
      }
    }
    let (slow, fast) = (try server(20), try server(40_000))
    func fetch(_ server: LoopbackServer) async throws -> Result<String, StoreError> {
      try await Self.fetch(
        "/", from: server, timeouts: timeouts, limit: 1_000_000, isCrowded: isCrowded)
    }
    let message = Self.error(try await fetch(slow))?.message
    #expect(message == "the server sends fewer than 10000 bytes a second")
    #expect(try await fetch(fast).get().utf8.count == 800_000)
  }

  @Test("redirects are followed within the list, five at most")
  func redirections() async throws {
    let server = try LoopbackServer { request, send in
      let hops = request.split(separator: "/")[1].prefix { $0.isNumber }
      guard let left = Int(hops), left > 0 else {
        _ = send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvideo")
        return
      }
      _ = send("HTTP/1.1 302 Found\r\nLocation: /\(left - 1)\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(try await Self.fetch("/5", from: server).get() == "video")
    #expect(Self.code(try await Self.fetch("/6", from: server)) == .sourceUnavailable)
  }

  @Test(
    "a redirect off the list is refused without a request",
    arguments: [
      "http://169.254.169.254/latest/meta-data/", "http://localhost:PORT/", "file:///etc/passwd",
      "//evil.test/", "http://127.0.0.1:1/", "http://127.0.0.1:PORT/other/",
      "http://127.0.0.1:PORT/videos/../other/",
    ])
  func offTheList(location: String) async throws {
    let server = try LoopbackServer { request, send in
      guard let port = request.firstMatch(of: /(?i)host: 127\.0\.0\.1:(\d+)/)?.1 else { return }
      let place = location.replacing("PORT", with: port)
      _ = send("HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n")
    }
    let result = try await Self.fetch(
      "/videos/a", from: server, allowing: ["http://127.0.0.1:\(server.port)/videos"])
    #expect(Self.code(result) == .sourceNotAllowed)
    #expect(server.requests.count == 1)
  }

  @Test("a name that resolves into a private network is refused before any connection")
  func privateNames() async throws {
    let server = try LoopbackServer { _, send in _ = send("HTTP/1.1 200 OK\r\n\r\nsecret") }
    for places in [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:127.0.0.1"]] {
      let result = try await Self.fetch("/", from: server, host: "media.example.com") { _ in
        places.compactMap { IPAddress($0) }
      }
      #expect(Self.code(result) == .sourceNotAllowed, "\(places)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test("a name is looked up once, and the connection goes to the checked address")
  func rebinding() async throws {
    let server = try LoopbackServer { _, send in
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvideo")
    }
    let asked = Mutex(0)
    // The machine's own idea of localhost plays the name server that answers differently the second time: the
    // address that was checked is another one, at which nobody listens.
    let elsewhere = try await Self.fetch("/", from: server, host: "localhost") { _ in
      asked.withLock { $0 += 1 }
      return [IPAddress("127.0.0.2")].compactMap(\.self)
    }
    #expect(Self.code(elsewhere) == .sourceUnavailable)
    #expect(server.requests.isEmpty, "the name was asked for again")
    let here = try await Self.fetch("/", from: server, host: "localhost") { _ in
      asked.withLock { $0 += 1 }
      return [IPAddress("127.0.0.1")].compactMap(\.self)
    }
    #expect(try here.get() == "video")
    #expect(server.requests.first?.lowercased().contains("host: localhost:") == true)
    #expect(asked.withLock(\.self) == 2)
  }

  @Test("a cancelled download returns at once, whatever it waits for", arguments: [false, true])
  func cancelled(inLookup: Bool) async throws {
    let reached = Mutex(false)
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      reached.withLock { $0 = true }
      _ = peer.waitForEnd()
    }
    var timeouts = WebFetcher.Timeouts()
    (timeouts.idle, timeouts.total) = (.seconds(60), .seconds(60))
    let task = Task { [timeouts] in
      try await Self.fetch("/", from: server, host: "localhost", timeouts: timeouts) { _ in
        guard inLookup else { return [IPAddress("127.0.0.1")].compactMap(\.self) }
        reached.withLock { $0 = true }
        try await Task.sleep(for: .seconds(60))
        return []
      }
    }
    while !reached.withLock(\.self) { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    #expect(Self.error(try await task.value)?.message == "download cancelled")
  }
}
