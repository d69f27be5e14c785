extension PlaybackSnapshot {
  /// Where playback is now, ads included: extrapolated while it plays, else where it was. Never before the beginning or
  /// past the end; a clock that was set back moves nothing.
  ///
  /// - Parameter seconds: now, in seconds since 1970.
  public func position(at seconds: Double) -> Double {
    var position = elapsedSeconds
    if case .playing(let rate) = state, let timestamp {
      position += max(0, seconds - timestamp) * rate
    }
    // Values that were made in Swift were not checked by a decoder.
    if !position.isFinite { position = elapsedSeconds.isFinite ? elapsedSeconds : 0 }
    return min(max(0, position), end ?? longestSeconds)
  }

  /// The same without the ads: it stands still during one.
  public func netPosition(at seconds: Double) -> Double { net(position(at: seconds)) }

  /// How long it is without the ads; `nil` when it is live.
  public var netDuration: Double? { end.map(net) }

  /// Whether an ad plays at `seconds`.
  public func isInAdBreak(at seconds: Double) -> Bool {
    let position = position(at: seconds)
    return adBreaks.contains { adBreak in
      adBreak.startSeconds <= position
        && position < adBreak.startSeconds + adBreak.durationSeconds
    }
  }

  /// `nil` when it is live.
  private var end: Double? {
    guard case .finite(let seconds) = duration, seconds.isFinite else { return nil }
    return max(0, seconds)
  }

  /// `position` less the ads before it. What two ads share counts once.
  private func net(_ position: Double) -> Double {
    var ads = 0.0
    var covered = 0.0
    for adBreak in adBreaks.sorted(by: { $0.startSeconds < $1.startSeconds }) {
      let start = max(adBreak.startSeconds, covered)
      let end = min(adBreak.startSeconds + adBreak.durationSeconds, position)
      guard end > start else { continue }
      ads += end - start
      covered = end
    }
    return max(0, position - ads)
  }
}
