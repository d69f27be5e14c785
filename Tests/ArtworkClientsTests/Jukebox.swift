import ArtworkClients
import ArtworkModel
import Foundation

/// A player, written as for Apple's frameworks.
@MainActor
final class Jukebox: MediaSessionRepresentable {
  struct Track {
    var title: String
    var artist: String
    var album: String
    var seconds: Double
    var artworkID: String
    /// The animated cover in both shapes, local files.
    var square: URL
    var tall: URL
  }

  /// Two windows need two.
  let id = UUID().uuidString
  var track: Track?
  var isPlaying = false
  var elapsedSeconds = 0.0
  private var session: HeldSession?

  var content: MediaContent? {
    track.map { track in
      .music(
        songTitle: track.title, artistName: track.artist, albumName: track.album,
        // The service makes the preview from the video, so that it is the first frame.
        animatedArtwork: AnimatedArtwork(
          id: track.artworkID, supportedAspectRatios: [.square, .tall],
          // In any size.
          video: { _, shape in shape == .square ? track.square : track.tall }))
    }
  }

  var playbackSnapshot: PlaybackSnapshot? {
    track.map {
      PlaybackSnapshot(
        state: isPlaying ? .playing() : .paused, elapsedSeconds: elapsedSeconds,
        duration: .finite($0.seconds))
    }
  }

  /// The commands that a lock screen offers.
  var commands: [MediaCommand] {
    [
      .play { try await self.play(true) }, .pause { try await self.play(false) },
      .seekToPosition { position in
        self.elapsedSeconds = position
        try await self.session?.update(from: self)
        return .success
      }
      .enabled(track != nil),
    ]
  }

  private func play(_ isPlaying: Bool) async throws {
    self.isPlaying = isPlaying
    try await session?.update(from: self)
  }

  /// Call this after loading, starting, stopping or seeking.
  func publish(through client: ArtworkClient) async throws {
    if let session {
      try await session.update(from: self)
    } else {
      session = try await client.publish(self, application: "org.example.jukebox")
      try await session?.requestToBecomeApplicationPrimary()
    }
  }

  /// The file to loop behind the title; it stays valid while the session publishes it.
  func loop(_ shape: AnimatedArtwork.AspectRatio, size: PixelSize) async throws -> URL? {
    guard let session, let artwork = content?.animatedArtwork else { return nil }
    return try await session.animatedArtwork(artwork.id).video(size, shape)
  }

  /// Its first frame, a PNG file.
  func still(_ shape: AnimatedArtwork.AspectRatio, size: PixelSize) async throws -> [UInt8]? {
    guard let session, let artwork = content?.animatedArtwork else { return nil }
    let reference = ArtworkReference(artwork.id, shape)
    return try await session.client.preview(reference, inside: size).png
  }

  /// A session ends with its object.
  func stop() { session = nil }
}
