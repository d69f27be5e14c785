import ArtworkPipeline
import SystemPackage

extension CheckRun {
  /// Checks everything, then every change, until the process is interrupted.
  func watch() async throws {
    let interrupt = Interrupt { Terminal.printError("artworkd: stopped watching\n") }
    var known: [FilePath: CandidateReport] = [:]
    var watched: [FilePath: Candidate] = [:]
    let paths = options.files.isEmpty ? ["."] : options.files
    let names = paths.map(\.string.printable).joined(separator: ", ")
    Terminal.printError("artworkd: watching \(names); press Ctrl-C to stop\n")
    var folders = FolderWatch(paths, isIncluded: configuration.isIncluded)
    try await folders.run { changes in
      let start = clock.now
      for path in changes.gone {
        known[path] = nil
        watched[path] = nil
        Terminal.printError("artworkd: \(path.string.printable) was removed\n")
      }
      for candidate in changes.settled { watched[candidate.path] = candidate }
      let present = watched.values.sorted { $0.path.string < $1.path.string }
      let everything = catalogue(present, digester)
      try refuseToOverwrite(present, everything)
      let affected =
        everything
        .restricted(toChanged: Set(changes.settled.map(\.path)), lost: changes.gone)
      let printer = ResultPrinter(
        self, affected, profiles: profiles(of: affected.candidates), progress: nil)
      var results = await batch().run(affected, onReports: printer.add)
      cache?.flush()
      _ = baseline?.hide(in: &results)
      for result in results { known[result.path] = result }
      let all = known.values.sorted { $0.path.string < $1.path.string }
      printer.endOfChange(report(results, of: affected.candidates, since: start))
      try options.reports.writeOthers(
        report(all, of: present, since: start), setting(all, present))
    }
    withExtendedLifetime(interrupt) {}
  }
}
