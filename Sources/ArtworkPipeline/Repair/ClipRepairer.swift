/// Repairs clips by copying and by encoding, and trusts no result before it is inspected.
package struct ClipRepairer: Sendable {
  /// Inspects and judges the clips.
  let batch: Batch
  let runner: any JobRunner
  /// The rules whose findings are repaired.
  let rules: RuleSelection
  /// Whether to repair findings that require encoding, too.
  let encodes: Bool
  /// The container of new files; `nil` for the clip's own container if its destinations accept that.
  let container: MovieContainer?
  /// The shortest loop, in seconds; `nil` for ``remainingShare`` of the possible length.
  let shortest: Double?
  /// Loops are shorter than this, in seconds; `nil` for the limit of the destinations.
  let longest: Double?
  /// Whether nothing is made, only planned.
  let onlyPlans: Bool
  /// ``JobRunner/cpuSeconds`` before the release.
  let begin: Double
  /// The known inspection of a clip, without opening it.
  let known: @Sendable (Candidate, InspectionRequest) -> Inspection?

  /// Why a new file in this container could not be kept, as a sentence; `nil` if it could.
  package typealias Obstacle = (MovieContainer) -> String?

  package init(
    _ batch: Batch, _ runner: any JobRunner, rules: RuleSelection = RuleSelection(),
    encodes: Bool = false, container: MovieContainer? = nil, shortest: Double? = nil,
    longest: Double? = nil, onlyPlans: Bool = false,
    known: @escaping @Sendable (Candidate, InspectionRequest) -> Inspection? = { _, _ in nil }
  ) {
    (self.batch, self.runner, self.rules, self.encodes) = (batch, runner, rules, encodes)
    (self.container, self.shortest, self.longest) = (container, shortest, longest)
    (self.onlyPlans, self.known, begin) = (onlyPlans, known, runner.cpuSeconds)
  }

  /// Measures a clip, plans its repair, makes the new file, verifies it, and judges it. Blocks the calling thread.
  ///
  /// A clip that a copy can repair is decoded only once, as its copy, which has the same frames. If that copy is not
  /// kept, the clip is measured itself.
  ///
  /// - Parameters:
  ///   - key: from a manifest; `nil` to use the name.
  ///   - measured: the clip, if that is known.
  ///   - beside: what the rest of its release asks of it.
  ///   - progress: called periodically with the number of encoded frames.
  /// - Returns: the outcome, and the bytes of the new file if there is one.
  package func repair(
    _ candidate: Candidate, key: ArtworkKey? = nil, _ measured: MeasuredClip? = nil,
    beside: ReleaseNeeds = ReleaseNeeds(), obstacle: Obstacle = { _ in nil },
    progress: @escaping JobProgress = { _, _ in }
  ) -> (outcome: RepairOutcome, movie: [UInt8]?) {
    let copy = encodes || onlyPlans ? nil : scannedCopy(of: candidate, key: key, obstacle)
    if let copy, let repaired = judgedAlone(copy, key: key) { return repaired }
    let planned = plan(
      candidate, measured ?? self.measured(candidate, key: key), beside, obstacle)
    guard case .planned = planned.status, !onlyPlans else { return (planned, nil) }
    return make(planned.plan, copy, progress)
  }

  /// Carries out the recipes of a plan, best first, until a new file can be kept.
  ///
  /// - Parameter copy: one that was made already.
  private func make(
    _ plan: RepairPlan, _ copy: ScannedCopy?, _ progress: @escaping JobProgress
  ) -> (outcome: RepairOutcome, movie: [UInt8]?) {
    var reasons: [String] = []
    var failure: InspectionError?
    var last = RepairOutcome(plan, .planned)
    for recipe in plan.recipes {
      last = RepairOutcome(plan, .planned)
      last.recipe = recipe
      let most = runner.limits.cpuSecondsForEncoding
      if runner.cpuSeconds - begin > Double(most) {
        reasons.append(
          "its release took more than \(most) s of processor time: --limit cpu=\(most / 2)s allows more"
        )
        last.status = .refused("")
        break
      }
      var movie: [UInt8]?
      do throws(InspectionError) {
        if let copy = copy?.copied(plan, recipe) {
          movie = judge(&last, copy, recipe)
        } else if recipe.isCopy {
          movie = judge(&last, try copied(plan.candidate, recipe), recipe)
        } else {
          movie = try encode(&last, recipe, progress)
        }
      } catch {
        last.status = .failed(error)
      }
      switch last.status {
      case .refused(let reason): if !reasons.contains(reason) { reasons.append(reason) }
      // Another recipe may need less.
      case .failed(let error)
      where [.notCopied, .outOfMemory, .videoNotWritten].contains(error.code):
        failure = failure ?? error
      default: return (last, movie)
      }
    }
    last.recipe = plan.recipes.first
    if reasons.isEmpty, let failure {
      last.status = .failed(failure)
    } else {
      last.status = .refused(reasons.joined(separator: "; "))
    }
    return (last, nil)
  }

  func copied(_ candidate: Candidate, _ recipe: Recipe) throws(InspectionError) -> CopiedClip {
    try runner.copy(
      candidate, recipe, inspecting: batch.request(for: batch.profiles(for: candidate.path)))
  }

  private func encode(
    _ outcome: inout RepairOutcome, _ recipe: Recipe, _ progress: @escaping JobProgress
  ) throws(InspectionError) -> [UInt8]? {
    let candidate = outcome.plan.candidate
    let request = batch.request(for: batch.profiles(for: candidate.path))
    let made = try runner.encode(candidate, recipe, inspecting: request, progress: progress)
    return judge(&outcome, made.movie, made.inspection, rejectionReason: nil)
  }

  /// Judges a copy, and returns its bytes if it is kept.
  func judge(_ outcome: inout RepairOutcome, _ copy: CopiedClip, _ recipe: Recipe) -> [UInt8]? {
    guard var inspection = outcome.plan.inspection else {
      preconditionFailure("a plan is measured")
    }
    outcome.comparison = .init(
      copy.inspection == nil ? .frames : .packets, compared: copy.before.frames.count,
      differing: copy.differing)
    let rejectionReason = Self.rejectionReason(copy, inspection.facts, recipe)
    // If nothing is uncertain, the frames and their measurements are those of the clip.
    inspection.facts = copy.facts
    return judge(&outcome, copy.movie, inspection, rejectionReason: rejectionReason)
  }

  /// Judges a new file, and returns its bytes if it is kept.
  private func judge(
    _ outcome: inout RepairOutcome, _ movie: [UInt8], _ inspection: Inspection,
    rejectionReason: String?
  ) -> [UInt8]? {
    let plan = outcome.plan
    let path = plan.candidate.path
    // Every job opens the file again.
    guard FileStamp(of: plan.candidate)?.state == plan.fileState else {
      outcome.status = .failed(
        InspectionError(.changedWhileReading, "the file changed after it was judged"))
      return nil
    }
    outcome.newInspection = inspection
    outcome.remaining =
      CandidateReport(judging: inspection, of: path, as: plan.key, for: batch.profiles(for: path))
      .findings
    // A preview beside the clip is not a finding of the clip.
    let before = plan.findings.filter {
      ![PreviewAspectRule.id, PreviewMatchRule.id].contains($0.rule)
    }
    if let rejectionReason = rejectionReason
      ?? Self.rejectionReason(
        before: before, after: outcome.remaining, plan.repaired, matches: plan.beside.frames != nil)
    {
      outcome.status = .refused(rejectionReason)
      return nil
    }
    outcome.status = .repaired
    // A new file may repair more than was requested.
    outcome.repaired = Self.resolved(before, outcome.remaining)
    return movie
  }
}
