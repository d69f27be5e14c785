import Glibc
import TestSupport

@testable import ArtworkClients
@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

/// `artworkd serve` as a process, or another long-running command.
private final class Daemon {
  let process = Process()
  private let output: URL

  convenience init(
    _ folder: TemporaryFolder, _ arguments: [String], through program: [String] = []
  ) throws {
    let serve = ["serve", "--store", folder.url("store").path]
    try self.init(folder, running: serve + arguments, through: program)
  }

  init(
    _ folder: TemporaryFolder, running arguments: [String], through program: [String] = []
  ) throws {
    output = folder.url("err-\(UUID().uuidString)")
    try Data().write(to: output)
    let tool = try BuiltTool.find().path
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = program + [tool] + arguments
    process.standardError = try FileHandle(forWritingTo: output)
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  var error: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

  /// Waits until it prints `text`; records an issue if it never does.
  func prints(_ text: String) -> Bool {
    for _ in 0..<3000 {
      let hasEnded = !process.isRunning
      if error.contains(text) { return true }
      if hasEnded { break }
      Thread.sleep(forTimeInterval: 0.02)
    }
    Issue.record("it prints: \(error)")
    return false
  }
}

@Suite(.serialized) struct ServeCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var socket: String { folder.url("run/a.sock").path }
  private var place: ListeningSocket.Place { .local(FilePath(socket)) }

  @Test func `it listens, prints where, and ends with SIGTERM without leaving a socket`() throws {
    let daemon = try Daemon(folder, ["--socket", socket, "--listen", "127.0.0.1:0"])
    let tokenFile = folder.url("run/token")
    try #require(daemon.prints("; the token is in \(tokenFile.path)\n"))
    #expect(daemon.error.contains("artworkd: listening at \(socket)\n"))
    #expect(try RawClient(place).ask("GET", "/healthz").status == 200)
    daemon.process.terminate()
    daemon.process.waitUntilExit()
    #expect(daemon.process.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  private func token() throws -> String {
    String(try String(contentsOf: folder.url("run/token"), encoding: .utf8).dropLast())
  }

  @Test func `the token is never in what a log gets, also when requests are logged`() throws {
    let daemon = try Daemon(folder, ["--socket", socket, "--listen", "127.0.0.1:0", "--verbose"])
    try #require(daemon.prints("; the token is in "))
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
    let log = folder.url("terminal")
    terminal.arguments = [
      "-qefc",
      "'\(try BuiltTool.find().path)' serve --store '\(folder.url("store").path)' "
        + "--socket '\(socket)' --listen 127.0.0.1:0",
      log.path,
    ]
    terminal.standardOutput = FileHandle.nullDevice
    terminal.standardInput = FileHandle.nullDevice
    try terminal.run()
    defer { terminal.terminate() }
    var seen = ""
    for _ in 0..<3000 where !seen.contains("#token=") {
      Thread.sleep(forTimeInterval: 0.02)
      seen = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    }
    #expect(seen.contains(/listening at http:\/\/127\.0\.0\.1:[0-9]+\/#token=/))
    #expect(seen.contains("/#token=\(try token())\r\n"), "\(seen)")
  }

  @Test func `commands over TCP need the token for reading as well`() throws {
    let daemon = try Daemon(folder, ["--socket", socket, "--listen", "127.0.0.1:0"])
    try #require(daemon.prints("; the token is in "))
    let address = try #require(daemon.error.firstMatch(of: /http:[^;]+/)).0
    let refused = try BuiltTool.run(["now-playing", "--connect", String(address)])
    #expect(refused.status == 2)
    #expect(refused.error.contains("the token is in the file named token beside the Unix socket"))
    let allowed = try BuiltTool.run([
      "now-playing", "--connect", String(address), "--token-file", folder.url("run/token").path,
    ])
    #expect(allowed.status == 0, "\(allowed.error)")
  }

  @Test func `publish over TCP goes on after a restart with another token, and prints that`() throws {
    var daemon = try Daemon(folder, ["--socket", socket, "--listen", "127.0.0.1:0"])
    try #require(daemon.prints("; the token is in "))
    let address = String(try #require(daemon.error.firstMatch(of: /http:[^;]+/)).0)
    let file = folder.url("run/token").path
    let player = try Daemon(
      folder,
      running: [
        "publish", Fixture.named("good-1x1.mp4").url.path, "--key", "1x1", "--session", "s",
        "--connect", address, "--token-file", file,
      ])
    try #require(player.prints("session s\n"))
    // Then it requests the video, which must not fail. A service that stops finishes what it has begun.
    let leases = folder.url("store/leases").path
    for _ in 0..<3000 where try FileManager.default.contentsOfDirectory(atPath: leases).isEmpty {
      Thread.sleep(forTimeInterval: 0.02)
    }
    let former = try token()
    daemon.process.terminate()
    daemon.process.waitUntilExit()
    try #require(player.prints("artworkd: the session is not held: "))
    daemon = try Daemon(
      folder, ["--socket", socket, "--listen", String(address.dropFirst("http://".count))])
    try #require(player.prints("artworkd: the session is held again\n"))
    #expect(try token() != former)
    let shown = try BuiltTool.run(["now-playing", "--connect", address, "--token-file", file])
    #expect(shown.output.contains("Why s: "), "\(shown.output)")
    // It ends with its connection.
    #expect(kill(player.process.processIdentifier, SIGINT) == 0)
    player.process.waitUntilExit()
    #expect(player.process.terminationStatus == 130)
    var left = shown.output
    for _ in 0..<3000 where left != "Nothing is playing.\n" {
      left = try BuiltTool.run(["now-playing", "--socket", socket]).output
    }
    #expect(left == "Nothing is playing.\n")
  }

  @Test func `a second one exits with 75 and names the first, which keeps its socket`() throws {
    let first = try Daemon(folder, ["--socket", socket])
    try #require(first.prints("listening"))
    let client = try RawClient(place)
    #expect(try client.ask("GET", "/healthz").status == 200)
    let second = try BuiltTool.run([
      "serve", "--socket", socket, "--store", folder.url("other").path,
    ])
    #expect(second.status == 75)
    #expect(second.error.contains("process \(first.process.processIdentifier)"))
    #expect(try client.ask("GET", "/healthz").status == 200)
    #expect(try RawClient(place).ask("GET", "/healthz").status == 200)
  }

  @Test func `a second one with another socket and the same store exits with 75`() throws {
    let first = try Daemon(folder, ["--socket", socket])
    try #require(first.prints("listening"))
    let second = try BuiltTool.run([
      "serve", "--socket", folder.url("run/b.sock").path, "--store", folder.url("store").path,
    ])
    #expect(second.status == 75)
  }

  @Test func `what cannot be is said with a usage error`() throws {
    for arguments in [
      ["--listen", "0.0.0.0:80"], ["--no-socket"], ["--jobs", "0"], ["--budget", "much"],
    ] {
      let result = try BuiltTool.run(["serve"] + arguments)
      #expect(result.status == 64, "\(arguments)")
    }
    let long = try BuiltTool.run([
      "serve", "--socket", folder.url(String(repeating: "x", count: 200)).path,
    ])
    #expect(long.status == 64)
    #expect(long.error.contains("the system allows 107"))
  }

  @Test func `a request that runs is finished before the end`() throws {
    let daemon = try Daemon(folder, ["--socket", socket])
    try #require(daemon.prints("listening"))
    let client = try RawClient(place)
    try client.send(
      "PUT /v1/conditions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    // It has the request.
    #expect(try client.answer().status == 100)
    let idle = try RawClient(place)
    #expect(try idle.ask("GET", "/healthz").status == 200)
    daemon.process.terminate()
    #expect(try idle.receiveToEnd() == "")
    try client.send("{}")
    let answer = try client.answer()
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    daemon.process.waitUntilExit()
    #expect(daemon.process.terminationStatus == 0)
  }

  @Test func `whatever workers do, who asks for a video is answered within 30 seconds`()
    async throws
  {
    let daemon = try Daemon(folder, ["--socket", socket, "--jobs", "8"])
    try #require(daemon.prints("listening"))
    let place = place
    let words = ["sleep", "spin", "stop", "sleep", "sleep", "stop", "sleep", "sleep", "none"]
    for (number, word) in words.enumerated() {
      // Each with different bytes, so that none waits for another's inspection.
      let file = folder.url("\(number).mp4")
      try Data("ARTWORKD-FAULT \(word) \(number)\n".utf8).write(to: file)
      let session = #"{"application":"app","artwork":{"1x1":"\#(number)"}}"#
      #expect(
        try RawClient(place).ask("PUT", "/v1/sessions/\(number)", json: session).status == 201)
      let source = #"{"source":{"path":"\#(file.path)"}}"#
      Thread.detachNewThread {
        let client = try? RawClient(place, timeout: 60)
        _ = try? client?.ask("PUT", "/v1/artworks/\(number)/1x1", json: source)
      }
    }
    // Those that hang are known; the last one may wait to be taken in.
    #expect(
      try await eventually {
        let listed = try RawClient(place).ask("GET", "/v1/artworks").json()["artworks"]
        let names = (listed as? [[String: Any]] ?? []).compactMap { $0["artworkID"] as? String }
        return Set((0..<8).map(String.init)).isSubset(of: names)
      })
    let (answers, answered) = AsyncStream.makeStream(of: [String: Any].self)
    for number in words.indices {
      Thread.detachNewThread {
        // Which gives up after a minute: without a deadline of the service's own, it would get nothing.
        let answer = try? RawClient(place, timeout: 60).ask(
          "POST", "/v1/sessions/\(number)/artwork/1x1/video", json: #"{"width":8,"height":8}"#)
        answered.yield((try? answer?.json()) ?? [:])
      }
    }
    #expect(AnswerDeadline.longest < 30)
    var codes: [String] = []
    for await answer in answers {
      #expect(answer["url"] is NSNull, "\(answer)")
      codes.append((answer["reason"] as? [String: Any])?["code"] as? String ?? "none")
      if codes.count == words.count { break }
    }
    // The one that spins may have used up its processor time.
    #expect(codes.count { $0 == "late" } >= 7, "\(codes)")
    #expect(try RawClient(place).ask("GET", "/healthz").status == 200)
    daemon.process.terminate()
    daemon.process.waitUntilExit()
    #expect(daemon.process.terminationStatus == 0)
  }

  @Test func `leases outlive a service that stops and one that is killed`() throws {
    func start() throws -> Daemon {
      let daemon = try Daemon(folder, ["--socket", socket])
      try #require(daemon.prints("listening"))
      return daemon
    }
    var daemon = try start()
    let clip = Fixture.named("good-1x1-2s.mp4").url
    #expect(
      try RawClient(place).ask(
        "PUT", "/v1/artworks/a/1x1?wait=28", json: #"{"source":{"path":"\#(clip.path)"}}"#
      ).status == 201)
    _ = try RawClient(place).ask(
      "PUT", "/v1/sessions/s", json: #"{"application":"app","artwork":{"1x1":"a"}}"#)
    func url() throws -> String? {
      try RawClient(place).ask(
        "POST", "/v1/sessions/s/artwork/1x1/video?wait=28", json: #"{"width":8,"height":8}"#
      ).json()["url"] as? String
    }
    let first = try #require(try url())
    for end in [SIGTERM, SIGKILL] {
      kill(daemon.process.processIdentifier, end)
      daemon.process.waitUntilExit()
      let file = try #require(URL(string: first))
      #expect(try Data(contentsOf: file) == Data(contentsOf: clip))
      daemon = try start()
      #expect(try url() == first)
    }
  }

  @Test func `a session that a living process holds outlives a service that is killed`() throws {
    var daemon = try Daemon(folder, ["--socket", socket])
    try #require(daemon.prints("listening"))
    let output = folder.url("published")
    try Data().write(to: output)
    let publisher = Process()
    publisher.executableURL = try BuiltTool.find()
    publisher.arguments = [
      "publish", Fixture.named("good-1x1-2s.mp4").url.path, "--key", "1x1", "--socket", socket,
    ]
    publisher.standardOutput = try FileHandle(forWritingTo: output)
    publisher.standardError = FileHandle.nullDevice
    try publisher.run()
    defer { publisher.terminate() }
    var line = ""
    for _ in 0..<3000 where !line.hasSuffix("\n") {
      Thread.sleep(forTimeInterval: 0.02)
      line = try String(contentsOf: output, encoding: .utf8)
    }
    let url = String(line.dropFirst("1x1 ".count).dropLast())
    let file = try #require(URL(string: url)).path
    #expect(FileManager.default.fileExists(atPath: file))
    kill(daemon.process.processIdentifier, SIGKILL)
    daemon.process.waitUntilExit()
    daemon = try Daemon(folder, ["--socket", socket])
    try #require(daemon.prints("listening"))
    // A session whose connection closes later than that of the service that was killed, and does not come back, ends.
    #expect(
      try RawClient(place).ask("PUT", "/v1/sessions/gone", json: #"{"application":"app"}"#).status
        == 201)
    var stream: RawClient? = try RawClient(place)
    try stream?.send("GET /v1/events?own=gone&application=app HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try stream?.receive(until: "event: now-playing\n")
    stream = nil
    for _ in 0..<3000 where try RawClient(place).ask("GET", "/v1/sessions/gone").status == 200 {
      Thread.sleep(forTimeInterval: 0.02)
    }
    #expect(try RawClient(place).ask("GET", "/v1/sessions/gone").status == 404)
    let session = "/v1/sessions/publish-\(publisher.processIdentifier)"
    #expect(try RawClient(place).ask("GET", session).status == 200)
    let answer = try RawClient(place).ask(
      "POST", session + "/artwork/1x1/video?wait=28", json: #"{"width":8,"height":8}"#)
    #expect(try answer.json()["url"] as? String == url)
    kill(publisher.processIdentifier, SIGINT)
    publisher.waitUntilExit()
    for _ in 0..<3000 where FileManager.default.fileExists(atPath: file) {
      Thread.sleep(forTimeInterval: 0.02)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try RawClient(place).ask("GET", session).status == 404)
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
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(notices.utf8)) }
    let bound = withUnsafeBytes(of: &address) { bytes in
      bind(
        receiver, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    #expect(bound == 0)
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      receiver, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    func notice() -> String {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = bytes.withUnsafeMutableBytes { recv(receiver, $0.baseAddress, $0.count, 0) }
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    let daemon = try Daemon(
      folder, [], through: ["/usr/bin/python3", "-c", Self.manager, socket, notices])
    #expect(notice() == "READY=1")
    #expect(daemon.error.contains(socket))
    #expect(try RawClient(place).ask("GET", "/healthz").status == 200)
    // A worker is still inspecting a video, and holds no descriptor of the socket.
    let clip = Fixture.named("good-1x1-2s.mp4").url.path
    #expect(
      try RawClient(place).ask(
        "PUT", "/v1/artworks/a/1x1?wait=28", json: #"{"source":{"path":"\#(clip)"}}"#
      ).json()["status"] as? String == "ready")
    daemon.process.terminate()
    #expect(notice() == "STOPPING=1")
    daemon.process.waitUntilExit()
    #expect(daemon.process.terminationStatus == 0)
    // The socket is the manager's.
    #expect(FileManager.default.fileExists(atPath: socket))
  }
}
