@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite struct GitHubReportTests {
  @Test func `no name starts a line, a command or a terminal sequence of its own`() {
    let text = GitHubReport.render(SampleReport.hostile)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // One line for each error, finding and the summary, and the empty one after the last line break.
    let findings = SampleReport.hostile.results.reduce(0) { $0 + $1.findings.count + ($1.error == nil ? 0 : 1) }
    #expect(lines.count == findings + 2)
    for line in lines.dropLast(2) {
      #expect(["::error file=", "::warning file=", "::notice file=", "- "].contains { line.hasPrefix($0) })
      if line.hasPrefix("- ") { #expect(!line.contains("##[")) }
    }
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
    #expect(text.contains("file=line%0Abreak%0D%0A%3A%3Aerror%3A%3Aforged.mp4,"))
  }

  @Test func `ten of each level are annotations, the worst; the rest is in the log`() {
    let results = (0..<30).map { number in
      SampleReport.result(
        FilePath("\(number).mp4"),
        [
          SampleReport.finding("color", .warning), SampleReport.finding("audio-track", .info),
          SampleReport.finding("codec", .error),
        ])
    }
    let lines = GitHubReport.render(SampleReport.report(results)).split(separator: "\n")
    for level in ["error", "warning", "notice"] {
      #expect(lines.count { $0.hasPrefix("::\(level) ") } == 10)
      #expect(lines.count { $0.hasPrefix("- \(level)  ") } == 20)
    }
    #expect(lines.first?.hasPrefix("::error") == true)
    #expect(lines.last?.hasPrefix("30 checked:") == true)
  }

  @Test func `annotations name files of the repository, wherever in it the command runs`() {
    let folder = FilePath.currentFolder
    let report = SampleReport.report([SampleReport.result("./a.mp4", [SampleReport.finding()])])
    for (workspace, file) in [
      (nil, "a.mp4"), ("", "a.mp4"), (folder.string, "a.mp4"), ("/elsewhere", "a.mp4"),
      (folder.removingLastComponent().string + "/", "\(folder.lastComponent?.string ?? "")/a.mp4"),
    ] {
      let text = GitHubReport.render(report, workspace: workspace)
      #expect(text.hasPrefix("::error file=\(file),"), "\(workspace ?? "none"): \(text)")
    }
  }
}
