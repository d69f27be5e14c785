import ArgumentParser
import ArtworkPipeline
import ArtworkStore
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check candidate videos: which work as animated artwork, and why others do not.",
    discussion: """
      Folders are searched for moving pictures by content, hidden files left out. \
      `-` reads paths from standard input, one a line or NUL-separated.

      Exit codes: 0 no findings at the --fail-on level, 1 some, 2 an input could not be \
      read or inspected, 64 usage or configuration error, 69 no sandbox though required, \
      70 internal error, 130 interrupted.
      """)

  @Argument(
    help: "Files and folders, or - for a list on standard input; the default is this folder.")
  var paths: [PathArgument] = []

  @Option(
    help: "Judge as this key; auto takes it from a manifest, the file's name, else its shape.")
  var key: KeyChoice = .auto

  @Option(
    name: .customLong("profile"),
    help: ArgumentHelp(
      "What to judge for, separated by commas; the default is now-playing. artworkd profiles lists them.",
      valueName: "name,..."))
  var profiles: NameList?

  @OptionGroup(title: "Reports")
  var reports: ReportOptions

  @Option(help: "Write each candidate's first frame below this folder as <name>.<key>.png.")
  var previewDir: PathArgument?

  @Option(help: "Files looked at at once; the default is one for each processor.")
  var jobs: Int?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Look at every frame: slower, finds damage and flashes in the middle of a clip. By default where the ends "
        + "of a clip leave a doubt, and for pages (html); with --no-thorough nowhere."))
  var thorough: Bool?

  @Option(help: "Fail on findings of this severity and above; the default is error.")
  var failOn: FailureLevel?

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @Option(help: "Leave out findings that this file knows.")
  var baseline: PathArgument?

  @Option(help: "Write all findings to this file, for --baseline, and succeed.")
  var writeBaseline: PathArgument?

  @Flag(help: "Check the videos that are staged in git.")
  var staged = false

  @Flag(help: "Go on, and check again what changes; ends with Ctrl-C.")
  var watch = false

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @Flag(
    help: ArgumentHelp(
      "Look at every file anew. By default what was measured of a file is kept (in $ARTWORKD_CACHE_DIR, else "
        + "~/.cache/artworkd) until the file or artworkd changes."))
  var noCache = false

  @Flag(name: .shortAndLong, help: "Print problems and the summary only, and no progress.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Log each step to standard error.")
  var verbose = false

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 256, not \(jobs).")
    }
    if paths.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given once.")
    }
    if staged, !paths.isEmpty { throw ValidationError("--staged and paths exclude each other.") }
    if watch {
      if staged || paths.contains(where: \.isStandardStream) || writeBaseline != nil {
        throw ValidationError("--watch takes files and folders, and writes no baseline.")
      }
      if reports.outputFile != nil || ![.text, .ndjson].contains(reports.format) {
        throw ValidationError("--watch prints text or ndjson; --report writes other formats.")
      }
    }
  }

  func run() throws {
    let jobs = jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    let first = paths.first { !$0.isStandardStream }?.path ?? "."
    let configuration = try configurationOptions.load(above: first)
    try checkProfileNames(configuration)
    let known = try knownFindings(configuration)
    var limits = Limits()
    configuration.apply(to: &limits)
    // Before the first thread.
    let inspector = try isolation.inspector(jobs: jobs, limits: limits)
    defer { (inspector as? IsolatedInspector)?.stop() }
    let run = CheckRun(
      command: self, configuration: configuration, baseline: known, inspector: inspector, jobs: jobs
    )
    defer { run.cache?.finish() }
    try Blocking.run {
      if watch { try await run.watch() } else { try await run.once() }
    }
  }

  private func checkProfileNames(_ configuration: Configuration) throws {
    for name in profiles?.names ?? [] where configuration.profile(named: name) == nil {
      throw ValidationError(
        "there is no profile '\(name)'\(configuration.suggestion(forProfile: name))")
    }
  }

  private func knownFindings(_ configuration: Configuration) throws -> KnownFindings? {
    guard let file = baseline?.path ?? configuration.baseline else { return nil }
    // The first time, there is none yet.
    if let target = writeBaseline?.path, !Baseline.isThere(file),
      target.absolute(in: .currentFolder) == file.absolute(in: .currentFolder)
    {
      return nil
    }
    let known = try ConfigurationOptions.told { () throws(ConfigurationError) in
      try Baseline.load(file)
    }
    return KnownFindings(baseline: known, file: file)
  }
}
