import HostileMedia
import TestSupport

@testable import ArtworkService

/// A9: copies of clips that stopped at every box boundary, a byte beside it, and anywhere.
@Suite struct CutTests {
  @Test(
    "no cut passes unless every frame is there",
    arguments: Nightly.some(
      2, of: ["moov-first.mp4", "h264-baseline.mp4", "frag-keyframe.mp4", "frag-delayed-moov.mp4"]))
  func cuts(fixture: String) throws {
    let folder = try TemporaryFolder()
    var names: [String] = []
    for (length, bytes) in Nightly.some(24, of: Cuts.of(fixture)) {
      names.append("\(length).mp4")
      try folder.write(bytes, to: "\(length).mp4")
    }
    let process = try MeasuredProcess.run(
      BuiltTool.find().path, ["check", "--format", "ndjson", "--quiet"] + names, in: folder.root,
      limit: 300)
    #expect([0, 1, 2].contains(process.status), "\(process.error)")
    let outcomes = try HostileFolder.outcomes(process.output)
    #expect(outcomes.count == names.count)
    let whole = try #require(Fixture.named(fixture).facts.decodedFrames)
    var unnoticed: [String] = []
    for (name, outcome) in outcomes {
      #expect(!["decoder-crashed", "timed-out", "worker-failed"].contains(outcome.code), "\(name)")
      let isComplete = outcome.facts["frameCount"] == Double(whole)
      if outcome.code == nil, !outcome.findings.contains("truncated"), !isComplete {
        unnoticed.append(name)
      }
    }
    // A cut right before a fragment cannot be detected; cuts inside a fragment's header are a known issue, which
    // TruncationTests covers.
    let headers = Cuts.fragmentHeaders(fixture)
    #expect(
      unnoticed.filter { name in
        !headers.contains { header in header.contains { "\($0).mp4" == name } }
      } == [])
  }
}
