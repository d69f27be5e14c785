import ArtworkModel
import Synchronization

/// The handlers of a held session. Carries out its commands one after the other, in the order in which they came, and
/// answers them.
final class CommandRunner: Sendable {
  private struct Waiting {
    var command: DeliveredCommand
    var since = ContinuousClock.now
  }

  private final class Handlers: Sendable {
    struct State {
      var commands: [CommandName: MediaCommand] = [:]
      /// Handlers may name the object that holds the session: after its end none is kept.
      var isClosed = false
    }

    let state = Mutex(State())
  }

  private let handlers = Handlers()
  private let waiting: AsyncStream<Waiting>.Continuation
  private let running: Task<Void, Never>

  /// After this time the service has given a command up: a command without a waiting request is not carried out late.
  private static let timeout = Duration.seconds(5)

  init(_ client: ArtworkClient, _ commands: [MediaCommand]) {
    let (stream, waiting) = AsyncStream.makeStream(of: Waiting.self)
    self.waiting = waiting
    running = Task { [handlers] in
      for await next in stream where next.since.duration(to: .now) < Self.timeout {
        let handler = handlers.state.withLock { $0.commands[next.command.command.name] }
        let answer =
          await handler?.perform(next.command.command)
          ?? CommandAnswer(.notSupported, "the player does not carry it out any more")
        // The sender may have given up.
        try? await client.answer(next.command, answer)
      }
    }
    replace(commands)
  }

  deinit { waiting.finish() }

  /// Stops holding the session once no command is in progress, so that the sender of a stop command gets its answer.
  func finish(_ holding: Task<Void, Never>) {
    close()
    waiting.finish()
    Task { [running] in
      let late = Task {
        try await Task.sleep(for: Self.timeout)
        holding.cancel()
      }
      await running.value
      late.cancel()
      holding.cancel()
    }
  }

  func replace(_ commands: [MediaCommand]) {
    let commands = Dictionary(commands.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    handlers.state.withLock { state in
      if !state.isClosed { state.commands = commands }
    }
  }

  /// Releases the handlers, and accepts no others.
  func close() {
    handlers.state.withLock { $0 = Handlers.State(isClosed: true) }
  }

  func add(_ command: DeliveredCommand) { waiting.yield(Waiting(command: command)) }

  /// The session with the commands that have handlers; unchanged if there are none.
  func offering(_ session: MediaSession) -> MediaSession {
    let offers = handlers.state.withLock { $0.commands.mapValues(\.offer) }
    var offering = session
    if !offers.isEmpty { offering.commands = offers }
    return offering
  }
}
