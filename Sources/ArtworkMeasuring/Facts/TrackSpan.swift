/// When one track of a file ends.
package struct TrackSpan: Sendable, Hashable, Codable {
  package enum Kind: String, Sendable, Codable {
    case video
    case audio
    /// Time codes, subtitles, chapters, metadata.
    case other
  }

  package var kind: Kind
  /// The end on the presentation timeline, in seconds: after the edit list, without the samples that only prime or pad
  /// an audio decoder.
  package var endSeconds: Double
  /// The length of the media before edits, in seconds; `nil` if the end comes from packets.
  package var mediaSeconds: Double?

  package init(kind: Kind, endSeconds: Double, mediaSeconds: Double? = nil) {
    self.kind = kind
    self.endSeconds = endSeconds
    self.mediaSeconds = mediaSeconds
  }
}

extension MediaFacts {
  /// Whether a last frame is held: it lasts at least one and a half times the longest interval between two frames.
  package static func isHeld(_ last: Double, beside longest: Double) -> Bool {
    last > 1.5 * longest
  }

  /// The longest time between two frames in seconds.
  package var longestInterval: Double? { minFrameRate.map { 1 / $0 } }

  /// Whether a last frame that lasts longer than others is meant: animated pictures state the time of each frame.
  package var restIsMeant: Bool { isAnimation || restsAtEnd == true }

  /// The duration in seconds, if the last frame lasts no longer than others, or is meant to.
  package var secondsOfFrames: Double {
    guard !restIsMeant, let last = lastFrameSeconds, let longest = longestInterval,
      Self.isHeld(last, beside: longest)
    else { return durationSeconds }
    return durationSeconds - last + longest
  }

  /// The end of the last frame on the presentation timeline, in seconds, if it lasts no longer than others.
  package var endOfFrames: Double { startSeconds + secondsOfFrames }

  /// When a player that plays everything in the file repeats it, in seconds: at the end of the longest track.
  package var endOfMovie: Double {
    ([startSeconds + durationSeconds, movieSeconds ?? 0] + (tracks ?? []).map(\.endSeconds)).max()
      ?? 0
  }

  /// The end of the longest audio track in seconds; `nil` without one, or if it is unknown.
  package var endOfAudio: Double? {
    (tracks ?? []).filter { $0.kind == .audio }.map(\.endSeconds).max()
  }

  /// How long after the video something else may end unnoticed, in seconds: a frame, or 40 ms if that is more. A frame of
  /// AAC or MP3 lasts 21 to 26 ms, so sound seldom ends exactly with the picture.
  package var unnoticedGap: Double { max(0.04, longestInterval ?? 0) + 0.001 }
}
