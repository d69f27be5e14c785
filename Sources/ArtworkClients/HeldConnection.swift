import ArtworkModel
import Synchronization

/// The connection that holds a session: a stream, whose events it follows, and the requests beside it, which report
/// changes to the service. What fails is tried again at least every 5 s.
final class HeldConnection: Sendable {
  private struct State {
    var session: MediaSession {
      didSet { changes += 1 }
    }
    /// How often the session was replaced.
    private(set) var changes = 0
    /// The session that the service has as far as this client knows, and its number of changes. Both sessions use the
    /// steady clock.
    var known: (session: MediaSession, changes: Int)?
    /// `nil` while there is none.
    var stream: ServiceEvents?
    /// Whether the session's end may be among the events of the stream: an end may be that of an earlier session of
    /// this name, and events may have been missed.
    var mayHaveEnded = false
    var isEnded = false

    var isSent: Bool { known?.changes == changes }
    var isSettled: Bool { isSent && !mayHaveEnded }
  }

  /// Doubles up to five seconds.
  private struct Pause {
    private var next = Duration.milliseconds(100)

    /// - Returns: `false` if the task is cancelled.
    mutating func wait() async -> Bool {
      defer { next = min(next * 2, .seconds(5)) }
      return (try? await Task.sleep(for: next)) != nil
    }
  }

  private let id: SessionID
  private let application: String
  private let client: ArtworkClient
  private let primary: PrimaryWatch
  private let troubles: Watch<ClientError?>
  private let state: Mutex<State>
  /// Marked when something is to be sent: `true` if it failed just now.
  private let (due, whenDue) = AsyncStream.makeStream(
    of: Bool.self, bufferingPolicy: .bufferingNewest(1))

  /// Opens a stream and publishes.
  init(
    _ session: MediaSession, as id: SessionID, _ client: ArtworkClient, _ primary: PrimaryWatch,
    _ troubles: Watch<ClientError?>
  ) async throws(ClientError) {
    self.id = id
    self.client = client
    self.primary = primary
    self.troubles = troubles
    application = session.application
    state = Mutex(State(session: session))
    let stream = try await client.events(ofOwn: id, of: application)
    state.withLock { $0.stream = stream }
    try await publish()
  }

  var session: MediaSession { state.withLock(\.session) }

  var isEnded: Bool { state.withLock(\.isEnded) }

  func end() { state.withLock { $0.isEnded = true } }

  /// - Throws: why the session was not sent. Unless the error is final, it is sent again.
  func update(_ session: MediaSession) async throws(ClientError) {
    let isEnded = state.withLock { state in
      state.session = session
      return state.isEnded
    }
    // No connection would hold it.
    if isEnded {
      throw ClientError.refused(
        ClientError.Problem(
          code: StoreError.Code.unknownSession.rawValue, status: 404, title: "Not Found",
          detail: "the session has ended"))
    }
    do throws(ClientError) {
      try await publish()
      endTrouble()
    } catch {
      troubles.change { $0 = error }
      if !error.isFinal { whenDue.yield(true) }
      throw error
    }
  }

  /// Holds the session until it ends or the task is cancelled.
  func hold(_ commands: CommandRunner) async {
    await withTaskGroup { group in
      group.addTask { await self.listen(commands) }
      group.addTask { await self.send() }
      await group.next()
      group.cancelAll()
    }
    state.withLock { $0.stream = nil }
  }

  // MARK: The stream

  private func listen(_ commands: CommandRunner) async {
    var pause = Pause()
    repeat {
      do {
        let stream = try await openStream()
        for try await event in stream {
          primary.note(event, of: SessionReference(application, id))
          switch event {
          // The first event, also of a service that stops at once.
          case .nowPlaying: continue
          case .command(let command): commands.add(command)
          case .replaced: return end()
          case .missed, .session(id, application: application, ended: true):
            state.withLock { $0.mayHaveEnded = true }
            whenDue.yield(false)
          default: break
          }
          pause = Pause()
        }
        throw ClientError.lost("the service closed the connection")
      } catch {
        guard !Task.isCancelled else { return }
        state.withLock { state in
          // Opening another stream would hold the session twice.
          state.stream = nil
          troubles.change { $0 = client.failure(error) }
        }
      }
    } while await pause.wait()
  }

  /// The stream that is open, or another one, on which the session is published again.
  private func openStream() async throws(ClientError) -> ServiceEvents {
    if let stream = state.withLock(\.stream) { return stream }
    let stream = try await client.events(ofOwn: id, of: application)
    state.withLock { ($0.stream, $0.known, $0.mayHaveEnded) = (stream, nil, false) }
    whenDue.yield(false)
    return stream
  }

  // MARK: Requests

  /// Publishes and checks while there is a stream, until it succeeds or the service refuses. Returns when the session has
  /// ended.
  private func send() async {
    for await isRetry in due {
      var pause = Pause()
      if isRetry, !(await pause.wait()) { return }
      while let stream = state.withLock({ $0.isSettled || $0.isEnded ? nil : $0.stream }) {
        do throws(ClientError) {
          try await publish()
          if try await isGone() {
            // A service that was started again has closed this stream, and may not know the session.
            if stream.body.isFinished { break }
            return end()
          }
          endTrouble()
        } catch {
          if Task.isCancelled { return }
          troubles.change { $0 = error }
          guard !error.isFinal, await pause.wait() else { break }
        }
      }
    }
  }

  /// Whether the service does not know the session, if that is in doubt.
  private func isGone() async throws(ClientError) -> Bool {
    let isDoubted = state.withLock { state in
      defer { state.mayHaveEnded = false }
      return state.mayHaveEnded
    }
    guard isDoubted else { return false }
    do throws(ClientError) {
      primary.note(try await client.session(id, of: application))
      return false
    } catch {
      if error.code == StoreError.Code.unknownSession.rawValue { return true }
      state.withLock { $0.mayHaveEnded = true }
      throw error
    }
  }

  /// Publishes the session, and again if it was replaced meanwhile, so that the service gets the latest one last.
  private func publish() async throws(ClientError) {
    while let (session, changes) = state.withLock({ state in
      state.isSent || state.isEnded ? nil : (state.session, state.changes)
    }) {
      try await send(session)
      state.withLock { $0.known = (session, changes) }
    }
  }

  private func endTrouble() {
    state.withLock { state in
      if state.stream != nil, state.isSettled { troubles.change { $0 = nil } }
    }
  }

  /// Sends the differences from the service's state; the whole session if that is unknown or turns out to differ.
  private func send(_ session: MediaSession) async throws(ClientError) {
    let known = state.withLock { state in
      defer { state.known = nil }
      return state.known?.session
    }
    let current = session.sent(by: .shared)
    var answer: PublishedSession?
    if let known {
      do throws(ClientError) {
        answer = try await client.update(id, from: known.sent(by: .shared), to: current)
      } catch {
        // An older service knows no patches, and another client may have ended the session.
        if !error.isFinal { throw error }
      }
    }
    if answer?.session != current { _ = try await client.publish(current, as: id) }
  }
}
