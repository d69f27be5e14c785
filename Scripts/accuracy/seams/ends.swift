// Judges the clips whose paths come on standard input by N frames at each end; prints a line of JSON for each.
// Scripts/accuracy/seams/curve builds it. Clips are labelled ones of our own, so they are read without a worker.
//
//     ends N check ...
//
// Everything after N is what Scripts/accuracy/seams/evaluate gives to artworkd, and ignored.

import ArtworkPipeline
import FoundationEssentials
import SystemPackage

struct Line: Encodable {
  struct Facts: Encodable {
    var codedWidth, codedHeight, frameCount: Int
    var fileBytes: Int64
  }
  struct Found: Encodable {
    var rule: String
    var severity: Finding.Severity
  }
  var path: String
  var facts: Facts
  var seam: SeamJudgement?
  var findings: [Found]
}

guard let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init), count > 1 else {
  fatalError("usage: ends N")
}
var inspector = Inspector()
inspector.window = count
let encoder = JSONEncoder()
while let path = readLine() {
  let inspection = try inspector.inspect(FilePath(path)).inspection
  let (seam, findings) = Rules.judge(inspection, key: .square, profile: .nowPlaying)
  let facts = inspection.facts
  let line = Line(
    path: path,
    facts: Line.Facts(
      codedWidth: facts.codedWidth, codedHeight: facts.codedHeight, frameCount: facts.frameCount,
      fileBytes: facts.fileBytes), seam: seam,
    findings: findings.map { Line.Found(rule: $0.rule, severity: $0.severity) })
  print(String(decoding: try encoder.encode(line), as: UTF8.self))
}
