package import ArtworkModel

/// Mends clips by copies, and believes none before it was decoded and inspected.
package struct ClipRepairer: Sendable {
  /// Inspects and judges the clips.
  let batch: Batch
  let copier: any ClipMaker

  package init(_ batch: Batch, _ copier: any ClipMaker) {
    self.batch = batch
    self.copier = copier
  }

  /// Mends one clip. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - key: what a manifest says; `nil` to go by the name.
  ///   - rules: findings of which rules are mended.
  ///   - onlyPlans: make no copy.
  package func repair(
    _ candidate: Candidate, key: ArtworkKey? = nil, rules: RuleSelection, onlyPlans: Bool = false
  ) -> ClipRepair {
    let report = batch.check(candidate, key: key)
    var repair = ClipRepair(
      candidate: candidate, status: .nothingToMend, findings: report.findings)
    if let error = report.error {
      repair.status = .failed(error)
      return repair
    }
    let mended = report.findings.filter { $0.repair != nil && rules.contains($0.rule) }
    let profiles = batch.profiles(for: candidate.path)
    guard let inspection = report.inspection, !mended.isEmpty else { return repair }
    repair.mended = mended
    guard
      let request = CopyRequest(
        inspection.facts, for: profiles, mending: Set(mended.compactMap(\.repair)))
    else {
      repair.status = .refused("no container is taken by all of its destinations")
      return repair
    }
    repair.request = request
    if inspection.decoding.isCutShort {
      repair.status = .refused("frames are missing, and a copy would hide that")
      return repair
    }
    if onlyPlans {
      repair.status = .planned
      return repair
    }
    do throws(InspectionError) {
      let copy = try copier.copy(candidate, request, inspecting: batch.request(for: profiles))
      repair.frames = (
        compared: copy.before.frames.count, differing: copy.before.differing(from: copy.after)
      )
      repair.left = profiles.flatMap { profile in
        Rules.judge(
          copy.inspection, key: report.key ?? .square, path: candidate.path, profile: profile
        ).findings
      }
      let doubt =
        Self.doubt(copy, inspection.facts, request)
        ?? Self.doubt(before: report.findings, after: repair.left, mended)
      repair.status = doubt.map { .refused($0) } ?? .mended(copy.movie)
      // A copy may mend more than was asked for.
      if doubt == nil { repair.mended = Self.gone(report.findings, repair.left) }
    } catch {
      repair.status = .failed(error)
    }
    return repair
  }
}

extension ClipRepairer {
  /// Why the copy is not the same clip, in a sentence; `nil` if it is.
  static func doubt(
    _ copy: CopiedClip, _ before: MediaFacts, _ request: CopyRequest
  ) -> String? {
    let after = copy.inspection.facts
    let (old, new) = (copy.before, copy.after)
    if old.frames.isEmpty { return "no frame was decoded" }
    if old.frames.count != new.frames.count {
      return "the copy shows \(new.frames.count) frames instead of \(old.frames.count)"
    }
    let differing = old.differing(from: new)
    if differing > 0 { return "\(differing) of \(old.frames.count) frames differ in the copy" }
    // Both are rounded to their ticks.
    let slack = old.tickNanoseconds.addingClamped(new.tickNanoseconds)
    if old.shift(from: new) > slack { return "the copy shows frames at other times" }
    if before.displayDescription != after.displayDescription || before.rotation != after.rotation
      || before.mirrored != after.mirrored
    {
      return "the copy is shown as \(after.displayDescription)"
    }
    if !after.color.holds(before.color, stating: request.matrix) {
      return "the copy states other colours"
    }
    let difference = before.durationSeconds - after.durationSeconds
    if difference.magnitude > Double(slack) / 1e9 + 0.001 {
      return "the copy lasts \(decimal(after.durationSeconds, places: 3)) s instead of "
        + "\(decimal(before.durationSeconds, places: 3)) s"
    }
    return nil
  }

  /// Findings whose rule the copy does not break any more.
  private static func gone(_ before: [Finding], _ after: [Finding]) -> [Finding] {
    before.filter { old in
      !after.contains { $0.rule == old.rule && $0.profile == old.profile }
    }
  }

  /// Why the findings of the copy are no reason to keep it, in a sentence; `nil` if they are.
  static func doubt(before: [Finding], after: [Finding], _ mended: [Finding]) -> String? {
    struct Place: Hashable {
      var rule: String
      var profile: String
    }
    func worst(_ findings: [Finding]) -> [Place: Finding.Severity] {
      Dictionary(
        findings.map { (Place(rule: $0.rule, profile: $0.profile), $0.severity) },
        uniquingKeysWith: max)
    }
    let (old, new) = (worst(before), worst(after))
    for finding in after {
      let place = Place(rule: finding.rule, profile: finding.profile)
      guard let known = old[place], finding.severity <= known else {
        return "the copy breaks the rule \(finding.rule): \(finding.message)"
      }
    }
    if let missed = mended.first(where: { new[Place(rule: $0.rule, profile: $0.profile)] != nil }) {
      return "the copy still breaks the rule \(missed.rule)"
    }
    return after.count < before.count ? nil : "the copy has no fewer findings"
  }
}

extension ColorDescription {
  /// Whether this states what `before` did and, for what that left open, nothing but `matrix` and the usual range: a
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
