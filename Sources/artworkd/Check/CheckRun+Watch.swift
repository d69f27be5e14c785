import ArtworkPipeline
import SystemPackage

extension CheckRun {
  /// Checks everything, then every change, until the process is interrupted.
  func watch() async throws {
    let clock = ContinuousClock()
    let interrupt = Interrupt { Terminal.printError("artworkd: stopped watching\n") }
    var known: [FilePath: CandidateReport] = [:]
    var watched: [FilePath: Candidate] = [:]
    let paths = plan.paths.isEmpty ? ["."] : plan.paths
    let names = paths.map(\.string.printable).joined(separator: ", ")
    Terminal.printError("artworkd: watching \(names); press Ctrl-C to stop\n")
    var folders = FolderWatch(paths, isIncluded: plan.configuration.isIncluded)
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
        plan, affected, profiles: plan.profiles(of: affected.candidates), progress: nil)
      var results = await batch().run(affected, onReport: printer.add)
      cache?.flush()
      _ = plan.baseline?.hide(in: &results)
      for result in results { known[result.path] = result }
      let all = known.values.sorted { $0.path.string < $1.path.string }
      let seconds = (clock.now - start) / .seconds(1)
      func report(_ results: [CandidateReport], _ candidates: [Candidate]) -> CheckReport {
        CheckReport(
          results: results, summary: Summary(results, seconds: seconds),
          profiles: plan.profiles(of: candidates))
      }
      printer.endOfChange(report(results, affected.candidates))
      try plan.reports.writeOthers(report(all, present), context(all, present))
    }
    withExtendedLifetime(interrupt) {}
  }
}
