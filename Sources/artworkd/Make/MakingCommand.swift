import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// A command that makes files of others, or describes them. It states its options, finds its inputs, and makes and
/// describes the files of one input; the rest is ``MakingRun``, the same for all.
protocol MakingCommand: ParsableCommand, Sendable {
  /// What is reported of an input, for example a file that was made.
  associatedtype Made: Sendable

  var isolation: IsolationOptions { get }
  /// `nil` for a command that needs no earlier measurements.
  var caching: CacheOption? { get }

  /// The settings of artwork.yml and of options that replace them.
  func settings() throws -> Configuration

  /// The files to work on, one after another.
  func inputs(_ configuration: Configuration) async throws -> [Candidate]

  /// How the inputs belong together.
  func catalogue(of inputs: [Candidate], _ configuration: Configuration) -> Catalogue

  /// Makes and writes the files of an input. What is in `made` when this throws is reported as well.
  func make(_ input: Candidate, into made: inout [Made], _ run: MakingRun) async throws

  /// Returns what standard output gets about an input.
  func output(_ made: [Made], of input: Candidate) throws -> [UInt8]

  /// Prints what remains after the last input.
  ///
  /// - Returns: the exit status if no input failed.
  func close(_ results: MakingResults<Made>) async throws -> ExitStatus
}

/// What became of the inputs of a command.
struct MakingResults<Made: Sendable>: Sendable {
  var inputs: [Candidate]
  var run: MakingRun
  var made: [Made] = []
  var failures = 0
  var start = ContinuousClock.now

  var seconds: Double { (ContinuousClock.now - start) / .seconds(1) }
}

/// One run of a ``MakingCommand``.
struct MakingRun: Sendable {
  let pipeline: Pipeline
  var configuration = Configuration()
  /// Measurements of earlier runs; `nil` if they should not or cannot be used.
  var cache: InspectionCache?
  var catalogue = Catalogue([])
  /// The place of the input that is worked on.
  var index = 0
  let line = EncodingLine()

  func run<Command: MakingCommand>(_ command: Command) async throws {
    let interrupt = Interrupt(clearing: line)
    defer { withExtendedLifetime(interrupt) {} }
    var results = MakingResults<Command.Made>(
      inputs: try await command.inputs(configuration), run: self)
    var run = self
    run.catalogue = command.catalogue(of: results.inputs, configuration)
    for (index, input) in results.inputs.enumerated() {
      run.index = index
      line.begin(index, of: results.inputs.count, input.path)
      var (made, failure) = ([Command.Made](), InspectionError?.none)
      do {
        try await command.make(input, into: &made, run)
      } catch let error as InspectionError {
        failure = error
      }
      line.clear()
      if !made.isEmpty { Terminal.emitBytes { try command.output(made, of: input) } }
      if let failure { Terminal.printError(failure, of: input.path) }
      results.made += made
      results.failures += failure == nil ? 0 : 1
    }
    let status = try await command.close(results)
    if results.failures > 0 { throw ExitStatus.unreadableInput.code }
    if status != .success { throw status.code }
  }

  /// Warns of a new file that is made of what is left of a damaged one.
  func warn(of rest: String?, in file: FilePath) {
    guard let rest else { return }
    line.clear()
    Terminal.printError(
      "artworkd: \(file.string.printable): frames are missing: the file is truncated or damaged, "
        + "and what is left is used: \(rest.printable)\n  → copy or export it again\n")
  }

  /// Waits for work on a file, and shows its progress.
  ///
  /// - Parameter verb: the operation on the frames.
  func value<Value>(of work: Work<Value>, _ verb: String = "encoded") async throws -> Value {
    for await step in work.progress { line.show(step.done, of: step.count, verb) }
    return try await work.value
  }
}

extension MakingCommand {
  var caching: CacheOption? { nil }

  func settings() throws -> Configuration { Configuration() }

  func catalogue(of inputs: [Candidate], _ configuration: Configuration) -> Catalogue {
    Catalogue(inputs)
  }

  func close(_ results: MakingResults<Made>) throws -> ExitStatus { .success }

  func run() throws {
    let configuration = try settings()
    var limits = Limits()
    configuration.apply(to: &limits)
    // Before the first thread. Some jobs run in pairs.
    let prepared = try isolation.prepare(jobs: 2, limits: limits)
    defer { prepared.stop() }
    let run = MakingRun(
      pipeline: Pipeline(prepared.inspector), configuration: configuration, cache: caching?.open())
    defer { run.cache?.finish() }
    try Blocking.run { try await run.run(self) }
  }
}

extension MakingCommand where Made == String {
  func output(_ made: [String], of input: Candidate) -> [UInt8] { made.flatMap(\.utf8) }
}

extension MakingCommand where Made == MadeFileReport {
  /// An error that the source does not have is a finding of the command.
  func close(_ results: MakingResults<Made>) -> ExitStatus {
    results.made.contains { !$0.newErrors.isEmpty } ? .findings : .success
  }
}

/// A ``MakingCommand`` for the files and folders of its options.
protocol FilesCommand: MakingCommand {
  var inputs: InputOptions { get }
}

extension FilesCommand {
  var paths: [PathArgument] { inputs.paths }
  var output: PathArgument? { inputs.output }
  var outputDir: PathArgument? { inputs.outputDir }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    try await inputs.candidates(configuration)
  }
}

/// A ``MakingCommand`` for one file that an argument names.
protocol SingleFileCommand: MakingCommand {
  var file: PathArgument { get }
}

extension SingleFileCommand {
  func inputs(_ configuration: Configuration) throws -> [Candidate] { [Candidate(path: file.path)] }
}

/// The lines about a new file for people: a sentence, warnings, and the findings that it has.
struct MadeFileText {
  let style = Terminal.outputStyle
  private let wrap = TextWrap(width: Terminal.outputWidth.map { max(40, $0) })

  /// - Parameters:
  ///   - parts: of the sentence, which commas separate.
  ///   - seam: the judgement of the loop, in words.
  func made(_ path: FilePath, _ parts: [String], seam: String?) -> String {
    style.paint("✓ ", .good)
      + wrapped(
        "\(path.string.printable): " + parts.joined(separator: ", ")
          + (seam.map { "; \($0)" } ?? ""))
  }

  func warning(_ text: String) -> String { style.paint("! ", .warning) + wrapped(text) }

  func note(_ text: String) -> String { "  " + wrapped(text) }

  /// Remarks are left out.
  func findings(of report: CandidateReport?) -> String {
    (report?.findings ?? []).filter { $0.severity > .info }.map {
      "  \($0.severity.rawValue)  \($0.rule)  " + wrapped($0.message.printable)
    }.joined()
  }

  func wrapped(_ line: String) -> String {
    wrap.lines(line, indent: 2).joined(separator: "\n  ") + "\n"
  }
}
