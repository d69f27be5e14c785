/// The presentation times of the frames of a clip, in seconds from the first, and the length of the loop.
package struct LoopClock {
  /// The times of frames, not decreasing: damaged files contain times that run backwards, and such a frame has no duration.
  package let times: [Double]
  package let duration: Double

  /// - Parameters:
  ///   - timestamps: in units of `timeBase`.
  ///   - lastDuration: the duration of the last frame, zero if unknown: then the usual one.
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
