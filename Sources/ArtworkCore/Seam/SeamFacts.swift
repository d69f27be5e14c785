/// The numbers in a ``SeamPicture``.
package struct SeamFacts: Sendable, Equatable, Codable {
  package var frameCount: Int
  package var durationSeconds: Double
  package var seam: SeamJudgement
  /// Frames that the decoder did not return or had to repair.
  package var damagedFrames: Int

  package init(
    frameCount: Int, durationSeconds: Double, seam: SeamJudgement, damagedFrames: Int
  ) {
    self.frameCount = frameCount
    self.durationSeconds = durationSeconds
    self.seam = seam
    self.damagedFrames = damagedFrames
  }
}
