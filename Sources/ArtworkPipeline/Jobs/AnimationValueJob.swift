package import ArtworkLottie

/// Reads one property of a vector animation.
package struct AnimationValueJob: Job {
  package static let name = "animation-value"

  package var animation: String?
  package var keypath: AnimationKeypath
  package var frame: Double?

  /// - Parameters:
  ///   - frame: of the composition; the first if `nil`.
  ///   - animation: as for ``AnimationSummaryJob``.
  package init(_ keypath: AnimationKeypath, atFrame frame: Double? = nil, animation: String? = nil) {
    (self.keypath, self.frame, self.animation) = (keypath, frame, animation)
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<AnimationValue> {
    let animation = try PictureFile.readAnimation(file, limits: limits, named: animation).animation
    return JobAnswer(value: try animation.existingValue(for: keypath, atFrame: frame))
  }

  package func outcome(of answer: JobAnswer<AnimationValue>) -> AnimationValue? { answer.value }
}
