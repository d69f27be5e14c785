/// Whether a new file is kept.
extension Repairer {
  /// Why the copy is not the same clip, in a sentence; `nil` if it is.
  static func rejectionReason(
    _ copy: CopiedClip, _ before: MediaFacts, _ recipe: Recipe
  ) -> String? {
    let after = copy.facts
    let (old, new) = (copy.before, copy.after)
    if old.frames.isEmpty { return "no frame was decoded" }
    if old.frames.count != new.frames.count {
      return "the copy shows \(new.frames.count) frames instead of \(old.frames.count)"
    }
    if copy.differing > 0 {
      return "\(copy.differing) of \(old.frames.count) frames differ in the copy"
    }
    // Both are rounded to their ticks.
    let slack = old.tickNanoseconds.addingClamped(new.tickNanoseconds)
    if old.shift(from: new) > slack { return "the frames of the copy have different times" }
    if before.displayDescription != after.displayDescription || before.rotation != after.rotation
      || before.mirrored != after.mirrored
    {
      return "the copy is shown as \(after.displayDescription)"
    }
    let matrix = if case .packets(let matrix, _) = recipe.content { matrix } else { String?.none }
    if !after.color.holds(before.color, stating: matrix) {
      return "the copy states other colours"
    }
    // A copy ends with its frames.
    let difference = before.secondsOfFrames - after.secondsOfFrames
    if difference.magnitude > Double(slack) / 1e9 + 0.001 {
      return "the copy lasts \(decimal(after.durationSeconds, places: 3)) s instead of "
        + "\(decimal(before.secondsOfFrames, places: 3)) s"
    }
    return nil
  }

  /// Findings whose rule the new file does not break any more. An info finding may remain in place of a worse one.
  static func resolved(_ before: [Finding], _ after: [Finding]) -> [Finding] {
    before.filter { old in
      // Features that are not drawn are missing from the video, too.
      old.rule != LottieUnsupportedRule.id
        && !after.contains {
          $0.rule == old.rule && $0.profile == old.profile
            && ($0.severity > .info || old.severity == .info)
        }
    }
  }

  /// Why the new file is not kept because of its findings, in a sentence; `nil` if it is.
  ///
  /// - Parameter matches: whether it is made to match another file, and need not have fewer findings.
  static func rejectionReason(
    before: [Finding], after: [Finding], _ repaired: [Finding], matches: Bool = false
  ) -> String? {
    struct Place: Hashable {
      var rule: String
      var profile: String
    }
    func worst(_ findings: [Finding]) -> [Place: Finding.Severity] {
      Dictionary(
        findings.map { (Place(rule: $0.rule, profile: $0.profile), $0.severity) },
        uniquingKeysWith: max)
    }
    let old = worst(before)
    // Encoding and cutting move these a little, and some pictures are at a limit.
    let remarks = [SoftnessRule.id, BlockinessRule.id, BandingRule.id]
    for finding in after where !remarks.contains(finding.rule) {
      // A loop that swings to and fro says so.
      if finding.rule == LoopSeamRule.id, finding.severity == .info { continue }
      let place = Place(rule: finding.rule, profile: finding.profile)
      guard let known = old[place], finding.severity <= known else {
        return "the new file breaks the rule \(finding.rule): \(finding.message)"
      }
    }
    let resolved = resolved(repaired, after)
    if let missed = repaired.first(where: { !resolved.contains($0) }) {
      return "the new file still breaks the rule \(missed.rule)"
    }
    let remaining = after.count { finding in
      finding.severity > .info
        || old[Place(rule: finding.rule, profile: finding.profile)] == .info
    }
    return matches || remaining < before.count ? nil : "the new file has no fewer findings"
  }
}

extension ColorDescription {
  /// Whether this states what `before` states and, for unspecified values, only `matrix` and the usual range: a
  /// bitstream that states a matrix states a range, too.
  fileprivate func holds(_ before: ColorDescription, stating matrix: String?) -> Bool {
    var expected = before
    if before.matrix == nil, let matrix {
      expected.matrix = matrix
      expected.range = before.range ?? (range == "tv" ? "tv" : nil)
    }
    return self == expected
  }
}

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
    if let rejectionReason = Repairer.rejectionReason(copy, inspection.facts, recipe) {
      throw InspectionError(.notCopied, rejectionReason)
    }
    // Its frames, and therefore the measurements, are those of the video.
    var found = inspection
    found.facts = copy.facts
    return (recipe.container, copy.movie, found)
  }
}
