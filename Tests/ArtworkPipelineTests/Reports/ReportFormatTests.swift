@Suite struct ReportFormatTests {
  @Test(
    "every format ends its last line, whatever there is to tell", arguments: ReportFormat.allCases)
  func lines(format: ReportFormat) throws {
    for report in [SampleReport.report([]), SampleReport.hostile] {
      let text = try format.render(report, SampleReport.setting)
      #expect(text.last == "\n")
      #expect(!text.utf8.contains(0x1b))
    }
  }

  @Test("every finding is in every format", arguments: ReportFormat.allCases)
  func complete(format: ReportFormat) throws {
    let report = SampleReport.report([
      SampleReport.result(
        "a.mp4",
        [
          SampleReport.finding("codec", .error, "first thing"),
          SampleReport.finding("color", .warning, "second thing"),
          SampleReport.finding("audio-track", .info, "third thing"),
        ]), SampleReport.error("b.mp4"),
    ])
    let text = try format.render(report, SampleReport.setting)
    for word in [
      "first thing", "codec", "color", "a.mp4", "b.mp4", "not-a-movie", "this is no video",
    ] { #expect(text.contains(word), "\(word)") }
    // The brief text has what counts.
    for word in ["third thing", "audio-track"] {
      #expect(text.contains(word) == (format != .text), "\(word)")
    }
  }

  @Test("the style, the width and what to leave out reach the text")
  func text() throws {
    let report = SampleReport.report([
      SampleReport.result("fine.mp4"),
      SampleReport.result(
        "bad.mp4", [SampleReport.finding("codec", .error, String(repeating: "word ", count: 30))]),
    ])
    var setting = SampleReport.setting
    (setting.style, setting.width, setting.onlyProblems) = (.colored, 60, true)
    let text = try ReportFormat.text.render(report, setting)
    #expect(text.contains("\u{1b}[31m") && !text.contains("fine.mp4"))
    let plain = text.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    #expect(plain.split(separator: "\n").allSatisfy { $0.count <= 60 || $0.contains(" checked: ") })
  }
}
