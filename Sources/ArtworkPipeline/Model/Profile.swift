/// The limits of one destination. Rules are pure functions of an inspection and a profile.
public struct Profile: Sendable, Equatable {
  public var name: String
  public var title: String
  /// The relative deviation from a key's aspect up to which a file fits, and up to which it is only
  /// warned about.
  public var aspectTolerance: Double
  public var aspectWarning: Double
  /// Frames a second.
  public var maxFrameRate: Rational
  /// Seconds; the clip must be shorter.
  public var durationBelow: Double
  public var seam: SeamThresholds

  public struct SeamThresholds: Sendable, Equatable {
    /// Steps below this are invisible: grain and coding noise, in 8-bit code values.
    public var noiseFloor: Double
    /// A clip whose steps all stay below this does not move, in 8-bit code values.
    public var stillStep: Double
    /// A seam step above this multiple of the clip's own step is a jump.
    public var jumpRatio: Double
    /// A seam step below this multiple of the clip's own step is a held frame.
    public var heldRatio: Double
    /// A fade starts or ends with less contrast than this share of the highest near the ends...
    public var fadeContrast: Double
    /// ... and changes by more than this from frame to frame, in 8-bit code values.
    public var fadeGrowth: Double
  }

  /// Apple's Now Playing surfaces (MediaPlayer framework, "Providing animated artwork for media
  /// items"): 1x1 and 3x4, at most 60 fps, preferably shorter than 30 s, looping without a jump.
  public static let nowPlaying = Profile(
    name: "now-playing",
    title: "Apple Now Playing (MediaPlayer animated artwork)",
    // Apple's own tall size, 2048x2732, is 0.049 % off 3:4.
    aspectTolerance: 0.005,
    aspectWarning: 0.02,
    maxFrameRate: Rational(60),
    durationBelow: 30,
    // Chosen on the clips in Tests/Fixtures; see ARCHITECTURE.md, "The seam, first version".
    seam: SeamThresholds(
      noiseFloor: 1.5, stillStep: 0.1, jumpRatio: 2.25, heldRatio: 0.2, fadeContrast: 0.25,
      fadeGrowth: 0.5))

  public static let all: [Profile] = [.nowPlaying]
}
