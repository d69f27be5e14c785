import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge the results of all shards into one report.",
    discussion: """
      Takes the output of artworkd check --shard I/N --format ndjson, once for each I. Applies \
      rules that compare releases across all shards. Refuses shards that are missing, \
      incomplete or repeated, and shards that differ in version, configuration or list of files.

      \(ExitStatus.words)
      """)

  @Argument(help: "The results of all shards, as NDJSON.")
  var files: [PathArgument]

  @OptionGroup(title: "Reports")
  var reports: ReportOptions

  @Option(help: "Fail on findings of this severity and above; the default is error.")
  var failOn: FailureLevel?

  @Option(help: "Ignore the findings that this file lists.")
  var baseline: PathArgument?

  @Flag(name: .shortAndLong, help: "Print only problems and the summary.")
  var quiet = false

  func validate() throws {
    try OverwriteCheck.validate(
      reports.files, over: (files + [baseline].compactMap(\.self)).map(\.path))
  }

  func run() throws {
    let level = failOn ?? .error
    let known = try baseline.map { try BaselineFindings($0.path) }
    let interrupt = Interrupt()
    var report: CheckReport
    do throws(MergeError) {
      report = try CheckReport(merging: files.map(\.path))
    } catch {
      throw Self.reported(error)
    }
    if let known {
      _ = known.hide(in: &report.results)
      report.summary = Summary(report.results, seconds: report.summary.seconds)
    }
    var setting = ReportSetting(currentFolder: .currentFolder, toolVersion: Artworkd.version)
    (setting.onlyProblems, setting.failOn) = (quiet, level.severity)
    try reports.write(report, setting)
    withExtendedLifetime(interrupt) {}
    throw ExitStatus(report.results, failOn: level).code
  }

  /// Prints the error of an input, and returns the exit code.
  static func reported(_ error: MergeError) -> ExitCode {
    Terminal.printError("artworkd: \(error.description.printable)\n  → \(error.help.printable)\n")
    return ExitStatus.unreadableInput.code
  }
}
