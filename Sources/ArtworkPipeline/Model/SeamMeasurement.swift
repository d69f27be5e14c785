/// What was measured where the clip's end meets its start. Numbers only: ``LoopSeamRule`` judges them.
///
/// A *step* is the difference of two frames: the mean absolute luma difference plus half the mean
/// absolute chroma difference, in 8-bit code values, over the reduced pictures.
public struct SeamMeasurement: Sendable, Equatable, Codable {
  /// The step from the last displayed frame to the first: what a loop shows.
  public var seamStep: Double
  /// The steps among the first frames (first to second, second to third), in order.
  public var headSteps: [Double]
  /// The steps among the last frames (third last to second last, second last to last), in order.
  public var tailSteps: [Double]
  /// How long each of those steps lasts, in frame intervals of the clip: 1 in constant-rate clips.
  public var headStepLengths: [Double]
  public var tailStepLengths: [Double]
  /// The contrast (standard deviation of luma) of the first frames and of the last, in order.
  public var headContrast: [Double]
  public var tailContrast: [Double]
  /// The mean luma of the same frames.
  public var headLuma: [Double]
  public var tailLuma: [Double]
}
