import TestSupport

@testable import ArtworkCompanion

/// The door to D-Bus, on a real bus.
@Suite(.enabled(if: MessageBus.isAvailable, MessageBus.absence)) struct BusTests {
  static let values: [BusValue] = [
    .boolean(true), .integer(200, .byte), .integer(-5, .int16), .integer(65_000, .uint16),
    .int32(-70_000), .uint32(4_000_000_000), .int64(.min), .integer(.max, .uint64), .double(0.5),
    .string("Größe ☃"), .string(""), .objectPath("/a/b"), .strings([]), .strings(["a", "b"]),
    .variant(.int64(3)), .structure([.string("x"), .boolean(false)]),
    .dictionary(["a": .int32(1), "b": .strings(["c"]), "d": .dictionary(["e": .double(2)])]),
    .array([.dictionary(["a": .boolean(true)]), .dictionary([:])], elements: "a{sv}"),
  ]

  /// A connection that answers each call with its arguments.
  private func echo(on bus: MessageBus) async throws -> Bus {
    let echo = try await Bus(bus.address) { message in
      guard case .call = message.kind else { return nil }
      return message.member == "Echo" ? .values(message.body) : nil
    }
    #expect(try await echo.request("org.example.Echo"))
    return echo
  }

  private func call(_ member: String, _ body: [BusValue] = []) -> OutgoingMessage {
    .call("org.example.Echo", "/", "org.example.Echo", member, body)
  }

  @Test("values arrive as they were sent") func values() async throws {
    let bus = try MessageBus()
    let (echo, client) = (try await echo(on: bus), try await Bus(bus.address))
    #expect(try await client.call(call("Echo", Self.values)) == Self.values)
    withExtendedLifetime(echo) {}
  }

  @Test("a long text is cut between two characters, and only a picture may be longer")
  func longTexts() async throws {
    let bus = try MessageBus()
    let (echo, client) = (try await echo(on: bus), try await Bus(bus.address))
    let long = String(repeating: "ä€", count: 4000)
    let picture = BusValue.string("DATA:" + String(repeating: "A", count: 1 << 20))
    let sent: [BusValue] = [
      .string("x" + long), .dictionary(["mpris:artUrl": picture, "xesam:title": .string(long)]),
    ]
    let answer = try await client.call(call("Echo", sent))
    let cut = try #require(answer.first?.text)
    #expect(("x" + long).hasPrefix(cut) && (16_380...16_384).contains(cut.utf8.count))
    #expect(answer.last?.dictionary?["mpris:artUrl"] == picture)
    #expect(answer.last?.dictionary?["xesam:title"]?.text.map(long.hasPrefix) == true)
    withExtendedLifetime(echo) {}
  }

  @Test("what is too deep or too much is omitted, and the rest is read")
  func limits() async throws {
    let bus = try MessageBus()
    let received = Mutex<[BusValue]>([])
    let listener = try await Bus(bus.address) { message in
      guard case .call = message.kind else { return nil }
      received.withLock { $0 = message.body }
      // An omitted value cannot be sent.
      return .values(message.body)
    }
    #expect(try await listener.request("org.example.Echo"))
    let client = try await Bus(bus.address)
    var deep = BusValue.string("bottom")
    for _ in 0..<20 { deep = .variant(deep) }
    let many = (0..<5000).map { BusValue.int32($0) }
    let values: [BusValue] = [
      .string(String(repeating: "x", count: 1 << 20)), deep, .array(many, elements: "i"),
      .array(Array(repeating: .integer(7, .byte), count: 1 << 16), elements: "y"),
      .string("a\0b"), .string("after"),
    ]
    await #expect(throws: BusError.refused(name: "org.freedesktop.DBus.Error.Failed")) {
      try await client.call(call("Echo", values))
    }
    let answer = received.withLock { $0 }
    try #require(answer.count == 6)
    #expect(answer[0].text?.utf8.count == BusValue.Limits.text)
    #expect(answer[1].text == nil)
    #expect(answer[2] == .array(Array(many.prefix(BusValue.Limits.elements)), elements: "i"))
    #expect(answer[3] == .omitted)
    #expect(answer[4] == .string("ab"))
    #expect(answer[5] == .string("after"))
    // The connection has survived.
    #expect(try await client.call(call("Echo", [.int32(1)])) == [.int32(1)])
  }

  @Test("errors have names, and one that never answers is late") func failures() async throws {
    let bus = try MessageBus()
    let (echo, client) = (try await echo(on: bus), try await Bus(bus.address))
    await #expect(throws: BusError.refused(name: "org.freedesktop.DBus.Error.UnknownMethod")) {
      try await client.call(call("Nothing"))
    }
    // The name has no owner, and no service is started for it.
    await #expect(throws: BusError.self) {
      try await client.call(.call("org.example.Absent", "/", "org.example.Echo", "Echo"))
    }
    // A name that is not one.
    await #expect(throws: BusError.self) {
      try await client.call(.call("not a name", "/", "org.example.Echo", "Echo"))
    }
    let silent = try Child.player("silent", on: bus)
    let name = "org.mpris.MediaPlayer2.silent"
    #expect(try await client.process(of: name) == silent.processID)
    silent.signal(SIGSTOP)
    await #expect(throws: BusError.late) {
      try await client.properties(of: MPRIS.player, at: MPRIS.path, by: name)
    }
    #expect(try await client.call(call("Echo", [.int32(1)])) == [.int32(1)])
    withExtendedLifetime((echo, silent)) {}
  }

  @Test("without a bus, and when it ends") func loss() async throws {
    await #expect(throws: BusError.self) { try await Bus(.at("unix:path=/nonexistent/bus")) }
    let bus = try MessageBus()
    let (losses, loss) = AsyncStream<Void>.makeStream()
    let client = try await Bus(bus.address) { _ in
      nil
    } onLoss: {
      loss.finish()
    }
    #expect(try await client.names().contains("org.freedesktop.DBus"))
    bus.stop()
    for await _ in losses {}
    await #expect(throws: BusError.lost) { try await client.names() }
  }

  @Test("signals go to those who ask for them") func signals() async throws {
    let bus = try MessageBus()
    let received = Mutex<[BusValue]>([])
    let listener = try await Bus(bus.address) { message in
      if message.isFor("org.example.A", "Told") { received.withLock { $0 += message.body } }
      return nil
    }
    try await listener.match("type='signal',interface='org.example.A'")
    let sender = try await Bus(bus.address)
    sender.emit(.signal("/a", "org.example.B", "Told", [.string("other")]))
    sender.emit(.signal("/a", "org.example.A", "Told", [.string("this")]))
    try await eventually("no signal") { received.withLock { !$0.isEmpty } }
    #expect(received.withLock { $0 } == [.string("this")])
  }
}
