/// A copy that was made of a clip after a quick scan.
struct ScannedCopy {
  /// The plan from the facts alone.
  var plan: RepairPlan
  var recipe: Recipe
  var clip: CopiedClip

  /// The copy, if it is the one that another plan of the same file makes.
  func copied(_ other: RepairPlan, _ recipe: Recipe) -> CopiedClip? {
    other.fileState == plan.fileState && recipe == self.recipe ? clip : nil
  }
}

extension ClipRepairer {
  /// Copies a clip without a known inspection if its facts, which a quick scan reads, show that a copy repairs it.
  func scannedCopy(
    of candidate: Candidate, key: ArtworkKey?, _ obstacle: Obstacle
  ) -> ScannedCopy? {
    let state = FileStamp(of: candidate)?.state
    guard known(candidate, batch.request(for: batch.profiles(for: candidate.path))) == nil,
      let facts = try? runner.run(QuickScanJob(), on: candidate)
    else { return nil }
    let inspection = Inspection(
      facts: facts, decoding: .init(packetsDecoded: 1, errorCount: 0, missingFrames: 0),
      previewIsToneMapped: facts.color.isHDR)
    let planned = plan(
      candidate, MeasuredClip(state: state, report: report(inspection, candidate, key: key)),
      ReleaseNeeds(), obstacle)
    guard case .planned = planned.status, let recipe = planned.recipe,
      let clip = try? copied(candidate, recipe)
    else { return nil }
    return ScannedCopy(plan: planned.plan, recipe: recipe, clip: clip)
  }

  /// Judges a clip by its copy; `nil` unless the copy is sure to have the same frames and can be kept.
  func judgedAlone(
    _ copy: ScannedCopy, key: ArtworkKey?
  ) -> (outcome: RepairOutcome, movie: [UInt8]?)? {
    guard var inspection = copy.clip.inspection, let facts = copy.plan.inspection?.facts else {
      return nil
    }
    inspection.facts = facts
    let candidate = copy.plan.candidate
    let report = report(inspection, candidate, key: key)
    var outcome = plan(
      candidate, MeasuredClip(state: copy.plan.fileState, report: report), ReleaseNeeds(),
      { _ in nil })
    guard case .planned = outcome.status, outcome.recipe == copy.recipe,
      let movie = judge(&outcome, copy.clip, copy.recipe)
    else { return nil }
    return (outcome, movie)
  }

  /// The report on a clip of which this is known.
  private func report(
    _ inspection: Inspection, _ candidate: Candidate, key: ArtworkKey?
  ) -> CandidateReport {
    CandidateReport(
      judging: inspection, of: candidate.path,
      as: batch.options.key ?? key
        ?? ArtworkKey(fileName: candidate.path.lastComponent?.string ?? ""),
      for: batch.profiles(for: candidate.path))
  }
}
