import ArtworkModel
import ArtworkPipeline
import SystemPackage

let inspector = try IsolatedInspector()
let batch = Batch(options: .init(jobs: 4), inspector: inspector)
let reports = await batch.run(Catalogue(CandidateFinder.find(["artwork"]), Configuration()))
for report in reports {
  print(report.verdict, report.path)
}

let summary = Summary(reports, seconds: 1)
let page = try ReportFormat.html.render(
  CheckReport(results: reports, summary: summary, profiles: [.nowPlaying]),
  ReportSetting(currentFolder: .currentFolder, toolVersion: "1.0"))
try AtomicFile.write(Array(page.utf8), to: "report.html")
