import TestSupport

@testable import ArtworkPipeline

/// `check --approved`: what nobody has looked at fails.
@Suite struct ApprovalTests {
  @Test("videos pass by their digest, not by their path; others fail, and so do rejected ones")
  func list() throws {
    let folder = try TemporaryFolder()
    for name in ["a/1x1.mp4", "b/1x1.mp4"] {
      try folder.copy(
        Fixture.named(name == "a/1x1.mp4" ? "good-1x1.mp4" : "good-1x1-2s.mp4"), to: name)
    }
    func digest(_ name: String) throws -> String {
      let result = try run("sha256sum", [name], in: folder.root)
      return String(String(decoding: result.output, as: UTF8.self).prefix(64))
    }
    func check(_ approved: [String], _ rejected: [String] = []) throws -> (Int32, [String]) {
      func entries(_ digests: [String]) -> String {
        digests.map {
          #"{"path":"elsewhere.mp4","sha256":"\#($0)","who":"Ada","when":"2026-11-27T10:00:00Z"}"#
        }
        .joined(separator: ",")
      }
      let text =
        #"{"schemaVersion":1,"approved":[\#(entries(approved))],"rejected":[\#(entries(rejected))]}"#
      try Data(text.utf8).write(to: folder.url("approved.json"))
      let result = try BuiltTool.run(
        [
          "check", "a", "b", "--approved", "approved.json", "--select", "approval", "--format",
          "concise",
        ],
        in: folder.root)
      let lines = result.output.split(separator: "\n").filter { $0.contains("approval") }
      return (result.status, lines.map(String.init))
    }
    let both = [try digest("a/1x1.mp4"), try digest("b/1x1.mp4")]
    #expect(try check(both).0 == 0)
    let one = try check([both[0]])
    #expect(one.0 == 1 && one.1 == ["b/1x1.mp4: error approval nobody has approved this video"])
    let rejected = try check(both, [both[1]])
    #expect(rejected.0 == 1 && rejected.1.first?.contains("Ada rejected this video") == true)
    try Data("[]".utf8).write(to: folder.url("approved.json"))
    let broken = try BuiltTool.run(["check", "a", "--approved", "approved.json"], in: folder.root)
    #expect(broken.status == 64 && broken.error.contains("approved.json"))
  }
}
