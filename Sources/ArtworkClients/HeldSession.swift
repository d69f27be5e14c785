public import ArtworkModel
public import FoundationEssentials
import Synchronization

/// A session that lives as long as this object, like `MediaSession` of the NowPlaying framework. It holds a connection to
/// the service, whose end ends the session. After a restart of the service it connects and publishes again.
public final class HeldSession: Sendable {
  public let id: SessionID
  /// The application that the session belongs to.
  public let application: String
  public let client: ArtworkClient
  /// Whether the application and the system show it.
  let primary = PrimaryWatch()
  private let troubles = Watch<ClientError?>(nil)
  /// The task that publishes automatically.
  private let following = Mutex<Task<Void, Never>?>(nil)
  private let latest: Latest
  let commands: CommandRunner
  private let holding: Task<Void, Never>

  /// The published session, and the state of the connection.
  private final class Latest: Sendable {
    struct State {
      var session: MediaSession {
        didSet { changes += 1 }
      }
      /// How often the session was replaced.
      private(set) var changes = 0
      /// The service's state as far as this client knows. Both use the steady clock.
      var known: MediaSession?
      var isEnded = false
    }
    let state: Mutex<State>

    init(_ session: MediaSession) { state = Mutex(State(session: session)) }

    /// Publishes the session, and again if it was replaced meanwhile, so that the service gets the latest one last.
    func publish(as id: SessionID, _ client: ArtworkClient) async throws(ClientError) {
      var published: Int?
      while true {
        let (session, changes, isEnded) = state.withLock { ($0.session, $0.changes, $0.isEnded) }
        if changes == published || isEnded { return }
        try await send(session, as: id, client)
        published = changes
      }
    }

    /// Sends the differences from the service's state; the whole session if that is unknown or turns out to differ.
    private func send(
      _ session: MediaSession, as id: SessionID, _ client: ArtworkClient
    ) async throws(ClientError) {
      let known = state.withLock { state in
        defer { state.known = nil }
        return state.known
      }
      let sent = session.sent(by: .shared)
      var answer: PublishedSession?
      if let known {
        do throws(ClientError) {
          answer = try await client.update(id, from: known.sent(by: .shared), to: sent)
        } catch {
          // An older service knows no patches, and another client may have ended the session.
          guard case .refused = error else { throw error }
        }
      }
      if answer?.session != sent { _ = try await client.publish(sent, as: id) }
      state.withLock { $0.known = session }
    }
  }

  /// Why the service does not hold the session now, or refuses an automatic update; `nil` while all is well. The
  /// client reconnects at least every 5 s.
  public var trouble: ClientError? { troubles.now }

  /// The current ``trouble``, and then each change; `nil` when it is over. A slow reader gets only the latest. Ends
  /// with the session or this object.
  public var troubleChanges: AsyncStream<ClientError?> { troubles.changes() }

  /// Whether the session was ended. It is not published again.
  public var isEnded: Bool { latest.state.withLock { $0.isEnded } }

  /// Holds and publishes.
  init(
    _ session: MediaSession, as id: SessionID, _ client: ArtworkClient, _ commands: [MediaCommand]
  ) async throws(ClientError) {
    self.id = id
    application = session.application
    self.client = client
    let runner = CommandRunner(client, commands)
    self.commands = runner
    let session = runner.offering(try await client.registering(session)).received(by: .shared)
    let latest = Latest(session)
    self.latest = latest
    let events = try await client.events(holding: id, of: session.application)
    try await latest.publish(as: id, client)
    holding = Task { [application, primary, troubles] in
      await Self.hold(id, application, client, latest, runner, primary, troubles, events)
      runner.close()
      primary.finish()
      troubles.finish()
    }
  }

  deinit {
    commands.finish(holding)
    following.withLock { $0?.cancel() }
    primary.finish()
    troubles.finish()
  }

  /// Cancels `task`, which publishes automatically, together with this object.
  func follow(_ task: Task<Void, Never>) { following.withLock { $0 = task } }

  /// The last published session, or the one to publish once the service is available.
  var published: MediaSession { latest.state.withLock { $0.session } }

  /// Stores the current trouble, or `nil`, for its observers.
  func report(_ trouble: ClientError?) { troubles.change { $0 = trouble } }

  /// Replaces the session. The files of artwork that it no longer names are removed.
  ///
  /// - Parameter commands: those that it carries out from now on; `nil` leaves them unchanged. If there are any, they
  ///   replace the session's `commands`.
  /// - Throws: `bad-request` for a session of another application, which would be another session.
  public func update(
    _ session: MediaSession, commands: [MediaCommand]? = nil
  ) async throws(ClientError) {
    guard session.application == application else {
      throw ArtworkClient.badRequest("the session belongs to \(application)")
    }
    let registered = try await client.registering(session)
    if let commands { self.commands.replace(commands) }
    let session = self.commands.offering(registered).received(by: .shared)
    let isEnded = latest.state.withLock { latest in
      latest.session = session
      return latest.isEnded
    }
    // No connection would hold it.
    if isEnded {
      throw ClientError.refused(
        ClientError.Problem(
          code: StoreError.Code.unknownSession.rawValue, status: 404, title: "Not Found",
          detail: "the session has ended"))
    }
    try await latest.publish(as: id, client)
  }

  /// Ends the session now.
  public func end() async throws(ClientError) {
    latest.state.withLock { $0.isEnded = true }
    holding.cancel()
    do throws(ClientError) {
      try await client.end(id, of: application)
    } catch {
      // Closing the connection has ended it already.
      if error.code != StoreError.Code.unknownSession.rawValue { throw error }
    }
  }

  /// Returns when the session has been ended, by this object or by another client.
  public func untilEnded() async { await holding.value }

  private static func hold(
    _ id: SessionID, _ application: String, _ client: ArtworkClient, _ latest: Latest,
    _ commands: CommandRunner, _ primary: PrimaryWatch, _ troubles: Watch<ClientError?>,
    _ events: ServiceEvents
  ) async {
    var state = HoldingState()
    var stream: ServiceEvents.AsyncIterator? = events.makeAsyncIterator()
    while !Task.isCancelled, let step = state.next {
      do {
        switch step {
        case .listen:
          guard let event = try await stream?.next() else {
            throw ClientError.lost("the service closed the connection")
          }
          primary.note(event, of: SessionReference(application, id))
          if case .command(let command) = event { commands.add(command) }
          let isEnd = event == .session(id, application: application, ended: true)
          state.on(isEnd ? .ended : event == .missed ? .missed : .done)
        case .open:
          stream = try await client.events(holding: id, of: application).makeAsyncIterator()
          state.on(.done)
        case .check:
          state.on(try await isGone(id, application, client, primary) ? .ended : .done)
        case .publish:
          latest.state.withLock { $0.known = nil }
          try await latest.publish(as: id, client)
          troubles.change { $0 = nil }
          state.on(.done)
        case .wait(let pause):
          // The sleep fails when the task is cancelled.
          guard (try? await Task.sleep(for: pause)) != nil else { return }
          state.on(.done)
        }
      } catch {
        guard !Task.isCancelled else { return }
        // Opening another stream would hold the session twice.
        stream = nil
        troubles.change { $0 = client.failure(error) }
        state.on(.failed)
      }
    }
    if state.next == nil { latest.state.withLock { $0.isEnded = true } }
  }
}

extension HeldSession {
  /// Whether the service does not know the session.
  fileprivate static func isGone(
    _ id: SessionID, _ application: String, _ client: ArtworkClient, _ primary: PrimaryWatch
  ) async throws(ClientError) -> Bool {
    do throws(ClientError) {
      primary.note(try await client.session(id, of: application))
      return false
    } catch {
      guard error.code == StoreError.Code.unknownSession.rawValue else { throw error }
      return true
    }
  }
}

extension ArtworkClient {
  /// Publishes a session that lives as long as the returned object and this process.
  ///
  /// - Parameter commands: the owner's commands; they replace the session's `commands`. Their handlers are called one
  ///   after another and retained until the session has ended.
  public func hold(
    _ session: MediaSession, as id: SessionID, commands: [MediaCommand] = []
  ) async throws(ClientError) -> HeldSession {
    try await HeldSession(session, as: id, self, commands)
  }

  /// Publishes what a player plays, for as long as the returned object lives. Call ``HeldSession/update(from:)``
  /// after a change.
  ///
  /// Artwork that the service does not know is registered with the result of its provider. The handlers of commands
  /// are called one after another, and retained until the session has ended: a handler that captures the player
  /// retains it, too.
  ///
  /// - Parameter application: the application that the session belongs to, for example a bundle identifier.
  /// - Throws: `bad-request` for an ID that is empty or too long.
  public func publish(
    _ representable: some MediaSessionRepresentable,
    application: String = ProcessInfo.processInfo.processName
  ) async throws(ClientError) -> HeldSession {
    guard let id = SessionID(await representable.id) else {
      throw Self.badRequest("a session's id has 1 to \(SessionID.longest) bytes")
    }
    return try await HeldSession(
      session(representable, application), as: id, self, await representable.commands)
  }

  fileprivate func session(
    _ representable: some MediaSessionRepresentable, _ application: String
  ) async throws(ClientError) -> MediaSession {
    if let cover = await representable.artwork { try await registerIfUnknown(cover) }
    return await MediaSession(of: representable, application)
  }
}

extension MediaSession {
  /// The current state of a player.
  init(of representable: some MediaSessionRepresentable, _ application: String) async {
    self.init(
      application: application, content: await representable.content,
      cover: await representable.artwork?.id, playback: await representable.playbackSnapshot,
      mixesWithOthers: await representable.mixesWithOthers,
      eligibility: await representable.eligibility,
      videoCodecs: await representable.videoCodecs)
  }
}

extension HeldSession {
  /// Publishes the player's current state.
  public func update(
    from representable: some MediaSessionRepresentable
  ) async throws(ClientError) {
    try await update(
      client.session(representable, application), commands: await representable.commands)
  }

  /// Makes this the session that the application shows (`requestToBecomeApplicationPrimary`, `becomeActiveIfPossible`).
  ///
  /// - Throws: `not-eligible` with the reason.
  public func requestToBecomeApplicationPrimary() async throws(ClientError) {
    try await client.promote(id, of: application, .application)
  }

  /// Makes this the session that the system shows (`requestToBecomeSystemPrimary`).
  ///
  /// - Throws: `not-eligible` with the reason.
  public func requestToBecomeSystemPrimary() async throws(ClientError) {
    try await client.promote(id, of: application, .system)
  }

  /// Reverts ``requestToBecomeApplicationPrimary()`` or ``requestToBecomeSystemPrimary()``.
  public func resignPrimary(
    _ scope: SessionRegistry.Scope = .application
  ) async throws(ClientError) { try await client.demote(id, of: application, scope) }

  /// Returns the artwork like ``ArtworkClient/animatedArtwork(_:supportedAspectRatios:in:of:)``, for this session.
  public func animatedArtwork(
    _ artworkID: ArtworkID, supportedAspectRatios: [AnimatedArtwork.AspectRatio] = [.square]
  ) -> AnimatedArtwork {
    client.animatedArtwork(
      artworkID, supportedAspectRatios: supportedAspectRatios, in: id, of: application)
  }

  /// The video of an artwork that the session publishes.
  public func video(_ key: ArtworkKey, size: PixelSize) async throws(ClientError) -> VideoAnswer {
    try await client.video(for: id, of: application, key, size: size)
  }
}
