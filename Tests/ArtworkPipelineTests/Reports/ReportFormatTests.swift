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
}
