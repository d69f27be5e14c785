import ArgumentParser
import ArtworkPipeline
import SystemPackage

struct StatsCommand: ParsableCommand {
  /// The format of the numbers.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, html
  }

  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show statistics of results: verdicts, rules, durations, rates, sizes and seams.",
    discussion: """
      Takes the output of artworkd check or artworkd merge as ndjson or json. Given several files, \
      treats them as successive runs and shows the trend; the shards of a run count as one.

      Exit codes: 0 done, 2 a file cannot be read, is torn or contains no results, 64 usage \
      error, 70 internal error.
      """)

  @Argument(help: "The results of one run, or of several runs, oldest first.")
  var files: [PathArgument]

  @Option(help: "The output format.")
  var format: Format = .text

  @Option(help: "Write to this file instead of standard output (-).")
  var output: PathArgument?

  func validate() throws {
    try OverwriteCheck.validate([target].compactMap(\.self), over: files.map(\.path))
  }

  private var target: FilePath? { output.flatMap { $0.isStandardStream ? nil : $0.path } }

  func run() throws {
    let interrupt = Interrupt()
    let statistics: StatisticsReport
    do throws(MergeError) {
      statistics = try StatisticsReport(of: files.map(\.path))
    } catch {
      throw MergeCommand.reported(error)
    }
    let target = target
    let text =
      switch format {
      case .text:
        statistics.text(
          style: target == nil ? Terminal.outputStyle : .plain,
          width: target == nil ? Terminal.outputWidth : nil)
      case .json: try statistics.json()
      case .html: try StatisticsPage.render(statistics, toolVersion: Artworkd.version)
      }
    guard let target else { return Terminal.emit { text } }
    do {
      try AtomicFile.write(Array(text.utf8), to: target)
    } catch {
      Terminal.printError("artworkd: cannot write \(target.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
    withExtendedLifetime(interrupt) {}
  }
}
