import TestSupport

/// `check --approved`: what nobody has looked at fails.
@Suite struct ApprovalTests {
  @Test("videos pass by their digest, not by their path; others fail, and so do rejected ones")
  func list() throws {
    let folder = try TemporaryFolder(["a/1x1.mp4": "good-1x1.mp4", "b/1x1.mp4": "good-1x1-2s.mp4"])
    let both = try folder.run("sha256sum a/1x1.mp4 b/1x1.mp4").lines.map { String($0.prefix(64)) }
    func check(_ approved: [String], _ rejected: [String] = []) throws -> (Int32, [String]) {
      func entries(_ digests: [String]) -> String {
        digests.map {
          #"{"path":"elsewhere.mp4","sha256":"\#($0)","who":"Ada","when":"2026-11-27T10:00:00Z"}"#
        }.joined(separator: ",")
      }
      try folder.write(
        #"{"schemaVersion":1,"approved":[\#(entries(approved))],"rejected":[\#(entries(rejected))]}"#,
        to: "approved.json")
      let result = try folder.artworkd(
        "check a b --approved approved.json --select approval --format concise")
      return (result.status, result.lines.filter { $0.contains("approval") })
    }
    #expect(try check(both).0 == 0)
    let one = try check([both[0]])
    #expect(one.0 == 1 && one.1 == ["b/1x1.mp4: error approval nobody has approved this video"])
    let rejected = try check(both, [both[1]])
    #expect(rejected.0 == 1 && rejected.1.first?.contains("Ada rejected this video") == true)
    try folder.write("[]", to: "approved.json")
    let broken = try folder.artworkd("check a --approved approved.json")
    #expect(broken.status == 64 && broken.error.contains("approved.json"))
  }
}
