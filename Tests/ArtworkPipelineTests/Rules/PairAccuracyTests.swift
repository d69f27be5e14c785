/// Labelled pairs of covers and first frames, a part of those behind the figures in docs/measurements.md.
@Suite struct PairAccuracyTests {
  @Test func `different pictures are noticed, with few false alarms`() async throws {
    let folder = try TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("Scripts/accuracy/pairs/make-pairs.py")
    let count = Nightly.isOn ? 4 : 1
    let made = try run("/usr/bin/python3", [script.path, folder.root.path, "--count", "\(count)"])
    try #require(made.status == 0, "\(made.error)")
    let labels = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("labels.json"))) as? [String: Bool])
    #expect(labels.count == 13 * count)

    let catalogue = Catalogue(CandidateFinder.find([folder.path("")]), Configuration(currentFolder: folder.path("")))
    let reports = await Batch(options: Batch.Options(jobs: 2)).run(catalogue)
    var (hits, alarms) = (0, 0)
    for report in reports {
      #expect(report.error == nil)
      let name = try #require(report.path.removingLastComponent().lastComponent?.string)
      guard report.findings.contains(where: { $0.rule == "complementary" }) else { continue }
      if try #require(labels[name] as Bool?) { alarms += 1 } else { hits += 1 }
    }
    // Of six different pictures in each thirteen, one is of one colour, which other rules report.
    #expect(hits == 5 * count)
    // The false alarm is a zoomed tall frame with a titled cover.
    #expect(alarms <= 1)
  }
}
