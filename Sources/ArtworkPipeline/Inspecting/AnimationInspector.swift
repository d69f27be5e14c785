public import ArtworkLottie

/// Looks into vector animations: ``Inspector`` in this process, ``IsolatedInspector`` in a worker.
public protocol AnimationInspector: CandidateInspector {
  /// Blocks the calling thread while it reads the whole document. Draws nothing.
  ///
  /// - Parameter name: which animation of an archive; the first if `nil`.
  /// - Throws: ``InspectionError``; `no-match` for every other kind of file.
  func describeAnimation(
    _ candidate: Candidate, named name: String?
  ) throws(InspectionError) -> AnimationSummary

  /// Reads one property. Blocks the calling thread while it reads the whole document.
  ///
  /// - Parameter frame: of the composition; the first if `nil`.
  /// - Throws: as above; `no-match` where nothing matches.
  func animationValue(
    _ candidate: Candidate, _ keypath: AnimationKeypath, atFrame frame: Double?, named name: String?
  ) throws(InspectionError) -> AnimationValue
}

extension Inspector: AnimationInspector {
  public func describeAnimation(
    _ candidate: Candidate, named name: String?
  ) throws(InspectionError) -> AnimationSummary {
    try readAnimation(candidate, name).summary
  }

  public func animationValue(
    _ candidate: Candidate, _ keypath: AnimationKeypath, atFrame frame: Double?, named name: String?
  ) throws(InspectionError) -> AnimationValue {
    try readAnimation(candidate, name).animation.existingValue(for: keypath, atFrame: frame)
  }

  private func readAnimation(
    _ candidate: Candidate, _ name: String?
  ) throws(InspectionError) -> AnimationFile {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try PictureFile.readAnimation(input, limits: limits, named: name)
    }
  }
}
