public import ArtworkModel
public import FoundationEssentials
public import Observation

/// A player on the main actor that is `@Observable`: ``ArtworkClient/publish(observing:application:)`` publishes its
/// changes automatically. It has the properties of ``MediaSessionRepresentable``, which are read synchronously; a
/// class can be both.
@MainActor
public protocol ObservableSessionRepresentable: AnyObject, Observable, Sendable {
  var id: String { get }
  var content: MediaContent? { get }
  var playbackSnapshot: PlaybackSnapshot? { get }
  /// `nil` if not stated.
  var artwork: Artwork? { get }
  /// None if not stated.
  var commands: [MediaCommand] { get }
  /// `false` if not stated.
  var mixesWithOthers: Bool { get }
  /// `always` if not stated.
  var eligibility: Eligibility { get }
  /// `nil` if not stated.
  var videoCodecs: Set<String>? { get }
}

extension ObservableSessionRepresentable {
  public var artwork: Artwork? { nil }
  public var commands: [MediaCommand] { [] }
  public var mixesWithOthers: Bool { false }
  public var eligibility: Eligibility { .always }
  public var videoCodecs: Set<String>? { nil }
}

extension ObservableSessionRepresentable {
  fileprivate var moment: PlaybackState {
    PlaybackState(
      id: id, content: content, playbackSnapshot: playbackSnapshot,
      artwork: artwork, commands: commands,
      mixesWithOthers: mixesWithOthers, eligibility: eligibility,
      videoCodecs: videoCodecs)
  }
}

extension ArtworkClient {
  /// Publishes what a player plays, and publishes it again after each change of an observed property, for as long as the
  /// returned object lives. The player is not retained, so it can keep the returned object; handlers of
  /// commands are, and name it weakly.
  ///
  /// All changes that the main actor makes in one turn are one request, and so are those while a request is under way. A
  /// change of the position alone is not sent if it follows from the elapsed time. ``HeldSession/trouble`` reports
  /// why the service refuses a change.
  ///
  /// - Parameter application: the application that the session belongs to, for example a bundle identifier.
  /// - Throws: `bad-request` for an ID that is empty or too long.
  @MainActor
  public func publish(
    observing player: some ObservableSessionRepresentable,
    application: String = ProcessInfo.processInfo.processName
  ) async throws(ClientError) -> HeldSession {
    let session = try await publish(player.moment, application: application)
    let following = Task { @MainActor [weak player, weak session] in
      while !Task.isCancelled {
        let (changed, change) = AsyncStream.makeStream(of: Void.self)
        let moment = withObservationTracking {
          player?.moment
        } onChange: {
          // Called before the change. This task continues after the main actor's current turn.
          change.finish()
        }
        guard let moment else { return }
        await session?.follow(moment)
        for await _ in changed {}
      }
    }
    session.follow(following)
    return session
  }
}
