import ArgumentParser
import ArtworkClients
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
import Logging
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of `check`, from the search for candidates to the exit code.
struct CheckRun: Sendable {
  let command: CheckCommand
  let configuration: Configuration
  let baseline: KnownFindings?
  let inspector: any LoopInspector
  let jobs: Int
  /// What was measured before; `nil` where nothing is to be kept, or can be.
  let cache: InspectionCache?
  private let logger: Logger

  private let clock = ContinuousClock()

  init(
    command: CheckCommand, configuration: Configuration, baseline: KnownFindings?,
    inspector: any LoopInspector, jobs: Int
  ) {
    self.command = command
    self.configuration = configuration
    self.baseline = baseline
    self.inspector = inspector
    self.jobs = jobs
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = command.verbose ? .debug : .warning
    self.logger = logger
    cache = command.noCache ? nil : Self.openCache(logger)
  }

  private static func openCache(_ logger: Logger) -> InspectionCache? {
    InspectionCache.folder(environment: ProcessInfo.processInfo.environment).flatMap {
      InspectionCache.open(in: $0, logger: logger)
    }
  }

  private func catalogue(_ candidates: [Candidate]) -> Catalogue {
    let digester: any ContentDigester = cache.map { CachingDigester(cache: $0) } ?? FileDigester()
    return Catalogue(candidates, configuration, digester: digester)
  }

  private var reports: ReportOptions { command.reports }

  /// Checks everything once.
  func once() async throws {
    let start = clock.now
    let selection = CandidateSelection(
      paths: command.paths, isStaged: command.staged, configuration: configuration)
    let candidates = try await selection.candidates()
    if candidates.isEmpty {
      Terminal.say("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    try refuseToOverwrite(candidates)
    let showsProgress =
      Terminal.canRedraw && !command.quiet && !command.verbose
      && !(reports.streamsLines && Terminal.outputIsTerminal)
    let progress = showsProgress ? ProgressLine(total: candidates.count) : nil
    let interrupt = Interrupt {
      progress?.clear()
      Terminal.say("artworkd: interrupted, no partial files are left\n")
    }
    var results = await check(catalogue(candidates), progress: progress)
    progress?.clear()
    let stale = baseline?.hide(in: &results) ?? []
    sayThatEntriesAreStale(stale)

    let summary = Summary(results, seconds: (clock.now - start) / .seconds(1))
    let report = CheckReport(results: results, summary: summary, profiles: judged(results))
    try reports.deliver(report, manner(candidates))
    if reports.format != .text || reports.outputFile != nil, !command.quiet {
      Terminal.say(TextReport.closing(summary, style: Terminal.errorStyle))
    }
    withExtendedLifetime(interrupt) {}
    if let file = command.writeBaseline?.path {
      try write(baselineOf: results, to: file)
      throw ExitStatus.success.code
    }
    throw ExitStatus(results, failOn: failOn).code
  }

  /// Checks what there is, then what changes, until the process is interrupted.
  func watch() async throws {
    let interrupt = Interrupt { Terminal.say("artworkd: stopped watching\n") }
    var known: [FilePath: CandidateReport] = [:]
    var watched: [FilePath: Candidate] = [:]
    let paths = command.paths.isEmpty ? ["."] : command.paths.map(\.path)
    Terminal.say("artworkd: watching \(names(paths)); Ctrl-C ends it\n")
    var folders = FolderWatch(paths, isIncluded: configuration.isIncluded)
    try await folders.run { changes in
      let start = clock.now
      for path in changes.gone {
        known[path] = nil
        watched[path] = nil
        Terminal.say("artworkd: \(path.string.printable) is gone\n")
      }
      for candidate in changes.settled { watched[candidate.path] = candidate }
      let present = watched.values.sorted { $0.path.string < $1.path.string }
      let affected = catalogue(present)
        .restricted(toChanged: Set(changes.settled.map(\.path)), lost: changes.gone)
      var results = await check(affected, progress: nil)
      cache?.flush()
      _ = baseline?.hide(in: &results)
      for result in results { known[result.path] = result }
      let all = known.values.sorted { $0.path.string < $1.path.string }
      let seconds = (clock.now - start) / .seconds(1)
      func report(_ results: [CandidateReport]) -> CheckReport {
        CheckReport(
          results: results, summary: Summary(results, seconds: seconds), profiles: judged(all))
      }
      try reports.deliverChange(
        report(results), all: report(all), manner(Array(watched.values)))
    }
    withExtendedLifetime(interrupt) {}
  }

  /// - Parameter progress: told of each file that is done.
  private func check(
    _ catalogue: Catalogue, progress: ProgressLine?
  ) async -> [CandidateReport] {
    let batch = batch()
    return await batch.run(catalogue) { report in
      if reports.streamsLines {
        var shown = [report]
        _ = baseline?.hide(in: &shown)
        for report in shown { Terminal.emit { try JSONReport.line(report) } }
      }
      progress?.advance(report)
    }
  }

  private func batch() -> Batch {
    var options = Batch.Options(jobs: jobs)
    let names = command.profiles?.names
    options.profilesFor = { [configuration] in configuration.profiles(for: $0, named: names) }
    options.key = command.key.key
    options.previewFolder = command.previewDir?.path
    options.exhibits = reports.wantsExhibits
    options.everyFrame =
      switch command.thorough {
      case true: .always
      case false: .never
      // A page shows every step of the loop, and a baseline is to know whatever any other run may find.
      case nil: reports.wantsExhibits || command.writeBaseline != nil ? .always : .whereInDoubt
      }
    let walls = (inspector as? IsolatedInspector)?.sandbox.description ?? "none: --no-isolation"
    logger.debug("sandbox", metadata: ["walls": "\(walls)"])
    if let file = configuration.file {
      logger.debug("configuration", metadata: ["file": "\(file.string.printable)"])
    }
    let caching = cache.map { CachingInspector(inspector, limits: inspector.limits, cache: $0) }
    return Batch(options: options, inspector: caching ?? inspector, logger: logger)
  }

  /// A report in the place of a video would be the end of the video.
  private func refuseToOverwrite(_ candidates: [Candidate]) throws {
    func place(_ path: FilePath) -> FilePath { path.absolute(in: .currentFolder) }
    let targets = reports.files + [command.writeBaseline?.path].compactMap(\.self)
    let inputs = Set((candidates.map(\.path) + [configuration.file].compactMap(\.self)).map(place))
    guard let target = targets.first(where: { inputs.contains(place($0)) }) else { return }
    Terminal.say(
      "artworkd: \(target.string.printable) is checked: a report must not be written over it\n")
    throw ExitStatus.usage.code
  }

  /// The profiles that the results were judged for, in the order of the command line or the configuration.
  private func judged(_ results: [CandidateReport]) -> [Profile] {
    let names = Set(results.flatMap(\.profiles))
    let all = configuration.allProfiles(named: command.profiles?.names)
    return results.isEmpty ? all : all.filter { names.contains($0.name) }
  }

  private var failOn: FailureLevel { command.failOn ?? configuration.failOn ?? .error }

  private func manner(_ candidates: [Candidate]) -> ReportOptions.Manner {
    let byPath = Dictionary(
      candidates.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return ReportOptions.Manner(quiet: command.quiet, failOn: failOn) { path in
      byPath[path]?.contents(atMost: ReportSetting.largestEmbedded)
    }
  }

  private func write(baselineOf results: [CandidateReport], to file: FilePath) throws {
    let folder = KnownFindings.folder(of: file)
    // What was not checked now is still known, unless the file is no baseline: then it is made again.
    let before =
      baseline.flatMap { KnownFindings.folder(of: $0.file) == folder ? $0.baseline : nil }
      ?? (try? Baseline.load(file)) ?? Baseline()
    let baseline = before.updated(with: results, folder: folder)
    do {
      try AtomicFile.write(Array(baseline.document.utf8), to: file)
    } catch {
      Terminal.say("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
    let count = baseline.entries.count
    Terminal.say(
      "artworkd: wrote \(count) finding\(count == 1 ? "" : "s") to \(file.string.printable)\n")
  }

  private func sayThatEntriesAreStale(_ entries: [Baseline.Entry]) {
    guard !entries.isEmpty, let baseline, !command.quiet else { return }
    let count = entries.count
    Terminal.say(
      "artworkd: \(count) known finding\(count == 1 ? " is" : "s are") gone; "
        + "--write-baseline \(baseline.file.string.printable) forgets \(count == 1 ? "it" : "them")\n"
    )
  }

  private func names(_ paths: [FilePath]) -> String {
    paths.map(\.string.printable).joined(separator: ", ")
  }
}
