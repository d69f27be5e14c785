import ArtworkModel
import ArtworkPipeline
import Foundation
import SystemPackage

// One video, then a folder with a report.
let pipeline = try Pipeline()
let (video, folder) = (FilePath(CommandLine.arguments[1]), FilePath(CommandLine.arguments[2]))

let report = try await pipeline.check(video, as: .square).value
print(report.verdict, report.seam?.verdict.rawValue ?? "one frame")
for finding in report.findings where finding.severity > .info {
  print("\(finding.rule): \(finding.message) → \(finding.help)")
}
try await Data(pipeline.preview(of: video).value).write(to: URL(filePath: "1x1.png"))

let work = pipeline.check(folders: [folder], jobs: 2)
for await step in work.progress { print("\(step.done) of \(step.count)") }
let page = try await ReportFormat.html.render(work.value, ReportSetting(toolVersion: "1.0"))
try Data(page.utf8).write(to: URL(filePath: "report.html"))
