import CSystemCalls
import TestSupport

@testable import ArtworkClients

/// Requests that are sent, and those that are refused before.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  @Test("Method, path, header fields and body are sent as they are")
  func sent() async throws {
    let server = try LoopbackServer { _, send in _ = send(Self.fine) }
    _ = try await transfer("/a/../b/%2E%2E?x=1&y", from: server, method: "PUT") {
      $0.headers = [("X-Empty", ""), ("X-Text", "a: b")]
      $0.body = Array("body".utf8)
    }
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("PUT /a/../b/%2E%2E?x=1&y HTTP/1.1\r\n"))
    #expect(request.hasSuffix("\r\n\r\nbody"))
    for line in ["X-Empty:", "X-Text: a: b", "Content-Length: 4"] {
      #expect(request.contains("\r\n\(line)\r\n"), "\(request)")
    }
    for name in ["expect", "content-type", "accept-encoding", "cookie", "user-agent: curl"] {
      #expect(!request.lowercased().contains("\r\n\(name)"), "\(request)")
    }
  }

  @Test("The connection goes to the given address, and Host names the URL's host")
  func address() async throws {
    let server = try LoopbackServer { _, send in _ = send(Self.fine) }
    var request = TransferRequest("GET", "http://media.example.invalid:\(server.port)/")
    request.route = .address("127.0.0.1")
    #expect(try await TransferLoop.shared.send(request).status == 200)
    #expect(
      server.requests.first?.contains("\r\nHost: media.example.invalid:\(server.port)\r\n") == true)
  }

  @Test(
    "Text that would change the request is refused",
    arguments: [
      { $0.method = "GET / HTTP/1.1\r\nX: y" }, { $0.method = "" },
      { $0.url = "http://127.0.0.1/a\r\nX: y" }, { $0.url = "http://127.0.0.1/\0" },
      { $0.url = "http://127.0.0.1/a b" }, { $0.url = "http://127.0.0.1/é" },
      { $0.url = "http://user:secret@127.0.0.1/" }, { $0.url = "file:///etc/passwd" },
      { $0.url = "ftp://127.0.0.1/" }, { $0.url = "http:///path" }, { $0.url = "" },
      { $0.headers = [("X", "a\r\nY: b")] }, { $0.headers = [("X", "a\nY: b")] },
      { $0.headers = [("X", "a\0b")] }, { $0.headers = [("X: y\r\nZ", "a")] },
      { $0.headers = [("X y", "a")] }, { $0.headers = [("", "a")] },
      { $0.route = .address("") }, { $0.route = .address("127.0.0.1:80:evil") },
      { $0.route = .address("127.0.0.1\0") }, { $0.route = .socket(path: "/tmp/a\0b") },
    ] as [@Sendable (inout TransferRequest) -> Void])
  func refused(change: @Sendable (inout TransferRequest) -> Void) async throws {
    var request = TransferRequest("GET", "http://127.0.0.1/")
    change(&request)
    let error = await #expect(throws: TransferError.self) {
      _ = try await TransferLoop.shared.send(request)
    }
    guard case .invalidRequest? = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  @Test("A Unix socket is reached by its path, and its errors carry errno")
  func unixSocket() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("a.sock").path
    let server = try LoopbackServer(at: path) { _, peer in _ = peer.send(Self.fine) }
    func errno(_ path: String) async -> Int32? {
      let error = await #expect(throws: TransferError.self) {
        _ = try await open(from: server) { $0.route = .socket(path: path) }
      }
      guard case .noConnection(let errno, _)? = error else { return nil }
      return errno
    }
    #expect(try await open(from: server) { $0.route = .socket(path: path) }.status == 200)
    #expect(server.connections == 1)
    #expect(await errno(folder.url("none.sock").path) == ENOENT)
    try Data().write(to: folder.url("file"))
    #expect(await errno(folder.url("file").path) == ECONNREFUSED)
  }

  @Test("A Unix socket of another user hears nothing", .enabled(if: geteuid() == 0, "needs root"))
  func foreignSocket() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("a.sock").path
    // The kernel names the user of the moment in which it began to listen.
    let script = """
      import os, socket, sys
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      os.setuid(65534)
      listener.listen()
      sys.exit(len(listener.accept()[0].recv(1)))
      """
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/env")
    other.arguments = ["python3", "-c", script, path]
    try other.run()
    defer { other.terminate() }
    var request = TransferRequest("GET", "http://localhost/")
    request.route = .socket(path: path)
    let asked = request
    var refusal: TransferError?
    let isForeign = try await eventually {
      do throws(TransferError) {
        _ = try await TransferLoop.shared.send(asked)
        return true
      } catch {
        refusal = error
        if case .noConnection = error { return false }
        return true
      }
    }
    #expect(isForeign)
    #expect(refusal == .foreign(user: 65534))
    other.waitUntilExit()
    #expect(other.terminationStatus == 0)
  }

  private static func ask(_ path: String) async throws {
    var request = TransferRequest("GET", "http://localhost/")
    request.route = .socket(path: path)
    _ = try await TransferLoop.shared.send(request)
  }

  @Test("A crowd at a Unix socket is a reason of its own")
  func crowd() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url("a.sock").path
    let listener = unsafe artwork_listen_unix(path, 0)
    defer { close(listener) }
    try #require(listener >= 0)
    // The clients that have connected are not accepted.
    let isFull = (0..<10).contains { _ in unsafe artwork_try_unix(path) == -EAGAIN }
    try #require(isFull)
    let refusal = await #expect(throws: TransferError.self) { try await Self.ask(path) }
    guard case .noConnection(EAGAIN?, _)? = refusal else {
      Issue.record("\(refusal as Any)")
      return
    }
  }

  @Test("A socket path that fits no address is refused", arguments: [0, 108, 200])
  func longPath(length: Int) async throws {
    var request = TransferRequest("GET", "http://localhost/")
    request.route = .socket(path: String(repeating: "x", count: length))
    await #expect(
      throws: TransferError.noConnection(errno: nil, reason: "a socket's path has 1 to 107 bytes")
    ) { _ = try await TransferLoop.shared.send(request) }
  }

  @Test("A closed port is no connection, with errno")
  func closedPort() async throws {
    let port = try LoopbackServer { (_: String, _: LoopbackServer.Send) in }.port
    // Its listening socket closes a moment later.
    #expect(
      try await eventually {
        let request = TransferRequest("GET", "http://127.0.0.1:\(port)/")
        do throws(TransferError) {
          _ = try await TransferLoop.shared.send(request)
          return false
        } catch {
          guard case .noConnection(let errno, _) = error else { return false }
          return errno == ECONNREFUSED
        }
      })
  }

  @Test("certificates are found where the distribution has them, or where the environment says")
  func certificates() {
    let fedora = "/etc/pki/tls/certs/ca-bundle.crt"
    #expect(CertificateBundle.path(named: nil) { $0 == fedora } == fedora)
    #expect(CertificateBundle.path(named: "") { $0 == "/etc/ssl/cert.pem" } == "/etc/ssl/cert.pem")
    #expect(CertificateBundle.path(named: "/own.pem") { _ in true } == "/own.pem")
    #expect(CertificateBundle.path(named: nil) { _ in false } == nil)
  }
}
