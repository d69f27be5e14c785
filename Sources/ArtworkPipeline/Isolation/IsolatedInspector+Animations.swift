public import ArtworkLottie

extension IsolatedInspector: AnimationInspector {
  public func describeAnimation(
    _ candidate: Candidate, named name: String?
  ) throws(InspectionError) -> AnimationSummary {
    try perform(AnimationSummaryJob(animation: name), on: candidate).outcome
  }

  public func animationValue(
    _ candidate: Candidate, _ keypath: AnimationKeypath, atFrame frame: Double?, named name: String?
  ) throws(InspectionError) -> AnimationValue {
    try perform(
      AnimationValueJob(animation: name, keypath: keypath, frame: frame), on: candidate
    ).outcome
  }
}
