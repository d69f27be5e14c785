import TestSupport

@testable import ArtworkClients

/// Time, memory and connections.
@Suite(.timeLimit(.minutes(5))) struct FlowTests {
  @Test("A head that drips in times out, however busy its server is")
  func slowHead() async throws {
    let server = try LoopbackServer { _, send in
      guard send("HTTP/1.1 200 OK\r\n") else { return }
      while send("X: y\r\n") { usleep(20_000) }
    }
    await #expect(throws: TransferError.timedOut) {
      try await open(from: server) { $0.timeouts.head = .milliseconds(400) }
    }
  }

  @Test("A body may be slow, but not stand still")
  func slowBody() async throws {
    let server = try LoopbackServer { (request: String, peer: LoopbackServer.Peer) in
      guard peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n") else { return }
      for _ in 0..<10 {
        usleep(200_000)
        if !peer.send("x") { return }
        if request.contains("stalls"), peer.waitForEnd() { return }
      }
    }
    // The whole takes longer than the head may.
    let (_, body) = try await transfer("/drips", from: server) {
      ($0.timeouts.head, $0.timeouts.idle) = (.milliseconds(1500), .seconds(60))
    }
    #expect(text(body) == "xxxxxxxxxx")
    await #expect(throws: TransferError.timedOut) {
      try await transfer("/stalls", from: server) { $0.timeouts.idle = .milliseconds(500) }
    }
  }

  @Test("A reader that pauses holds the server up, and times out nothing")
  func pauses() async throws {
    let total = 48 << 20
    let sent = Mutex(0)
    let server = try LoopbackServer { _, peer in
      guard peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n") else { return }
      for part in 0..<(total >> 16) {
        guard peer.send([UInt8](repeating: UInt8(part & 0xff), count: 1 << 16)) else { return }
        sent.withLock { $0 += 1 << 16 }
      }
    }
    let response = try await open(from: server) { $0.timeouts.idle = .seconds(1) }
    // Until it has filled the backlog and the sockets between.
    var before = -1
    #expect(
      try await eventually {
        let now = sent.withLock(\.self)
        defer { before = now }
        try await Task.sleep(for: .milliseconds(300))
        return now > 0 && now == before
      })
    // Longer than the idle timeout.
    try await Task.sleep(for: .milliseconds(1500))
    #expect(sent.withLock(\.self) < total / 2)
    var (count, largest, isRight) = (0, 0, true)
    for try await bytes in response.body {
      isRight = isRight && bytes.first == UInt8((count >> 16) & 0xff)
      count += bytes.count
      largest = max(largest, bytes.count)
      if count < 8 << 20 { try await Task.sleep(for: .milliseconds(5)) }
    }
    #expect(count == total && isRight)
    // One buffer of libcurl may exceed the limit.
    #expect(largest <= Transfer.backlogLimit + 1 << 20)
  }

  @Test(
    "A cancelled transfer closes its connection",
    arguments: ["before the head", "in the body", "by releasing the body"])
  func cancelled(when: String) async throws {
    let closed = Mutex(false)
    let began = Mutex(false)
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      if when != "before the head" {
        _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx")
      }
      began.withLock { $0 = true }
      let hasEnded = peer.waitForEnd()
      closed.withLock { $0 = hasEnded }
    }
    if when == "by releasing the body" {
      #expect(try await open(from: server).status == 200)
    } else {
      let task = Task { try await transfer(from: server).body }
      #expect(try await eventually { began.withLock(\.self) })
      if when == "in the body" { try await Task.sleep(for: .milliseconds(100)) }
      task.cancel()
      await #expect(throws: TransferError.cancelled) { try await task.value }
    }
    #expect(try await eventually { closed.withLock(\.self) })
  }

  @Test("A task that is cancelled already sends nothing that it waits for")
  func cancelledBefore() async throws {
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      _ = peer.waitForEnd()
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await open(from: server)
    }
    task.cancel()
    await #expect(throws: TransferError.cancelled) { try await task.value }
  }

  @Test("64 transfers run side by side, each with its own answer", arguments: [false, true])
  func parallel(overSocket: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = overSocket ? folder.url("a.sock").path : nil
    let waiting = Mutex(0)
    let server = try LoopbackServer(at: path) { request, peer in
      waiting.withLock { $0 += 1 }
      // None is answered before all have come.
      while waiting.withLock({ $0 < 64 }) { usleep(1000) }
      let number = request.split(separator: " ")[1].dropFirst()
      let body = String(repeating: "\(number) ", count: 5000)
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let (_, body) = try await transfer("/\(number)", from: server) {
            if let path { $0.route = .socket(path: path) }
          }
          return text(body) == String(repeating: "\(number) ", count: 5000)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.connections == 64)
  }

  @Test("A connection is used again, unless the request forbids it", arguments: [true, false])
  func reuse(keeps: Bool) async throws {
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      repeat {
        guard peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvideo") else { return }
      } while !peer.receive().isEmpty
    }
    for _ in 0..<5 {
      let (_, body) = try await transfer(from: server) { $0.keepsConnection = keeps }
      #expect(text(body) == "video")
    }
    #expect(server.connections == (keeps ? 1 : 5))
  }

  @Test("A kept connection that the server has closed is replaced")
  func staleConnection() async throws {
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      // Announces nothing: the connection counts as kept.
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nvideo")
    }
    for _ in 0..<5 { #expect(try await text(transfer(from: server).body) == "video") }
    #expect(server.connections == 5)
  }

  @Test("Descriptors are closed when a program is started")
  func closesOnExec() async throws {
    let server = try LoopbackServer { (_: String, peer: LoopbackServer.Peer) in
      _ = peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx")
      _ = peer.waitForEnd()
    }
    let response = try await open(from: server)
    // All sockets of this process that are connected to the server.
    let inherited = (Int32(3)..<1024).filter { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
        unsafe getpeername(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
      }
      return result == 0 && address.sin_family == sa_family_t(AF_INET)
        && Int(UInt16(bigEndian: address.sin_port)) == server.port
        && fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
    }
    #expect(inherited.isEmpty)
    withExtendedLifetime(response) {}
  }
}
