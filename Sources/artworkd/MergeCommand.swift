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

      Exit codes: 0 no findings at the --fail-on level or above, 1 findings, 2 an input could \
      not be read or inspected, or the shards do not belong together, 64 usage error, 70 \
      internal error, 130 interrupted.
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
    try Overwriting.validate(
      reports.plan.files, over: (files + [baseline].compactMap(\.self)).map(\.path))
  }

  func run() throws {
    let level = failOn ?? .error
    let known = try baseline.map { option in
      try ConfigurationOptions.told { () throws(ConfigurationError) in
        KnownFindings(baseline: try Baseline.load(option.path), file: option.path)
      }
    }
    let interrupt = Interrupt {}
    let report: MergedReport
    do throws(MergeError) {
      report = MergedReport(
        try Merge(
          files.map(\.path), hide: known.map { known in { @Sendable in _ = known.hide(in: &$0) } }))
    } catch {
      throw Self.told(error)
    }
    let plan = reports.plan
    let context = ReportPlan.Context(onlyProblems: quiet, failOn: level) { _ in nil }
    for file in plan.outputs {
      var setting = plan.setting(for: file.path, context)
      if file.path == nil {
        (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
      }
      do {
        if let path = file.path {
          try AtomicFile.write(to: path) { output in
            try report.write(file.format, setting) { _ = try output.writeAll($0) }
          }
        } else {
          try report.write(file.format, setting) { bytes in Terminal.emitBytes { bytes } }
        }
      } catch let error as MergeError {
        throw Self.told(error)
      } catch {
        Terminal.say(
          "artworkd: cannot write \(file.path?.string.printable ?? "the results"): \(error)\n")
        throw ExitStatus.internalError.code
      }
    }
    if plan.format != .text || plan.output != nil, !quiet {
      Terminal.say(TextReport.closing(report.summary, style: Terminal.errorStyle))
    }
    withExtendedLifetime(interrupt) {}
    switch report.outcome(failOn: level) {
    case .error: throw ExitStatus.unreadableInput.code
    case .fail: throw ExitStatus.findings.code
    case .pass, .warn: break
    }
  }

  /// Prints what is wrong with an input, and returns the exit code.
  static func told(_ error: MergeError) -> ExitCode {
    Terminal.say("artworkd: \(error.description.printable)\n  → \(error.help.printable)\n")
    return ExitStatus.unreadableInput.code
  }
}
