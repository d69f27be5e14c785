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
  private let encodes: Bool
  private let folder: Destination?
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
    folder = command.dryRun ? nil : command.outputDir.map { .folder($0.path) }
    output = command.dryRun ? nil : command.output?.path
    format = command.format
    encodes = command.unsafe
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
      Batch(options: options, inspector: caching ?? inspector), inspector,
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
    var done: [(ClipRepair, FilePath?)] = []
    for (index, candidate) in candidates.enumerated() {
      line.begin(index, of: candidates.count)
      let (repair, target) = repairClip(candidate, key: catalogue.key(of: index), line)
      line.clear()
      done.append((repair, target))
      if format == .text { Terminal.emit { text.render(repair, to: target) } }
    }
    withExtendedLifetime(interrupt) {}
    let repairs = done.map(\.0)
    let faulty = repairs.count(where: keepsFault)
    Terminal.emit {
      format == .text
        ? text.closing(repairs, keepingFault: faulty) : try RepairDocument.render(done)
    }
    throw status(repairs, keepingFault: faulty).code
  }

  /// Repairs a clip and writes the new file.
  private func repairClip(
    _ candidate: Candidate, key: ArtworkKey?, _ line: EncodingLine
  ) -> (ClipRepair, FilePath?) {
    if let done = done(candidate) { return done }
    func obstacle(_ container: MovieContainer) -> String? {
      target(of: candidate, in: container).flatMap(OutputFile.existing)
    }
    var repair = repairer.plan(
      candidate, key: key, rules: rules, encodes: encodes,
      scansQuickly: folder != nil || output != nil,
      obstacle: obstacle)
    guard case .planned = repair.status, let container = repair.candidateRecipes.first?.container,
      let target = target(of: candidate, in: container)
    else { return (repair, nil) }
    if let reason = OutputFile.existing(target) {
      if repair.quickScan != nil {
        repair = repairer.plan(candidate, key: key, rules: rules, encodes: encodes)
      }
      repair.status = .refused(reason)
      return (repair, nil)
    }
    let movie: [UInt8]?
    (repair, movie) = repairer.carryOut(repair, progress: line.show)
    guard let movie else { return (repair, nil) }
    do throws(InspectionError) {
      try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
      try AtomicFile.create(movie, as: target)
      let note = MadeFiles.Note(repaired: repair.repaired, left: repair.left)
      made?.keep(note, of: target, movie, from: candidate, by: request)
      return (repair, target)
    } catch {
      repair.status = .failed(error)
    }
    return (repair, nil)
  }

  /// The file that an earlier run made from the same clip with the same options.
  private func done(_ candidate: Candidate) -> (ClipRepair, FilePath?)? {
    for container in MovieContainer.allCases {
      guard let target = target(of: candidate, in: container),
        let note = made?.note(of: target, from: candidate, by: request)
      else { continue }
      return (
        ClipRepair(
          candidate: candidate, status: .done, findings: [], repaired: note.repaired,
          left: note.left),
        target
      )
    }
    return nil
  }

  /// The path of the new file; `nil` for a dry run.
  private func target(of candidate: Candidate, in container: MovieContainer) -> FilePath? {
    output ?? folder?.target(of: candidate, in: container)
  }

  /// Clips that could not be read take precedence over those that were not repaired, as in `check`.
  private func status(_ repairs: [ClipRepair], keepingFault faulty: Int) -> ExitStatus {
    var status = faulty > 0 ? ExitStatus.findings : .success
    for repair in repairs {
      switch repair.status {
      case .failed(let error) where error.code != .notCopied: return .unreadableInput
      case .failed, .refused: status = .findings
      case .nothingToRepair, .planned, .repaired, .done: break
      }
    }
    return status
  }

  /// Whether a selected rule has a warning or an error that this run leaves.
  private func keepsFault(_ repair: ClipRepair) -> Bool {
    let left =
      switch repair.status {
      case .nothingToRepair: repair.findings
      case .repaired, .done: repair.left
      case .planned, .refused, .failed: [Finding]()
      }
    return left.contains { $0.severity > .info && rules.contains($0.rule) }
  }
}
