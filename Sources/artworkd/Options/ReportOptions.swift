public import ArgumentParser
import ArtworkModel
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

extension ReportSetting {
  /// - Parameter files: those that a page may carry along.
  init(reading files: [Candidate], _ digester: any ContentDigester) {
    self.init(currentFolder: .currentFolder, toolVersion: Artworkd.version)
    let byPath = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    contents = { byPath[$0]?.contents(atMost: ReportSetting.largestEmbedded) }
    digest = { path in byPath[path].flatMap { digester.digest(of: $0)?.hexadecimal } }
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

/// The reports of a run, and their destinations.
extension ReportOptions {
  /// The file of the results; `nil` for standard output.
  private var target: FilePath? { output.flatMap { $0.isStandardStream ? nil : $0.path } }

  /// Every file that is written.
  var files: [FilePath] { reports.map(\.file) + [target].compactMap(\.self) }

  /// Whether a report contains pictures.
  var showsPictures: Bool { format == .html || reports.contains { $0.format == .html } }

  /// Whether the output is for people.
  var isText: Bool { format.isText }

  /// Whether results are printed while the check runs.
  var streams: Bool { target == nil && (isText || format == .ndjson) }

  /// Writes all reports, and the last line of text for people if they have not seen it.
  ///
  /// - Parameters:
  ///   - pictures: where pages have them.
  ///   - isPrinted: whether the one for standard output was printed while the check ran.
  func write(
    _ report: CheckReport, _ setting: ReportSetting, pictures: PagePictures = .inside,
    isPrinted: Bool = false
  ) throws {
    var others = setting
    // Empty, as in reports of merged shards, which know no paths of a command line.
    (others.places, others.search) = ([], [])
    for other in reports { try write(report, other.format, to: other.file, others, pictures) }
    if let target {
      try write(report, format, to: target, setting, pictures)
    } else if !isPrinted {
      var setting = setting
      (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
      Terminal.emit { try format.render(report, setting) }
    }
    if !isText && format != .github || target != nil, !setting.onlyProblems {
      Terminal.printError(TextReport.closing(report.summary, style: Terminal.errorStyle))
    }
  }

  private func write(
    _ report: CheckReport, _ format: ReportFormat, to file: FilePath, _ setting: ReportSetting,
    _ pictures: PagePictures
  ) throws {
    var setting = setting
    setting.folder = setting.currentFolder.pushing(file.removingLastComponent())
    if pictures == .beside { setting.placePicture = Self.placing(beside: file) }
    try Terminal.writing(file) {
      try AtomicFile.write(Array(try format.render(report, setting).utf8), to: file)
    }
  }

  /// Writes the pictures of a page into `<name>-pictures` beside it.
  private static func placing(
    beside page: FilePath
  ) -> @Sendable ([UInt8], String) throws -> FilePath {
    var stem = page
    stem.extension = nil
    let folder = stem.suffixed("-pictures")
    return { bytes, name in
      try AtomicFile.makeFolder(folder)
      let file = folder.appending(name)
      try AtomicFile.write(bytes, to: file)
      return file
    }
  }
}
