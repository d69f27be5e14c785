/// How many bits an encoder may spend.
public struct RateLimit: Sendable, Equatable, Codable {
  /// At most, on average over what is buffered.
  public var bitsPerSecond: Int64
  /// What a player buffers: by so much the whole may exceed the average.
  public var bufferedBits: Int64

  /// Below `most` bits per second for a video of so many seconds as a whole.
  ///
  /// Rate control misses its aim by a few per cent, and the container takes some: 87 % are aimed at, with a buffer of a tenth
  /// of the video, or of two seconds if that is less. Together they stay below the limit.
  ///
  /// - Returns: `nil` if the limit is too large for an integer.
  package init?(_ most: Double, seconds: Double) {
    guard let rate = wholeNumber((0.87 * most).rounded(.down), as: Int64.self),
      let buffer = wholeNumber((0.87 * most * min(seconds / 10, 2)).rounded(.down), as: Int64.self)
    else { return nil }
    (bitsPerSecond, bufferedBits) = (rate, max(1, buffer))
  }
}
