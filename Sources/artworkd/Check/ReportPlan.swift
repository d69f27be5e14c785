import ArtworkPipeline
import SystemPackage

/// The reports of a run, and their destinations.
struct ReportPlan: Sendable {
  struct File: Sendable {
    var format: ReportFormat
    var path: FilePath
  }

  /// The format of standard output, or of ``output``.
  var format = ReportFormat.text
  /// `nil` for standard output.
  var output: FilePath?
  var others: [File] = []
  /// The location of the pictures of HTML reports.
  var pictures = PagePictures.inside

  /// The inputs of a report besides its results and its path.
  struct Context: Sendable {
    var onlyProblems: Bool
    var failOn: FailureLevel
    /// See ``ReportSetting/places``.
    var places: [FilePath] = []
    /// See ``ReportSetting/search``.
    var search: [String] = []
    /// The bytes of a candidate, for pages that embed small videos.
    var contents: @Sendable (FilePath) -> [UInt8]?
  }

  /// Every file that is written.
  var files: [FilePath] { others.map(\.path) + [output].compactMap(\.self) }

  /// Whether a report contains pictures.
  var showsPictures: Bool { format == .html || others.contains { $0.format == .html } }

  /// Whether the output is for people.
  var isText: Bool { format.isText }

  /// Whether results are printed while the check runs.
  var streams: Bool { output == nil && (isText || format == .ndjson) }

  /// Writes all reports.
  ///
  /// - Parameter isPrinted: whether the one for standard output was printed while the check ran.
  func deliver(_ report: CheckReport, _ context: Context, isPrinted: Bool) throws {
    try writeOthers(report, context)
    if let output {
      try write(output) { try format.render(report, setting(for: output, context)) }
    } else if !isPrinted {
      var setting = setting(for: nil, context)
      (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
      Terminal.emit { try format.render(report, setting) }
    }
  }

  /// Writes the reports besides the printed one.
  func writeOthers(_ report: CheckReport, _ context: Context) throws {
    for file in others {
      var setting = setting(for: file.path, context)
      // Empty, as in reports of merged shards, which know no paths of a command line.
      (setting.places, setting.search) = ([], [])
      try write(file.path) { try file.format.render(report, setting) }
    }
  }

  private func setting(for file: FilePath?, _ context: Context) -> ReportSetting {
    var setting = ReportSetting(
      currentFolder: .currentFolder, folder: file?.removingLastComponent(),
      toolVersion: Artworkd.version)
    setting.contents = context.contents
    setting.onlyProblems = context.onlyProblems
    setting.failOn = context.failOn.severity
    (setting.places, setting.search) = (context.places, context.search)
    if pictures == .beside, let file { setting.placePicture = Self.placing(beside: file) }
    return setting
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

  private func write(_ file: FilePath, _ text: () throws -> String) throws {
    do {
      try AtomicFile.write(Array(try text().utf8), to: file)
    } catch {
      Terminal.printError("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
