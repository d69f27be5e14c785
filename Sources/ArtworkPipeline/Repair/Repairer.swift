/// Repairs the files of a release together, so that what results is ready to publish, and trusts no new file before it is
/// inspected.
///
/// Each clip is repaired by itself. Then both shapes get the same frames, a missing shape is cropped out of the other one,
/// and previews that no longer fit are made again. The result is judged as `check` judges it.
package struct Repairer {
  package struct Options: Sendable {
    /// The rules whose findings are repaired.
    package var rules = RuleSelection()
    /// Whether to repair findings that require encoding, too.
    package var encodes = false
    /// Whether nothing is made, only planned.
    package var onlyPlans = false
    /// Whether a release is repaired, and not one of its files alone.
    package var isWhole = false
    /// The container of new files; `nil` for the clip's own container if its destinations accept that.
    package var container: MovieContainer?
    /// The shortest loop, in seconds; `nil` for nine tenths of the possible length.
    package var shortest: Double?
    /// Loops are shorter than this, in seconds; `nil` for the limit of the destinations.
    package var longest: Double?

    package init() {}
  }

  /// Inspects and judges the clips.
  let batch: Batch
  let runner: any JobRunner
  let options: Options
  /// ``JobRunner/cpuSeconds`` before the release.
  let begin: Double
  /// The known inspection of a clip, without opening it.
  package var known: (Candidate, InspectionRequest) -> Inspection? = { _, _ in nil }
  /// The path of the file that takes a clip's place.
  package var target: (Candidate, MovieContainer) -> FilePath = { clip, _ in clip.path }
  /// Why a new file cannot get this path, as a sentence; `nil` if it can. The other file is the one that it replaces.
  package var obstacle: (FilePath, _ replacing: FilePath?) -> String? = { _, _ in nil }
  /// What an earlier run noted of a file with this path that it made of this one; `nil` for none.
  package var earlier: (FilePath, Candidate) -> MadeFiles.Note? = { _, _ in nil }
  /// Called periodically with the number of encoded frames.
  package var progress: JobProgress = { _, _ in }

  package init(_ batch: Batch, _ runner: any JobRunner, _ options: Options = Options()) {
    (self.batch, self.runner, self.options, begin) = (batch, runner, options, runner.cpuSeconds)
  }

  /// A file of a release.
  package struct File {
    package var candidate: Candidate
    /// What a manifest or a name states.
    package var key: ArtworkKey?
    package var previews: [ArtworkKey?: Candidate] = [:]
    var measured: MeasuredClip?
  }

  /// Repairs a release, or a clip without one. Blocks the calling thread.
  ///
  /// - Returns: what became of it, and the new files, none of which is written yet.
  package func repair(
    _ files: [File], of release: Release?
  ) -> (result: Repair, files: [Repair.NewFile]) {
    var work = Work(release: options.isWhole ? release : nil)
    work.needs.mayShorten = options.isWhole
    work.needs.cover = work.release?.cover.map(batch.suppliedPicture)?.picture
    repairEach(files, &work)
    if !options.onlyPlans { matchShapes(&work) }
    addMissingShape(&work)
    return finish(work)
  }

  /// A release, as it is and as it will be.
  private struct Work {
    /// `nil` for a clip alone.
    var release: Release?
    var needs = ReleaseNeeds()
    var videos: [Video] = []
  }

  /// A video of the release as it will be.
  private struct Video {
    /// What a manifest or a name states.
    var key: ArtworkKey?
    /// `nil` if it was not measured before its repair.
    var measured: MeasuredClip?
    var outcome: RepairOutcome
    /// The bytes of a new file; `nil` if the clip stays, or if an earlier run made the file.
    var movie: [UInt8]?
    var path: FilePath
    var inspection: Inspection?
    var preview: Candidate?

    var candidate: Candidate { outcome.plan.candidate }
    var shape: ArtworkKey { outcome.plan.key }
    var old: Inspection? { outcome.plan.inspection }

    /// The frames that stay, if others were taken away or the order changed.
    var cut: FrameSelection? {
      guard movie != nil, !outcome.isDerived, let frames = outcome.recipe?.frames else {
        return nil
      }
      return frames.start != nil || frames.end != nil || frames.order != .loop ? frames : nil
    }
  }

  // MARK: Each clip

  private func repairEach(_ files: [File], _ work: inout Work) {
    // Of two shapes, one may need no repair.
    let measured = files.map { file in
      file.measured
        ?? (options.encodes && files.count == 2
          ? self.measured(file.candidate, key: file.key) : nil)
    }
    for (place, file) in files.enumerated() {
      var needs = work.needs
      if files.count == 2, let own = measured[place]?.report, let other = measured[1 - place]?.report,
        other.verdict != .fail, other.key != own.key
      {
        needs.partner = other.inspection
      }
      var video = repaired(file.candidate, file.key, needs, measured[place])
      let stills = options.isWhole ? file.previews : [:]
      video.preview = stills[video.shape] ?? stills[nil]
      work.videos.append(video)
    }
  }

  private func repaired(
    _ candidate: Candidate, _ key: ArtworkKey?, _ needs: ReleaseNeeds, _ measured: MeasuredClip?
  ) -> Video {
    for container in MovieContainer.allCases {
      let path = target(candidate, container)
      guard let note = earlier(path, candidate) else { continue }
      let report = batch.check(Candidate(path: path), key: key)
      var plan = RepairPlan(candidate)
      plan.key = report.key ?? .square
      var outcome = RepairOutcome(plan, .fromEarlierRun)
      (outcome.repaired, outcome.remaining, outcome.output) = (note.repaired, note.remaining, path)
      outcome.earlierDoubts = note.doubts
      return Video(key: key, outcome: outcome, path: path, inspection: report.inspection)
    }
    let (outcome, movie) = repair(
      candidate, key: key, measured, beside: needs,
      obstacle: { obstacle(target(candidate, $0), candidate.path) })
    let container = movie == nil ? nil : outcome.recipe?.container
    return Video(
      key: key, measured: measured, outcome: outcome, movie: movie,
      path: container.map { target(candidate, $0) } ?? candidate.path,
      inspection: outcome.isRepaired ? outcome.newInspection : outcome.plan.inspection)
  }

  // MARK: Both shapes

  /// Gives both shapes the same frames if one was cut. What then is still wrong is turned, or cropped out of the other:
  /// where the pictures differ, the one that the cover shows to be the odd one, and none without that.
  private func matchShapes(_ work: inout Work) {
    let videos = work.videos
    guard work.release != nil, videos.count == 2, videos[0].shape != videos[1].shape,
      !isPair(work) || isOdd(0, work) || isOdd(1, work) || videos[0].cut != videos[1].cut
    else { return }
    let now = pictures(work) { $0.inspection ?? $0.old }
    if let now, now.relation != .same {
      guard let odd = videos.firstIndex(where: { $0.shape == now.odd }) else { return }
      let before = pictures(work, \.old)
      let turn = before?.odd == now.odd ? before?.clockwiseTurn : nil
      if !replace(odd, in: &work, by: turn.flatMap({ turned(videos[odd], by: $0) })) {
        replace(odd, in: &work, by: derived(videos[odd].shape, from: videos[1 - odd]))
      }
      return
    }
    guard options.encodes else { return }
    let orders = [(0, 1), (1, 0)]
    for (one, other) in orders {
      guard let frames = videos[one].cut, let facts = videos[one].old?.facts,
        let others = videos[other].old?.facts, facts.frameCount == others.frameCount,
        facts.frameRateRatio == others.frameRateRatio
      else { continue }
      var (needs, changed) = (work.needs, work)
      needs.frames = frames
      changed.videos[other] = repaired(
        videos[other].candidate, videos[other].key, needs, videos[other].measured)
      changed.videos[other].preview = videos[other].preview
      if changed.videos[other].movie != nil, isPair(changed) {
        work = changed
        return
      }
    }
    for (one, other) in orders
    where isOdd(one, work) || videos[one].cut != nil && !isPair(work) {
      if replace(one, in: &work, by: derived(videos[one].shape, from: videos[other])) { return }
    }
  }

  private typealias Made = (movie: [UInt8], inspection: Inspection, recipe: Recipe)

  /// How the pictures of both shapes relate.
  private func pictures(_ work: Work, _ inspection: (Video) -> Inspection?) -> PicturePair? {
    guard let square = work.videos.first(where: { $0.shape == .square }).flatMap(inspection),
      let tall = work.videos.first(where: { $0.shape == .tall }).flatMap(inspection)
    else { return nil }
    return PicturePair(square, tall, cover: work.needs.cover)
  }

  /// Puts a new file in the place of a video, if both shapes then belong together without an error.
  @discardableResult
  private func replace(_ place: Int, in work: inout Work, by made: Made?) -> Bool {
    var (changed, video) = (work, work.videos[place])
    guard let made else { return false }
    video.path = target(video.candidate, made.recipe.container)
    if obstacle(video.path, video.candidate.path) != nil { return false }
    (video.movie, video.inspection) = (made.movie, made.inspection)
    video.outcome = RepairOutcome(video.outcome.plan, .repaired)
    video.outcome.isDerived = !made.recipe.isCopy
    video.outcome.recipe = made.recipe.isCopy ? made.recipe : nil
    video.outcome.newInspection = made.inspection
    video.outcome.remaining = judged(video).findings
    video.outcome.repaired =
      Self.resolved(video.outcome.plan.findings, video.outcome.remaining)
      + judged(work)[place].findings.filter { $0.rule == PairRule.id }
    changed.videos[place] = video
    if isBad(video) || !isPair(changed) { return false }
    work = changed
    return true
  }

  /// The packets of a clip, displayed turned.
  private func turned(_ video: Video, by degrees: Int) -> Made? {
    guard let facts = video.old?.facts, !facts.mirrored else { return nil }
    let profiles = batch.profiles(for: video.candidate.path)
    guard
      var recipe = Recipe(
        copying: facts, for: profiles, repairing: [.lossless], into: options.container)
    else { return nil }
    recipe.rotation = (facts.rotation + degrees) % 360
    guard let movie = try? runner.run(MakeJob(recipe: recipe), on: video.candidate).bytes,
      let found = try? runner.run(
        InspectJob(request: batch.request(for: profiles)), onBytes: movie),
      found.inspection.facts.frameCount == facts.frameCount,
      found.inspection.facts.rotation == recipe.rotation
    else { return nil }
    return (movie, found.inspection, recipe)
  }

  private func isPair(_ work: Work) -> Bool { pairFault(work) == nil }

  private func pairFault(_ work: Work) -> Finding? {
    judged(work).lazy.flatMap(\.findings).first { $0.rule == PairRule.id && $0.severity > .info }
  }

  /// Whether a video has an error, or could not be read.
  private func isBad(_ video: Video) -> Bool {
    [.fail, .error].contains(judged(video).verdict)
  }

  /// Whether a crop of the other shape is better than a video: its own repair was refused, or left what a crop has not.
  private func isOdd(_ place: Int, _ work: Work) -> Bool {
    if case .refused = work.videos[place].outcome.status { return true }
    let report = judged(work)[place]
    return report.error != nil || report.findings.contains { $0.speaksForTheOther && options.rules.contains($0.rule) }
  }

  /// Adds the missing shape, cropped out of the one that is there. Nothing is added if nothing is missing, or if a crop
  /// would have an error.
  private func addMissingShape(_ work: inout Work) {
    guard work.release != nil, options.rules.contains(PairRule.id),
      Set(work.videos.map(\.shape)).count == 1,
      let source = work.videos.first(where: { !isBad($0) }),
      let key = ArtworkKey.allCases.first(where: { $0 != source.shape }),
      let found = pairFault(work)
    else { return }
    let path = ArtworkName.variant(
      of: source.movie == nil && !source.outcome.isRepaired
        ? target(source.candidate, .mp4) : source.path, as: key)
    var plan = RepairPlan(source.candidate)
    (plan.key, plan.findings, plan.repaired) = (key, [found], [found])
    var made = Video(key: key, outcome: RepairOutcome(plan, .planned), path: path)
    (made.outcome.isDerived, made.outcome.isFurther) = (true, true)
    if let note = earlier(path, source.candidate) {
      (made.outcome.status, made.outcome.earlierDoubts) = (.fromEarlierRun, note.doubts)
      made.outcome.output = path
      made.inspection = batch.check(Candidate(path: path), key: key).inspection
    } else if let reason = obstacle(path, nil) {
      made.outcome.status = .refused(reason)
    } else if !options.onlyPlans {
      guard let (movie, inspection, _) = derived(key, from: source, isMissing: true) else { return }
      made.outcome.status = .repaired
      (made.movie, made.inspection, made.outcome.newInspection) = (movie, inspection, inspection)
      made.outcome.remaining = judged(made).findings
      // It must not break a rule that the video does not break.
      func broken(_ work: Work) -> Set<String> {
        Set(judged(work).flatMap(\.findings).filter { $0.severity > .info }.map(\.rule))
      }
      var changed = work
      changed.videos.append(made)
      guard broken(changed).isStrictSubset(of: broken(work)) else { return }
    }
    work.videos.append(made)
  }

  /// Crops a shape out of a good video; `nil` if that cannot be.
  ///
  /// - Parameter isMissing: whether no video is replaced, for which nothing may count against the source.
  private func derived(
    _ key: ArtworkKey, from source: Video, isMissing: Bool = false
  ) -> Made? {
    guard options.encodes || isMissing, !isSpent, let facts = source.inspection?.facts,
      !facts.isAnimation,
      !judged(source).findings.contains(where: { $0.severity > (isMissing ? .warning : .info) })
    else { return nil }
    let recipe = Recipe(deriving: key, of: facts, .auto)
    let request = batch.request(for: batch.profiles(for: source.candidate.path))
    guard let made = try? run(MakeJob(recipe: recipe), on: source, progress),
      let found = try? runner.run(InspectJob(request: request), onBytes: made.bytes)
    else { return nil }
    return (made.bytes, found.inspection, recipe)
  }

  /// Runs a job on a video as it will be.
  private func run<Step: Job>(
    _ job: Step, on video: Video, _ progress: JobProgress? = nil
  ) throws(InspectionError) -> Step.Outcome {
    if let movie = video.movie { return try runner.run(job, onBytes: movie) }
    return try runner.run(
      job, on: video.outcome.isRepaired ? Candidate(path: video.path) : video.candidate,
      progress: progress)
  }

  // MARK: The result

  /// The report on a video as it will be, by the rules for one file.
  private func judged(_ video: Video, preview: SuppliedPicture? = nil) -> CandidateReport {
    let profiles = batch.profiles(for: video.candidate.path)
    var report = CandidateReport(path: video.path, key: video.shape, profiles: profiles.map(\.name))
    if case .failed(let error) = video.outcome.status, video.inspection == nil {
      report.error = error
    } else if let inspection = video.inspection {
      report = CandidateReport(
        judging: inspection, of: video.path, as: video.shape, for: profiles, preview: preview)
    }
    if case .planned = video.outcome.status {
      report.findings.removeAll { found in
        video.outcome.repaired.contains { $0.rule == found.rule && $0.profile == found.profile }
      }
    }
    return report
  }

  /// The reports on the release as it will be.
  private func judged(_ work: Work) -> [CandidateReport] {
    let reports = work.videos.map { judged($0, preview: $0.preview.map(batch.suppliedPicture)) }
    guard var release = work.release else { return reports }
    for video in work.videos where video.outcome.isFurther {
      release.videos.append(Release.Video(candidate: 0, key: video.key))
      if video.inspection != nil || options.onlyPlans { release.keys.insert(video.shape) }
    }
    return batch.judge(release, reports)
  }

  private func finish(_ work: Work) -> (Repair, [Repair.NewFile]) {
    var work = work
    var files: [Repair.NewFile] = []
    var replaced: [FilePath] = []
    for (index, video) in work.videos.enumerated() {
      if let movie = video.movie {
        work.videos[index].outcome.output = video.path
        files.append(
          .init(
            path: video.path, bytes: movie, source: video.candidate,
            replaces: video.outcome.isFurther ? nil : video.candidate.path, outcome: index))
      }
      if video.outcome.isRepaired, !video.outcome.isFurther {
        replaced.append(video.candidate.path)
      }
      guard let still = video.preview, let path = misfitting(still, of: video) else { continue }
      if earlier(path, still) == nil {
        guard let preview = newPreview(of: video, still, path) else { continue }
        files.append(preview)
      }
      replaced.append(still.path)
      work.videos[index].preview = nil
    }
    let reports = judged(work)
    // The whole release may have fewer findings than its files had.
    for (index, report) in reports.enumerated() where work.videos[index].movie != nil {
      work.videos[index].outcome.remaining = report.findings
    }
    let result = Repair(
      name: work.release?.artworkID ?? work.videos.first?.candidate.path.string ?? "",
      outcomes: work.videos.map(\.outcome), isWhole: options.isWhole, reports: reports,
      replaced: replaced)
    return (result, files)
  }

  /// The path of a preview that has to be made again, because it does not fit its video; `nil` if it does.
  private func misfitting(_ still: Candidate, of video: Video) -> FilePath? {
    guard !options.onlyPlans, let name = still.path.lastComponent,
      judged(video, preview: batch.suppliedPicture(still)).findings.contains(where: {
        [PreviewAspectRule.id, PreviewMatchRule.id].contains($0.rule) && $0.severity > .info
          && options.rules.contains($0.rule)
      })
    else { return nil }
    var path = target(video.candidate, .mp4).removingLastComponent().appending(name)
    path.extension = "png"
    return path
  }

  private func newPreview(
    of video: Video, _ still: Candidate, _ path: FilePath
  ) -> Repair.NewFile? {
    if obstacle(path, still.path) != nil { return nil }
    let job = InspectJob(request: InspectionRequest(preview: .original, onlyPreview: true))
    return (try? run(job, on: video))?.preview.map {
      .init(path: path, bytes: $0, source: still, replaces: still.path)
    }
  }
}
