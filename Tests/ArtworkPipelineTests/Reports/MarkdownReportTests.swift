@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite struct MarkdownReportTests {
  @Test(arguments: [
    ("a|b", "a&#124;b"), ("`x`", "&#96;x&#96;"), ("<b>&", "&lt;b&gt;&amp;"), ("@octocat", "&#64;&#8203;octocat"),
    ("#12", "&#35;&#8203;12"), ("a\nb", "a&#92;u{a}b"), ("[x](y)", "&#91;x&#93;&#40;y&#41;"), ("_*~", "&#95;&#42;&#126;"),
    ("ü 音", "ü 音"),
  ])
  func `text is only text`(text: String, escaped: String) { #expect(MarkdownReport.escaped(text) == escaped) }

  @Test(arguments: [
    ("see `artworkd loop`, or", "see <code>artworkd loop</code>, or"), ("`a_b|<i>`", "<code>a&#95;b&#124;&lt;i&gt;</code>"),
    ("one ` alone", "one &#96; alone"), ("`'Album #1/@1x1.mp4'` #1", "<code>'Album &#35;1/&#64;1x1.mp4'</code> &#35;&#8203;1"),
  ])
  func `what stands between backquotes is code, as text`(text: String, prose: String) {
    #expect(MarkdownReport.prose(text) == prose)
  }

  @Test func `no name ends a cell, starts markup or notifies anybody`() {
    let text = MarkdownReport.render(SampleReport.hostile)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ✗") || $0.hasPrefix("| !") }
    #expect(rows.count == 2 * SampleReport.hostileNames.count)
    #expect(rows.allSatisfy { row in row.count { $0 == "|" } == 6 })
    #expect(!text.contains("<img") && !text.contains("<script") && !text.contains("@octocat"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(arguments: [1, 40])
  func `a long comment stays below GitHub's limit and states what it left out`(length: Int) {
    let results = (0..<3000).map { number in
      SampleReport.result(
        FilePath(String(repeating: "folder/", count: length) + "\(number).mp4"), number % 2 == 0 ? [SampleReport.finding()] : []
      )
    }
    let text = MarkdownReport.render(SampleReport.report(results))
    #expect(text.utf8.count <= MarkdownReport.mostBytes)
    let rows = text.split(separator: "\n").count { $0.hasPrefix("| ✗") }
    #expect(rows > 50)
    #expect(text.contains("\n\(1500 - rows) more with problems are not in this table.\n"))
    let reported = text.split(separator: "\n").count { $0.hasPrefix("- ✗") }
    #expect(text.contains("\n\(1500 - reported) more would not fit into this comment.\n"))
    #expect(text.hasSuffix("</details>\n"))
    #expect(text.count { $0 == "\u{fffd}" } == 0)
  }

  @Test func `nothing to complain about, and nothing at all`() {
    let well = MarkdownReport.render(SampleReport.report([SampleReport.result("a.mp4")]))
    #expect(well.hasPrefix("## Animated artwork: 1 of 1 release is ready\n\n✓ **1** pass\n"))
    #expect(!well.contains("|"))
    #expect(MarkdownReport.render(SampleReport.report([])) == "## Animated artwork: no candidates\n\n")
  }
}
