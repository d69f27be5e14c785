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
  let commands: CommandRunner
  private let connection: HeldConnection
  private let holding: Task<Void, Never>

  /// Why the service does not have the session as it was last updated; `nil` while all is well. The client reconnects
  /// at least every 5 s, and sends again as often what the service was too busy for.
  public var trouble: ClientError? { troubles.now }

  /// The current ``trouble``, and then each change; `nil` when it is over. A slow reader gets only the latest. Ends
  /// with the session or this object.
  public var troubleChanges: AsyncStream<ClientError?> { troubles.changes() }

  /// Whether the session was ended. It is not published again.
  public var isEnded: Bool { connection.isEnded }

  /// Holds and publishes a session.
  init(
    _ session: MediaSession, as id: SessionID, _ client: ArtworkClient, _ commands: [MediaCommand]
  ) async throws(ClientError) {
    self.id = id
    application = session.application
    self.client = client
    let runner = CommandRunner(client, commands)
    self.commands = runner
    let session = runner.offering(try await client.registering(session)).received(by: .shared)
    let connection = try await HeldConnection(session, as: id, client, primary, troubles)
    self.connection = connection
    holding = Task { [primary, troubles] in
      await connection.hold(runner)
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
  var published: MediaSession { connection.session }

  /// Replaces the session. The files of artwork that it no longer names are removed.
  ///
  /// If the service is busy or away, this throws, and the change is sent again until the service has it.
  ///
  /// - Parameter commands: those that it carries out from now on; `nil` leaves them unchanged. If there are any, they
  ///   replace the session's `commands`.
  /// - Throws: `bad-request` for a session of another application, which would be another session.
  public func update(
    _ session: MediaSession, commands: [MediaCommand]? = nil
  ) async throws(ClientError) {
    try await update(session, commands, cover: nil)
  }

  fileprivate func update(
    _ session: MediaSession, _ commands: [MediaCommand]?, cover: Artwork?
  ) async throws(ClientError) {
    guard session.application == application else {
      throw ArtworkClient.badRequest("the session belongs to \(application)")
    }
    // A session may name artwork that is not registered yet.
    var unregistered: ClientError?
    do throws(ClientError) {
      if let cover { try await client.registerIfUnknown(cover) }
      _ = try await client.registering(session)
    } catch {
      if error.isFinal { throw error }
      unregistered = error
    }
    if let commands { self.commands.replace(commands) }
    let session = self.commands.offering(session.namingArtwork).received(by: .shared)
    try await connection.update(session)
    if let unregistered { throw unregistered }
  }

  /// Ends the session now, unless it has ended or another client has taken it over.
  public func end() async throws(ClientError) {
    if isEnded { return }
    connection.end()
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
}

extension ArtworkClient {
  /// Publishes a session that lives as long as the returned object and this process.
  ///
  /// - Parameters:
  ///   - id: `owned` is thrown for that of a session of another process that lives.
  ///   - commands: the owner's commands; they replace the session's `commands`. Their handlers are called one after
  ///     another and retained until the session has ended.
  public func hold(
    _ session: MediaSession, as id: SessionID = .unique(), commands: [MediaCommand] = []
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
    if let cover = await representable.artwork { try await registerIfUnknown(cover) }
    return try await HeldSession(
      MediaSession(of: representable, application), as: id, self, await representable.commands)
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
      MediaSession(of: representable, application), await representable.commands,
      cover: await representable.artwork)
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

extension HeldSession {
  /// Whether the session is a primary one.
  public struct Primary: Sendable, Equatable {
    /// Whether its application shows the session.
    public var isApplicationPrimary = false
    /// Whether the system shows the session.
    public var isSystemPrimary = false
  }

  /// Whether its application shows the session, according to the events so far.
  public var isApplicationPrimary: Bool { primary.now.isApplicationPrimary }

  /// Whether the system shows the session, according to the events so far.
  public var isSystemPrimary: Bool { primary.now.isSystemPrimary }

  /// The current state, and then each change. A slow reader gets only the latest. Ends with the session or this
  /// object.
  public var primaryChanges: AsyncStream<Primary> { primary.changes() }
}

/// Whether one session is primary, by the service's events.
typealias PrimaryWatch = Watch<HeldSession.Primary>

extension PrimaryWatch {
  convenience init() { self.init(HeldSession.Primary()) }

  /// An event of the stream that holds `session`.
  func note(_ event: ServiceEvent, of session: SessionReference) {
    switch event {
    case .nowPlaying(let document):
      // Before it is published, the service does not know the session.
      let known = document.sessions.first {
        $0.id == session.id && $0.session.application == session.application
      }
      change {
        $0.isApplicationPrimary = known?.isApplicationPrimary ?? false
        $0.isSystemPrimary = known?.isSystemPrimary ?? false
      }
    case .primary(let id, let application, let scope):
      let isThis = id == session.id && application ?? session.application == session.application
      switch scope {
      case .system: change { $0.isSystemPrimary = isThis }
      case .application where application == nil || application == session.application:
        change { $0.isApplicationPrimary = isThis }
      case .application: break
      }
    default: break
    }
  }

  func note(_ published: PublishedSession) {
    change {
      $0.isApplicationPrimary = published.isApplicationPrimary
      $0.isSystemPrimary = published.isSystemPrimary
    }
  }
}
