extension JobRunner {
  /// The same video under the sample entry that Apple systems play: HEVC as `hvc1` instead of `hev1`. Its packets are
  /// copied, and the copy is proved as `artworkd repair` does. Blocks the calling thread.
  ///
  /// - Parameter inspection: of the video.
  /// - Returns: the container and the bytes of the new file, and its inspection.
  /// - Throws: `not-copied` where a copy would show something else, and what reading throws.
  package func retagged(
    _ candidate: Candidate, _ inspection: Inspection, for profile: Profile
  ) throws(InspectionError) -> (container: MovieContainer, movie: [UInt8], inspection: Inspection) {
    guard let recipe = Recipe(copying: inspection.facts, for: [profile], mending: []) else {
      throw InspectionError(.notCopied, "a copy would not be the same video")
    }
    let copy = try copy(candidate, recipe, inspecting: InspectionRequest())
    if let doubt = ClipRepairer.doubt(copy, inspection.facts, recipe) {
      throw InspectionError(.notCopied, doubt)
    }
    // Its frames are those of the video, and so is what is measured of them.
    var found = inspection
    found.facts = copy.facts
    return (recipe.container, copy.movie, found)
  }
}
