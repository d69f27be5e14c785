import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// The page that shows the releases as they are now, and each new video beside the one that it was made of.
extension RepairCommand {
  func writePage(_ results: MakingResults<ReleaseRepair>, to file: FilePath) async throws {
    let batch = batch(results.run, showsPictures: true).batch
    let configuration = results.run.configuration
    let places = outputDir.map { [$0.path] } ?? output.map { [$0.path] } ?? paths.map(\.path)
    let found = CandidateFinder.find(places).filter {
      $0.folder == nil || configuration.isIncluded($0.path)
    }
    let reports = await batch.run(Catalogue(found, configuration))
    var before: [FilePath: (report: CandidateReport, changes: [String])] = [:]
    for outcome in results.made.flatMap(\.outcomes) where outcome.isRepaired {
      guard let output = outcome.output else { continue }
      let path = outcome.plan.candidate.path
      let original = RepairPlace.original(of: path) ?? path
      var report = batch.check(
        Candidate(path: original), key: outcome.isDerived ? nil : outcome.plan.key)
      report.path = original
      before[output.lexicallyNormalized()] = (report, outcome.changes)
    }
    var setting = ReportSetting(currentFolder: .currentFolder, toolVersion: Artworkd.version)
    setting.folder = setting.currentFolder.pushing(file.removingLastComponent())
    let byPath = Dictionary(
      (found + reports.compactMap(\.cover) + before.values.map { Candidate(path: $0.report.path) })
        .map {
          ($0.path, $0)
        }, uniquingKeysWith: { first, _ in first })
    let digester = results.run.cache.map { CachingDigester(cache: $0) as any ContentDigester }
    setting.contents = { byPath[$0]?.contents(atMost: ReportSetting.largestEmbedded) }
    setting.digest = { path in
      byPath[path].flatMap { (digester ?? FileDigester()).digest(of: $0)?.hexadecimal }
    }
    setting.before = { [before] in before[$0.lexicallyNormalized()] }
    // The doubts of a release stand with its first new file.
    var doubts: [FilePath: [String]] = [:]
    for release in results.made {
      let new = release.outcomes.lazy.compactMap(\.output).first ?? release.reports.first?.path
      if let new { doubts[new.lexicallyNormalized()] = release.doubts }
    }
    setting.doubts = { [doubts] in doubts[$0.lexicallyNormalized()] ?? [] }
    let report = CheckReport(
      results: reports, summary: Summary(reports, seconds: results.seconds),
      profiles: configuration.allProfiles(named: judging.profiles?.names))
    do {
      try AtomicFile.write(Array(try HTMLReport.render(report, setting).utf8), to: file)
    } catch {
      Terminal.printError("artworkd: cannot write \(file.string.printable): \(error)\n")
      throw ExitStatus.internalError.code
    }
  }
}
