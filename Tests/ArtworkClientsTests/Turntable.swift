import ArtworkClients
import Observation
import TestSupport

/// A player that publishes itself: every change is published, and all changes of one turn together.
@Observable
@MainActor
final class Turntable: ObservableSessionRepresentable {
  let id = "turntable"
  var title: String?
  var side: Character = "A"
  var isPlaying = false
  var elapsedSeconds = 0.0
  private var session: HeldSession?

  var content: MediaContent? {
    title.map {
      var record = MediaContent.music(
        id: "\($0)/\(side)", songTitle: $0, artistName: "Band", albumName: "Side \(side)",
        type: .audio, duration: .finite(1320))
      record.chapters = [
        Chapter(title: "First song", startSeconds: 0),
        Chapter(title: "Second song", startSeconds: 260),
      ]
      return record
    }
  }

  var playbackSnapshot: PlaybackSnapshot? {
    PlaybackSnapshot(state: isPlaying ? .playing(rate: 1) : .paused, elapsedSeconds: elapsedSeconds)
  }

  /// The session keeps the handlers, and this object keeps the session.
  var commands: [MediaCommand] {
    [
      .play { [weak self] in self?.isPlaying = true },
      .pause { [weak self] in self?.isPlaying = false },
      .next { [weak self] in self?.side = "B" }.enabled(side == "A"),
    ]
  }

  func start(through client: ArtworkClient) async throws {
    session = try await client.publish(observing: self, application: "org.example.turntable")
    try await session?.requestToBecomeApplicationPrimary()
  }

  /// Returns when another session takes over.
  func waitUntilHidden() async {
    guard let changes = session?.primaryChanges else { return }
    for await primary in changes.drop(while: { !$0.isSystemPrimary })
    where !primary.isSystemPrimary { return }
  }

  func stop() { session = nil }
}
