import ArtworkClients
import ArtworkModel
import Foundation
import Synchronization
import TestSupport
import Testing

/// `artworkd control`, with a real service.
@Suite struct ControlCommandTests {
  private let service: RunningService
  private let client: ArtworkClient

  init() async throws {
    service = try await RunningService()
    client = ArtworkClient(.socket(path: "\(service.local)"))
  }

  /// Off the threads that the service in this process needs.
  private func control(_ arguments: [String]) async throws -> BuiltTool.Result {
    let socket = "\(service.local)"
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try BuiltTool.run(["control"] + arguments + ["--socket", socket]) })
      }
    }
  }

  private final class Asked: Sendable {
    private let commands = Mutex<[RequestedCommand]>([])
    func add(_ command: RequestedCommand) { commands.withLock { $0.append(command) } }
    var all: [RequestedCommand] { commands.withLock { $0 } }
  }

  private func player(_ asked: Asked) async throws -> HeldSession {
    try await client.hold(
      MediaSession(
        application: "org.player", content: .movie(title: "Film"),
        playback: PlaybackSnapshot(duration: .finite(5400))),
      as: try SessionSamples.id("main"),
      commands: [
        .play { asked.add(.play) },
        .seekToPosition { asked.add(.seekToPosition($0)) },
        .skipForward(preferredIntervals: [30]) { asked.add(.skipForward(interval: $0)) },
        .skipBackward(preferredIntervals: [10]) { asked.add(.skipBackward(interval: $0)) },
        .changePlaybackRate(supportedRates: [1, 1.5]) { asked.add(.changePlaybackRate($0)) },
        .changeRepeatMode(.off) { asked.add(.changeRepeatMode($0)) },
        .changeShuffleMode(.off) { asked.add(.changeShuffleMode($0)) },
        .like { asked.add(.like($0)) },
        .rating { asked.add(.rating($0)) },
        .stop { .noSuchContent },
        .next { .success }.enabled(false),
      ])
  }

  @Test func `what people type is what the player gets`() async throws {
    let asked = Asked()
    let held = try await player(asked)
    let lines: [(String, RequestedCommand)] = [
      ("play", .play), ("toggle", .play), ("seek 90", .seekToPosition(90)),
      ("seek 1:30", .seekToPosition(90)), ("seek 1:00:00.5", .seekToPosition(3600.5)),
      ("skip", .skipForward(interval: 30)), ("skip 15", .skipForward(interval: 15)),
      ("skip -15", .skipBackward(interval: 15)), ("rate 1.5", .changePlaybackRate(1.5)),
      ("repeat all", .changeRepeatMode(.all)), ("shuffle on", .changeShuffleMode(.items)),
      ("shuffle off", .changeShuffleMode(.off)), ("like", .like()), ("rating 4", .rating(4)),
      ("play --session main", .play), ("--application org.player play", .play),
    ]
    for (line, _) in lines {
      let result = try await control(line.split(separator: " ").map(String.init))
      #expect(result.status == 0 && result.output == "" && result.error == "", "\(line)")
    }
    #expect(asked.all == lines.map(\.1))
    try await held.end()
  }

  @Test func `what was not done has a sentence and its own exit code`() async throws {
    let nothing = try await control(["play"])
    #expect(nothing.status == 2)
    #expect(nothing.error == "artworkd: no session is shown\n")
    let held = try await player(Asked())
    let stopped = try await control(["stop"])
    #expect(stopped.status == 1)
    #expect(stopped.error == "artworkd: main of org.player has no such content\n")
    let disabled = try await control(["next"])
    #expect(disabled.status == 2)
    #expect(disabled.error == "artworkd: main of org.player has disabled next for now\n")
    try await held.end()
  }

  @Test(arguments: [
    ("", "Name a command"), ("paly", "Unknown command 'paly'; did you mean `play`?"),
    ("seek", "seek takes a position such as 90 or 1:30"), ("seek 1:75", "seek takes a position"),
    ("seek -5", "seek takes a position"), ("skip 0", "skip takes seconds other than 0"),
    ("rate x", "rate takes a factor other than 0"), ("repeat on", "repeat takes off, one, all"),
    ("play 1", "play takes no value"), ("rating -1", "rating takes a number from 0"),
    ("play --sesion main", "Unknown option '--sesion'"),
  ])
  func `a wrong line is a usage error that says what is right`(line: String, message: String)
    async throws
  {
    let result = try await control(line.split(separator: " ").map(String.init))
    #expect(result.status == 64)
    #expect(result.error.contains(message), "\(result.error)")
  }
}
