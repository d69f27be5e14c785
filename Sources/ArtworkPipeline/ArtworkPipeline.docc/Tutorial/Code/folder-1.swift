import ArtworkModel
import ArtworkPipeline
import Foundation
import SystemPackage

let pipeline = try Pipeline()
let work = pipeline.check(folders: ["artwork"], jobs: 4)
for await step in work.progress { print(step.done, "of", step.count) }
let report = try await work.value
for result in report.results { print(result.verdict, result.path) }
