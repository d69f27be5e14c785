/// The numbers that ``SeamPicture`` shows.
public struct SeamFacts: Sendable, Equatable, Codable {
  public var frameCount: Int
  public var durationSeconds: Double
  public var seam: SeamJudgement
  /// Frames that the decoder did not return or had to repair.
  public var damagedFrames: Int

  package init(
    frameCount: Int, durationSeconds: Double, seam: SeamJudgement, damagedFrames: Int
  ) {
    self.frameCount = frameCount
    self.durationSeconds = durationSeconds
    self.seam = seam
    self.damagedFrames = damagedFrames
  }
}
