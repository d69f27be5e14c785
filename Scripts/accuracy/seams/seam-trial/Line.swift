// What a judge says of a clip, in a line of JSON as `artworkd check --format ndjson` has it: as much as evaluate reads.

import ArtworkCore
import ArtworkPipeline
import FoundationEssentials

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

  init(_ path: String, _ inspection: Inspection, _ seam: SeamJudgement?, _ findings: [Finding]) {
    let facts = inspection.facts
    self.path = path
    self.facts = Facts(
      codedWidth: facts.codedWidth, codedHeight: facts.codedHeight, frameCount: facts.frameCount,
      fileBytes: facts.fileBytes)
    self.seam = seam
    self.findings = findings.map { Found(rule: $0.rule, severity: $0.severity) }
  }

  func print() throws {
    Swift.print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
  }
}
