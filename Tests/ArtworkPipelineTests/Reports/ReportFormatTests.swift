@Suite struct ReportFormatTests {
  @Test(arguments: ReportFormat.allCases)
  func `every format ends its last line, whatever there is to tell`(format: ReportFormat) throws {
    for report in [SampleReport.report([]), SampleReport.hostile] {
      let text = try format.render(report, SampleReport.setting)
      #expect(text.last == "\n")
      #expect(!text.utf8.contains(0x1b))
    }
  }
}
