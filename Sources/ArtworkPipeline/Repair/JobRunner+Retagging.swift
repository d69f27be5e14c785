extension JobRunner {
  /// Copies the video with the sample entry that Apple systems play: HEVC as `hvc1` instead of `hev1`. The copy is
  /// verified as by `artworkd repair`. Blocks the calling thread.
  ///
  /// - Parameter inspection: of the video.
  /// - Returns: the container and the bytes of the new file, and its inspection.
  /// - Throws: `not-copied` if a copy would differ from the video, and errors of reading.
  package func retagged(
    _ candidate: Candidate, _ inspection: Inspection, for profile: Profile
  ) throws(InspectionError) -> (container: MovieContainer, movie: [UInt8], inspection: Inspection) {
    guard let recipe = Recipe(copying: inspection.facts, for: [profile], repairing: []) else {
      throw InspectionError(.notCopied, "a copy would not be the same video")
    }
    let copy = try copy(candidate, recipe, inspecting: InspectionRequest())
    if let rejectionReason = ClipRepairer.rejectionReason(copy, inspection.facts, recipe) {
      throw InspectionError(.notCopied, rejectionReason)
    }
    // Its frames, and therefore the measurements, are those of the video.
    var found = inspection
    found.facts = copy.facts
    return (recipe.container, copy.movie, found)
  }
}
