import ArtworkModel

/// The state of a player, read at one moment.
struct PlaybackState: MediaSessionRepresentable {
  var id: String
  var content: MediaContent?
  var playbackSnapshot: PlaybackSnapshot?
  var artwork: Artwork?
  var commands: [MediaCommand]
  var mixesWithOthers = false
  var eligibility = Eligibility.always
  var videoCodecs: Set<String>?
}

extension HeldSession {
  /// Publishes a moment, unless the published state implies it. No caller waits for it: ``trouble`` reports why the
  /// service refuses it.
  func follow(_ moment: PlaybackState) async {
    // The handlers may differ even if the commands are the same.
    commands.replace(moment.commands)
    let session = await commands.offering(MediaSession(of: moment, application).namingArtwork)
      .received(by: .shared)
    // A refused session is sent again.
    guard trouble?.isFinal == true || !session.continues(published) else { return }
    try? await update(from: moment)
  }
}

extension MediaSession {
  /// Whether this is a continuation of `former`: the same content, artwork, commands and state, and the position that
  /// follows from the elapsed time.
  func continues(_ former: MediaSession) -> Bool {
    var (one, other) = (self, former)
    (one.playback, other.playback) = (nil, nil)
    guard one == other else { return false }
    guard let playback = timedPlayback, let before = former.timedPlayback else {
      return self.playback == former.playback
    }
    return playback.continues(before)
  }
}

extension PlaybackSnapshot {
  /// Half of the resolution of a scrubber. A larger clock drift is a reason to publish again.
  private static let tolerance = 0.5

  fileprivate func continues(_ former: PlaybackSnapshot) -> Bool {
    guard state == former.state, duration == former.duration, adBreaks == former.adBreaks,
      let timestamp
    else { return false }
    return abs(former.position(at: timestamp) - position(at: timestamp)) <= Self.tolerance
  }
}
