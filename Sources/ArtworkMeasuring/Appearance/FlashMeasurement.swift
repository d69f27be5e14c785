/// How often a clip flashes while it repeats (WCAG 2.1, general flash and red flash thresholds).
///
/// A transition is a change between neighbouring peaks and valleys in time. It goes in one direction over more than a
/// quarter of a region that is half as wide and half as high as the picture. Two opposing transitions are a flash.
package struct FlashMeasurement: Sendable, Equatable, Codable {
  /// A change that covers more than this share of a region may be half a flash.
  package static let area = 0.25

  /// The worst second of the repeated clip.
  package struct Second: Sendable, Equatable, Codable {
    /// Half the number of transitions: 3.5 for seven.
    package var flashes: Double
    /// When it starts, in seconds from the first displayed frame.
    package var startSeconds: Double
    /// The mean share of the picture that changes in a transition, from 0 to 1.
    package var share: Double
  }

  /// Changes of relative luminance by 0.1 or more with the darker state below 0.8; `nil` if there are none, or if not
  /// every frame was decoded.
  package var general: Second?
  /// Changes to or from a saturated red; `nil` as above.
  package var red: Second?
  /// Changes by 20 cd/m² or more over a quarter of the whole picture, the darker state below 160 cd/m² (ITU-R BT.1702);
  /// `nil` as above.
  package var broadcast: Second?
  /// The largest share of a region that such a change covers between neighbouring frames at the ends, including from
  /// the last frame to the first, and between frames on the way to them where it is one of many; `nil` if every frame was
  /// decoded.
  package var endChange: Double?

  /// The second largest of these, 0 if nothing goes back within a second: changes of different parts, or one way, are no flash.
  package var endReturn: Double?

  package init(
    general: Second? = nil, red: Second? = nil, broadcast: Second? = nil, endChange: Double? = nil,
    endReturn: Double? = nil
  ) {
    self.general = general
    self.red = red
    self.broadcast = broadcast
    self.endChange = endChange
    self.endReturn = endReturn
  }

  /// The second with the most flashes of any kind; `nil` without a transition.
  package var worst: Second? {
    [general, red, broadcast].compactMap(\.self).max { $0.flashes < $1.flashes }
  }
}

extension FlashMeasurement {
  /// Counts the flashes of every frame.
  ///
  /// - Parameter luminance: 256 for each frame, as ``LightCodes/light(of:)``; `redness` likewise.
  init(luminance: [Float], redness: [Float], _ clock: LoopClock) {
    func worst(
      _ values: [Float], _ kind: FlashCount.Kind, _ areas: [SwingGrid.Area] = FlashCount.areas
    ) -> Second? {
      FlashCount.worstSecond(
        values, times: clock.times, duration: clock.duration, kind: kind, areas: areas)
    }
    self.init(
      general: worst(luminance, .general), red: worst(redness, .red),
      broadcast: worst(luminance, .broadcast, FlashCount.screen))
  }
}

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
