public import ArgumentParser
import ArtworkPipeline
import SystemPackage

extension ReportFormat: ExpressibleByArgument {}

/// `--report FORMAT=FILE`.
struct ReportArgument {
  var format: ReportFormat
  var file: FilePath

  /// - Throws: `ValidationError` with what would be right.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]), !parts[1].isEmpty else {
      let names = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--report takes FORMAT=FILE, for example html=report.html; formats are \(names).")
    }
    self.format = format
    // The argument may hold any bytes, which text alone does not.
    file = RawArguments.path(parts[1])
  }
}

/// How results are written, and where.
struct ReportOptions: ParsableArguments {
  @Option(help: "How to print the results.")
  var format: ReportFormat = .text

  @Option(help: "Write the results to this file instead of standard output (-).")
  var output: PathArgument?

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write them in this format to this file, too. Repeatable.", valueName: "format=file"),
    transform: ReportArgument.init)
  var reports: [ReportArgument] = []

  func validate() throws {
    let twice = files.first { file in files.count { $0 == file } > 1 }
    if let twice { throw ValidationError("\(twice.string) is named for two reports.") }
  }

  /// Everything that is written.
  var files: [FilePath] { reports.map(\.file) + [outputFile].compactMap(\.self) }

  var outputFile: FilePath? { output.flatMap { $0.isStandardStream ? nil : $0.path } }

  /// Whether a report shows pictures.
  var wantsExhibits: Bool { format == .html || reports.contains { $0.format == .html } }

  /// Whether results are printed as they come.
  var streamsLines: Bool { format == .ndjson && outputFile == nil }

  /// What a report depends on besides its results and its place.
  struct Manner {
    /// Print problems only.
    var quiet: Bool
    var failOn: FailureLevel
    /// The bytes of a candidate that a page may carry along.
    var contents: @Sendable (FilePath) -> [UInt8]?
  }

  /// Writes everything but what was streamed.
  func deliver(_ report: CheckReport, _ manner: Manner) throws {
    try writeReports(report, manner)
    if let file = outputFile {
      try write(file) { try format.render(report, setting(for: file, manner)) }
    } else if streamsLines {
      Terminal.emit { try JSONReport.line(report.summary) }
    } else {
      print(report, manner)
    }
  }

  /// What a change of a watched folder brings: prints what was checked again, and writes the other reports of
  /// everything anew.
  func deliverChange(_ changed: CheckReport, all: CheckReport, _ manner: Manner) throws {
    if !streamsLines {
      print(changed, manner)
      // Before the next change.
      Terminal.emit { "\n" }
    }
    try writeReports(all, manner)
  }

  private func print(_ report: CheckReport, _ manner: Manner) {
    var setting = setting(for: nil, manner)
    setting.style = Terminal.outputStyle
    setting.width = Terminal.outputWidth
    Terminal.emit { try format.render(report, setting) }
  }

  private func writeReports(_ report: CheckReport, _ manner: Manner) throws {
    for wanted in reports {
      try write(wanted.file) { try wanted.format.render(report, setting(for: wanted.file, manner)) }
    }
  }

  private func setting(for file: FilePath?, _ manner: Manner) -> ReportSetting {
    var setting = ReportSetting(
      currentFolder: .currentFolder, folder: file?.removingLastComponent(),
      toolVersion: Artworkd.version)
    setting.contents = manner.contents
    setting.onlyProblems = manner.quiet
    setting.failOn = manner.failOn.severity
    return setting
  }

  private func write(_ file: FilePath, _ text: () throws -> String) throws {
    do {
      try AtomicFile.write(Array(try text().utf8), to: file)
    } catch {
      Terminal.say("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
