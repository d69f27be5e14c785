/// How many bits an encoder may spend.
package struct RateLimit: Sendable, Equatable, Codable {
  /// The highest bit rate, averaged over the buffer.
  package var bitsPerSecond: Int64
  /// The size of a player's buffer: the whole may exceed the average by this.
  package var bufferedBits: Int64
  /// Whether the rate is constant, with filler data if the pictures need less. H.264 only: libx265 writes no filler.
  package var isConstant = false

  /// Limits the rate to `most` bits per second for a video of so many seconds as a whole.
  ///
  /// Rate control misses its target by a few percent, and the container adds overhead: the target is 87 %, with a
  /// buffer of a tenth of the video, or of two seconds if that is less. Together they stay below the limit.
  ///
  /// - Returns: `nil` if the limit is too large for an integer.
  package init?(_ most: Double, seconds: Double) {
    guard let rate = wholeNumber((0.87 * most).rounded(.down), as: Int64.self),
      let buffer = wholeNumber((0.87 * most * min(seconds / 10, 2)).rounded(.down), as: Int64.self)
    else { return nil }
    (bitsPerSecond, bufferedBits) = (rate, max(1, buffer))
  }

  /// Limits the rate to at least `least` bits per second for a video of so many seconds as a whole, and hardly more.
  ///
  /// The buffer at either end holds a tenth of the video or less, so 4 % above the minimum is enough.
  ///
  /// - Parameter most: bits per second that must not be exceeded; `nil` for any number.
  /// - Returns: `nil` if no rate is between the two.
  package init?(atLeast least: Double, atMost most: Double?, seconds: Double) {
    let aim = 1.04 * least
    guard 1.1 * aim <= most ?? .infinity,
      let rate = wholeNumber(aim.rounded(.up), as: Int64.self),
      let buffer = wholeNumber((aim * min(seconds / 10, 1)).rounded(.down), as: Int64.self)
    else { return nil }
    (bitsPerSecond, bufferedBits, isConstant) = (rate, max(1, buffer), true)
  }
}
