import TestSupport

@testable import ArtworkClients

/// Responses of every shape, valid and not.
@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
  @Test("A chunked body arrives without its trailers, header fields as they were sent")
  func chunked() async throws {
    let server = try LoopbackServer { _, send in
      _ = send(
        "HTTP/1.1 100 Continue\r\nX: no\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-One:  a \t\r\nX-Two:\r\n"
          + "x-one: b\r\n\r\n3\r\nvid\r\n2;extension=1\r\neo\r\n0\r\nX-Trailer: t\r\n\r\n")
    }
    let (response, body) = try await transfer(from: server)
    #expect(response.status == 200)
    #expect(text(body) == "video")
    #expect(response.header("X-ONE") == "a")
    #expect(response.headers.filter { $0.name.lowercased() == "x-one" }.map(\.value) == ["a", "b"])
    #expect(response.header("X-Two") == "")
    #expect(response.header("X-Trailer") == nil)
    #expect(response.header("X") == nil)
  }

  @Test(
    "A status that is no success is a response like any other", arguments: [204, 301, 404, 503])
  func statuses(status: Int) async throws {
    let server = try LoopbackServer { _, send in
      _ = send("HTTP/1.1 \(status) Any\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
    }
    let (response, body) = try await transfer(from: server)
    #expect(response.status == status)
    #expect(body.isEmpty)
    #expect(server.connections == 1)
  }

  @Test("The response to HEAD has no body, whatever length it states")
  func headRequest() async throws {
    let server = try LoopbackServer { _, send in
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    }
    let (response, body) = try await transfer(from: server, method: "HEAD")
    #expect(response.header("Content-Length") == "1000")
    #expect(body.isEmpty)
    #expect(server.requests.first?.hasPrefix("HEAD / HTTP/1.1\r\n") == true)
  }

  @Test(
    "A response that breaks off is lost, after the bytes that arrived",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nvideo",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nvideo\r\n",
    ])
  func breaksOff(answer: String) async throws {
    let server = try LoopbackServer { _, send in _ = send(answer) }
    let response = try await open(from: server)
    let iterator = response.body.makeAsyncIterator()
    var received: [UInt8] = []
    let error = await #expect(throws: TransferError.self) {
      while let part = try await iterator.next() { received += part }
    }
    #expect(text(received) == "video")
    #expect(error?.isLost == true)
  }

  @Test(
    "An answer without a head is lost",
    arguments: [
      "", "220 ftp ready\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ])
  func withoutHead(answer: String) async throws {
    let server = try LoopbackServer { _, send in _ = send(answer) }
    let error = await #expect(throws: TransferError.self) { try await open(from: server) }
    #expect(error?.isLost == true)
  }

  @Test("Endless header fields end the transfer, also as trailers", arguments: [false, true])
  func endlessFields(isTrailer: Bool) async throws {
    let ended = Mutex(false)
    let server = try LoopbackServer { _, send in
      _ = send(
        isTrailer
          ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n"
          : "HTTP/1.1 200 OK\r\n")
      let field = "X-Field: \(String(repeating: "x", count: 1000))\r\n"
      while send(field) {}
      ended.withLock { $0 = true }
    }
    let error = await #expect(throws: TransferError.self) { try await transfer(from: server) }
    #expect(error?.isLost == true)
    #expect(try await eventually { ended.withLock(\.self) })
  }

  @Test("A head of exactly the limit is read, one byte more is refused")
  func headLimit() throws {
    let status = Array("HTTP/1.1 200 OK\r\n".utf8)
    func read(_ fieldBytes: Int) throws(TransferError) {
      var parser = ResponseHeadParser()
      try parser.read(status)
      try parser.read(Array("X: ".utf8) + [UInt8](repeating: 0x78, count: fieldBytes - 3))
      try parser.read(Array("\r\n".utf8))
      #expect(parser.head?.headers.count == 1)
    }
    let room = ResponseHeadParser.byteLimit - status.count - 2
    try read(room)
    #expect(
      throws: TransferError.lost("the response has more than 262144 bytes of header fields")
    ) { try read(room + 1) }
  }

  @Test("A folded field continues the one before it; a line without a colon is ignored")
  func folded() throws {
    var parser = ResponseHeadParser()
    for line in ["HTTP/1.1 200\r\n", "A: one\r\n", " two\r\n", "nonsense\r\n", "B:3\r\n", "\r\n"] {
      try parser.read(Array(line.utf8))
    }
    let head = try #require(parser.head)
    #expect(head.headers.map { "\($0.name)=\($0.value)" } == ["A=one two", "B=3"])
  }

  @Test("A body beyond the caller's limit is too long")
  func tooLong() async throws {
    let server = try LoopbackServer { _, send in
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvideo")
    }
    await #expect(throws: TransferError.tooLong) { try await transfer(from: server, limit: 4) }
    #expect(try await transfer(from: server, limit: 5).body.count == 5)
  }
}
