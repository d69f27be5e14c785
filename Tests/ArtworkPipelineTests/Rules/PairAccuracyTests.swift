import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkPipeline

/// Labelled pairs of covers and first frames: some of those that docs/pairs.md has figures of.
@Suite struct PairAccuracyTests {
  @Test("other pictures are noticed, and those that show the same thing rarely")
  func accuracy() async throws {
    let folder = try TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("Scripts/pairs/make-pairs")
    let made = try run("/usr/bin/python3", [script.path, folder.root.path, "--count", "4"])
    try #require(made.status == 0, "\(made.error)")
    let labels = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("labels.json")))
        as? [String: Bool])
    #expect(labels.count == 52)

    let catalogue = Catalogue(
      CandidateFinder.find([folder.path("")]), Configuration(currentFolder: folder.path("")))
    let reports = await Batch(options: Batch.Options(jobs: 2)).run(catalogue)
    var (hits, alarms) = (0, 0)
    for report in reports {
      #expect(report.error == nil)
      let name = try #require(report.path.removingLastComponent().lastComponent?.string)
      guard report.findings.contains(where: { $0.rule == "complementary" }) else { continue }
      if try #require(labels[name]) { alarms += 1 } else { hits += 1 }
    }
    // Of 24 that show another thing, four are of one colour, which other rules tell.
    #expect(hits == 20)
    // One is a tall frame, zoomed, with a titled cover.
    #expect(alarms <= 1)
  }
}
