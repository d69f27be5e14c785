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
    seam: .standard)

  public static let all: [Profile] = [.nowPlaying]
}
