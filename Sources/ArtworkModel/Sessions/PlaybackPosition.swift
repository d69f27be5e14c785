extension PlaybackSnapshot {
  /// The position of playback, ads included, extrapolated while it plays. Never before the beginning or past the end; a
  /// clock that was set back has no effect.
  ///
  /// - Parameter seconds: now, in seconds since 1970.
  public func position(at seconds: Double) -> Double {
    var position = elapsedSeconds
    if case .playing(let rate) = state, let timestamp {
      position += max(0, seconds - timestamp) * rate
    }
    // No decoder has checked a value that was made in Swift.
    if !position.isFinite { position = elapsedSeconds.isFinite ? elapsedSeconds : 0 }
    return min(max(0, position), end ?? longestSeconds)
  }

  /// The position of playback without the ads, which does not move during one.
  ///
  /// - Parameter seconds: now, in seconds since 1970.
  public func netPosition(at seconds: Double) -> Double { net(position(at: seconds)) }

  /// The duration without the ads; `nil` for content without an end.
  public var netDuration: Double? { end.map(net) }

  /// Whether an ad plays at `seconds`.
  public func isInAdBreak(at seconds: Double) -> Bool {
    let position = position(at: seconds)
    return adBreaks.contains { adBreak in
      adBreak.startSeconds <= position
        && position < adBreak.startSeconds + adBreak.durationSeconds
    }
  }

  /// `nil` for content without an end.
  private var end: Double? {
    guard case .finite(let seconds) = duration, seconds.isFinite else { return nil }
    return max(0, seconds)
  }

  /// `position` without the ads before it. Overlapping ads count once.
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

/// Three thousand years: far beyond any date or film, yet small enough that sums keep their milliseconds.
private let longestSeconds = 1e11
