import ArtworkClients
import TestSupport

/// A player that carries out commands, through the client and the service.
@Suite struct HeldCommandTests {
  @MainActor private final class Player: MediaSessionRepresentable {
    let id = "main"
    var isPlaying = false
    var position = 0.0
    var hasNext = false
    var session: HeldSession?

    var content: MediaContent? { .movie(title: "Film") }
    var playbackSnapshot: PlaybackSnapshot? {
      PlaybackSnapshot(
        state: isPlaying ? .playing() : .paused, elapsedSeconds: position, duration: .finite(100))
    }
    let eligibility = Eligibility.withCommands

    var commands: [MediaCommand] {
      [
        .play { try await self.play() }, .pause { self.isPlaying = false },
        .next { self.hasNext ? .success : .noSuchContent }.enabled(hasNext),
        .seekToPosition { position in
          self.position = position
          return .success
        },
        .stop { self.session = nil },
      ]
    }

    /// A player changes, publishes, and answers.
    func play() async throws {
      isPlaying = true
      try await session?.update(from: self)
    }
  }

  private let service: RunningService
  private let client: ArtworkClient

  init() async throws {
    service = try await RunningService()
    client = ArtworkClient(.socket(path: "\(service.local)"))
  }

  @Test @MainActor func `a player's handlers are called where they were written, and answer`()
    async throws
  {
    let player = Player()
    player.session = try await client.publish(player, application: "app")
    #expect(try await client.perform(.togglePlayPause).status == .success)
    #expect(player.isPlaying)
    let shown = try await client.nowPlaying()
    #expect(shown.sessions[0].session.isActive)
    #expect(shown.sessions[0].session.commands[.next]?.isEnabled == false)
    await #expect {
      try await client.perform(.next)
    } throws: {
      ($0 as? ClientError)?.code == "command-disabled"
    }
    // Enabled by the player, and disabled before the service knows.
    player.hasNext = true
    try await player.session?.update(from: player)
    player.hasNext = false
    #expect(try await client.perform(.next).status == .noSuchContent)
    #expect(
      try await client.perform(.seekToPosition(90), for: .application("app")).status == .success)
    #expect(player.position == 90)
    // The sender of the stop command gets the answer, although the handler drops the session.
    #expect(try await client.perform(.stop).status == .success)
    #expect(player.session == nil)
  }

  @Test func `commands are carried out one after the other`() async throws {
    let running = Mutex(0)
    let held = try await client.hold(
      SessionSamples.session("app"), as: try SessionSamples.id("s"),
      commands: [
        .play {
          let others = running.withLock { running in
            defer { running += 1 }
            return running
          }
          await Task.yield()
          running.withLock { $0 -= 1 }
          return others == 0 ? .success : .failed
        }
      ])
    let statuses = try await withThrowingTaskGroup(of: CommandOutcome.Status.self) { group in
      for _ in 0..<20 { group.addTask { try await client.perform(.play).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: .success, count: 20))
    // Without handlers, the session offers nothing.
    try await held.update(SessionSamples.session("app"), commands: [])
    #expect(try await client.sessions()[0].session.commands.isEmpty)
  }

  @Test func `who may not be shown learns why, and so does everybody else`() async throws {
    let mixing = try SessionSamples.id("mixing")
    var session = SessionSamples.session("app", playing: .playing())
    session.mixesWithOthers = true
    _ = try await client.publish(session, as: mixing)
    #expect(try await client.nowPlaying().shown == nil)
    await #expect {
      try await client.promote(mixing, .system)
    } throws: {
      let error = $0 as? ClientError
      return error?.code == "not-eligible" && error?.description.contains("mixes") == true
    }
    #expect(try await client.sessions()[0].notShown?.code == "mixes-with-others")
    await #expect {
      try await client.perform(.play)
    } throws: {
      ($0 as? ClientError)?.code == "unknown-session"
    }
  }

  @Test @MainActor
  func `a session that somebody else ended keeps no player, even one that updates it`() async throws {
    weak var gone: Player?
    do {
      let player = Player()
      gone = player
      let session = try await client.publish(player, application: "app")
      player.session = session
      try await client.end(SessionSamples.id("main"), of: "app")
      await session.untilEnded()
      await #expect(throws: ClientError.self) { try await session.update(from: player) }
    }
    // The last command may still be answered.
    for _ in 0..<6000 where gone != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(gone == nil)
  }
}
