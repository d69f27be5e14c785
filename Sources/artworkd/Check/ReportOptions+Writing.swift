import ArtworkPipeline
import SystemPackage

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
    if !isText || target != nil, !setting.onlyProblems {
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
    do {
      try AtomicFile.write(Array(try format.render(report, setting).utf8), to: file)
    } catch {
      Terminal.printError("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
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
