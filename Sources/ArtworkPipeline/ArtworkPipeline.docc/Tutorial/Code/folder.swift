import ArtworkModel
import ArtworkPipeline
import Foundation
import SystemPackage

let pipeline = try Pipeline()
let work = pipeline.check(folders: ["artwork"], jobs: 4)
for await step in work.progress { print(step.done, "of", step.count) }
let report = try await work.value
for result in report.results { print(result.verdict, result.path) }

let page = try ReportFormat.html.render(report, ReportSetting(toolVersion: "1.0"))
try Data(page.utf8).write(to: URL(filePath: "report.html"))
