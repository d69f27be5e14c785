/// Decodes a clip without a known inspection only once: as its copy, which has the same frames.
extension ClipRepairer {
  /// A plan from the facts alone, which decide whether a copy repairs something; `nil` if it needs a complete
  /// inspection.
  func scannedPlan(
    _ candidate: Candidate, key: ArtworkKey?, rules: RuleSelection
  ) -> ClipRepair? {
    let request = batch.request(for: batch.profiles(for: candidate.path))
    guard known(candidate, request) == nil,
      let facts = try? runner.run(QuickScanJob(), on: candidate)
    else {
      return nil
    }
    let inspection = Inspection(
      facts: facts, decoding: .init(packetsDecoded: 1, errorCount: 0, missingFrames: 0),
      previewIsToneMapped: facts.color.isHDR)
    var plan = plan(
      candidate, report(inspection, candidate, key: key), rules: rules, encodes: false)
    guard case .planned = plan.status else { return nil }
    plan.quickScan = ClipRepair.QuickScan(
      key: key, rules: Rules.catalogue.map { $0.id }.filter(rules.contains))
    return plan
  }

  /// Makes the copy of such a plan, inspects it, and judges the clip by that. Anything unexpected leads to a complete
  /// inspection of the clip.
  func carryOut(
    _ plan: ClipRepair, after quickScan: ClipRepair.QuickScan,
    _ progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) -> (repair: ClipRepair, movie: [UInt8]?) {
    let candidate = plan.candidate
    let rules = RuleSelection(selected: quickScan.rules, ignored: [])
    guard let recipe = plan.candidateRecipes.first, recipe.encoding == nil,
      let facts = plan.inspection?.facts,
      let copied = try? copied(candidate, recipe)
    else {
      return carryOut(
        self.plan(candidate, key: quickScan.key, rules: rules), progress: progress)
    }
    if var inspection = copied.inspection {
      inspection.facts = facts
      var repair = self.plan(
        candidate, report(inspection, candidate, key: quickScan.key), rules: rules,
        encodes: false)
      repair.judgedState = plan.judgedState
      if repair.candidateRecipes == plan.candidateRecipes, case .planned = repair.status {
        if let movie = resolve(&repair, copied, recipe) { return (repair, movie) }
      }
    }
    var whole = self.plan(candidate, key: quickScan.key, rules: rules)
    guard whole.judgedState == plan.judgedState, whole.candidateRecipes == plan.candidateRecipes,
      case .planned = whole.status
    else {
      return carryOut(whole, progress: progress)
    }
    let movie = resolve(&whole, copied, recipe)
    return (whole, movie)
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
