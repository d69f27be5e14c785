package import ArtworkLottie
import FoundationEssentials

/// Describes a vector animation. The answer's bytes are the summary as JSON: it may list more than a reply can hold.
package struct AnimationSummaryJob: Job {
  package static let name = "animation"

  package var animation: String?

  /// - Parameter animation: which one of an archive; the first if `nil`.
  package init(animation: String? = nil) { self.animation = animation }

  /// 100,000 keypaths of 300 bytes.
  package func mostBytes(_ limits: Limits) -> Int64 { 32 << 20 }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<NoValue> {
    let summary = try PictureFile.readAnimation(file, limits: limits, named: animation).summary
    guard let json = try? JSONEncoder().encode(summary), json.count <= mostBytes(limits) else {
      throw InspectionError(.tooLarge, "the description of the animation has more than 32 MiB")
    }
    return JobAnswer(value: NoValue(), bytes: Array(json))
  }

  package func outcome(of answer: JobAnswer<NoValue>) -> AnimationSummary? {
    guard
      let summary = try? JSONDecoder().decode(AnimationSummary.self, from: Data(answer.bytes)),
      summary.frameRate > Rational(0), summary.width > 0, summary.height > 0,
      summary.frameCount > 0
    else { return nil }
    return summary
  }
}

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
