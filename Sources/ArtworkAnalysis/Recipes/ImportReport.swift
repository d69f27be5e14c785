/// What became of an animation in a video, beside what ``MediaFacts`` say of it.
public struct ImportReport: Sendable, Equatable, Codable {
  /// Frames of the source in the part that was taken, and how long they are shown there.
  public var sourceFrames: Int
  public var sourceSeconds: Double
  /// Frames of the video and its length.
  public var frameCount: Int
  public var durationSeconds: Double
  /// The source's rate was above 60 and became this.
  public var loweredRate: Double?
  /// The source is transparent in places.
  public var isFlattened: Bool
  /// Frames that say 0 or 10 ms, which are shown for 100 ms as in browsers.
  public var raisedDelays: Int

  package init(
    sourceFrames: Int, sourceSeconds: Double, frameCount: Int, durationSeconds: Double,
    loweredRate: Double? = nil, isFlattened: Bool, raisedDelays: Int
  ) {
    self.sourceFrames = sourceFrames
    self.sourceSeconds = sourceSeconds
    self.frameCount = frameCount
    self.durationSeconds = durationSeconds
    self.loweredRate = loweredRate
    self.isFlattened = isFlattened
    self.raisedDelays = raisedDelays
  }
}
