/// When the frames of a clip are shown, in seconds from the first, and how long the loop is.
package struct LoopClock {
  /// Not decreasing: damaged files hold times that run backwards, and such a frame is shown for no time.
  package let times: [Double]
  package let duration: Double

  /// - Parameters:
  ///   - timestamps: in units of `timeBase`.
  ///   - lastDuration: how long the last frame is shown, zero where unknown: then as long as the usual one.
  package init(timestamps: [Int64], lastDuration: Int64, medianStep: Int64, timeBase: Rational) {
    let start = timestamps.first ?? 0
    var latest: Int64 = 0
    times = timestamps.map { time in
      latest = max(latest, time.subtractingClamped(start))
      return Double(latest) * timeBase.value
    }
    let last = lastDuration > 0 ? lastDuration : max(1, medianStep)
    duration = Double(latest.addingClamped(last)) * timeBase.value
  }
}
