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

  /// The second largest of these, 0 without one: a flash goes back, so a single change is not a flash.
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
