/// How often a clip flashes while it repeats (WCAG 2.1, general flash and red flash thresholds).
///
/// A transition is a change between neighbouring peaks and valleys in time, in the same direction over more than a
/// quarter of some half as wide and half as high a part of the picture; two opposing ones are a flash.
public struct FlashMeasurement: Sendable, Equatable, Codable {
  /// The worst second of the repeated clip.
  public struct Second: Sendable, Equatable, Codable {
    /// Half of the transitions in it: 3.5 for seven.
    public var flashes: Double
    /// When it begins, in seconds from the first displayed frame.
    public var startSeconds: Double
    /// The share of the whole picture that changes in its transitions, on average, from 0 to 1.
    public var share: Double

    public init(flashes: Double, startSeconds: Double, share: Double) {
      self.flashes = flashes
      self.startSeconds = startSeconds
      self.share = share
    }
  }

  /// Changes of relative luminance by 0.1 or more, the darker state below 0.8; `nil` where there is none, and where
  /// not every frame was looked at.
  public var general: Second?
  /// Changes to or from a saturated red; `nil` likewise.
  public var red: Second?
  /// The largest share of a part of the picture that such a change takes in between neighbours among the frames at
  /// the ends, the last and the first among them; `nil` where every frame was looked at.
  public var endChange: Double?

  public init(general: Second? = nil, red: Second? = nil, endChange: Double? = nil) {
    self.general = general
    self.red = red
    self.endChange = endChange
  }
}
