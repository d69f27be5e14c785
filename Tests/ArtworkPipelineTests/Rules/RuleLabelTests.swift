@testable import ArtworkMedia

@Suite struct RuleLabelTests {
  private static let reports: [String: CandidateReport] = Dictionary(
    uniqueKeysWithValues: Fixture.all.map { ($0.file, Batch(options: Batch.Options(jobs: 1)).check(Candidate(path: $0.path))) })

  static func report(_ fixture: Fixture) throws -> CandidateReport { try #require(reports[fixture.file]) }

  @Test(arguments: Fixture.all)
  func `the expected rules are reported, and no others`(fixture: Fixture) throws {
    let report = try Self.report(fixture)
    let raised = Set(report.error.map { [$0.code.rawValue] } ?? report.findings.map(\.rule))
    let isUnreadable = fixture.facts.codec == "webp" && !WebPAnimation.isAvailable
    let expected: Set = isUnreadable ? ["not-a-movie"] : Set(fixture.label.expect)
    let allowed = Set(fixture.label.allow)
    #expect(expected.subtracting(raised).isEmpty, "\(raised)")
    // Many clips are deliberately untagged, and nearly all are small. Other tests cover those findings.
    #expect(raised.subtracting(["color", "dimensions"]).subtracting(expected).subtracting(allowed).isEmpty)
  }

  @Test(arguments: Fixture.decodable)
  func `each clip gets the key that it was made for`(fixture: Fixture) throws {
    let report = try Self.report(fixture)
    if let key = fixture.label.key {
      #expect(report.key?.rawValue == key)
    } else {
      // It fits neither key: the nearer one counts, with an error.
      let size = try #require(Probe(fixture)).displaySize
      let aspect = Double(size[0]) / Double(size[1])
      #expect((report.key == .square) == (aspect * aspect >= 0.75))
      #expect(report.findings.contains { $0.rule == "aspect-ratio" && $0.severity == .error })
    }
  }

  @Test(arguments: Fixture.decodable)
  func `each clip gets the seam verdict that it was made for`(fixture: Fixture) throws {
    let verdict = try Self.report(fixture).seam?.verdict
    // A single frame has no seam, but is still reported as static. A jump to an unrelated picture is a cut.
    let expected = fixture.file == "frames-1.mp4" ? nil : fixture.label.loop
    #expect(verdict?.rawValue == expected || expected == "jump" && verdict == .cut)
  }

  @Test func `only faultless clips pass`() throws {
    for fixture in Fixture.all where fixture.label.expect.isEmpty && fixture.label.allow.isEmpty {
      let report = try Self.report(fixture)
      let isHDR = ["smpte2084", "arib-std-b67"].contains(fixture.facts.colorTransfer)
      #expect(report.verdict == (isHDR ? .warn : .pass), "\(fixture.file)")
    }
  }

  @Test func `every rule has a unique id and is reported for a fixture or a planted fault`() throws {
    let ids = Rules.catalogue.map { $0.id }
    #expect(Set(ids).count == ids.count)
    let raised = Set(try Fixture.all.flatMap { try Self.report($0).findings.map(\.rule) })
    let elsewhere = try #require(try PlantedFaults.rules())
    // Only deliveries have a limit of bytes, only animations have features that are not drawn, only a tall picture
    // can have a square inside, and blocks need a larger picture. They have separate tests.
    let tested: Set = ["approval", "file-size", "lottie-unsupported", "inset-cover", "blockiness", "play-count"]
    #expect(raised.union(elsewhere).union(tested) == Set(ids))
  }
}
