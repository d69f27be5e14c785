// What a judge says of a clip, in a line of JSON as `artworkd check --format ndjson` has it: as much as evaluate reads.

import ArtworkPipeline
import ArtworkPipeline
import FoundationEssentials

struct Line: Encodable {
  struct Found: Encodable {
    var rule: String
    var severity: Finding.Severity
  }
  var path: String
  var seam: SeamJudgement?
  var findings: [Found]

  init(_ path: String, _ seam: SeamJudgement?, _ findings: [Finding]) {
    self.path = path
    self.seam = seam
    self.findings = findings.map { Found(rule: $0.rule, severity: $0.severity) }
  }

  func print() throws {
    Swift.print(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
  }
}
