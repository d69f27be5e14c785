import ArtworkLottie

/// Reads one property of a vector animation.
struct AnimationValueJob: WorkerJob {
  static let name = "animation-value"

  var animation: String?
  var keypath: AnimationKeypath
  var frame: Double?

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  func mostBytes(_ limits: Limits) -> Int64 { 0 }

  func run(
    on file: InputFile, limits: Limits
  ) throws(InspectionError) -> WorkerAnswer<AnimationValue> {
    let animation = try PictureFile.readAnimation(file, limits: limits, named: animation).animation
    return WorkerAnswer(value: try animation.existingValue(for: keypath, atFrame: frame))
  }

  func outcome(of answer: WorkerAnswer<AnimationValue>) -> AnimationValue? { answer.value }
}
