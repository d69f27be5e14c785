import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import Logging
import Synchronization
import SystemPackage

/// One run of `check`, from the search for candidates to the exit code.
struct CheckRun: Sendable {
  let plan: CheckPlan
  /// Earlier measurements; `nil` if they should not or cannot be cached.
  let cache: InspectionCache?
  private let prepared: PreparedInspector
  private let logger: Logger

  private let clock = ContinuousClock()

  init(_ plan: CheckPlan, _ prepared: PreparedInspector) {
    self.plan = plan
    self.prepared = prepared
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = plan.isVerbose ? .debug : .warning
    self.logger = logger
    cache = plan.usesCache ? .openDefault(logger) : nil
  }

  /// Checks everything once.
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
    let known = try plan.newBaseline.map(earlierBaseline)
    let selection = plan.selection
    let all = try await selection.candidates()
    if all.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    let catalogue = catalogue(all, comparison ?? digester)
    comparison?.clear()
    try refuseToOverwrite(all, catalogue)
    let candidates = catalogue.candidates
    let profiles = plan.profiles(of: all)
    let journal = try plan.journal.map(openJournal)
    // A journal contains no pictures. If they were made, the cache has them.
    let earlier =
      plan.reports.showsPictures
      ? [:]
      : journal?.holding(for: catalogue, plan.digest, previewFolder: plan.previewFolder) ?? [:]
    let taken = Set(earlier.values.map(\.path))
    let progress = showsProgress ? ProgressLine(total: candidates.count) : nil
    let printer = ResultPrinter(plan, catalogue, profiles: profiles, progress: progress)
    current.withLock { $0 = printer }
    var results = await batch().run(catalogue, earlier: earlier) { report in
      if let journal, !taken.contains(report.path) { keep(report, in: journal) }
      printer.add(report)
    }
    progress?.clear()
    warnAboutStaleEntries(plan.baseline?.hide(in: &results) ?? [])

    var summary = Summary(results, seconds: (clock.now - start) / .seconds(1))
    if plan.givesEvidence { try plan.identify(&summary, among: all, profiles) }
    let report = CheckReport(results: results, summary: summary, profiles: profiles)
    printer.end(report)
    if let journal { try finish(journal, report) }
    try plan.reports.deliver(
      report, context(results, candidates), isPrinted: plan.reports.streams)
    if !plan.reports.isText || plan.reports.output != nil, !plan.isQuiet {
      Terminal.printError(TextReport.closing(summary, style: Terminal.errorStyle))
    }
    withExtendedLifetime(interrupt) {}
    if let file = plan.newBaseline, let known {
      try write(known.updated(with: results, folder: BaselineFindings.folder(of: file)), to: file)
      throw ExitStatus.success.code
    }
    if plan.exitsWithZero { throw ExitStatus.success.code }
    throw ExitStatus(results, failOn: plan.failOn).code
  }

  func catalogue(_ candidates: [Candidate], _ digester: any ContentDigester) -> Catalogue {
    Catalogue(candidates, plan.configuration, shard: plan.shard, digester: digester)
  }

  var digester: any ContentDigester {
    cache.map { CachingDigester(cache: $0) } ?? FileDigester()
  }

  func batch() -> Batch {
    var options = Batch.Options(jobs: plan.jobs)
    options.profilesFor = { [plan] in plan.profiles(for: $0) }
    options.key = plan.key
    options.previewFolder = plan.previewFolder
    options.reportImages = plan.reports.showsPictures
    options.everyFrame = plan.everyFrame
    if plan.givesEvidence {
      options.evidence = Batch.EvidenceRequest(configuration: plan.digest, digester: digester)
    }
    if let fetcher = plan.fetcher {
      let limit = prepared.inspector.limits.fileBytes
      options.fetch = { url throws(InspectionError) in
        try Self.fetch(url, fetcher, byteLimit: limit)
      }
    }
    logger.debug("sandbox", metadata: ["sandbox": "\(prepared.isolation)"])
    if let file = plan.configuration.file {
      logger.debug("configuration", metadata: ["file": "\(file.string.printable)"])
    }
    let inspector = prepared.inspector
    let caching = cache.map { [plan] cache in
      CachingInspector(
        plan.portableCache
          ? ContentInspector(inspector, limits: inspector.limits, cache: cache) : inspector,
        limits: inspector.limits, cache: cache)
    }
    return Batch(options: options, inspector: caching ?? inspector, logger: logger)
  }

  func context(_ results: [CandidateReport], _ candidates: [Candidate]) -> ReportPlan.Context {
    let byPath = Dictionary(
      (candidates + results.compactMap(\.cover)).map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    return ReportPlan.Context(
      onlyProblems: plan.isQuiet, failOn: plan.failOn, places: plan.namedPlaces, search: plan.search
    ) { path in
      byPath[path]?.contents(atMost: ReportSetting.largestEmbedded)
    }
  }

  private var showsProgress: Bool {
    Terminal.canRedraw && !plan.isQuiet && !plan.isVerbose
      && !(plan.reports.streams && plan.reports.format == .ndjson && Terminal.outputIsTerminal)
  }

  /// A report must not overwrite a video.
  func refuseToOverwrite(_ candidates: [Candidate], _ catalogue: Catalogue) throws {
    func inputs() -> [FilePath] {
      let stills =
        catalogue.previews.values.flatMap(\.values) + catalogue.releases.compactMap(\.cover)
      return (candidates + stills).map(\.path) + plan.inputs
    }
    do throws(OverwriteCheck.Refusal) {
      try OverwriteCheck.refuse(plan.targets, over: inputs())
    } catch {
      Terminal.printError("artworkd: \(error.message.printable)\n")
      throw ExitStatus.usage.code
    }
  }

  /// The initial content of a new baseline: findings of files that are not checked now remain.
  private func earlierBaseline(_ file: FilePath) throws -> Baseline {
    let folder = BaselineFindings.folder(of: file)
    if let known = plan.baseline, BaselineFindings.folder(of: known.file) == folder {
      return known.baseline
    }
    guard Baseline.isThere(file) else { return Baseline() }
    return try ConfigurationOptions.reportingProblems { () throws(ConfigurationError) in
      try Baseline.load(file)
    }
  }

  private func write(_ baseline: Baseline, to file: FilePath) throws {
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
    let count = entries.count { $0.profile == nil || plan.rules.contains($0.rule) }
    guard count > 0, let baseline = plan.baseline, !plan.isQuiet else { return }
    Terminal.printError(
      "artworkd: \(count) known finding\(count == 1 ? "" : "s") no longer "
        + "occur\(count == 1 ? "s" : ""); "
        + "--write-baseline \(baseline.file.string.printable) removes \(count == 1 ? "it" : "them")\n"
    )
  }
}
