import ArtworkModel
import ArtworkPipeline
import SystemPackage

let (inspection, picture) = try Inspector().inspect("artwork/1x1.mp4", preview: .original)
print(inspection.facts.displayDescription)
