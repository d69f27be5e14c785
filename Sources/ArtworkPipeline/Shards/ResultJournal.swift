/// A file to which a run appends results as they complete, and from which the next run continues if this one is
/// stopped.
package final class ResultJournal: Sendable {
  package let path: FilePath
  /// Complete results of an earlier run, by path.
  package let earlier: [FilePath: CandidateReport]
  private let file: FileDescriptor

  /// Opens the file, or creates it. Lines that are not complete results with evidence are skipped.
  ///
  /// - Throws: ``Errno``; `.fileTooLarge` for a line that is too long to be a result.
  package init(_ path: FilePath) throws(Errno) {
    self.path = path
    var earlier: [FilePath: CandidateReport] = [:]
    var isEmpty = true
    do throws(OpenError) {
      let source = try SourceFile(path)
      isEmpty = source.state.size == 0
      var lines = ResultLines(source)
      while let line = try Self.next(&lines) {
        guard line.isEnded, let report = JSONReport.result(line: line.bytes) else { continue }
        earlier[report.path] = report
      }
    } catch {
      switch error {
      case .system(.noSuchFileOrDirectory): break
      case .system(let error): throw error
      case .notAFile, .leadsOut: throw .isDirectory
      }
    }
    self.earlier = earlier
    do {
      file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .append, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      // Terminates the line that the last run may have left incomplete.
      if !isEmpty { _ = try file.writeAll([UInt8(ascii: "\n")]) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  deinit { try? file.close() }

  private static func next(_ lines: inout ResultLines) throws(OpenError) -> ResultLines.Line? {
    do throws(Errno) {
      return try lines.next()
    } catch {
      throw .system(error)
    }
  }

  /// The earlier results that another inspection would repeat, by candidate: of files that have not changed, under
  /// the same configuration. Files with errors are retried.
  ///
  /// - Parameters:
  ///   - configuration: as in ``Evidence/configuration``.
  ///   - previewFolder: where this run writes previews; results whose preview is missing are repeated.
  package func holding(
    for catalogue: Catalogue, _ configuration: String, previewFolder: FilePath?
  ) -> [Int: CandidateReport] {
    var found: [Int: CandidateReport] = [:]
    for (index, candidate) in catalogue.candidates.enumerated() {
      guard let report = earlier[candidate.path], report.error == nil,
        previewFolder.map({ report.hasPreview(of: candidate, below: $0) }) ?? true,
        report.evidence?.holds(for: index, in: catalogue, configuration: configuration) ?? false
      else { continue }
      found[index] = report
    }
    return found
  }

  /// Adds a result. Not synced to disk: lost results are checked again.
  package func add(_ report: CandidateReport) throws {
    _ = try file.writeAll(Array(try JSONReport.line(report).utf8))
  }

  /// Replaces the file by all results in order, with the summary.
  package func finish(_ report: CheckReport, _ setting: ReportSetting) throws {
    let text = try ReportFormat.ndjson.render(report, setting)
    try AtomicFile.write(Array(text.utf8), to: path)
  }
}

extension CandidateReport {
  /// Whether its preview exists at the path where a run would write it.
  fileprivate func hasPreview(of candidate: Candidate, below folder: FilePath) -> Bool {
    guard let key, preview == Batch.previewPath(of: candidate, key, below: folder) else {
      return false
    }
    return preview.flatMap { FileState(of: $0) } != nil
  }
}
