import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check which videos work as animated artwork, and why others do not.",
    discussion: """
      Finds videos by their content, and skips hidden files. Given -, reads paths from \
      standard input, one per line or separated by NUL.

      \(ExitStatus.words)
      """)

  @Argument(
    help: "Files and folders, or - for standard input; the default is the current folder.")
  var paths: [PathArgument] = []

  @OptionGroup
  var judging: JudgingOptions

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Apply only these rules. artworkd explain lists them. Repeatable.", valueName: "rule,..."),
    transform: RuleList.init)
  var selected: [RuleList] = []

  @Option(
    name: .customLong("ignore"),
    help: ArgumentHelp("Leave out these rules. Repeatable.", valueName: "rule,..."),
    transform: RuleList.init)
  var ignored: [RuleList] = []

  @OptionGroup(title: "Reports")
  var reports: ReportOptions

  @Option(
    help:
      "Where HTML reports have their pictures: inside the page, or beside it as files in the folder <name>-pictures, for thousands of candidates."
  )
  var pictures = PagePictures.inside

  @Option(
    help: "Write the first frame of each video under this folder, as <name>.<key>.png.")
  var previewDir: PathArgument?

  @Option(help: "Check this many files in parallel; the default is one per processor.")
  var jobs: Int?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Decode every frame. Slower, but finds damage and flashes in the middle of a clip. By "
        + "default, done only if the ends of a clip show a flash or a blank first frame; with "
        + "--no-thorough, never."))
  var thorough: Bool?

  @Option(help: "Fail on findings of this severity and above; the default is error.")
  var failOn: FailureLevel?

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Configuration")
  var search: SearchOptions

  @Option(help: "Ignore the findings that this file lists.")
  var baseline: PathArgument?

  @Option(help: "Write all findings to this file for use with --baseline, and exit with 0.")
  var writeBaseline: PathArgument?

  @Option(
    help: "Fail on videos that this file, saved by the HTML page, does not list as approved.")
  var approved: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Check only this part of the releases, for example 3/64, for artworkd merge.",
      valueName: "i/n"),
    transform: Shard.init(argument:))
  var shard: Shard?

  @OptionGroup
  var caching: CacheOption

  @Flag(
    help: ArgumentHelp(
      "Also find earlier measurements by the bytes of a file: for a cache that CI moves between machines. Reads each new file as a whole."
    ))
  var portableCache = false

  @Flag(name: .shortAndLong, help: "Print only problems and the summary, without progress.")
  var quiet = false

  @OptionGroup
  var isolation: IsolationOptions

  @Flag(help: "Exit with 69 if a part of the sandbox is missing.")
  var requireSandbox = false

  func validate() throws {
    try previewDir?.requireFolder("Previews")
    try (1...256).require(jobs, of: "--jobs", "a number")
    try paths.requireOneStream()
    if writeBaseline != nil, !(selected.isEmpty && ignored.isEmpty) {
      throw ValidationError(
        "--write-baseline records the findings of all rules: remove --select and --ignore.")
    }
    if shard != nil, baseline != nil || writeBaseline != nil || approved != nil {
      throw ValidationError(
        "--shard cannot be combined with --baseline, --write-baseline or --approved; give --baseline "
          + "to artworkd merge instead.")
    }
  }

  func run() throws {
    // Before the first thread.
    let run = try CheckRun(self)
    defer { run.end() }
    try Blocking.run { try await run.once() }
  }
}

/// What the options mean.
extension CheckCommand {
  /// Files and folders; `-` is a list on standard input, and none is the current folder.
  var files: [FilePath] { paths.map(\.path) }

  /// The named paths, for a command that repairs all of them; empty for a list, and for more than a few.
  var namedPlaces: [FilePath] {
    if files.contains("-") || files.count > 3 { return [] }
    return files.isEmpty ? ["."] : files
  }

  var parallelJobs: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  var rules: RuleSelection {
    RuleSelection(selected: selected.flatMap(\.names), ignored: ignored.flatMap(\.names))
  }

  var everyFrame: Batch.EveryFrame {
    switch thorough {
    case true: .always
    case false: .never
    // A baseline must cover everything that any other run may find.
    case nil: writeBaseline != nil ? .always : .whereInDoubt
    }
  }

  /// Every file that the run is to write, but for previews.
  var targets: [FilePath] {
    reports.files + [writeBaseline].compactMap { $0?.path }
  }

  /// Ends the run before it checks anything if a report has no place to go.
  func requirePlaces() throws {
    for target in targets {
      try Terminal.writing(target) {
        try AtomicFile.requirePlace(for: target)
      }
    }
  }

  func loadConfiguration() throws -> Configuration { try configurationOptions.load(for: paths, search, judging) }

  func loadBaseline(_ configuration: Configuration) throws -> BaselineFindings? {
    guard let file = baseline?.path ?? configuration.baseline, shard == nil else {
      return nil
    }
    // The first run creates it.
    if let target = writeBaseline?.path, !Baseline.isThere(file),
      target.absolute(in: .currentFolder) == file.absolute(in: .currentFolder)
    {
      return nil
    }
    return try BaselineFindings(file)
  }
}

extension CheckCommand {
  /// - Throws: the exit code, if the file is no list of approved videos.
  func loadApproved() throws -> ApprovedVideos? {
    guard let file = approved?.path else { return nil }
    let problem: String
    do {
      let bytes = try file.contents(atMost: 64 << 20)
      return try JSONDecoder().decode(ApprovedVideos.self, from: Data(bytes))
    } catch is DecodingError {
      problem = "it is not a list that the HTML page saved"
    } catch {
      problem = "\(error)"
    }
    Terminal.printError("artworkd: cannot use \(file.string.printable): \(problem)\n")
    throw ExitStatus.usage.code
  }
}

/// What tells whether two shards belong together.
extension CheckCommand {
  private struct Decisive: Encodable {
    var profiles: [String]?
    var selected: [String]
    var ignored: [String]
    var key: ArtworkKey?
    var everyFrame: String
    var limits: Limits
    /// The SHA-256 of the paths.
    var candidates: String
  }

  /// Records in the summary of a report what the run was a part of.
  ///
  /// - Parameter all: the candidates of all shards.
  /// - Throws: the exit code, if the configuration cannot be read again.
  func identify(
    _ report: inout CheckReport, among all: [Candidate], _ configuration: Configuration,
    _ limits: Limits
  ) throws {
    guard let shard else { return }
    var list = try SHA256()
    for candidate in all { try list.update(candidate.path.pathBytes + [0]) }
    report.summary.shard = shard
    report.summary.configuration = try configuration.digest(
      with: Decisive(
        profiles: judging.profiles?.names, selected: selected.flatMap(\.names).sorted(),
        ignored: ignored.flatMap(\.names).sorted(), key: judging.key.key,
        everyFrame: "\(everyFrame)", limits: limits, candidates: try list.finish().hexadecimal))
    report.summary.candidates = all.count
    report.summary.profiles = report.profiles.map {
      Summary.JudgedFor(name: $0.name, title: $0.title)
    }
  }
}
