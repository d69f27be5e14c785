public import ArtworkModel
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A session that lives as long as this object, as `MediaSession` of the NowPlaying framework does: it holds a connection
/// to the service, whose end ends the session. When the service restarts, it connects and publishes again.
public final class HeldSession: Sendable {
  public let id: SessionID
  public let client: ArtworkClient
  private let latest: Latest
  private let holding: Task<Void, Never>

  /// What is published, and how holding it goes.
  private final class Latest: Sendable {
    struct State {
      var session: MediaSession {
        didSet { changes += 1 }
      }
      /// How often it was replaced.
      private(set) var changes = 0
      var trouble: ClientError?
      var isEnded = false
    }
    let state: Mutex<State>

    init(_ session: MediaSession) { state = Mutex(State(session: session)) }

    /// Publishes it, again when it was replaced meanwhile: whatever arrives last at the service is the latest.
    func publish(as id: SessionID, _ client: ArtworkClient) async throws(ClientError) {
      var published: Int?
      while true {
        let (session, changes, isEnded) = state.withLock { ($0.session, $0.changes, $0.isEnded) }
        if changes == published || isEnded { return }
        _ = try await client.publish(session, as: id)
        published = changes
      }
    }
  }

  fileprivate var application: String { latest.state.withLock { $0.session.application } }

  /// Why the service does not hold the session just now; `nil` while it does. It is tried again, at least every 5 s.
  public var trouble: ClientError? { latest.state.withLock { $0.trouble } }

  /// Whether somebody ended it. It is not published again.
  public var isEnded: Bool { latest.state.withLock { $0.isEnded } }

  /// Holds and publishes.
  init(
    _ session: MediaSession, as id: SessionID, _ client: ArtworkClient
  ) async throws(ClientError) {
    self.id = id
    self.client = client
    let session = session.received(at: Self.now)
    let latest = Latest(session)
    self.latest = latest
    let events = try await client.events(holding: id)
    _ = try await client.publish(session, as: id)
    holding = Task { await Self.hold(id, client, latest, events) }
  }

  deinit { holding.cancel() }

  /// Publishes something else in its place. Files of artwork that it no longer names go.
  public func update(_ session: MediaSession) async throws(ClientError) {
    let session = session.received(at: Self.now)
    let isEnded = latest.state.withLock { latest in
      latest.session = session
      return latest.isEnded
    }
    // Nobody would hold it.
    if isEnded {
      throw ClientError.refused(
        ClientError.Problem(
          code: StoreError.Code.unknownSession.rawValue, status: 404, title: "Not Found",
          detail: "the session has ended"))
    }
    try await latest.publish(as: id, client)
  }

  /// Ends it now.
  public func end() async throws(ClientError) {
    latest.state.withLock { $0.isEnded = true }
    holding.cancel()
    do throws(ClientError) {
      try await client.end(id)
    } catch {
      // The connection that was let go has ended it already.
      if error.code != StoreError.Code.unknownSession.rawValue { throw error }
    }
  }

  /// Returns when the session was ended, here or elsewhere.
  public func untilEnded() async { await holding.value }

  private static var now: Double { Date().timeIntervalSince1970 }

  private static func hold(
    _ id: SessionID, _ client: ArtworkClient, _ latest: Latest, _ events: ServiceEvents
  ) async {
    var events: ServiceEvents? = events
    var pause = Duration.milliseconds(100)
    // Whether its end may be among events that were missed.
    var isInDoubt = false
    func hasEnded() async throws(ClientError) -> Bool {
      let hasEnded = isInDoubt ? try await isGone(id, client) : false
      isInDoubt = false
      if hasEnded { latest.state.withLock { $0.isEnded = true } }
      return hasEnded
    }
    while !Task.isCancelled {
      do {
        if let open = events {
          events = nil
          for try await event in open {
            if event == .session(id, ended: true) {
              latest.state.withLock { $0.isEnded = true }
              return
            }
            if event == .missed { isInDoubt = true }
            if try await hasEnded() { return }
          }
          throw ClientError.lost("it closed the connection")
        }
        let open = try await client.events(holding: id)
        if try await hasEnded() { return }
        try await latest.publish(as: id, client)
        latest.state.withLock { $0.trouble = nil }
        events = open
        pause = .milliseconds(100)
      } catch {
        latest.state.withLock { $0.trouble = client.failure(error) }
        // Cancelled while it sleeps, it has nothing more to do.
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, .seconds(5))
      }
    }
  }
}

extension HeldSession {
  /// Whether the service has no such session.
  fileprivate static func isGone(
    _ id: SessionID, _ client: ArtworkClient
  ) async throws(ClientError) -> Bool {
    do throws(ClientError) {
      _ = try await client.session(id)
      return false
    } catch {
      guard error.code == StoreError.Code.unknownSession.rawValue else { throw error }
      return true
    }
  }
}

extension ArtworkClient {
  /// Publishes a session that lives as long as the object that is returned, and as this process.
  public func hold(_ session: MediaSession, as id: SessionID) async throws(ClientError)
    -> HeldSession
  { try await HeldSession(session, as: id, self) }

  /// Publishes what a player plays, for as long as the object that is returned lives. Call ``HeldSession/update(from:)``
  /// when something has changed.
  ///
  /// Artwork that the service does not know is put: its handler is asked for the file.
  ///
  /// - Parameter application: whose session it is, for example a bundle identifier.
  /// - Throws: `bad-request` for an ID that is empty or too long.
  public func publish(
    _ representable: some MediaSessionRepresentable,
    application: String = ProcessInfo.processInfo.processName
  ) async throws(ClientError) -> HeldSession {
    guard let id = SessionID(await representable.id) else {
      throw .refused(
        ClientError.Problem(
          code: "bad-request", status: 400, title: "Bad Request",
          detail: "a session's id has 1 to \(SessionID.longest) bytes"))
    }
    return try await HeldSession(session(representable, application), as: id, self)
  }

  fileprivate func session(
    _ representable: some MediaSessionRepresentable, _ application: String
  ) async throws(ClientError) -> MediaSession {
    let artwork = await representable.animatedArtwork
    for (key, artwork) in artwork { try await offer(artwork, key) }
    return MediaSession(
      application: application, content: await representable.content,
      artwork: artwork.mapValues(\.artworkID), playback: await representable.playbackSnapshot)
  }

  /// Puts an artwork that the service does not know, if there is a file of it.
  private func offer(_ artwork: AnimatedArtwork, _ key: ArtworkKey) async throws(ClientError) {
    let reference = ArtworkReference(artwork.artworkID, key)
    do throws(ClientError) {
      _ = try await self.artwork(reference)
      return
    } catch {
      if error.code != StoreError.Code.unknownArtwork.rawValue { throw error }
    }
    let size = PixelSize(width: 1080, height: key == .square ? 1080 : 1440)
    guard let url = await artwork.videoAssetFileURLRequestHandler(size) else { return }
    _ = try await put(reference, url.isFileURL ? .file(path: url.path) : .url(url.absoluteString))
  }
}

extension HeldSession {
  /// Publishes what the player plays now.
  public func update(
    from representable: some MediaSessionRepresentable
  ) async throws(ClientError) {
    try await update(client.session(representable, application))
  }

  /// Makes it the session that the application shows (`requestToBecomeApplicationPrimary`).
  public func requestToBecomeApplicationPrimary() async throws(ClientError) {
    try await client.promote(id, .application)
  }

  /// Makes it the session that the system shows (`requestToBecomeSystemPrimary`).
  public func requestToBecomeSystemPrimary() async throws(ClientError) {
    try await client.promote(id, .system)
  }

  /// The video of one of its artworks.
  public func video(_ key: ArtworkKey, size: PixelSize) async throws(ClientError) -> VideoAnswer {
    try await client.video(for: id, key, size: size)
  }
}
