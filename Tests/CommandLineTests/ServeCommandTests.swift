import Glibc
import TestSupport

@testable import ArtworkService

@Suite(.serialized) struct ServeCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var socket: String { folder.url("run/a.sock").path }
  private var place: ListeningSocket.Place { .local(FilePath(socket)) }
  private var tokenFile: String { folder.url("run/token").path }

  /// `artworkd serve`, once it listens at the socket and, on request, at a port.
  private func serve(
    _ options: String = "", onTCP: Bool = false, at address: String = "127.0.0.1:0"
  ) throws -> RunningTool {
    let daemon = try RunningTool(
      ["serve", "--store", folder.url("store").path, "--socket", socket]
        + (onTCP ? ["--listen", address] : []) + options.split(separator: " ").map(String.init))
    try #require(daemon.prints(onTCP ? "; the token is in \(tokenFile)\n" : "listening"))
    return daemon
  }

  private func ask(
    _ method: String, _ target: String, json: String? = nil, timeout: Int = 60
  ) throws -> RawClient.Answer {
    try RawClient(place, timeout: timeout).ask(method, target, json: json)
  }

  private func token() throws -> String { String(try folder.text("run/token").dropLast()) }

  private func video(of session: String, _ query: String = "") throws -> RawClient.Answer {
    try ask(
      "POST", "/v1/sessions/\(session)/artwork/1x1/video\(query)", json: #"{"width":8,"height":8}"#)
  }

  @Test func `it listens, prints where, and ends with SIGTERM without leaving a socket`() throws {
    let daemon = try serve(onTCP: true)
    #expect(daemon.error.contains("artworkd: listening at \(socket)\n"))
    #expect(try ask("GET", "/healthz").status == 200)
    #expect(daemon.end(SIGTERM) == 0)
    #expect(!folder.has("run/a.sock"))
  }

  @Test func `the token is never in what a log gets, also when requests are logged`() throws {
    let daemon = try serve("--verbose", onTCP: true)
    let address = try #require(daemon.error.firstMatch(of: /127\.0\.0\.1:[0-9]+/)).0
    let port = try LoopbackAddress(String(address))
    let client = try RawClient(.loopback(port))
    let proof = ["Host": "\(port)", "Authorization": "Bearer \(try token())"]
    #expect(try client.ask("GET", "/v1/leases", proof).status == 200)
    #expect(try client.ask("GET", "/v1/nothing", ["Host": "\(port)"]).status == 401)
    try #require(daemon.prints("unauthorized"))
    #expect(try !daemon.error.contains(token()))
  }

  @Test(.enabled(if: TerminalMaker.isPresent, TerminalMaker.absence))
  func `a terminal gets the address of the page with the token`() throws {
    let terminal = Process()
    terminal.executableURL = URL(fileURLWithPath: TerminalMaker.path)
    terminal.arguments = [
      "-qefc",
      "'\(try BuiltTool.find().path)' serve --store '\(folder.url("store").path)' "
        + "--socket '\(socket)' --listen 127.0.0.1:0",
      folder.url("terminal").path,
    ]
    terminal.standardOutput = FileHandle.nullDevice
    terminal.standardInput = FileHandle.nullDevice
    try terminal.run()
    defer { terminal.terminate() }
    var seen = ""
    _ = soon {
      seen = (try? folder.text("terminal")) ?? ""
      return seen.contains("#token=")
    }
    #expect(seen.contains(/listening at http:\/\/127\.0\.0\.1:[0-9]+\/#token=/))
    #expect(seen.contains("/#token=\(try token())\r\n"), "\(seen)")
  }

  @Test func `commands over TCP need the token for reading as well`() throws {
    let daemon = try serve(onTCP: true)
    let address = try #require(daemon.error.firstMatch(of: /http:[^;]+/)).0
    let refused = try BuiltTool.run("now-playing --connect \(address)")
    #expect(refused.status == 2)
    #expect(refused.error.contains("the token is in the file named token beside the Unix socket"))
    let allowed = try BuiltTool.run("now-playing --connect \(address) --token-file \(tokenFile)")
    #expect(allowed.status == 0, "\(allowed.error)")
  }

  @Test func `publish over TCP goes on after a restart with another token, and prints that`() throws {
    var daemon = try serve(onTCP: true)
    let address = String(try #require(daemon.error.firstMatch(of: /http:[^;]+/)).0)
    let player = try RunningTool([
      "publish", Fixture.named("good-1x1.mp4").url.path, "--key", "1x1", "--session", "s",
      "--connect", address, "--token-file", tokenFile,
    ])
    try #require(player.prints("session s\n"))
    // Then it requests the video, which must not fail. A service that stops finishes what it has begun.
    #expect(soon { !folder.names("store/leases").isEmpty })
    let former = try token()
    daemon.end(SIGTERM)
    try #require(player.prints("artworkd: the session is not held: "))
    daemon = try serve(onTCP: true, at: String(address.dropFirst("http://".count)))
    try #require(player.prints("artworkd: the session is held again\n"))
    #expect(try token() != former)
    let shown = try BuiltTool.run("now-playing --connect \(address) --token-file \(tokenFile)")
    #expect(shown.output.contains("Why s: "), "\(shown.output)")
    // It ends with its connection.
    #expect(player.end(SIGINT) == 130)
    #expect(
      try soon {
        try BuiltTool.run("now-playing --socket \(socket)").output == "Nothing is playing.\n"
      })
  }

  @Test func `a second one exits with 75 and names the first, which keeps its socket`() throws {
    let first = try serve()
    let client = try RawClient(place)
    #expect(try client.ask("GET", "/healthz").status == 200)
    let second = try folder.artworkd("serve --socket \(socket) --store other")
    #expect(second.status == 75)
    #expect(second.error.contains("process \(first.process.processIdentifier)"))
    #expect(try client.ask("GET", "/healthz").status == 200)
    #expect(try ask("GET", "/healthz").status == 200)
    // Nor may two share a store.
    let third = try folder.artworkd("serve --socket \(socket).b --store store")
    #expect(third.status == 75)
  }

  @Test func `what cannot be is said with a usage error`() throws {
    for options in ["--listen 0.0.0.0:80", "--no-socket", "--jobs 0", "--budget much"] {
      #expect(try BuiltTool.run("serve \(options)").status == 64, "\(options)")
    }
    let long = try BuiltTool.run("serve --socket /tmp/\(String(repeating: "x", count: 200))")
    #expect(long.status == 64)
    #expect(long.error.contains("the system allows 107"))
  }

  @Test func `a request that runs is finished before the end`() throws {
    let daemon = try serve()
    let client = try RawClient(place)
    try client.send(
      "PUT /v1/conditions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    // It has the request.
    #expect(try client.answer().status == 100)
    let idle = try RawClient(place)
    #expect(try idle.ask("GET", "/healthz").status == 200)
    daemon.send(SIGTERM)
    #expect(try idle.receiveToEnd() == "")
    try client.send("{}")
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    #expect(daemon.status == 0)
  }

  @Test func `whatever workers do, who asks for a video is answered within 30 seconds`()
    async throws
  {
    let daemon = try serve("--jobs 8")
    let place = place
    let words = ["sleep", "spin", "stop", "sleep", "sleep", "stop", "sleep", "sleep", "none"]
    for (number, word) in words.enumerated() {
      // Each with different bytes, so that none waits for another's inspection.
      try folder.write("ARTWORKD-FAULT \(word) \(number)\n", to: "\(number).mp4")
      let session = #"{"application":"app","artwork":{"1x1":"\#(number)"}}"#
      #expect(try ask("PUT", "/v1/sessions/\(number)", json: session).status == 201)
      let source = #"{"source":{"path":"\#(folder.url("\(number).mp4").path)"}}"#
      Thread.detachNewThread {
        let client = try? RawClient(place, timeout: 60)
        _ = try? client?.ask("PUT", "/v1/artworks/\(number)/1x1", json: source)
      }
    }
    // Those that hang are known; the last one may wait to be taken in.
    #expect(
      try await eventually {
        let names = try ask("GET", "/v1/artworks").json.texts("artworks.*.artworkID")
        return Set((0..<8).map(String.init)).isSubset(of: names)
      })
    let (answers, answered) = AsyncStream.makeStream(of: JSONNode?.self)
    for number in words.indices {
      // Which gives up after a minute: without a deadline of the service's own, it would get nothing.
      Thread.detachNewThread { answered.yield(try? video(of: "\(number)").json) }
    }
    #expect(AnswerDeadline.longest < 30)
    var codes: [String] = []
    for await answer in answers {
      #expect(answer?["url"] == .null, "\(String(describing: answer))")
      codes.append(answer?.at("reason.code")?.text ?? "none")
      if codes.count == words.count { break }
    }
    // The one that spins may have used up its processor time.
    #expect(codes.count { $0 == "late" } >= 7, "\(codes)")
    #expect(try ask("GET", "/healthz").status == 200)
    #expect(daemon.end(SIGTERM) == 0)
  }

  @Test func `leases outlive a service that stops and one that is killed`() throws {
    var daemon = try serve()
    let clip = Fixture.named("good-1x1-2s.mp4").url
    #expect(
      try ask(
        "PUT", "/v1/artworks/a/1x1?wait=28", json: #"{"source":{"path":"\#(clip.path)"}}"#
      ).status == 201)
    _ = try ask("PUT", "/v1/sessions/s", json: #"{"application":"app","artwork":{"1x1":"a"}}"#)
    func url() throws -> String? { try video(of: "s", "?wait=28").json["url"]?.text }
    let first = try #require(try url())
    for end in [SIGTERM, SIGKILL] {
      daemon.end(end)
      let file = try #require(URL(string: first))
      #expect(try Data(contentsOf: file) == Data(contentsOf: clip))
      daemon = try serve()
      #expect(try url() == first)
    }
  }

  @Test func `a session that a living process holds outlives a service that is killed`() throws {
    var daemon = try serve()
    let publisher = try RunningTool([
      "publish", Fixture.named("good-1x1-2s.mp4").url.path, "--key", "1x1", "--socket", socket,
    ])
    #expect(soon { publisher.output.hasSuffix("\n") })
    let url = String(publisher.output.dropFirst("1x1 ".count).dropLast())
    let file = try #require(URL(string: url)).path
    #expect(FileManager.default.fileExists(atPath: file))
    daemon.end(SIGKILL)
    daemon = try serve()
    // A session whose connection closes later than that of the service that was killed, and does not come back, ends.
    #expect(
      try ask("PUT", "/v1/sessions/gone", json: #"{"application":"app"}"#).status == 201)
    var stream: RawClient? = try RawClient(place)
    try stream?.send("GET /v1/events?own=gone&application=app HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try stream?.receive(until: "event: now-playing\n")
    stream = nil
    #expect(try soon { try ask("GET", "/v1/sessions/gone").status == 404 })
    let session = "publish-\(publisher.process.processIdentifier)"
    #expect(try ask("GET", "/v1/sessions/\(session)").status == 200)
    #expect(try video(of: session, "?wait=28").json["url"]?.text == url)
    publisher.end(SIGINT)
    #expect(soon { !FileManager.default.fileExists(atPath: file) })
    #expect(try ask("GET", "/v1/sessions/\(session)").status == 404)
    daemon.end(SIGTERM)
  }

  /// The role of a service manager: passes on a listening socket, and waits for notices.
  private static let manager = """
    import os, socket, sys
    path, notices = sys.argv[1:3]
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(8)
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ["LISTEN_PID"] = str(os.getpid())
    os.environ["LISTEN_FDS"] = "1"
    os.environ["NOTIFY_SOCKET"] = notices
    os.execv(sys.argv[3], sys.argv[3:])
    """

  @Test func `a service manager passes on its socket and is notified when it is ready`() throws {
    let notices = folder.url("notices").path
    let receiver = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(receiver) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(notices.utf8)) }
    let bound = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe bind(
        receiver, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    #expect(bound == 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    unsafe setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    func notice() -> String {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe recv(receiver, $0.baseAddress, $0.count, 0) }
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let daemon = try RunningTool(
      ["serve", "--store", folder.url("store").path],
      through: ["/usr/bin/python3", "-c", Self.manager, socket, notices])
    #expect(notice() == "READY=1")
    #expect(daemon.error.contains(socket))
    #expect(try ask("GET", "/healthz").status == 200)
    // A worker is still inspecting a video, and holds no descriptor of the socket.
    let clip = Fixture.named("good-1x1-2s.mp4").url.path
    #expect(
      try ask("PUT", "/v1/artworks/a/1x1?wait=28", json: #"{"source":{"path":"\#(clip)"}}"#)
        .json["status"] == "ready")
    daemon.send(SIGTERM)
    #expect(notice() == "STOPPING=1")
    #expect(daemon.status == 0)
    // The socket is the manager's.
    #expect(folder.has("run/a.sock"))
  }
}
