import ArtworkPipeline
import SystemPackage

/// A journal of results, recorded as they complete.
extension CheckRun {
  func openJournal(_ file: FilePath) throws -> ResultJournal {
    do throws(Errno) {
      return try ResultJournal(file)
    } catch {
      Terminal.printError("artworkd: cannot use \(file.string.printable) for results: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  /// A journal that cannot be written ends the run, because the user requested it.
  func keep(_ report: CandidateReport, in journal: ResultJournal) {
    do {
      try journal.add(report)
    } catch {
      AtomicFile.abandonAll()
      Terminal.printError("artworkd: cannot write \(journal.path.string.printable): \(error)\n")
      exitNow(.internalError)
    }
  }

  func finish(_ journal: ResultJournal, _ report: CheckReport) throws {
    do {
      try journal.finish(
        report, ReportSetting(currentFolder: .currentFolder, toolVersion: Artworkd.version))
    } catch {
      Terminal.printError("artworkd: cannot write \(journal.path.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
