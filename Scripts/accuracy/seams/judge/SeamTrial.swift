// Judges the clips whose paths come on standard input by N frames at each end; prints a line of JSON for each.
// Scripts/accuracy/seams/curve builds it. Clips are labelled ones of our own, so they are read without a worker.
//
//     ends N check ...
//
// Everything after N is what Scripts/accuracy/seams/evaluate gives to artworkd, and ignored.

import ArtworkPipeline
import SystemPackage

guard let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init), count > 1 else {
  fatalError("usage: ends N")
}
var inspector = Inspector()
inspector.window = count
while let path = readLine() {
  let inspection = try inspector.inspect(FilePath(path)).inspection
  let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
  try Line(path, inspection, seam, findings).print()
}
