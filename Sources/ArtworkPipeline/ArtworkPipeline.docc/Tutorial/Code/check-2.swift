import ArtworkModel
import ArtworkPipeline
import SystemPackage

let (inspection, picture) = try Inspector().inspect("artwork/1x1.mp4", preview: .original)
print(inspection.facts.displayDescription)

let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
print(seam?.verdict.rawValue ?? "one frame")
for finding in findings where finding.severity > .info {
  print("\(finding.rule): \(finding.message) → \(finding.help)")
}
