public import ArgumentParser
import ArtworkPipeline
import SystemPackage

extension ReportFormat: ExpressibleByArgument {}

/// `--report FORMAT=FILE`.
struct ReportArgument {
  var format: ReportFormat
  var file: FilePath

  /// - Throws: `ValidationError` with an example.
  init(_ argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let format = ReportFormat(rawValue: parts[0]), !parts[1].isEmpty else {
      let names = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--report takes FORMAT=FILE, for example html=report.html. Formats: \(names).")
    }
    self.format = format
    // The name may hold any bytes, not only text.
    file = RawArguments.path(parts[1])
  }
}

/// The location of the pictures of HTML reports.
enum PagePictures: String, ExpressibleByArgument, CaseIterable {
  case inside, beside
}

/// The options that choose reports.
struct ReportOptions: ParsableArguments {
  @Option(
    help:
      "The format of the results: text has a line for each release, full all findings, concise a line for each."
  )
  var format: ReportFormat = .text

  @Option(help: "Write the results to this file instead of standard output (-).")
  var output: PathArgument?

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Also write a report in this format to this file. Repeatable.", valueName: "format=file"),
    transform: ReportArgument.init)
  var reports: [ReportArgument] = []

  func validate() throws {
    try OverwriteCheck.validate(files)
  }
}
