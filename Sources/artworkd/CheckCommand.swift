import ArgumentParser
import ArtworkPipeline
import Logging
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
      read or inspected, 64 usage error, 69 no sandbox though required, 70 internal error, \
      130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, ndjson
  }

  @Argument(
    help: "Files and folders, or - for a list on standard input; the default is this folder.")
  var paths: [PathArgument] = []

  @Option(help: "Judge as this key; auto takes it from the file's name, else its shape.")
  var key: KeyChoice = .auto

  @Option(name: .customLong("profile"), help: "What to judge for, separated by commas.")
  var profiles = ProfileList([.nowPlaying])

  @Option(help: "How to print the results.")
  var format: Format = .text

  @Option(help: "Write the results to this file instead of standard output (-).")
  var output: PathArgument?

  @Option(help: "Write each candidate's first frame below this folder as <name>.<key>.png.")
  var previewDir: PathArgument?

  @Option(help: "Files looked at at once; the default is one for each processor.")
  var jobs: Int?

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Look at every frame: slower, finds damage in the middle of a clip. By default where the ends of a clip "
        + "cannot tell whether it loops, with --no-thorough nowhere."))
  var thorough: Bool?

  @Option(help: "Fail on findings of this severity and above.")
  var failOn: FailureLevel = .error

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @Flag(help: "Inspect every file anew. Nothing is cached yet, so this is always so.")
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
  }

  func run() throws {
    let jobs = jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    // Before the first thread.
    let inspector = try isolation.inspector(jobs: jobs)
    defer { (inspector as? IsolatedInspector)?.stop() }
    let batch = batch(inspector, jobs: jobs)
    try Blocking.run { try await check(batch) }
  }

  private func check(_ batch: Batch) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let candidates = CandidateFinder.find(try inputs())
    if candidates.isEmpty {
      let folders =
        paths.isEmpty
        ? "this folder"
        : paths.map { $0.isStandardStream ? "the list" : $0.path.string }.joined(separator: ", ")
      Terminal.say("artworkd: no candidate videos in \(folders.printable)\n")
    }
    let streamsLines = format == .ndjson && outputFile == nil
    let showsProgress =
      Terminal.canRedraw && !quiet && !verbose && !(streamsLines && Terminal.outputIsTerminal)
    let progress = showsProgress ? ProgressLine(total: candidates.count) : nil
    let interrupt = Interrupt {
      progress?.clear()
      Terminal.say("artworkd: interrupted, no partial files are left\n")
    }

    let reports = await batch.run(candidates) { report in
      if streamsLines { Self.emit { try JSONReport.line(report) } }
      progress?.advance(report)
    }
    progress?.clear()

    let summary = Summary(reports, seconds: (clock.now - start) / .seconds(1))
    try deliver(reports, summary: summary, streamsLines: streamsLines)
    withExtendedLifetime(interrupt) {}
    throw ExitStatus(reports, failOn: failOn).code
  }

  private func inputs() throws -> [FilePath] {
    if paths.isEmpty { return ["."] }
    return try paths.flatMap { path in
      guard path.isStandardStream else { return [path.path] }
      do throws(Errno) {
        return try InputList.read()
      } catch {
        Terminal.say("artworkd: cannot read the list on standard input: \(error)\n")
        throw ExitStatus.unreadableInput.code
      }
    }
  }

  private var outputFile: FilePath? {
    output.flatMap { $0.isStandardStream ? nil : $0.path }
  }

  private func batch(_ inspector: any CandidateInspector, jobs: Int) -> Batch {
    var options = Batch.Options(jobs: jobs)
    options.profiles = profiles.profiles
    options.key = key.key
    options.previewFolder = previewDir?.path
    options.everyFrame =
      switch thorough {
      case true: .always
      case false: .never
      case nil: .whereInDoubt
      }
    var logger = Logger(label: "artworkd") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = verbose ? .debug : .warning
    let walls = (inspector as? IsolatedInspector)?.sandbox.description ?? "none: --no-isolation"
    logger.debug("sandbox", metadata: ["walls": "\(walls)"])
    return Batch(options: options, inspector: inspector, logger: logger)
  }

  private func deliver(
    _ reports: [CandidateReport], summary: Summary, streamsLines: Bool
  ) throws {
    func text(_ style: TextStyle) throws -> String {
      switch format {
      case .text:
        return TextReport(style: style, onlyProblems: quiet).render(reports, summary: summary)
      case .json: return try JSONReport.document(reports, summary: summary)
      case .ndjson:
        let lines = streamsLines ? "" : try reports.map(JSONReport.line).joined()
        return lines + (try JSONReport.line(summary))
      }
    }
    if let output = outputFile {
      do {
        try AtomicFile.write(Array(try text(.plain).utf8), to: output)
      } catch {
        Terminal.say("artworkd: cannot write \(output.string.printable): \(error)\n")
        throw ExitStatus.internalError.code
      }
    } else {
      Self.emit { try text(Terminal.outputStyle) }
    }
    if format != .text || outputFile != nil, !quiet {
      Terminal.say(TextReport.closing(summary, style: Terminal.errorStyle))
    }
  }

  /// Writes to standard output; a reader that has gone or a full disk ends the process at once.
  private static func emit(_ text: () throws -> String) {
    do {
      try Terminal.write(Array(try text().utf8))
    } catch {
      AtomicFile.abandonAll()
      if error as? Errno != .brokenPipe {
        Terminal.say("artworkd: cannot write the results: \(error)\n")
      }
      exitNow(.internalError)
    }
  }
}
