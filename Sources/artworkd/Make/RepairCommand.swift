import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct RepairCommand: MakingCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair videos in new files, without encoding unless you ask for it.",
    discussion: """
      Copies the packets of each video that has a finding marked [*] by check --format full. The copy is MP4 or \
      QuickTime, with the right sample entry, no other tracks, times from zero, the header first, \
      and its colour matrix stated. Compares the copy with the original, frame by frame or, for \
      H.264 and HEVC, bit by bit, and checks it again. Keeps it only if every frame is the same, \
      and if it has fewer findings and no new ones.

      --unsafe also fixes findings that need encoding. It cuts out the best loop, dissolves the \
      end into the start, or plays the clip forward and back; it lowers the frame rate, crops \
      bars, dims flashes, and changes the codec and pixel format. Reports what happens to the picture, and keeps \
      a file only if it has fewer findings and no new ones. Gives up more than a tenth of a clip \
      only with --shortest, or if the destination takes no longer one.

      Existing files are never changed or replaced. A repaired file is a different video: publish it \
      under a new artworkID.

      Exit codes: 0 everything that needed repair was repaired, 1 something was not, 2 a video \
      could not be read or inspected, or a file could not be written, 64 usage or configuration \
      error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "Files and folders, or - for a list on standard input.")
  var paths: [PathArgument]

  @Option(
    help: ArgumentHelp(
      "Write the new files under this folder, as <name>.mp4 or <name>.mov.", valueName: "dir"))
  var outputDir: PathArgument?

  @Option(
    name: .shortAndLong,
    help:
      "Write the new file of a single video, if it needs one, to this file; .mp4, .m4v and .mov choose the container."
  )
  var output: PathArgument?

  @Flag(help: "Also fix findings that need encoding. The picture may change.")
  var unsafe = false

  @Option(
    help: ArgumentHelp(
      "With --unsafe, also take loops that are shorter than nine tenths of the clip, down to this length.",
      valueName: "seconds"))
  var shortest: Double?

  @Option(
    help: ArgumentHelp("With --unsafe, take only loops shorter than this.", valueName: "seconds"))
  var longest: Double?

  @Flag(
    help:
      "Decode every frame of the videos, as check --thorough does: finds flashes in the middle. --select flash implies it."
  )
  var thorough = false

  @Flag(help: "Show what would be repaired, and write nothing.")
  var dryRun = false

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Repair only videos that break these rules; other findings are fixed along with them. Repeatable.",
      valueName: "rule,..."),
    transform: RuleList.init)
  var selected: [RuleList] = []

  @OptionGroup
  var judging: JudgingOptions

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Configuration")
  var search: SearchOptions

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @OptionGroup
  var cacheOption: CacheOption

  var caching: CacheOption? { cacheOption }

  func validate() throws {
    if outputDir == nil, output == nil, !dryRun {
      throw ValidationError(
        "Name a folder for the new files with --output-dir, a file for one video with -o, or use "
          + "--dry-run.")
    }
    try Destination.validate(output, outputDir, of: paths, kind: "video")
    if shortest != nil || longest != nil {
      if !unsafe { throw ValidationError("--shortest and --longest need --unsafe.") }
      // At most a day: larger numbers could overflow.
      let (least, most) = (shortest ?? 0, longest ?? 86_400)
      guard least >= 0, most > 0, most <= 86_400, least < most else {
        throw ValidationError(
          "--shortest and --longest take seconds, and --shortest must be less than --longest.")
      }
    }
  }

  /// `nil` for a dry run.
  private var destination: Destination? { dryRun ? nil : Destination(output, outputDir) }

  private var rules: RuleSelection {
    RuleSelection(selected: selected.flatMap(\.names), ignored: [])
  }

  func settings() throws -> Configuration {
    let first = paths.first { !$0.isStandardStream }?.path ?? "."
    var configuration = try configurationOptions.load(above: first)
    try search.apply(to: &configuration)
    try configuration.requireProfiles(judging.profiles?.names)
    return configuration
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    let selection = CandidateSelection(
      paths: paths.map(\.path), isStaged: false, configuration: configuration)
    let candidates = try await selection.candidates().filter {
      destination?.holds($0, among: selection.paths) != true
    }
    if candidates.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    if case .file? = destination, candidates.count > 1 {
      Terminal.printError(
        "artworkd: -o takes one video, and there are \(candidates.count); use --output-dir\n")
      throw ExitStatus.usage.code
    }
    return candidates
  }

  func keys(of inputs: [Candidate], _ configuration: Configuration) -> [FilePath: ArtworkKey] {
    let catalogue = Catalogue(inputs, configuration)
    let keys = inputs.enumerated().compactMap { index, input in
      catalogue.key(of: index).map { (input.path, $0) }
    }
    return Dictionary(keys) { first, _ in first }
  }

  func make(_ input: Candidate, into made: inout [RepairOutcome], _ run: MakingRun) throws {
    let (repairer, key) = (repairer(run), run.keys[input.path])
    guard let destination else { return made.append(repairer.plan(input, key: key)) }
    let request = try request(run.configuration, run.pipeline.runner.limits)
    let earlier = run.cache.map(MadeFiles.init)
    for container in MovieContainer.allCases {
      let target = destination.target(of: input, in: container)
      if let note = earlier?.note(of: target, from: input, by: request) {
        var outcome = RepairOutcome(RepairPlan(input), .fromEarlierRun)
        (outcome.repaired, outcome.remaining) = (note.repaired, note.remaining)
        outcome.output = target
        return made.append(outcome)
      }
    }
    var (outcome, movie) = repairer.repair(
      input, key: key, obstacle: { OutputFile.existing(destination.target(of: input, in: $0)) },
      progress: run.line.show)
    defer { made.append(outcome) }
    guard let movie, let recipe = outcome.recipe else { return }
    let target = destination.target(of: input, in: recipe.container)
    do throws(InspectionError) {
      try destination.create(movie, as: target)
      let note = MadeFiles.Note(repaired: outcome.repaired, remaining: outcome.remaining)
      earlier?.keep(note, of: target, movie, from: input, by: request)
      outcome.output = target
    } catch {
      outcome.status = .failed(error)
    }
  }

  private func repairer(_ run: MakingRun) -> ClipRepairer {
    let (configuration, runner, names) = (
      run.configuration, run.pipeline.runner, judging.profiles?.names
    )
    var options = Batch.Options(jobs: 1)
    options.profilesFor = { configuration.profiles(for: $0, named: names) }
    options.key = judging.key.key
    if thorough || selected.flatMap(\.names).contains(FlashRule.id) {
      options.everyFrame = .always
    }
    let caching = run.cache.map { CachingInspector(runner, limits: runner.limits, cache: $0) }
    return ClipRepairer(
      Batch(options: options, inspector: caching ?? runner), runner, rules: rules, encodes: unsafe,
      container: output.flatMap { try? MovieContainer(fileName: $0) }, shortest: shortest,
      longest: longest, known: { caching?.known($0, $1) })
  }

  private struct Decisive: Encodable {
    var unsafe: Bool
    var thorough: Bool?
    var shortest: Double?
    var longest: Double?
    var selected: [String]
    var profiles: [String]?
    var key: ArtworkKey?
    var limits: Limits
  }

  /// A digest of everything besides the videos that affects new files.
  private func request(_ configuration: Configuration, _ limits: Limits) throws -> String {
    "repair "
      + (try configuration.digest(
        with: Decisive(
          unsafe: unsafe, thorough: thorough ? true : nil, shortest: shortest, longest: longest,
          selected: selected.flatMap(\.names).sorted(), profiles: judging.profiles?.names,
          key: judging.key.key, limits: limits)))
  }

  private var text: RepairText {
    RepairText(style: Terminal.outputStyle, width: Terminal.outputWidth)
  }

  func output(_ made: [RepairOutcome], of input: Candidate) -> [UInt8] {
    format == .text ? made.flatMap { text.render($0).utf8 } : []
  }

  func close(_ results: MakingResults<RepairOutcome>) -> ExitStatus {
    let outcomes = results.made
    let faulty = outcomes.count(where: keepsFault)
    Terminal.emit {
      format == .text
        ? text.closing(outcomes, keepingFault: faulty)
        : try JSONReport.document(RepairDocument(outcomes))
    }
    // Clips that could not be read take precedence over those that were not repaired, as in `check`.
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
