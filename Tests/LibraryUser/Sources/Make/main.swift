import ArtworkModel
import ArtworkPipeline
import Foundation
import SystemPackage

// A cover is set in motion, the video repaired, made tall and made a picture; its loops are found.
let pipeline = try Pipeline()
let (cover, video) = (FilePath(CommandLine.arguments[1]), FilePath("moving_1x1.mp4"))

let moving = try await pipeline.animate(cover, Motion(.drift, seconds: 2), as: .square).value
try Data(moving.bytes).write(to: URL(filePath: video.string))
print(moving.inspection.facts.displayDescription, moving.seam?.verdict.rawValue ?? "one frame")

let tall = try await pipeline.derive(video, as: .tall).value
print(tall.inspection.facts.displayDescription, tall.findings.map(\.rule))
let picture = try await pipeline.export(video, as: .webp, width: 96, mostBytes: 200_000).value
print(picture.size, picture.bytes.count)
let loops = try await pipeline.loops(in: video).value
print(loops.answer, loops.candidates.count)
switch try await pipeline.repair(FilePath(CommandLine.arguments[2])).value.outcome {
case .repaired(let bytes): print("repaired", bytes.count)
case .nothingToDo: print("nothing to do")
case .refused(let reason): print("refused", reason)
}

let cancelled = pipeline.check(video)
cancelled.cancel()
do { _ = try await cancelled.value } catch is CancellationError { print("cancelled") }
