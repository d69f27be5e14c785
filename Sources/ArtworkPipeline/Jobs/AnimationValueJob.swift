public import ArtworkLottie

/// Reads one property of a vector animation.
public struct AnimationValueJob: Job {
  public static let name = "animation-value"

  public var animation: String?
  public var keypath: AnimationKeypath
  public var frame: Double?

  /// - Parameters:
  ///   - frame: of the composition; the first if `nil`.
  ///   - animation: as for ``AnimationSummaryJob``.
  public init(_ keypath: AnimationKeypath, atFrame frame: Double? = nil, animation: String? = nil) {
    (self.keypath, self.frame, self.animation) = (keypath, frame, animation)
  }

  public func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<AnimationValue> {
    let animation = try PictureFile.readAnimation(file, limits: limits, named: animation).animation
    return JobAnswer(value: try animation.existingValue(for: keypath, atFrame: frame))
  }

  public func outcome(of answer: JobAnswer<AnimationValue>) -> AnimationValue? { answer.value }
}
