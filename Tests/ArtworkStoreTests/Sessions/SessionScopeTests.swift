import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

@Suite("Sessions of one name in several applications")
struct SessionScopeTests {
  let fixture: StoreFixture
  private let main: SessionID

  init() throws {
    fixture = try StoreFixture()
    main = try SessionSamples.id("main")
  }

  private func session(_ application: String, _ artwork: String? = nil) -> MediaSession {
    MediaSession(
      application: application,
      artwork: artwork.flatMap { ArtworkID($0) }.map { [.square: $0] } ?? [:])
  }

  private func put(_ store: AssetStore) async throws {
    for name in ["a", "b"] { try await fixture.put(name, "video \(name)", into: store) }
  }

  @Test("two players that both call their session main do not touch each other's")
  func separate() async throws {
    let (store, center) = try await fixture.running()
    try await put(store)
    #expect(try await center.publish(session("one", "a"), as: main))
    let first = try await center.lease(main).file
    #expect(try await center.publish(session("two", "b"), as: main))
    #expect(first.exists && center.board.sessions.count == 2)
    #expect(await refusal { try await center.end(main) }?.code == .ambiguousSession)
    let second = try await center.lease(main, of: "two").file
    try await center.revise(main, of: "two") { former throws(StoreError) in
      var revised = former
      revised.session.artwork = [:]
      return revised
    }
    #expect(first.exists && !second.exists)
    #expect(try await center.end(main, of: "two"))
    #expect(first.exists)
    // Alone again, the name is enough.
    #expect(try await center.end(main))
    #expect(!first.exists)
  }

  @Test("sessions and leases of one name survive a restart with their applications")
  func restart() async throws {
    var leases: [FilePath] = []
    do {
      let (store, center) = try await fixture.running()
      try await put(store)
      for application in ["one", "two"] {
        try await center.publish(session(application, "a"), as: main)
        leases.append(
          try await center.lease(main, of: application).file)
      }
      try await center.promote(main, of: "one", .system)
    }
    let center = try await fixture.center(fixture.reopened())
    #expect(center.board.systemPrimary == SessionReference("one", main))
    #expect(leases.allSatisfy(\.exists) && leases.count == 2)
    #expect(try await center.end(main, of: "one"))
    #expect(leases.map(\.exists) == [false, true])
  }

  // MARK: Connections

  @Test("a connection holds the session of its application alone")
  func scopedHold() async throws {
    let center = try await fixture.center(fixture.open())
    let one = SessionReference("one", main)
    let holder = try center.hold(.init(one), peer: getpid())
    for application in ["one", "two"] {
      try await center.publish(session(application), as: main, from: getpid())
    }
    center.letGo(one, holder)
    #expect(try await eventually { center.board.sessions.count == 1 })
    #expect(center.session(main) == session("two"))
  }

  // MARK: Owners

  @Test("a session that is published after a connection of its name closed is not that one's")
  func inheritsNothing() async throws {
    let center = try await fixture.center(fixture.open()) {
      $0.grace = .milliseconds(100)
      $0.process = { SessionOwner.Process(identifier: $0) }
      $0.isAlive = { $0.identifier != 1 }
    }
    // Published or not, the connection's session ends with it, and not the next one of that name.
    for wasPublished in [false, true] {
      let holder = try center.hold(.init(SessionReference("one", main)), peer: 1)
      if wasPublished { try await center.publish(session("one"), as: main, from: 1) }
      center.letGo(SessionReference("one", main), holder)
      try await center.publish(session("one", "a"), as: main)
      try await center.endOrphans()
      try await Task.sleep(for: .milliseconds(300))
      #expect(center.session(main) == session("one", "a"))
      #expect(center.owner(of: SessionReference("one", main)).process == nil)
      _ = try await center.end(main)
    }
  }

  @Test("a session of a client that lives is not replaced by another, unless that takes it over")
  func owned() async throws {
    let center = try await fixture.center(fixture.open()) {
      $0.process = { SessionOwner.Process(identifier: $0) }
      $0.isAlive = { $0.identifier != 3 }
    }
    let one = SessionReference("one", main)
    func refused(_ body: () async throws -> Void) async -> Bool {
      do { try await body() } catch { return (error as? StoreError)?.code == .owned }
      return false
    }
    let replaced = Mutex(0)
    let holder = try center.hold(.init(one, replaced: { replaced.withLock { $0 += 1 } }), peer: 1)
    // Its own process may replace it, and hold it twice.
    try await center.publish(session("one", "a"), as: main, from: 1)
    center.letGo(one, try center.hold(.init(one), peer: 1))
    #expect(await refused { _ = try center.hold(.init(one), peer: 2) })
    for peer: Int32? in [2, nil] {
      #expect(await refused { try await center.publish(session("one"), as: main, from: peer) })
    }
    #expect(center.session(main) == session("one", "a") && replaced.withLock(\.self) == 0)
    try await center.publish(session("one"), as: main, from: 2, takingOver: true)
    #expect(replaced.withLock(\.self) == 1 && center.session(main) == session("one"))
    // The first holder's end is not that of the session.
    center.letGo(one, holder)
    try await center.publish(session("one"), as: main, ownedBy: 2, from: 4)
    #expect(await refused { try await center.publish(session("one"), as: main, from: 4) })
    try await center.publish(session("one"), as: main, ownedBy: 2, from: 4)
    try await center.publish(session("one"), as: main, ownedBy: 3, from: 2)
    // Who has ended owns nothing.
    try await center.publish(session("one"), as: main, from: 4)
    #expect(center.owner(of: one).process == nil)
  }

  /// As that of a shell, whose curl goes on.
  @Test("a session ends with the process that was named, though a connection of another is open")
  func namedProcess() async throws {
    let isDead = Mutex(false)
    let center = try await fixture.center(fixture.open()) {
      $0.process = { SessionOwner.Process(identifier: $0) }
      $0.isAlive = { _ in !isDead.withLock(\.self) }
    }
    try await center.publish(session("one"), as: main, ownedBy: 1, from: 2)
    _ = try center.hold(.init(SessionReference("one", main)), peer: 3)
    try await center.endOrphans()
    #expect(center.session(main) != nil)
    isDead.withLock { $0 = true }
    try await center.endOrphans()
    #expect(center.session(main) == nil)
  }

  @Test("a session that is published again loses an owner that has ended")
  func forgetsDeadOwners() async throws {
    let center = try await fixture.center(fixture.open()) {
      $0.process = { SessionOwner.Process(identifier: $0) }
      $0.isAlive = { $0.identifier != 1 }
    }
    try await center.publish(session("one"), as: main, ownedBy: 1)
    try await center.publish(session("one", "a"), as: main)
    try await center.endOrphans()
    #expect(center.session(main) == session("one", "a"))
    try await center.publish(session("one", "a"), as: main, ownedBy: 2)
    try await center.publish(session("one"), as: main, from: 2)
    #expect(center.owner(of: SessionReference("one", main)).process?.identifier == 2)
  }
}
