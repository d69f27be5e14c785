import ArtworkClients
import TestSupport

@testable import artworkd

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
          with: Result { try BuiltTool.run("control", arguments + ["--socket", socket]) })
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
        .skipBackward(preferredIntervals: [10]) { asked.add(.skipBackward(interval: $0)) },
        .rating { asked.add(.rating($0)) },
        .stop { .noSuchContent },
        .next { .success }.enabled(false),
      ])
  }

  @Test func `the player gets what is typed`() async throws {
    let asked = Asked()
    let held = try await player(asked)
    for line in ["toggle", "skip -15 --session main", "--application org.player rating 4"] {
      let result = try await control(line.split(separator: " ").map(String.init))
      #expect(result.status == 0 && result.output == "" && result.error == "", "\(line)")
    }
    #expect(asked.all == [.play, .skipBackward(interval: 15), .rating(4)])
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

  @Test func `an unknown option is a usage error`() async throws {
    let result = try await control(["skip", "-15", "--sesion", "main"])
    #expect(result.status == 64 && result.error.contains("Unknown option '--sesion'"))
  }
}

/// The arguments that people type after `artworkd control`.
@Suite struct ControlWordsTests {
  @Test(
    arguments: [
      ("play", .play), ("toggle", .togglePlayPause), ("seek 90", .seekToPosition(90)),
      ("seek 1:30", .seekToPosition(90)), ("seek 1:00:00.5", .seekToPosition(3600.5)),
      ("skip", .skipForward()), ("skip 15", .skipForward(interval: 15)),
      ("skip -15", .skipBackward(interval: 15)), ("rate 1.5", .changePlaybackRate(1.5)),
      ("repeat all", .changeRepeatMode(.all)), ("shuffle on", .changeShuffleMode(.items)),
      ("shuffle collections", .changeShuffleMode(.collections)), ("like", .like()),
      ("rating 4", .rating(4)),
    ] as [(String, RequestedCommand)])
  func `what people type is a command`(line: String, command: RequestedCommand) throws {
    #expect(try ControlWords(Self.words(line)).command() == command)
  }

  @Test(arguments: [
    ("", "Name a command"), ("paly", "Unknown command 'paly'; did you mean `play`?"),
    ("seek", "seek takes a position such as 90 or 1:30"), ("seek 1:75", "seek takes a position"),
    ("seek -5", "seek takes a position"), ("skip 0", "skip takes seconds other than 0"),
    ("rate x", "rate takes a factor other than 0"), ("repeat on", "repeat takes off, one, all"),
    ("play 1", "play takes no value"), ("rating inf", "rating takes a number from 0"),
    ("seek 1e308:59", "seek takes a position"), ("rating -1", "rating takes a number from 0"),
  ])
  func `a wrong line is an error that states what is right`(line: String, message: String) {
    #expect {
      try ControlWords(Self.words(line)).command()
    } throws: {
      "\($0)".contains(message)
    }
  }

  private static func words(_ line: String) -> [String] {
    line.split(separator: " ").map(String.init)
  }
}
