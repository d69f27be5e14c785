import ArtworkModel
import ArtworkPipeline
import Foundation
import SystemPackage

let pipeline = try Pipeline()
let report = try await pipeline.check("artwork/1x1.mp4").value
print(report.verdict, report.seam?.verdict.rawValue ?? "one frame")
for finding in report.findings where finding.severity > .info {
  print("\(finding.rule): \(finding.message) → \(finding.help)")
}

let picture = try await pipeline.preview(of: "artwork/1x1.mp4").value
try Data(picture).write(to: URL(filePath: "1x1.png"))
