import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import Logging
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
  /// Identifies everything besides the files that affects results; `nil` if results have no ``Evidence``.
  private let identity: String?
  private let prepared: PreparedInspector
  private let fetcher: WebFetcher
  private let logger: Logger

  let clock = ContinuousClock()

  /// Prepares workers; call it before the first thread is started.
  init(_ options: CheckCommand) throws {
    var options = options
    if options.verbose, options.reports.format == .text { options.reports.format = .full }
    self.options = options
    configuration = try options.loadConfiguration()
    baseline = try options.loadBaseline(configuration)
    approved = try options.loadApproved()
    fetcher = WebFetcher(try AllowList(options.allowSource))
    try options.requirePlaces()
    var limits = Limits()
    configuration.apply(to: &limits)
    prepared = try options.isolation.prepare(jobs: options.parallelJobs, limits: limits)
    identity =
      options.scale.givesEvidence
      ? try options.digest(configuration, prepared.inspector.limits) : nil
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = options.verbose ? .debug : .warning
    self.logger = logger
    cache = options.caching.noCache ? nil : .openDefault(logger)
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

    let all = try await find()
    let catalogue = catalogue(all, comparison ?? digester)
    comparison?.clear()
    try refuseToOverwrite(all, catalogue)

    let journal = try options.scale.resume.map { try openJournal($0.path) }
    let progress = showsProgress ? ProgressLine(total: catalogue.candidates.count) : nil
    let printer = ResultPrinter(self, catalogue, profiles: profiles(of: all), progress: progress)
    current.withLock { $0 = printer }
    var results = await check(catalogue, journal, printer)
    progress?.clear()
    warnAboutStaleEntries(baseline?.hide(in: &results) ?? [])

    var report = report(results, of: all, since: start)
    if let identity { try options.identify(&report, among: all, identity) }
    printer.end(report)
    if let journal { try finish(journal, report) }
    try options.reports.write(
      report, setting(results, catalogue.candidates), isPrinted: options.reports.streams)
    withExtendedLifetime(interrupt) {}
    if let known { try write(known, with: results) }
    if options.writeBaseline != nil || options.scale.exitZero { throw ExitStatus.success.code }
    throw ExitStatus(results, failOn: failOn).code
  }

  private func find() async throws -> [Candidate] {
    let selection = CandidateSelection(
      paths: options.files, urls: options.urls, isStaged: options.staged,
      configuration: configuration)
    let all = try await selection.candidates()
    if all.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    return all
  }

  func catalogue(_ candidates: [Candidate], _ digester: any ContentDigester) -> Catalogue {
    Catalogue(candidates, configuration, shard: options.scale.shard ?? .whole, digester: digester)
  }

  /// Inspects and judges the candidates that the journal does not know. Prints and records their results.
  private func check(
    _ catalogue: Catalogue, _ journal: ResultJournal?, _ printer: ResultPrinter
  ) async -> [CandidateReport] {
    var earlier: [Int: CandidateReport] = [:]
    // A journal contains no pictures. If they were made, the cache has them.
    if let journal, let identity, !options.reports.showsPictures {
      earlier = journal.holding(
        for: catalogue, identity, previewFolder: options.previewDir?.path)
    }
    let taken = Set(earlier.values.map(\.path))
    return await batch().run(catalogue, earlier: earlier) { reports in
      if let journal {
        for report in reports where !taken.contains(report.path) { keep(report, in: journal) }
      }
      printer.add(reports)
    }
  }

  func report(
    _ results: [CandidateReport], of candidates: [Candidate], since start: ContinuousClock.Instant
  ) -> CheckReport {
    CheckReport(
      results: results, summary: Summary(results, seconds: (clock.now - start) / .seconds(1)),
      profiles: profiles(of: candidates))
  }

  // MARK: How candidates are checked

  var digester: any ContentDigester {
    cache.map { CachingDigester(cache: $0) } ?? FileDigester()
  }

  func batch() -> Batch {
    var batch = Batch.Options(jobs: options.parallelJobs)
    let inspector = prepared.inspector
    batch.profilesFor = { profiles(for: $0) }
    batch.key = options.judging.key.key
    batch.previewFolder = options.previewDir?.path
    batch.reportImages = options.reports.showsPictures
    batch.everyFrame = options.everyFrame
    batch.approved = approved.map { ($0, digester) }
    batch.evidence = identity.map {
      Batch.EvidenceRequest(configuration: $0, digester: digester)
    }
    batch.fetch = { url throws(InspectionError) in
      try fetcher.fetchedFile(url, byteLimit: inspector.limits.fileBytes)
    }
    logger.debug("sandbox", metadata: ["sandbox": "\(prepared.isolation)"])
    if let file = configuration.file {
      logger.debug("configuration", metadata: ["file": "\(file.string.printable)"])
    }
    let caching = cache.map {
      CachingInspector(
        inspector, limits: inspector.limits, cache: $0, isPortable: options.portableCache)
    }
    return Batch(options: batch, inspector: caching ?? inspector, logger: logger)
  }

  /// The profiles that a path is judged for, with only the selected rules.
  private func profiles(for path: FilePath) -> [Profile] {
    configuration.profiles(for: path, named: options.judging.profiles?.names)
      .map(options.rules.applied)
  }

  /// Every profile that some candidate is judged for, in the order of the command line or the configuration.
  func profiles(of candidates: [Candidate]) -> [Profile] {
    let all = configuration.allProfiles(named: options.judging.profiles?.names)
      .map(options.rules.applied)
    let names = Set(candidates.flatMap { profiles(for: $0.path).map(\.name) })
    return candidates.isEmpty ? all : all.filter { names.contains($0.name) }
  }

  private var failOn: FailureLevel { options.failOn ?? configuration.failOn ?? .error }

  // MARK: How results are reported

  func setting(_ results: [CandidateReport], _ candidates: [Candidate]) -> ReportSetting {
    let byPath = Dictionary(
      (candidates + results.compactMap(\.cover)).map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    var setting = ReportSetting(currentFolder: .currentFolder, toolVersion: Artworkd.version)
    setting.onlyProblems = options.quiet
    setting.failOn = failOn.severity
    setting.places = options.namedPlaces
    setting.search = options.search.words
    setting.contents = { byPath[$0]?.contents(atMost: ReportSetting.largestEmbedded) }
    let digester = digester
    setting.digest = { path in
      byPath[path].flatMap { digester.digest(of: $0)?.hexadecimal }
    }
    return setting
  }

  private var showsProgress: Bool {
    Terminal.canRedraw && !options.quiet && !options.verbose
      && !(options.reports.streams && options.reports.format == .ndjson
        && Terminal.outputIsTerminal)
  }

  /// A report must not overwrite a video.
  func refuseToOverwrite(_ candidates: [Candidate], _ catalogue: Catalogue) throws {
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
    do {
      try AtomicFile.write(Array(baseline.document.utf8), to: file)
    } catch {
      Terminal.printError("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
    let count = baseline.entries.count
    Terminal.printError(
      "artworkd: wrote \(count) finding\(count == 1 ? "" : "s") to \(file.string.printable)\n")
  }

  private func warnAboutStaleEntries(_ entries: [Baseline.Entry]) {
    // A rule that was not applied cannot make its known findings obsolete.
    let count = entries.count { $0.profile == nil || options.rules.contains($0.rule) }
    guard count > 0, let baseline, !options.quiet else { return }
    Terminal.printError(
      "artworkd: \(count) known finding\(count == 1 ? "" : "s") no longer "
        + "occur\(count == 1 ? "s" : ""); "
        + "--write-baseline \(baseline.file.string.printable) removes \(count == 1 ? "it" : "them")\n"
    )
  }

  // MARK: The journal

  private func openJournal(_ file: FilePath) throws -> ResultJournal {
    do throws(Errno) {
      return try ResultJournal(file)
    } catch {
      Terminal.printError("artworkd: cannot use \(file.string.printable) for results: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  /// A journal that cannot be written ends the run, because the user requested it.
  private func keep(_ report: CandidateReport, in journal: ResultJournal) {
    do {
      try journal.add(report)
    } catch {
      AtomicFile.abandonAll()
      Terminal.printError("artworkd: cannot write \(journal.path.string.printable): \(error)\n")
      exitNow(.internalError)
    }
  }

  private func finish(_ journal: ResultJournal, _ report: CheckReport) throws {
    do {
      try journal.finish(
        report, ReportSetting(currentFolder: .currentFolder, toolVersion: Artworkd.version))
    } catch {
      Terminal.printError("artworkd: cannot write \(journal.path.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
