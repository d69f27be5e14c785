import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

/// The full layout.
@Suite struct TextReportTests {
  static func report(
    _ path: FilePath, key: ArtworkKey? = .square, seam: SeamJudgement.Verdict = .seamless,
    findings: [Finding] = [], _ change: (inout MediaFacts) -> Void = { _ in }
  ) -> CandidateReport {
    CandidateReport(
      path: path, key: key, inspection: .sample(facts: .sample(change)),
      seam: SeamJudgement(
        verdict: seam, score: 1, seamStep: 4, ownStep: 4, sentence: "so it is"), findings: findings)
  }

  static func finding(_ severity: Finding.Severity, measured: String? = "61 fps") -> Finding {
    Finding(
      rule: "frame-rate", severity: severity, message: "too fast", help: "slow down",
      measured: measured, limit: measured.map { _ in "at most 60 fps" }, profile: "p")
  }

  static func text(
    _ reports: [CandidateReport], style: TextStyle = .plain, onlyProblems: Bool = false
  ) -> String {
    TextReport(style: style, layout: .full, onlyProblems: onlyProblems)
      .render(reports, summary: Summary(reports, seconds: 2))
  }

  @Test("columns line up whatever is in them")
  func alignment() throws {
    let reports = (0..<20).map { number in
      Self.report(
        FilePath("folder/" + String(repeating: "n", count: number * 2 + 1) + ".mp4"),
        key: number % 3 == 0 ? .tall : .square
      ) {
        $0.setDisplay(number * 371 + 1, 1000)
        $0.durationSeconds = Double(number) * 7.31
      }
    }
    let lines = Self.text(reports).split(separator: "\n").filter { $0.contains("x1000") }
    #expect(lines.count == 20)
    func places(of word: String) -> Set<Int> {
      Set(
        lines.map { line in
          line.range(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) } ?? -1
        })
    }
    #expect(places(of: "seamless").count == 1)
    #expect(places(of: "30 fps").count == 1)
    // Numbers end at the same place, so their parts before it start at different ones.
    #expect(places(of: "x1000").count == 1)
    #expect(
      Set(lines.map { $0.split(separator: " ").first { $0.hasSuffix("x1000") }?.count }).count > 1)
  }

  @Test("one very long name does not push the others away")
  func longName() {
    let text = Self.text([
      Self.report("a.mp4"), Self.report(FilePath(String(repeating: "n", count: 200) + ".mp4")),
    ])
    let short = text.split(separator: "\n").first { $0.contains(" a.mp4") }
    #expect((short?.count ?? 1000) < 110)
    #expect(text.contains(String(repeating: "n", count: 200) + ".mp4  1x1"))
  }

  @Test("no trailing spaces")
  func trailing() {
    let text = Self.text([
      Self.report("a.mp4"),
      CandidateReport(path: "b.mp4", error: InspectionError(.notFound, "gone")),
    ])
    #expect(text.split(separator: "\n").allSatisfy { $0.last != " " })
  }

  @Test("control characters in names and messages are shown, not sent to the terminal")
  func controls() {
    let path = FilePath("fol\u{1b}[2Jder/evil\r\n\u{202e}\u{85}\u{2028}name.mp4")
    for style in [TextStyle.plain, .colored] {
      let text = Self.text(
        [CandidateReport(path: path, error: InspectionError(.notAMovie, "bad\u{1b}]0;title\u{7}"))],
        style: style)
      let stripped = text.replacing(/\u{1b}\[[0-9;]*m/, with: "")
      #expect(stripped.contains("fol\\u{1b}[2Jder/"))
      #expect(stripped.contains("evil\\u{d}\\u{a}\\u{202e}\\u{85}\\u{2028}name.mp4"))
      #expect(stripped.contains("bad\\u{1b}]0;title\\u{7}"))
      #expect(
        !stripped.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
    }
  }

  @Test("plain text has no colour; colour changes nothing else")
  func colour() {
    let reports = [
      Self.report("a.mp4"), Self.report("b.mp4", findings: [Self.finding(.warning)]),
      CandidateReport(path: "c.mp4", error: InspectionError(.notFound, "gone")),
    ]
    let (plain, colored) = (Self.text(reports), Self.text(reports, style: .colored))
    #expect(!plain.contains("\u{1b}"))
    #expect(colored.contains("\u{1b}[32m✓ pass \u{1b}[0m"))
    #expect(colored.contains("\u{1b}[31m✗ error\u{1b}[0m"))
    #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("only problems means what needs attention")
  func onlyProblems() {
    let reports = [
      Self.report("fine.mp4", findings: [Self.finding(.info)]),
      Self.report("warned.mp4", findings: [Self.finding(.warning)]),
    ]
    let text = Self.text(reports, onlyProblems: true)
    #expect(!text.contains("fine.mp4"))
    #expect(text.contains("warned.mp4"))
    #expect(text.contains("2 checked: 1 pass, 1 warn"))
    let nothing = Self.text([Self.report("fine.mp4")], onlyProblems: true)
    #expect(nothing == "1 checked: 1 pass, 0 warn, 0 fail, 0 error in 2 s (0.5 files/s)\n")
  }

  @Test("a clip without rate, key or seam has dashes")
  func dashes() {
    var report = Self.report("x.mp4", key: nil) {
      ($0.frameRate, $0.frameRateRatio) = (nil, nil)
    }
    report.seam = nil
    #expect(Self.text([report]).contains("x.mp4  -    1080x1080          -      10 s  -\n"))
  }

  @Test(
    "the summary is printed with its rate",
    arguments: [
      (0.0, "in 0.01 s"), (0.004, "in 0.01 s"), (0.09, "in 0.09 s"), (0.5, "in 0.5 s (6 files/s)"),
      (100, "in 100 s (0 files/s)"), (7, "in 7 s (0.4 files/s)"),
    ])
  func closing(seconds: Double, ending: String) {
    let reports = [Self.report("a"), Self.report("b"), Self.report("c")]
    let text = TextReport.closing(Summary(reports, seconds: seconds), style: .plain)
    #expect(text == "3 checked: 3 pass, 0 warn, 0 fail, 0 error \(ending)\n")
  }

  @Test(
    "a file in the root folder is under /",
    arguments: [("/x.mp4", "/"), ("x.mp4", "./"), ("a/b/x.mp4", "a/b/")])
  func folders(path: String, heading: String) {
    #expect(Self.text([Self.report(FilePath(path))]).hasPrefix(heading + "\n"))
  }
}
