/// Findings on clips that were drawn to flash, to have bars, to begin blank, or only to look like that: a part of the
/// reporting half of the set with which Scripts/accuracy/looks/evaluate.py measures the accuracy.
@Suite struct LabelledLooksTests {
  struct Label: Decodable {
    var file: String
    var flash: Bool
    var letterbox: Bool
    var blank: Bool

    private enum CodingKeys: String, CodingKey {
      case file, flash, letterbox
      case blank = "blank-first-frame"
    }

    var rules: Set<String> {
      Set([(flash, "flash"), (letterbox, "letterbox"), (blank, "blank-first-frame")].compactMap { $0.0 ? $0.1 : nil })
    }
  }

  @Test func `each is raised where it was drawn, and nowhere else`() async throws {
    let folder = try TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("Scripts/accuracy/looks/make-clips.py")
    let made = try run("/usr/bin/python3", [script.path, folder.root.path, "--subset"])
    try #require(made.status == 0, "\(made.error)")
    let labels = try JSONDecoder().decode([Label].self, from: Data(contentsOf: folder.url("labels.json")))
    #expect(labels.count >= 20)
    var options = Batch.Options(jobs: 2)
    options.profiles = [.web]
    let reports = await Batch(options: options).run(labels.map { Candidate(path: folder.path($0.file)) })
    let ids = Set(["flash", "letterbox", "blank-first-frame"])
    for rule in ids { #expect(labels.count { $0.rules.contains(rule) } >= 3) }
    for (label, report) in zip(labels, reports) {
      #expect(Set(report.findings.map(\.rule)).intersection(ids) == label.rules, "\(label.file)")
    }
  }
}
