/// Repairs the files of a release together, so that what results is ready to publish.
///
/// Each clip is repaired by ``ClipRepairer``. Then both shapes get the same frames, a missing shape is cropped out of the
/// other one, and previews that no longer fit are made again. The result is judged as `check` judges it.
package struct ReleaseRepairer {
  let clips: ClipRepairer
  /// Whether a release is repaired, and not one of its files alone.
  let isWhole: Bool
  /// The path of the file that takes a clip's place.
  let target: (Candidate, MovieContainer) -> FilePath
  /// Why a new file cannot get this path, as a sentence; `nil` if it can. The other file is the one that it replaces.
  let obstacle: (FilePath, _ replacing: FilePath?) -> String?
  /// What an earlier run noted of a file with this path that it made of this one; `nil` for none.
  let earlier: (FilePath, Candidate) -> MadeFiles.Note?
  let progress: JobProgress

  package init(
    _ clips: ClipRepairer, isWhole: Bool,
    target: @escaping (Candidate, MovieContainer) -> FilePath,
    obstacle: @escaping (FilePath, FilePath?) -> String?,
    earlier: @escaping (FilePath, Candidate) -> MadeFiles.Note?,
    progress: @escaping JobProgress = { _, _ in }
  ) {
    (self.clips, self.target, self.obstacle, self.earlier) = (clips, target, obstacle, earlier)
    (self.isWhole, self.progress) = (isWhole, progress)
  }

  private var batch: Batch { clips.batch }

  /// A video of the release as it will be.
  private struct Video {
    var candidate: Candidate
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

    var shape: ArtworkKey { outcome.plan.key }

    /// The frames that stay, if others were taken away or the order changed.
    var cut: FrameSelection? {
      guard movie != nil, !outcome.isDerived, let frames = outcome.recipe?.frames else {
        return nil
      }
      return frames.start != nil || frames.end != nil || frames.order != .loop ? frames : nil
    }
  }

  /// Repairs a release, or a clip without one. Blocks the calling thread.
  ///
  /// - Parameter candidates: the places of its files in the catalogue.
  /// - Returns: what became of it, and the new files, none of which is written yet.
  package func repair(
    _ candidates: [Int], of release: Int?, in catalogue: Catalogue
  ) -> (result: ReleaseRepair, files: [ReleaseRepair.NewFile]) {
    let release = isWhole ? release.map { catalogue.releases[$0] } : nil
    var needs = ReleaseNeeds()
    needs.mayShorten = isWhole
    needs.cover = release?.cover.map(batch.suppliedPicture)?.picture
    let keys = candidates.map { catalogue.key(of: $0) }
    // Of two shapes, one may need no repair.
    let measured =
      clips.encodes && candidates.count == 2
      ? zip(candidates, keys).map { clips.measured(catalogue.candidates[$0], key: $1) } : []
    var videos = candidates.enumerated().map { place, index in
      var needs = needs
      let other = measured.isEmpty ? nil : measured[1 - place].report
      if let other, other.verdict != .fail, other.key != measured[place].report.key {
        needs.partner = other.inspection
      }
      var video = repaired(
        catalogue.candidates[index], keys[place], needs, measured.isEmpty ? nil : measured[place])
      let stills = isWhole ? catalogue.previews[index] ?? [:] : [:]
      video.preview = stills[video.shape] ?? stills[nil]
      return video
    }
    if let release {
      if !clips.onlyPlans { match(&videos, release, needs) }
      if let made = missing(videos, release) { videos.append(made) }
    }
    return finished(videos, release)
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
      return Video(
        candidate: candidate, key: key, outcome: outcome, path: path,
        inspection: report.inspection)
    }
    let (outcome, movie) = clips.repair(
      candidate, key: key, measured, beside: needs,
      obstacle: { obstacle(target(candidate, $0), candidate.path) }, progress: progress)
    var video = Video(
      candidate: candidate, key: key, measured: measured, outcome: outcome, movie: movie,
      path: candidate.path,
      inspection: outcome.isRepaired ? outcome.newInspection : outcome.plan.inspection)
    if movie != nil, let recipe = outcome.recipe {
      video.path = target(candidate, recipe.container)
    }
    return video
  }

  // MARK: Both shapes

  /// Gives both shapes the same frames if one was cut. What then is still wrong is turned, or cropped out of the other:
  /// where the pictures differ, the one that the cover shows to be the odd one, and none without that.
  private func match(_ videos: inout [Video], _ release: Release, _ needs: ReleaseNeeds) {
    guard videos.count == 2, videos[0].shape != videos[1].shape,
      !isPair(videos, release) || videos.contains(where: hasBars) || videos[0].cut != videos[1].cut
    else { return }
    let now = pictures(videos, needs.cover) { $0.inspection ?? $0.outcome.plan.inspection }
    if let now, now.relation != .same {
      guard let odd = videos.firstIndex(where: { $0.shape == now.odd }) else { return }
      let before = pictures(videos, needs.cover) { $0.outcome.plan.inspection }
      let turn = before?.odd == now.odd ? before?.clockwiseTurn : nil
      let upright = turn.flatMap { turned(videos[odd], by: $0) }
      if !replace(odd, in: &videos, release, by: upright) {
        _ = replace(
          odd, in: &videos, release, by: derived(videos[odd].shape, from: videos[1 - odd]))
      }
      return
    }
    guard clips.encodes else { return }
    for (one, other) in [(0, 1), (1, 0)] {
      guard let frames = videos[one].cut,
        let facts = videos[one].outcome.plan.inspection?.facts,
        let others = videos[other].outcome.plan.inspection?.facts,
        facts.frameCount == others.frameCount, facts.frameRateRatio == others.frameRateRatio
      else { continue }
      var (needs, changed) = (needs, videos)
      needs.frames = frames
      changed[other] = repaired(
        videos[other].candidate, videos[other].key, needs, videos[other].measured)
      changed[other].preview = videos[other].preview
      if changed[other].movie != nil, isPair(changed, release) {
        videos = changed
        return
      }
    }
    if isPair(videos, release), !videos.contains(where: hasBars) { return }
    for (one, other) in [(0, 1), (1, 0)]
    where videos[one].cut != nil || isBad(videos[one]) || hasBars(videos[one]) {
      if replace(
        one, in: &videos, release, by: derived(videos[one].shape, from: videos[other]))
      {
        return
      }
    }
  }

  private typealias Made = (movie: [UInt8], inspection: Inspection, recipe: Recipe)

  /// How the pictures of both shapes relate.
  private func pictures(
    _ videos: [Video], _ cover: StillPicture?, _ inspection: (Video) -> Inspection?
  ) -> PicturePair? {
    guard let square = videos.first(where: { $0.shape == .square }).flatMap(inspection),
      let tall = videos.first(where: { $0.shape == .tall }).flatMap(inspection)
    else { return nil }
    return PicturePair(square, tall, cover: cover)
  }

  /// Puts a new file in the place of a video, if both shapes then belong together without an error.
  private func replace(
    _ place: Int, in videos: inout [Video], _ release: Release, by made: Made?
  ) -> Bool {
    let path = target(videos[place].candidate, made?.recipe.container ?? .mp4)
    guard let made, obstacle(path, videos[place].candidate.path) == nil else { return false }
    var changed = videos
    (changed[place].movie, changed[place].inspection) = (made.movie, made.inspection)
    changed[place].path = path
    var outcome = RepairOutcome(videos[place].outcome.plan, .repaired)
    (outcome.isDerived, outcome.recipe) = made.recipe.isCopy ? (false, made.recipe) : (true, nil)
    outcome.newInspection = made.inspection
    changed[place].outcome = outcome
    let left = judged(changed[place]).findings
    changed[place].outcome.remaining = left
    changed[place].outcome.repaired =
      ClipRepairer.resolved(outcome.plan.findings, left)
      + judged(videos, release)[place].findings.filter { $0.rule == PairRule.id }
    if isBad(changed[place]) || !isPair(changed, release) { return false }
    videos = changed
    return true
  }

  /// The packets of a clip, displayed turned.
  private func turned(_ video: Video, by degrees: Int) -> Made? {
    guard let facts = video.outcome.plan.inspection?.facts, !facts.mirrored else { return nil }
    let profiles = batch.profiles(for: video.candidate.path)
    guard
      var recipe = Recipe(
        copying: facts, for: profiles, repairing: [.lossless], into: clips.container)
    else { return nil }
    recipe.rotation = (facts.rotation + degrees) % 360
    guard let movie = try? clips.runner.run(MakeJob(recipe: recipe), on: video.candidate).bytes,
      let found = try? clips.runner.run(
        InspectJob(request: batch.request(for: profiles)), onBytes: movie),
      found.inspection.facts.frameCount == facts.frameCount,
      found.inspection.facts.rotation == recipe.rotation
    else { return nil }
    return (movie, found.inspection, recipe)
  }

  private func isPair(_ videos: [Video], _ release: Release) -> Bool {
    !judged(videos, release).flatMap(\.findings).contains {
      $0.rule == PairRule.id && $0.severity > .info
    }
  }

  /// Whether a video has an error, or could not be read.
  private func isBad(_ video: Video) -> Bool {
    [.fail, .error].contains(judged(video).verdict)
  }

  private func hasBars(_ video: Video) -> Bool {
    judged(video).findings.contains { $0.rule == LetterboxRule.id && $0.severity > .info }
  }

  /// The missing shape, cropped out of the one that is there; `nil` if nothing is missing, or if a crop would have an error.
  private func missing(_ videos: [Video], _ release: Release) -> Video? {
    guard clips.rules.contains(PairRule.id), Set(videos.map(\.shape)).count == 1,
      let source = videos.first(where: { !isBad($0) }),
      let key = ArtworkKey.allCases.first(where: { $0 != source.shape }),
      let found = judged(videos, release).flatMap(\.findings).first(where: {
        $0.rule == PairRule.id && $0.severity > .info
      })
    else { return nil }
    let path = ArtworkName.variant(
      of: source.movie == nil && !source.outcome.isRepaired
        ? target(source.candidate, .mp4) : source.path, as: key)
    var plan = RepairPlan(source.candidate)
    (plan.key, plan.findings, plan.repaired) = (key, [found], [found])
    var made = Video(
      candidate: source.candidate, key: key, outcome: RepairOutcome(plan, .planned), path: path)
    (made.outcome.isDerived, made.outcome.isFurther) = (true, true)
    if let note = earlier(path, source.candidate) {
      (made.outcome.status, made.outcome.earlierDoubts) = (.fromEarlierRun, note.doubts)
      made.outcome.output = path
      made.inspection = batch.check(Candidate(path: path), key: key).inspection
      return made
    }
    if let reason = obstacle(path, nil) {
      made.outcome.status = .refused(reason)
      return made
    }
    if clips.onlyPlans { return made }
    guard let (movie, inspection, _) = derived(key, from: source, isMissing: true) else {
      return nil
    }
    made.outcome.status = .repaired
    (made.movie, made.inspection, made.outcome.newInspection) = (movie, inspection, inspection)
    made.outcome.remaining = judged(made).findings
    // It must not break another rule in place of this one.
    func left(_ videos: [Video]) -> Int {
      judged(videos, release).flatMap(\.findings).count { $0.severity > .info }
    }
    return left(videos + [made]) < left(videos) ? made : nil
  }

  /// Crops a shape out of a good video; `nil` if that cannot be.
  ///
  /// - Parameter isMissing: whether no video is replaced, for which nothing may count against the source.
  private func derived(
    _ key: ArtworkKey, from source: Video, isMissing: Bool = false
  ) -> Made? {
    guard clips.encodes || isMissing, let facts = source.inspection?.facts, !facts.isAnimation,
      !judged(source).findings.contains(where: { $0.severity > (isMissing ? .warning : .info) })
    else { return nil }
    let recipe = Recipe(deriving: key, of: facts, .auto)
    let job = MakeJob(recipe: recipe)
    let request = batch.request(for: batch.profiles(for: source.candidate.path))
    do throws(InspectionError) {
      let isMade = source.outcome.isRepaired
      let made =
        if let movie = source.movie { try clips.runner.run(job, onBytes: movie) } else {
          try clips.runner.run(
            job, on: isMade ? Candidate(path: source.path) : source.candidate, progress: progress)
        }
      let found = try clips.runner.run(InspectJob(request: request), onBytes: made.bytes)
      return (made.bytes, found.inspection, recipe)
    } catch {
      return nil
    }
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
  private func judged(_ videos: [Video], _ release: Release?) -> [CandidateReport] {
    let reports = videos.map { judged($0, preview: $0.preview.map(batch.suppliedPicture)) }
    guard var release else { return reports }
    for video in videos where video.outcome.isFurther {
      release.videos.append(Release.Video(candidate: 0, key: video.key))
      if video.inspection != nil || clips.onlyPlans { release.keys.insert(video.shape) }
    }
    return batch.judge(release, reports)
  }

  private func finished(
    _ videos: [Video], _ release: Release?
  ) -> (ReleaseRepair, [ReleaseRepair.NewFile]) {
    var videos = videos
    var files: [ReleaseRepair.NewFile] = []
    var replaced: [FilePath] = []
    for index in videos.indices {
      let video = videos[index]
      if let movie = video.movie {
        videos[index].outcome.output = video.path
        files.append(
          .init(
            path: video.path, bytes: movie, source: video.candidate,
            replaces: video.outcome.isFurther ? nil : video.candidate.path, outcome: index))
      }
      if video.outcome.isRepaired, !video.outcome.isFurther {
        replaced.append(video.candidate.path)
      }
      guard let still = video.preview, let path = misfitting(still, of: video) else { continue }
      let isThere = earlier(path, still) != nil
      if !isThere {
        guard let preview = newPreview(of: video, still, path) else { continue }
        files.append(preview)
      }
      replaced.append(still.path)
      videos[index].preview = nil
    }
    let reports = judged(videos, release)
    // The whole release may have fewer findings than its files had.
    for (index, report) in reports.enumerated() where videos[index].movie != nil {
      videos[index].outcome.remaining = report.findings
    }
    var result = ReleaseRepair(
      name: release?.artworkID ?? videos.first?.candidate.path.string ?? "",
      outcomes: videos.map(\.outcome), reports: reports)
    (result.isWhole, result.replaced) = (isWhole, replaced)
    return (result, files)
  }

  /// The path of a preview that has to be made again, because it does not fit its video; `nil` if it does.
  private func misfitting(_ still: Candidate, of video: Video) -> FilePath? {
    guard !clips.onlyPlans, let name = still.path.lastComponent,
      judged(video, preview: batch.suppliedPicture(still)).findings.contains(where: {
        [PreviewAspectRule.id, PreviewMatchRule.id].contains($0.rule) && $0.severity > .info
          && clips.rules.contains($0.rule)
      })
    else { return nil }
    var path = target(video.candidate, .mp4).removingLastComponent().appending(name)
    path.extension = "png"
    return path
  }

  private func newPreview(
    of video: Video, _ still: Candidate, _ path: FilePath
  ) -> ReleaseRepair.NewFile? {
    if obstacle(path, still.path) != nil { return nil }
    let job = InspectJob(request: InspectionRequest(preview: .original, onlyPreview: true))
    let made =
      if let movie = video.movie { try? clips.runner.run(job, onBytes: movie) } else {
        try? clips.runner.run(
          job, on: video.outcome.isRepaired ? Candidate(path: video.path) : video.candidate)
      }
    return made?.preview.map {
      .init(path: path, bytes: $0, source: still, replaces: still.path)
    }
  }
}
