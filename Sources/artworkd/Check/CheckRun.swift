import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import Synchronization
import SystemPackage

/// One run of `check`, from the search for candidates to the exit code.
struct CheckRun: Sendable {
  let options: CheckCommand
  let configuration: Configuration
  let baseline: BaselineFindings?
  private let approved: ApprovedVideos?
  /// Earlier measurements; `nil` if they should not or cannot be cached.
  let cache: InspectionCache?
  private let prepared: PreparedInspector

  let clock = ContinuousClock()

  /// Prepares workers; call it before the first thread is started.
  init(_ options: CheckCommand) throws {
    self.options = options
    configuration = try options.loadConfiguration()
    baseline = try options.loadBaseline(configuration)
    approved = try options.loadApproved()
    try options.requirePlaces()
    var limits = Limits()
    configuration.apply(to: &limits)
    prepared = try options.isolation.prepare(
      jobs: options.parallelJobs, limits: limits, requireSandbox: options.requireSandbox)
    cache = options.caching.open()
  }

  /// Ends the workers, and closes the cache.
  func end() {
    cache?.finish()
    prepared.stop()
  }

  /// Finds the candidates, inspects and judges them, and reports.
  func once() async throws {
    let start = clock.now
    let current = Mutex<ResultPrinter?>(nil)
    let comparison = showsProgress ? ComparisonLine(digester) : nil
    let interrupt = Interrupt(
      stop: { current.withLock { $0 }?.stop() },
      farewell: {
        if let printer = current.withLock({ $0 }) { return printer.interrupt() }
        comparison?.clear()
        Interrupt.notify()
      })
    let known = try options.writeBaseline.map { try earlierBaseline($0.path) }

    let all = try CandidateSelection(paths: options.files, configuration: configuration).found()
    let catalogue = catalogue(all, comparison ?? digester)
    comparison?.clear()
    try refuseToOverwrite(all, catalogue)

    let progress = showsProgress ? ProgressLine(total: catalogue.candidates.count) : nil
    let printer = ResultPrinter(self, catalogue, profiles: profiles(of: all), progress: progress)
    current.withLock { $0 = printer }
    var results = await batch().run(catalogue, onReports: printer.add)
    progress?.clear()
    warnAboutStaleEntries(baseline?.hide(in: &results) ?? [])

    var report = report(results, of: all, since: start)
    try options.identify(&report, among: all, configuration, prepared.inspector.limits)
    printer.end(report)
    try options.reports.write(
      report, setting(results, catalogue.candidates), pictures: options.pictures,
      isPrinted: options.reports.streams)
    withExtendedLifetime(interrupt) {}
    if let known { try write(known, with: results) }
    if options.writeBaseline != nil { throw ExitStatus.success.code }
    throw ExitStatus(results, failOn: failOn).code
  }

  private func catalogue(_ candidates: [Candidate], _ digester: any ContentDigester) -> Catalogue {
    Catalogue(candidates, configuration, shard: options.shard ?? .whole, digester: digester)
  }

  private func report(
    _ results: [CandidateReport], of candidates: [Candidate], since start: ContinuousClock.Instant
  ) -> CheckReport {
    CheckReport(
      results: results, summary: Summary(results, seconds: (clock.now - start) / .seconds(1)),
      profiles: profiles(of: candidates))
  }

  // MARK: How candidates are checked

  private var digester: any ContentDigester {
    cache.map { CachingDigester(cache: $0) } ?? FileDigester()
  }

  private func batch() -> Batch {
    var batch = Batch.Options(jobs: options.parallelJobs)
    let inspector = prepared.inspector
    batch.profilesFor = { profiles(for: $0) }
    batch.key = options.judging.key.key
    batch.previewFolder = options.previewDir?.path
    batch.reportImages = options.reports.showsPictures
    batch.everyFrame = options.everyFrame
    batch.approved = approved.map { ($0, digester) }
    batch.digester = options.shard == nil ? nil : digester
    let caching = cache.map {
      CachingInspector(
        inspector, limits: inspector.limits, cache: $0, isPortable: options.portableCache)
    }
    return Batch(options: batch, inspector: caching ?? inspector)
  }

  /// The profiles that a path is judged for, with only the selected rules.
  private func profiles(for path: FilePath) -> [Profile] {
    configuration.profiles(for: path, named: options.judging.profiles?.names)
      .map(options.rules.applied)
  }

  /// Every profile that some candidate is judged for, in the order of the command line or the configuration.
  private func profiles(of candidates: [Candidate]) -> [Profile] {
    let all = configuration.allProfiles(named: options.judging.profiles?.names)
      .map(options.rules.applied)
    let names = Set(candidates.flatMap { profiles(for: $0.path).map(\.name) })
    return candidates.isEmpty ? all : all.filter { names.contains($0.name) }
  }

  private var failOn: FailureLevel { options.failOn ?? configuration.failOn ?? .error }

  // MARK: How results are reported

  private func setting(_ results: [CandidateReport], _ candidates: [Candidate]) -> ReportSetting {
    var setting = ReportSetting(reading: candidates + results.compactMap(\.cover), digester)
    setting.onlyProblems = options.quiet
    setting.failOn = failOn.severity
    setting.places = options.namedPlaces
    setting.search = options.search.words
    return setting
  }

  private var showsProgress: Bool {
    Terminal.canRedraw && !options.quiet
      && !(options.reports.streams && options.reports.format == .ndjson
        && Terminal.outputIsTerminal)
  }

  /// A report must not overwrite a video.
  private func refuseToOverwrite(_ candidates: [Candidate], _ catalogue: Catalogue) throws {
    func inputs() -> [FilePath] {
      let stills =
        catalogue.previews.values.flatMap(\.values) + catalogue.releases.compactMap(\.cover)
      // A new baseline may replace the old one.
      let new = options.writeBaseline.flatMap { FileIdentity($0.path) }
      let known = baseline.map(\.file).flatMap { FileIdentity($0) == new ? nil : $0 }
      return (candidates + stills).map(\.path) + [configuration.file, known].compactMap(\.self)
        + Set(configuration.manifest.entries.map(\.source))
    }
    do throws(OverwriteCheck.Refusal) {
      try OverwriteCheck.refuse(options.targets, over: inputs())
    } catch {
      Terminal.printError("artworkd: \(error.message.printable)\n")
      throw ExitStatus.usage.code
    }
  }

  // MARK: The baseline

  /// The initial content of a new baseline: findings of files that are not checked now remain.
  private func earlierBaseline(_ file: FilePath) throws -> Baseline {
    let folder = BaselineFindings.folder(of: file)
    if let baseline, BaselineFindings.folder(of: baseline.file) == folder {
      return baseline.baseline
    }
    return Baseline.isThere(file) ? try BaselineFindings(file).baseline : Baseline()
  }

  private func write(_ earlier: Baseline, with results: [CandidateReport]) throws {
    guard let file = options.writeBaseline?.path else { return }
    let baseline = earlier.updated(with: results, folder: BaselineFindings.folder(of: file))
    try Terminal.writing(file) {
      try AtomicFile.write(Array(baseline.document.utf8), to: file)
    }
    let count = baseline.entries.count
    Terminal.printError(
      "artworkd: wrote \(counted(count, "finding")) to \(file.string.printable)\n")
  }

  private func warnAboutStaleEntries(_ entries: [Baseline.Entry]) {
    // A rule that was not applied cannot make its known findings obsolete.
    let count = entries.count { $0.profile == nil || options.rules.contains($0.rule) }
    guard count > 0, let baseline, !options.quiet else { return }
    Terminal.printError(
      "artworkd: \(counted(count, "known finding")) no longer "
        + "occur\(count == 1 ? "s" : ""); "
        + "--write-baseline \(baseline.file.string.printable) removes \(count == 1 ? "it" : "them")\n"
    )
  }
}

/// A baseline and its file.
struct BaselineFindings {
  var baseline: Baseline
  var file: FilePath

  /// Reads the file. Prints its problems, and exits as for a usage error.
  init(_ file: FilePath) throws {
    self.file = file
    baseline = try ConfigurationOptions.reportingProblems { () throws(ConfigurationError) in
      try Baseline.load(file)
    }
  }

  /// Removes known findings from the reports, and returns entries that no longer occur.
  func hide(in reports: inout [CandidateReport]) -> [Baseline.Entry] {
    baseline.apply(to: &reports, folder: Self.folder(of: file))
  }

  /// The folder that the paths of a baseline are relative to.
  static func folder(of file: FilePath) -> FilePath {
    file.absolute(in: .currentFolder).removingLastComponent()
  }
}
