import ArtworkModel
import ArtworkPipeline
import SystemPackage

let inspector = try IsolatedInspector()
let batch = Batch(options: .init(jobs: 4), inspector: inspector)
let reports = await batch.run(Catalogue(CandidateFinder.find(["artwork"]), Configuration()))
for report in reports {
  print(report.verdict, report.path)
}
