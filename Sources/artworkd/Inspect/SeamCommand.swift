import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct SeamCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam",
    abstract: "Judge the seam of any loop: whether its end meets its start.",
    discussion: """
      Prints one line for each video or animation, of any shape: the verdict, a score from 0 to 1 \
      (at least 0.5 if it loops) and what is wrong. With --format json, each line is an object.

      -o and --output-dir also draw the seam, as PNG: the last three and the first three frames. With -o -, the picture \
      takes the place of the verdict.

      \(ExitStatus.words)
      """)

  @OptionGroup
  var inputs: InputOptions

  @Option(help: "The format of the results.")
  var format: OutputFormat = .text

  @OptionGroup
  var cacheOption: CacheOption

  @OptionGroup
  var isolation: IsolationOptions

  var caching: CacheOption? { cacheOption }

  func validate() throws {
    try inputs.validate("video", takesFolder: true)
    _ = try output?.pictureFormat(among: [.png])
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    let found = try CandidateSelection(paths: paths.map(\.path), configuration: configuration)
      .found()
    if let output, !output.isStandardStream {
      guard found.count < 2 else {
        throw ValidationError("-o takes one video; for more, use --output-dir.")
      }
      try OverwriteCheck.validate([output.path], over: found.map(\.path), what: "picture")
    }
    return found
  }

  /// A verdict, or a picture for standard output.
  struct Judged: Sendable {
    var report: SeamReport
    var picture: [UInt8]?
  }

  func make(_ input: Candidate, into made: inout [Judged], _ run: MakingRun) async throws {
    let draws = output != nil || outputDir != nil
    let (report, picture) = try await run.pipeline.seam(of: input, draws: draws, cache: run.cache)
      .value
    var judged = Judged(report: report)
    // The verdict is printed even if the picture cannot be written.
    defer { if output?.isStandardStream != true || judged.picture != nil { made.append(judged) } }
    guard let picture else { return }
    if output?.isStandardStream == true {
      judged.picture = picture
      return
    }
    let target =
      output?.path
      ?? outputDir.map {
        $0.path.appending(input.previewStem.components).suffixed(".seam.png")
      }
    guard let target else { return }
    if outputDir != nil { try OutputFile.makeFolder(target.removingLastComponent()) }
    try OutputFile.write(picture, to: target)
    judged.report.picture = target
  }

  func output(_ made: [Judged], of input: Candidate) throws -> [UInt8] {
    try made.flatMap { judged in
      if let picture = judged.picture { return picture }
      return Array(
        (format == .json
          ? try JSONReport.line(judged.report) : judged.report.text(Terminal.outputStyle)).utf8)
    }
  }

  func close(_ results: MakingResults<Judged>) -> ExitStatus {
    results.made.allSatisfy(\.report.loops) ? .success : .findings
  }
}
