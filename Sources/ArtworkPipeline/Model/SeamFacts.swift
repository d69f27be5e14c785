/// What ``SeamPicture`` shows in numbers.
public struct SeamFacts: Sendable, Equatable, Codable {
  public var frameCount: Int
  public var durationSeconds: Double
  public var seam: SeamJudgement
  /// Frames that the decoder could not give or had to mend.
  public var damagedFrames: Int
}
