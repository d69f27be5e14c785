public import ArgumentParser
import Foundation
public import HostileMedia

/// The common code of tests and scripts for making bad files.
@main
struct Mutate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate", abstract: "Make files that are damaged.",
    subcommands: [CheckMutants.self, WriteMutants.self])
}

extension Packing: ExpressibleByArgument {}

struct CheckMutants: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Let the tool check mutants of the sample clips.",
    discussion: "Exits with 1 when it crashed, hung, contradicted itself or left a file out.")

  @Option(help: "How many mutants.") var count = 300
  @Option(help: "How often each is checked: the answer, with its message, must be the same.")
  var runs = 2
  @Option(help: "The same seed makes the same mutants.") var seed: UInt64 = 1
  @Option(help: "Keep the mutants that broke a promise or ended a worker in this folder.") var keep: String?
  @Option(help: "Mutate the files of this folder instead of the sample clips.") var folder: String?
  @Option(help: "Pack JSON files: \(Packing.allCases.map(\.rawValue).joined(separator: ", ")).")
  var pack: Packing?
  @Option(help: "A code that may end a file: its worker held it.") var tolerate: [String] = []
  @Option(help: "The artworkd to run; the default is beside this program.") var tool: String?
  @Option(help: "Peak memory allowed, in MiB.") var peak = 1024
  @Argument(help: "More options of artworkd check, after --.") var options: [String] = []

  func run() throws {
    let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let beside = own.deletingLastPathComponent().appendingPathComponent("artworkd")
    var run = MutationRun(
      count: count, seed: seed, tool: tool.map { URL(fileURLWithPath: $0) } ?? beside,
      keep: keep.map { URL(fileURLWithPath: $0) })
    run.peakLimit = peak << 20
    run.runs = max(1, runs)
    run.options = options
    run.folder = folder.map { URL(fileURLWithPath: $0) }
    run.packing = pack
    run.tolerated = Set(tolerate)
    print("seed \(seed)")
    var reported = 0
    let report = try run.run { report in
      for failure in report.failures[reported...] { print("FAILED \(failure)") }
      reported = report.failures.count
      let done = "\(report.mutants) of \(count) mutants, \(reported) failures"
      FileHandle.standardError.write(Data("\(done), \(Int(report.seconds)) s\n".utf8))
    }
    let outcomes = report.outcomes.sorted { $0.value > $1.value }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print(
      "\(report.mutants) mutants of \(report.sources) files, each \(run.runs) times, in \(Int(report.seconds)) s,"
        + " peak \(report.peakBytes >> 20) MiB: \(outcomes)")
    if reported > 0 { throw ExitCode(1) }
  }
}

struct WriteMutants: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutants", abstract: "Write mutants of the sample clips into a folder.")

  @Option(help: "How many mutants.") var count = 300
  @Option(help: "The same seed makes the same mutants.") var seed: UInt64 = 1
  @Argument(help: "The folder; it is made.") var folder: String

  func run() throws {
    let url = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    // The tool is not run.
    try MutationRun(count: count, seed: seed, tool: url, keep: nil).write(to: url)
  }
}
