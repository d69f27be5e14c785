import ArtworkPipeline
import SystemPackage

/// Results that are kept as they are complete.
extension CheckRun {
  func openJournal(_ file: FilePath) throws -> ResultJournal {
    do throws(Errno) {
      return try ResultJournal(file)
    } catch {
      Terminal.printError("artworkd: cannot use \(file.string.printable) for results: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  /// A journal that cannot be written ends the run: the user asked for one, so failing to write it is fatal.
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
