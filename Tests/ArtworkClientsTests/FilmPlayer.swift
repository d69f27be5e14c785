import ArtworkClients
import TestSupport

/// A player of films with its own clock.
final class FilmPlayer: PlaybackSource {
  private struct State {
    var reading = PlaybackReading()
    var listeners: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Mutex(State())

  var reading: PlaybackReading { state.withLock(\.reading) }

  /// Ticks are elements, too.
  var changes: AsyncStream<Void> {
    let (changes, listener) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { $0.listeners.append(listener) }
    return changes
  }

  /// Any change: the clock has advanced, the position was changed, another film was loaded.
  func change(_ body: (inout PlaybackReading) -> Void) {
    state.withLock { state in
      body(&state.reading)
      for listener in state.listeners { listener.yield() }
    }
  }
}

/// Two films at once: one fills the screen, the other plays in a corner.
struct PictureInPicture {
  private(set) var full: HeldSession
  private(set) var corner: HeldSession

  init?(_ full: FilmPlayer, _ corner: FilmPlayer, through client: ArtworkClient) async throws {
    guard let first = SessionID("film"), let second = SessionID("corner") else { return nil }
    let application = "org.example.films"
    self.full = try await client.publish(players: full, as: first, application: application)
    self.corner = try await client.publish(players: corner, as: second, application: application)
    try await self.full.requestToBecomeApplicationPrimary()
  }

  /// The film in the corner fills the screen, and becomes the one that the application shows.
  mutating func swap() async throws {
    try await corner.requestToBecomeApplicationPrimary()
    (full, corner) = (corner, full)
  }
}
