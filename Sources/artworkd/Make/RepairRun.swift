import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// One run of `repair`, from the search for candidates to the exit code. Clips are repaired one after another,
/// because each keeps two processors busy.
struct RepairRun: Sendable {
  private let selection: CandidateSelection
  private let configuration: Configuration
  private let rules: RuleSelection
  private let repairer: ClipRepairer
  /// Measurements of `check`; `nil` if they should not or cannot be cached.
  let cache: InspectionCache?
  private let made: MadeFiles?
  /// Identifies everything besides the videos that affects new files.
  private let request: String
  private let folder: OutputFolder?
  /// The path of the new file for a single video; `nil` for a folder.
  private let output: FilePath?
  private let format: RepairCommand.Format

  init(
    _ command: RepairCommand, _ configuration: Configuration, _ prepared: PreparedInspector
  ) throws {
    selection = CandidateSelection(
      paths: command.paths.map(\.path), isStaged: false, configuration: configuration)
    self.configuration = configuration
    rules = RuleSelection(selected: command.selected.flatMap(\.names), ignored: [])
    folder = command.dryRun ? nil : command.outputDir.map { OutputFolder(path: $0.path) }
    output = command.dryRun ? nil : command.output?.path
    format = command.format
    var options = Batch.Options(jobs: 1)
    let names = command.judging.profiles?.names
    options.profilesFor = { configuration.profiles(for: $0, named: names) }
    options.key = command.judging.key.key
    if command.thorough || command.selected.flatMap(\.names).contains(FlashRule.id) {
      options.everyFrame = .always
    }
    let inspector = prepared.inspector
    cache = command.caching.open()
    made = cache.map(MadeFiles.init)
    request = try command.request(configuration, prepared.inspector.limits)
    let caching = cache.map { CachingInspector(inspector, limits: inspector.limits, cache: $0) }
    repairer = ClipRepairer(
      Batch(options: options, inspector: caching ?? inspector), inspector, rules: rules,
      encodes: command.unsafe,
      container: command.output.flatMap { try? MovieContainer(fileName: $0) },
      shortest: command.shortest, longest: command.longest,
      known: { caching?.known($0, $1) })
  }

  func run() async throws {
    let line = EncodingLine()
    let interrupt = Interrupt(clearing: line)
    let candidates = try await selection.candidates().filter {
      folder?.holds($0, among: selection.paths) != true
    }
    if candidates.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    if output != nil, candidates.count > 1 {
      Terminal.printError(
        "artworkd: -o takes one video, and there are \(candidates.count); use --output-dir\n")
      throw ExitStatus.usage.code
    }
    let catalogue = Catalogue(candidates, configuration)
    let text = RepairText(style: Terminal.outputStyle, width: Terminal.outputWidth)
    var done: [(RepairOutcome, FilePath?)] = []
    for (index, candidate) in candidates.enumerated() {
      line.begin(index, of: candidates.count)
      let (outcome, target) = repair(candidate, key: catalogue.key(of: index), line)
      line.clear()
      done.append((outcome, target))
      if format == .text { Terminal.emit { text.render(outcome, to: target) } }
    }
    withExtendedLifetime(interrupt) {}
    let outcomes = done.map(\.0)
    let faulty = outcomes.count(where: keepsFault)
    Terminal.emit {
      format == .text
        ? text.closing(outcomes, keepingFault: faulty) : try RepairDocument.render(done)
    }
    throw status(outcomes, keepingFault: faulty).code
  }

  /// Repairs a clip and writes the new file, or plans that in a dry run.
  private func repair(
    _ candidate: Candidate, key: ArtworkKey?, _ line: EncodingLine
  ) -> (RepairOutcome, FilePath?) {
    if folder == nil, output == nil { return (repairer.plan(candidate, key: key), nil) }
    if let earlier = earlier(candidate) { return earlier }
    var (outcome, movie) = repairer.repair(
      candidate, key: key,
      obstacle: { target(of: candidate, in: $0).flatMap(SingleFile.existing) }, progress: line.show)
    guard let movie, let recipe = outcome.recipe,
      let target = target(of: candidate, in: recipe.container)
    else { return (outcome, nil) }
    do throws(InspectionError) {
      try OutputFolder.create(movie, as: target)
      let note = MadeFiles.Note(repaired: outcome.repaired, remaining: outcome.remaining)
      made?.keep(note, of: target, movie, from: candidate, by: request)
      return (outcome, target)
    } catch {
      outcome.status = .failed(error)
    }
    return (outcome, nil)
  }

  /// The file that an earlier run made from the same clip with the same options.
  private func earlier(_ candidate: Candidate) -> (RepairOutcome, FilePath?)? {
    for container in MovieContainer.allCases {
      guard let target = target(of: candidate, in: container),
        let note = made?.note(of: target, from: candidate, by: request)
      else { continue }
      var outcome = RepairOutcome(RepairPlan(candidate), .fromEarlierRun)
      (outcome.repaired, outcome.remaining) = (note.repaired, note.remaining)
      return (outcome, target)
    }
    return nil
  }

  /// The path of the new file; `nil` for a dry run.
  private func target(of candidate: Candidate, in container: MovieContainer) -> FilePath? {
    output ?? folder?.target(of: candidate, in: container)
  }

  /// Clips that could not be read take precedence over those that were not repaired, as in `check`.
  private func status(_ outcomes: [RepairOutcome], keepingFault faulty: Int) -> ExitStatus {
    var status = faulty > 0 ? ExitStatus.findings : .success
    for outcome in outcomes {
      switch outcome.status {
      case .failed(let error) where error.code != .notCopied: return .unreadableInput
      case .failed, .refused: status = .findings
      case .unchanged, .planned, .repaired, .fromEarlierRun: break
      }
    }
    return status
  }

  /// Whether a selected rule has a warning or an error that this run leaves.
  private func keepsFault(_ outcome: RepairOutcome) -> Bool {
    let remaining =
      switch outcome.status {
      case .unchanged: outcome.plan.findings
      case .repaired, .fromEarlierRun: outcome.remaining
      case .planned, .refused, .failed: [Finding]()
      }
    return remaining.contains { $0.severity > .info && rules.contains($0.rule) }
  }
}
