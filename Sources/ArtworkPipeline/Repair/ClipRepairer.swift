/// Repairs clips by copying and by encoding, and trusts no result before it is inspected.
package struct ClipRepairer: Sendable {
  /// Inspects and judges the clips.
  let batch: Batch
  let runner: any JobRunner
  /// The container of new files; `nil` for the clip's own container if its destinations accept that.
  let container: MovieContainer?
  /// The shortest loop, in seconds; `nil` for ``remainingShare`` of the possible length.
  let shortest: Double?
  /// Loops are shorter than this, in seconds; `nil` for the limit of the destinations.
  let longest: Double?
  /// The known inspection of a clip, without opening it.
  let known: @Sendable (Candidate, InspectionRequest) -> Inspection?

  /// Unless a shorter length is allowed, a new file keeps this share of the clip, or of the longest duration that its
  /// destinations accept.
  static let remainingShare = 0.9

  package init(
    _ batch: Batch, _ runner: any JobRunner, container: MovieContainer? = nil,
    shortest: Double? = nil, longest: Double? = nil,
    known: @escaping @Sendable (Candidate, InspectionRequest) -> Inspection? = { _, _ in nil }
  ) {
    self.batch = batch
    self.runner = runner
    self.container = container
    (self.shortest, self.longest) = (shortest, longest)
    self.known = known
  }

  /// Judges a clip, and plans its repair. Blocks the calling thread; a search for a loop decodes every frame.
  ///
  /// - Parameters:
  ///   - key: from a manifest; `nil` to use the name.
  ///   - rules: the rules whose findings are repaired.
  ///   - encodes: whether to repair findings that require encoding, too.
  ///   - scansQuickly: whether to judge a clip that a copy can repair by its facts alone, if no inspection is known. The
  ///     findings are then complete only after ``carryOut(_:progress:)``, which measures the copy.
  ///   - obstacle: why a new file in this container could not be kept, as a sentence; `nil` if it could. Called
  ///     before a search for a loop.
  package func plan(
    _ candidate: Candidate, key: ArtworkKey? = nil, rules: RuleSelection, encodes: Bool = false,
    scansQuickly: Bool = false, obstacle: (MovieContainer) -> String? = { _ in nil }
  ) -> ClipRepair {
    let state = Self.state(of: candidate)
    let scanned = scansQuickly && !encodes ? scannedPlan(candidate, key: key, rules: rules) : nil
    var plan =
      scanned
      ?? self.plan(
        candidate, batch.check(candidate, key: key), rules: rules, encodes: encodes,
        obstacle: obstacle)
    plan.judgedState = state
    return plan
  }

  private static func state(of candidate: Candidate) -> String? {
    FileStamp(of: candidate).map { "\($0.state)" }
  }

  /// Plans the repair of a judged clip.
  func plan(
    _ candidate: Candidate, _ report: CandidateReport, rules: RuleSelection, encodes: Bool,
    obstacle: (MovieContainer) -> String? = { _ in nil }
  ) -> ClipRepair {
    var repair = ClipRepair(
      candidate: candidate, status: .nothingToRepair, findings: report.findings)
    if let error = report.error {
      repair.status = .failed(error)
      return repair
    }
    let chosen = report.findings.filter { $0.repair != nil && rules.contains($0.rule) }
    repair.repaired = chosen.filter { encodes || $0.repair != .unsafe }
    repair.unsafe = encodes ? [] : chosen.filter { $0.repair == .unsafe }
    repair.key = report.key ?? .square
    repair.inspection = report.inspection
    guard let inspection = report.inspection, !repair.repaired.isEmpty else { return repair }
    if inspection.decoding.isCutShort {
      repair.status = .refused("frames are missing, and a new file would hide that")
      return repair
    }
    return planned(repair, inspection.facts, obstacle)
  }

  /// Plans how the findings are repaired; without those on flashes if these cannot be dimmed.
  private func planned(
    _ plan: ClipRepair, _ facts: MediaFacts, _ obstacle: (MovieContainer) -> String? = { _ in nil }
  ) -> ClipRepair {
    var repair = plan
    do throws(InspectionError) {
      repair.candidateRecipes = try candidateRecipes(repair, facts, obstacle)
      if let candidateRecipe = repair.candidateRecipes.first,
        candidateRecipe.encoding?.mostFlashes != nil
      {
        let job = MakeJob(recipe: candidateRecipe, onlyPlans: true)
        repair.dimming = try runner.run(job, on: repair.candidate).report?.dimming
      }
      repair.status =
        repair.candidateRecipes.isEmpty
        ? .refused("no codec and container is taken by all of its destinations") : .planned
    } catch {
      repair.status = error.code == .notCopied ? .refused(error.message) : .failed(error)
    }
    return planWithoutDimming(repair, facts, obstacle) ?? repair
  }

  /// - Returns: `nil` unless the repair was refused, flashes are part of it, and something else can be planned.
  private func planWithoutDimming(
    _ repair: ClipRepair, _ facts: MediaFacts,
    _ obstacle: (MovieContainer) -> String? = { _ in nil }
  ) -> ClipRepair? {
    guard case .refused(let reason) = repair.status else { return nil }
    var rest = repair
    rest.repaired.removeAll { $0.rule == FlashRule.id }
    guard !rest.repaired.isEmpty, rest.repaired.count < repair.repaired.count else { return nil }
    (rest.dimming, rest.flashesStay) = (nil, reason)
    rest = planned(rest, facts, obstacle)
    if case .planned = rest.status { return rest }
    return nil
  }

  /// Makes the new file of a plan. Blocks the calling thread.
  ///
  /// - Parameter progress: called periodically with the number of encoded frames.
  /// - Returns: the outcome, and the bytes of the new file if there is one.
  package func carryOut(
    _ plan: ClipRepair, progress: @escaping (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) -> (repair: ClipRepair, movie: [UInt8]?) {
    guard case .planned = plan.status else { return (plan, nil) }
    if let quickScan = plan.quickScan { return carryOut(plan, after: quickScan, progress) }
    var reasons: [String] = []
    var failure: InspectionError?
    var last = plan
    for candidateRecipe in plan.candidateRecipes {
      last = plan
      last.candidateRecipes = [candidateRecipe]
      var movie: [UInt8]?
      do throws(InspectionError) {
        movie =
          candidateRecipe.encoding == nil
          ? resolve(&last, try copied(plan.candidate, candidateRecipe), candidateRecipe)
          : try encode(&last, candidateRecipe, progress)
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
    last.candidateRecipes = plan.candidateRecipes
    if reasons.isEmpty, let failure {
      last.status = .failed(failure)
    } else {
      last.status = .refused(reasons.joined(separator: "; "))
    }
    if let facts = plan.inspection?.facts, let rest = planWithoutDimming(last, facts) {
      return carryOut(rest, progress: progress)
    }
    return (last, nil)
  }

  private func candidateRecipes(
    _ repair: ClipRepair, _ facts: MediaFacts, _ obstacle: (MovieContainer) -> String?
  ) throws(InspectionError) -> [Recipe] {
    let profiles = batch.profiles(for: repair.candidate.path)
    let kinds = Set(repair.repaired.compactMap(\.repair))
    guard kinds.contains(.unsafe) else {
      return [Recipe(copying: facts, for: profiles, repairing: kinds, into: container)]
        .compactMap(\.self)
    }
    let edit = repair.repaired.compactMap(\.edit).reduce(ClipEdit()) { $0.merged(with: $1) }
    if facts.color.isHDR, !edit.makesBT709 {
      throw InspectionError(
        .notCopied, "it is HDR, and the new file would be SDR: repair the finding color, too")
    }
    guard let recipe = Recipe(encoding: facts, for: profiles, edit, into: container) else {
      return []
    }
    guard let wanted = edit.loop else {
      return try keeping([recipe], facts, below: .infinity)
    }
    if let obstacle = obstacle(recipe.container) {
      throw InspectionError(.notCopied, obstacle)
    }
    // A loop that starts with nothing to see would leave that finding.
    let picture =
      repair.findings.contains { $0.rule == BlankFirstFrameRule.id }
      ? repair.inspection?.looks?.firstFrame.pictureSeconds : nil
    let below = min(wanted.below, longest ?? wanted.below)
    // A destination may require a length.
    let least = wanted.shortest == TrimRequest.usualShortest ? nil : wanted.shortest
    var search = TrimRequest(
      shortest: max(shortest ?? wanted.shortest, least ?? 0), below: below,
      leastShare: shortest == nil ? Self.remainingShare : 0)
    if picture != nil { search.count = TrimRequest.mostCandidates }
    let found = try runner.run(LoopJob(request: search), on: repair.candidate)
    let parts = found.report.parts(from: picture ?? 0, prefersLongest: true)
    guard !parts.isEmpty else {
      throw InspectionError(.notCopied, "it has too few frames to make a loop of them")
    }
    let step = facts.durationSeconds / Double(max(1, facts.frameCount))
    let candidateRecipes = parts.map { part in
      var candidateRecipe = recipe.showing(part)
      let seconds = Double(candidateRecipe.displayedCount(of: facts.frameCount)) * step
      candidateRecipe.encoding?.rateLimit = Recipe.rateLimit(for: profiles, seconds: seconds)
      return candidateRecipe
    }
    return try keeping(candidateRecipes, facts, below: below)
  }

  /// The recipes that keep enough of the clip.
  ///
  /// - Throws: `not-copied` if none does.
  private func keeping(
    _ candidateRecipes: [Recipe], _ facts: MediaFacts, below: Double
  ) throws(InspectionError) -> [Recipe] {
    if shortest != nil || candidateRecipes.isEmpty { return candidateRecipes }
    // A frame more or less does not count.
    let frame = facts.durationSeconds / Double(max(1, facts.frameCount))
    let least = Self.remainingShare * min(facts.durationSeconds, below) - 2 * frame
    let kept = candidateRecipes.filter { $0.remainingSeconds(of: facts) >= least }
    if !kept.isEmpty { return kept }
    let most = candidateRecipes.map { $0.remainingSeconds(of: facts) }.max() ?? 0
    throw InspectionError(
      .notCopied,
      "it would keep \(decimal(most, places: 2)) s of \(decimal(facts.durationSeconds, places: 2)) s: "
        + "--shortest \(decimal(max(0.1, most - 0.05), places: 1)) allows that, and artworkd loop lists what loops"
    )
  }

  func copied(_ candidate: Candidate, _ recipe: Recipe) throws(InspectionError) -> CopiedClip {
    try runner.copy(
      candidate, recipe, inspecting: batch.request(for: batch.profiles(for: candidate.path)))
  }

  /// Judges a copy, and returns its bytes if it is kept.
  func resolve(
    _ repair: inout ClipRepair, _ copy: CopiedClip, _ recipe: Recipe
  ) -> [UInt8]? {
    guard var inspection = repair.inspection else { preconditionFailure("a plan is inspected") }
    repair.frames = (compared: copy.before.frames.count, differing: copy.differing)
    repair.comparison = copy.inspection == nil ? .frames : .packets
    let rejectionReason = Self.rejectionReason(copy, inspection.facts, recipe)
    // If nothing is uncertain, the frames and their measurements are those of the clip.
    inspection.facts = copy.facts
    return resolve(&repair, copy.movie, inspection, rejectionReason: rejectionReason)
  }

  private func encode(
    _ repair: inout ClipRepair, _ recipe: Recipe,
    _ progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8]? {
    let profiles = batch.profiles(for: repair.candidate.path)
    var request = batch.request(for: profiles)
    if recipe.encoding?.mostFlashes != nil { request.everyFrame = true }
    let made = try runner.encode(
      repair.candidate, recipe, inspecting: request, progress: progress)
    repair.newFacts = made.inspection.facts
    repair.dimming = made.report.dimming
    repair.dimming?.newFlashes = made.inspection.looks?.flash?.worst?.flashes ?? 0
    return resolve(&repair, made.movie, made.inspection, rejectionReason: nil)
  }

  /// Judges a new file, and returns its bytes if it is kept.
  private func resolve(
    _ repair: inout ClipRepair, _ movie: [UInt8], _ inspection: Inspection, rejectionReason: String?
  ) -> [UInt8]? {
    let path = repair.candidate.path
    // Every job opens the file again.
    guard Self.state(of: repair.candidate) == repair.judgedState else {
      repair.status = .failed(
        InspectionError(.changedWhileReading, "the file changed after it was judged"))
      return nil
    }
    repair.left =
      CandidateReport(
        judging: inspection, of: path, as: repair.key, for: batch.profiles(for: path)
      ).findings
    // A preview beside the clip is not a finding of the clip.
    let before = repair.findings.filter {
      ![PreviewAspectRule.id, PreviewMatchRule.id].contains($0.rule)
    }
    if let rejectionReason = rejectionReason
      ?? Self.rejectionReason(before: before, after: repair.left, repair.repaired)
    {
      repair.status = .refused(rejectionReason)
      return nil
    }
    repair.status = .repaired
    // A new file may repair more than was requested.
    repair.repaired = Self.resolved(before, repair.left)
    return movie
  }
}

extension Recipe {
  /// This recipe for a part of the clip.
  func showing(_ part: LoopPart) -> Recipe {
    var recipe = self
    // The number of frames that fit in memory for a dissolve, in 4:2:0.
    let area = encoding?.size?.area ?? 1
    let most = max(1, MovieRecorder.mostHeldBytes / max(1, area.multipliedClamped(by: 3) / 2))
    recipe.frames = part.selected(frames, dissolvingAtMost: most)
    return recipe
  }
}

extension ClipRepairer {
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
  private static func resolved(_ before: [Finding], _ after: [Finding]) -> [Finding] {
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
  static func rejectionReason(before: [Finding], after: [Finding], _ repaired: [Finding]) -> String?
  {
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
      let place = Place(rule: finding.rule, profile: finding.profile)
      guard let known = old[place], finding.severity <= known else {
        return "the new file breaks the rule \(finding.rule): \(finding.message)"
      }
    }
    let resolved = resolved(repaired, after)
    if let missed = repaired.first(where: { !resolved.contains($0) }) {
      return "the new file still breaks the rule \(missed.rule)"
    }
    let left = after.count { finding in
      finding.severity > .info
        || old[Place(rule: finding.rule, profile: finding.profile)] == .info
    }
    return left < before.count ? nil : "the new file has no fewer findings"
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
