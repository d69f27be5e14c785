import ArtworkModel
import Fixtures
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkPipeline

/// The whole judgement of every clip against what is known of it by construction.
@Suite struct RuleLabelTests {
  private static let reports: [String: CandidateReport] = Dictionary(
    uniqueKeysWithValues: Fixture.all.map {
      ($0.file, Batch(options: Batch.Options(jobs: 1)).check(Candidate(path: $0.path)))
    })

  static func report(_ fixture: Fixture) throws -> CandidateReport {
    try #require(reports[fixture.file])
  }

  @Test("what must be raised is, and what may not be is not", arguments: Fixture.all)
  func raised(fixture: Fixture) throws {
    let report = try Self.report(fixture)
    let raised = Set(report.error.map { [$0.code.rawValue] } ?? report.findings.map(\.rule))
    let (expected, allowed) = (Set(fixture.label.expect), Set(fixture.label.allow))
    #expect(expected.subtracting(raised).isEmpty, "\(raised)")
    // Many clips are not tagged on purpose, and nearly all are small; what is said of that has its own tests.
    #expect(
      raised.subtracting(["color", "dimensions"]).subtracting(expected).subtracting(allowed).isEmpty
    )
  }

  @Test("the key is the one the clip was made for", arguments: Fixture.decodable)
  func key(fixture: Fixture) throws {
    let report = try Self.report(fixture)
    if let key = fixture.label.key {
      #expect(report.key?.rawValue == key)
    } else {
      // It fits neither: the nearer one, and an error.
      let size = try #require(Probe(fixture)).displaySize
      let aspect = Double(size[0]) / Double(size[1])
      #expect((report.key == .square) == (aspect * aspect >= 0.75))
      #expect(report.findings.contains { $0.rule == "aspect-ratio" && $0.severity == .error })
    }
  }

  @Test("the loop is what it was made to be", arguments: Fixture.decodable)
  func loop(fixture: Fixture) throws {
    let verdict = try Self.report(fixture).seam?.verdict
    // A single frame has no seam; that nothing moves is found anyway. A jump to where nothing looks alike is
    // called a cut.
    let expected = fixture.file == "frames-1.mp4" ? nil : fixture.label.loop
    #expect(verdict?.rawValue == expected || expected == "jump" && verdict == .cut)
  }

  @Test("only clips without fault pass")
  func verdicts() throws {
    for fixture in Fixture.all where fixture.label.expect.isEmpty && fixture.label.allow.isEmpty {
      let report = try Self.report(fixture)
      let isHDR = ["smpte2084", "arib-std-b67"].contains(fixture.facts.colorTransfer)
      #expect(report.verdict == (isHDR ? .warn : .pass), "\(fixture.file)")
    }
  }

  @Test("every rule is raised by some clip, or planted in the catalogue, and named once")
  func coverage() throws {
    let ids = Rules.catalogue.map { $0.id }
    #expect(Set(ids).count == ids.count)
    let raised = Set(try Fixture.all.flatMap { try Self.report($0).findings.map(\.rule) })
    let elsewhere = try #require(try PlantedFaults.rules())
    // The one limit that only a delivery has: its own tests show it.
    #expect(raised.union(elsewhere).union(["file-size"]) == Set(ids))
  }
}
