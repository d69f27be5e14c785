import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkStore

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

  private func file(_ answer: NowPlayingCenter.VideoAnswer) throws -> FilePath {
    guard case .video(let lease) = answer else { throw StoreError(.failed, "no video: \(answer)") }
    return lease.file
  }

  private func put(_ store: AssetStore) async throws {
    for name in ["a", "b"] {
      _ = try await store.put(
        StoreFixture.reference(name), fixture.source("video \(name)", name: name))
    }
  }

  @Test("two players that both call their session main do not touch each other's")
  func separate() async throws {
    let store = try fixture.open()
    let center = try await fixture.center(store)
    try await put(store)
    #expect(try await center.publish(session("one", "a"), as: main))
    let first = try file(await center.video(for: main, .square, within: .seconds(20)))
    #expect(try await center.publish(session("two", "b"), as: main))
    #expect(first.exists && center.board.sessions.count == 2)
    let error = await #expect(throws: StoreError.self) { try await center.end(main) }
    #expect(error?.code == .ambiguousSession)
    let second = try file(
      await center.video(for: main, of: "two", .square, within: .seconds(20)))
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
      let store = try fixture.open()
      let center = try await fixture.center(store)
      try await put(store)
      for application in ["one", "two"] {
        try await center.publish(session(application, "a"), as: main)
        leases.append(
          try file(await center.video(for: main, of: application, .square, within: .seconds(20))))
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
    center.hold(SessionReference("one", main), peer: getpid())
    for application in ["one", "two"] {
      try await center.publish(session(application), as: main)
    }
    center.letGo(SessionReference("one", main))
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
      center.hold(SessionReference("one", main), peer: 1)
      if wasPublished { try await center.publish(session("one"), as: main) }
      center.letGo(SessionReference("one", main))
      try await center.publish(session("one", "a"), as: main)
      try await center.endOrphans()
      try await Task.sleep(for: .milliseconds(300))
      #expect(center.session(main) == session("one", "a"))
      #expect(center.owner(of: SessionReference("one", main)).process == nil)
      _ = try await center.end(main)
    }
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
    try await center.publish(session("one"), as: main)
    #expect(center.owner(of: SessionReference("one", main)).process?.identifier == 2)
  }
}
