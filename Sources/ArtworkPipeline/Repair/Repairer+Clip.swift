/// A clip that was measured and judged.
package struct MeasuredClip: Sendable {
  /// The state of the file that was measured; `nil` if unknown.
  var state: FileState?
  var report: CandidateReport
}

/// A copy that was made of a clip after a quick scan.
private struct ScannedCopy {
  /// The plan from the facts alone.
  var plan: RepairPlan
  var recipe: Recipe
  var clip: CopiedClip

  /// The copy, if it is the one that another plan of the same file makes.
  func copied(_ other: RepairPlan, _ recipe: Recipe) -> CopiedClip? {
    other.fileState == plan.fileState && recipe == self.recipe ? clip : nil
  }
}

/// The repair of one clip: what is wrong with it, the recipes in their order, the new file, and its judgement.
extension Repairer {
  /// Why a new file in this container could not be kept, as a sentence; `nil` if it could.
  package typealias Obstacle = (MovieContainer) -> String?

  /// Measures a clip, plans its repair, makes the new file, verifies it, and judges it. Blocks the calling thread.
  ///
  /// A clip that a copy can repair is decoded only once, as its copy, which has the same frames. If that copy is not
  /// kept, the clip is measured itself.
  ///
  /// - Parameters:
  ///   - key: from a manifest; `nil` to use the name.
  ///   - measured: the clip, if that is known.
  ///   - beside: what the rest of its release asks of it.
  /// - Returns: the outcome, and the bytes of the new file if there is one.
  package func repair(
    _ candidate: Candidate, key: ArtworkKey? = nil, _ measured: MeasuredClip? = nil,
    beside: ReleaseNeeds = ReleaseNeeds(), obstacle: Obstacle = { _ in nil }
  ) -> (outcome: RepairOutcome, movie: [UInt8]?) {
    let copy =
      measured != nil || options.encodes || options.onlyPlans
      ? nil : scannedCopy(of: candidate, key: key, obstacle)
    if let copy, let repaired = judgedAlone(copy, key: key) { return repaired }
    let planned = plan(
      candidate, measured ?? self.measured(candidate, key: key), beside, obstacle)
    guard case .planned = planned.status, !options.onlyPlans else { return (planned, nil) }
    return make(planned.plan, copy)
  }

  /// Whether the release has taken its processor time.
  var isSpent: Bool { runner.cpuSeconds - begin > Double(runner.limits.cpuSecondsForEncoding) }

  /// Carries out the recipes of a plan, best first, until a new file can be kept.
  ///
  /// - Parameter copy: one that was made already.
  private func make(
    _ plan: RepairPlan, _ copy: ScannedCopy?
  ) -> (outcome: RepairOutcome, movie: [UInt8]?) {
    var reasons: [String] = []
    var failure: InspectionError?
    var last = RepairOutcome(plan, .planned)
    for recipe in plan.recipes {
      last = RepairOutcome(plan, .planned)
      last.recipe = recipe
      if isSpent {
        let most = runner.limits.cpuSecondsForEncoding
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
          let made = try runner.encode(
            plan.candidate, recipe, inspecting: request(for: plan.candidate), progress: progress)
          movie = judge(&last, made.movie, made.inspection, rejectionReason: nil)
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

  private func request(for candidate: Candidate) -> InspectionRequest {
    batch.request(for: batch.profiles(for: candidate.path))
  }

  private func copied(
    _ candidate: Candidate, _ recipe: Recipe
  ) throws(InspectionError) -> CopiedClip {
    try runner.copy(candidate, recipe, inspecting: request(for: candidate))
  }

  /// Judges a copy, and returns its bytes if it is kept.
  private func judge(
    _ outcome: inout RepairOutcome, _ copy: CopiedClip, _ recipe: Recipe
  ) -> [UInt8]? {
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

  // MARK: The plan

  /// Unless a shorter length is allowed, a new file keeps this share of the clip, or of the longest duration that its
  /// destinations accept.
  private static let remainingShare = 0.9
  /// Seconds of a loop that a release may keep where none is as long as that.
  private static let shorterLoop = 2.0

  /// Measures and judges a clip. Blocks the calling thread.
  func measured(_ candidate: Candidate, key: ArtworkKey?) -> MeasuredClip {
    // Before it is read.
    let state = FileStamp(of: candidate)?.state
    return MeasuredClip(state: state, report: batch.check(candidate, key: key))
  }

  /// Plans the repair of a clip. A search for a loop decodes every frame.
  private func plan(
    _ candidate: Candidate, _ measured: MeasuredClip, _ beside: ReleaseNeeds, _ obstacle: Obstacle
  ) -> RepairOutcome {
    let report = measured.report
    var plan = RepairPlan(candidate)
    plan.beside = beside
    (plan.fileState, plan.findings) = (measured.state, report.findings)
    if let error = report.error { return RepairOutcome(plan, .failed(error)) }
    let chosen = report.findings.filter { $0.repair != nil && options.rules.contains($0.rule) }
    plan.repaired = chosen.filter { options.encodes || $0.repair != .unsafe }
    plan.needsEncoding = options.encodes ? [] : chosen.filter { $0.repair == .unsafe }
    plan.key = report.key ?? .square
    plan.inspection = report.inspection
    guard let inspection = report.inspection, !plan.repaired.isEmpty || beside.frames != nil else {
      return RepairOutcome(plan, .unchanged)
    }
    if inspection.decoding.isCutShort {
      return RepairOutcome(
        plan, .refused("frames are missing, and a new file would hide that"))
    }
    let facts = inspection.facts
    do throws(InspectionError) {
      if let frames = beside.frames {
        try planMatching(&plan, facts, frames)
      } else if plan.repaired.contains(where: { $0.repair == .unsafe }) {
        // An encoded file needs no copy.
        try planEncoding(&plan, facts)
        try planLoop(&plan, facts, obstacle)
      } else {
        plan.recipes = [
          Recipe(
            copying: facts, for: batch.profiles(for: candidate.path),
            repairing: Set(plan.repaired.compactMap(\.repair)), into: options.container)
        ].compactMap(\.self)
      }
      guard let recipe = plan.recipes.first else {
        return RepairOutcome(
          plan, .refused("no codec and container is taken by all of its destinations"))
      }
      return RepairOutcome(plan, obstacle(recipe.container).map { .refused($0) } ?? .planned)
    } catch {
      return RepairOutcome(
        plan, error.code == .notCopied ? .refused(error.message) : .failed(error))
    }
  }

  private func planEncoding(
    _ plan: inout RepairPlan, _ facts: MediaFacts
  ) throws(InspectionError) {
    var edit = plan.repaired.edit
    edit.area = matching(edit.area, plan, facts)
    if facts.color.isHDR, !edit.makesBT709 {
      throw InspectionError(
        .notCopied, "it is HDR, and the new file would be SDR: repair the finding color, too")
    }
    let profiles = batch.profiles(for: plan.candidate.path)
    plan.recipes = [Recipe(encoding: facts, for: profiles, edit, into: options.container)]
      .compactMap(\.self)
    if let ground = plan.inspection?.firstFrame, let whole = plan.recipes.first?.fitted(on: ground),
      facts.codec == "lottie"
    {
      plan.recipes = [whole]
    }
    if edit.loop == nil { plan.recipes = try keeping(plan.recipes, facts, below: .infinity) }
  }

  /// A crop where it shows the same as the other shape, or else as the cover.
  private func matching(
    _ area: CropArea?, _ plan: RepairPlan, _ facts: MediaFacts
  ) -> CropArea? {
    guard let area, let first = plan.inspection?.firstFrame,
      !plan.repaired.contains(where: { $0.rule == LetterboxRule.id })
    else { return area }
    let size = PixelSize(width: facts.displayWidth, height: facts.displayHeight)
    let partner = plan.beside.partner
    if let other = partner?.firstFrame, let aspect = partner?.facts.displayAspect {
      return area.moved(in: size, first, like: other, aspect: aspect)
    }
    guard let cover = plan.beside.cover else { return area }
    return area.moved(in: size, first, like: cover.signature, aspect: cover.aspect)
  }

  /// Plans the frames of the other shape, with everything else that the clip needs.
  private func planMatching(
    _ plan: inout RepairPlan, _ facts: MediaFacts, _ frames: FrameSelection
  ) throws(InspectionError) {
    let loop = plan.repaired.filter { $0.edit?.loop != nil }
    let rest = plan.repaired.filter { finding in !loop.contains(finding) }
    var edit = rest.edit
    edit.area = matching(edit.area, plan, facts)
    var recipe = Recipe(
      encoding: facts, for: batch.profiles(for: plan.candidate.path), edit, into: options.container)
    recipe?.frames.start = frames.start
    recipe?.frames.end = frames.end
    recipe?.frames.begin = frames.begin
    recipe?.frames.order = frames.order
    recipe?.frames.dissolvedFrames = frames.dissolvedFrames
    plan.recipes = [recipe].compactMap(\.self)
  }

  /// Plans one recipe for each loop in the clip, best first.
  private func planLoop(
    _ plan: inout RepairPlan, _ facts: MediaFacts, _ obstacle: Obstacle
  ) throws(InspectionError) {
    guard let wanted = plan.repaired.edit.loop, let recipe = plan.recipes.popLast() else { return }
    if let reason = obstacle(recipe.container) { throw InspectionError(.notCopied, reason) }
    // A loop that starts with nothing to see would leave that finding.
    let picture =
      plan.findings.contains { $0.rule == BlankFirstFrameRule.id }
      ? plan.inspection?.looks?.firstFrame.pictureSeconds : nil
    let below = min(wanted.below, options.longest ?? wanted.below)
    // A destination may require a length.
    let least = wanted.shortest == TrimRequest.usualShortest ? nil : wanted.shortest
    var search = TrimRequest(
      shortest: max(options.shortest ?? wanted.shortest, least ?? 0), below: below,
      leastShare: options.shortest == nil ? Self.remainingShare : 0)
    if picture != nil { search.count = TrimRequest.mostCandidates }
    search.cutsFades = plan.repaired.contains { $0.rule == FadeRule.id }
    search.preferred = plan.beside.partner?.facts.durationSeconds
    search.orShorter = plan.beside.mayShorten && options.shortest == nil ? Self.shorterLoop : nil
    let loops = try runner.run(
      LoopJob(request: search, start: LoopJob.Start(cover: plan.beside.cover)), on: plan.candidate
    ).report
    // Without the fades.
    let lit = loops.lit?.count ?? facts.frameCount
    let whole = facts.durationSeconds * Double(lit) / Double(max(1, facts.frameCount))
    let possible = min(whole, below)
    let long = min(search.preferred ?? .infinity, Self.remainingShare * possible)
    let parts =
      loops.parts(from: picture ?? 0, prefersLongest: true, long: options.shortest ?? long)
    guard !parts.isEmpty else {
      throw InspectionError(
        .notCopied,
        facts.frameCount < LoopReport.fewestFrames
          ? "it has too few frames to make a loop of them"
          : "no part of it loops, and a dissolve would show two pictures at once")
    }
    let step = facts.durationSeconds / Double(max(1, facts.frameCount))
    let profiles = batch.profiles(for: plan.candidate.path)
    let recipes = parts.map { part in
      var loop = recipe.showing(part)
      loop.frames.begin = loops.begin(of: part)
      let seconds = Double(loop.displayedCount(of: facts.frameCount)) * step
      loop.encoding?.rateLimit = Recipe.rateLimit(for: profiles, seconds: seconds)
      return loop
    }
    let trueLoops = zip(parts, recipes).filter {
      search.orShorter != nil && !$0.0.swings && $0.0.dissolvedFrames == 0
    }.map(\.1)
    let kept = try keeping(recipes, facts, below: possible, trueLoops)
    plan.recipes = recipes.filter { kept.contains($0) }
  }

  /// The recipes that keep enough of the clip.
  ///
  /// - Throws: `not-copied` if none does.
  private func keeping(
    _ candidateRecipes: [Recipe], _ facts: MediaFacts, below: Double, _ allowed: [Recipe] = []
  ) throws(InspectionError) -> [Recipe] {
    if candidateRecipes.isEmpty { return [] }
    // A frame more or less does not count.
    let frame = facts.durationSeconds / Double(max(1, facts.frameCount))
    let least =
      (options.shortest ?? Self.remainingShare * min(facts.durationSeconds, below)) - 2 * frame
    let kept = candidateRecipes.filter {
      allowed.contains($0) || $0.remainingSeconds(of: facts) >= least
    }
    if !kept.isEmpty { return kept }
    let most = candidateRecipes.map { $0.remainingSeconds(of: facts) }.max() ?? 0
    throw InspectionError(
      .notCopied,
      "it would keep \(decimal(most, places: 2)) s of \(decimal(facts.durationSeconds, places: 2)) s: "
        + "--shortest \(decimal(max(0.1, most - 0.05), places: 1)) allows that, and artworkd loop lists what loops"
    )
  }

  // MARK: A copy before the clip is decoded

  /// Copies a clip without a known inspection if its facts, which a quick scan reads, show that a copy repairs it.
  private func scannedCopy(
    of candidate: Candidate, key: ArtworkKey?, _ obstacle: Obstacle
  ) -> ScannedCopy? {
    let state = FileStamp(of: candidate)?.state
    guard known(candidate, request(for: candidate)) == nil,
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
  private func judgedAlone(
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

extension Recipe {
  /// The whole of a drawing on its own ground, where a crop would cut too much off and the sides of the picture are plain;
  /// `nil` for others.
  fileprivate func fitted(on picture: PictureSignature) -> Recipe? {
    guard losesMuch, var encoding, case .part(let area, let whole) = encoding.area,
      let ground = picture.ground(ofColumns: area.width == whole.width),
      case .drawn(var drawing) = encoding.form
    else { return nil }
    (drawing.contentMode, drawing.background) = (.fit, ground)
    (encoding.form, encoding.area) = (.drawn(drawing), .whole)
    var recipe = self
    recipe.content = .pictures(encoding)
    return recipe
  }

  /// This recipe for a part of the clip.
  func showing(_ part: LoopPart) -> Recipe {
    var recipe = self
    // The number of frames that fit in memory for a dissolve, in 4:2:0.
    let area = encoding?.size?.area ?? 1
    let most = max(1, MovieRecorder.mostHeldBytes / max(1, area.multipliedClamped(by: 3) / 2))
    recipe.frames = part.selected(frames, dissolvingAtMost: most)
    recipe.encoding?.drift = part.drift
    return recipe
  }
}
