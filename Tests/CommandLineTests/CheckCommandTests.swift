import TestSupport

/// The built tool, as a shell or a CI job sees it.
@Suite struct CheckCommandTests {
  @Test("NDJSON has one line for each candidate and one summary, the last")
  func lines() throws {
    let rows = try CheckedFixtures.lines().map(JSONNode.read)
    let paths = rows.dropLast().compactMap { $0["path"]?.text }
    let expected = Fixture.all.map(\.url.path).filter { !$0.hasSuffix("cover.jpg") }
    #expect(paths.count == expected.count && Set(paths) == Set(expected))
    let summary = try #require(rows.last?["summary"])
    #expect(summary["total"]?.int == expected.count)
    let verdicts = ["pass", "warn", "fail", "error"]
    #expect(verdicts.reduce(0) { $0 + (summary[$1]?.int ?? 0) } == expected.count)
    for verdict in verdicts {
      #expect(rows.count { $0["verdict"]?.text == verdict } == summary[verdict]?.int)
    }
  }

  @Test("text has the files in the order of the arguments, however many run in parallel")
  func order() throws {
    let files = [
      "loop-jump.mp4", "good-1x1.mp4", "broken-text.mp4", "rate-24.mp4", "rate-60.mp4",
      "audio-aac.mp4", "prores-422.mov",
    ]
    let result = try BuiltTool.run(
      "check --jobs 8 --no-cache", files.map { Fixture.named($0).url.path })
    let names = result.lines.filter { line in "✓!✗".contains { line.first == $0 } }
      .compactMap { line in files.first { line.contains("\($0)") } }
    #expect(names == files)
  }

  @Test("every frame gives the loop fixtures the verdicts of a few, and shows damage in the middle")
  func thorough() throws {
    let loops = Fixture.all.filter { $0.file.hasPrefix("loop-") }.map(\.file).sorted()
    let folder = try TemporaryFolder()
    for file in loops { try folder.copy(file, to: file) }
    // A spot that goes round, so that nothing at the ends asks for the middle.
    let spot = "60+180*exp(-(pow(X-48-24*sin(2*PI*N/300),2)+pow(Y-48-24*cos(2*PI*N/300),2))/300)"
    try folder.ffmpeg(
      "-f lavfi -i",
      ["color=black:s=96x96:r=24,format=gray,geq=lum='\(spot)'", "-frames:v", "300", "-pix_fmt", "yuv420p"]
        + MadeClip.x264.split(separator: " ").map(String.init) + ["-g", "10", "a.mp4"])
    var bytes = try folder.data("a.mp4")
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 600, with: Data(repeating: 0xa5, count: 600))
    try folder.write(bytes, to: "a.mp4")
    func check(_ options: String = "") throws -> (status: Int32, results: [JSONNode]) {
      let result = try folder.artworkd(
        "check . --format json --fail-on warning --no-cache --key 1x1 \(options)")
      let results = try #require(try result.json["results"]).items
      #expect(results.compactMap { $0["path"]?.text } == (["a.mp4"] + loops).map { "./" + $0 })
      return (result.status, results)
    }
    let (few, all) = (try check(), try check("--thorough"))
    #expect(all.status == few.status)
    for (all, few) in zip(all.results, few.results).dropFirst() {
      #expect(all.at("seam.verdict") == few.at("seam.verdict"))
      #expect(all["findings"] == few["findings"])
    }
    #expect(all.results[0].texts("findings.*.rule").contains("truncated"))
    #expect(!few.results[0].texts("findings.*.rule").contains("truncated"))
  }

  @Test(
    "a report for several destinations follows the schema, and its page has pictures of each file")
  func severalDestinations() throws {
    let folder = try TemporaryFolder([
      "a.mp4": "good-1x1.mp4", "b.mp4": "audio-aac.mp4", "c.mp4": "rate-61.mp4",
    ])
    let result = try folder.artworkd(
      "check --profile now-playing,spotify-canvas --report json=all.json --report html=page.html")
    #expect(result.status == 1)
    try ReportSchema.expectValid([folder.text("all.json")])
    // The page has pictures of each: previews, strips and maps.
    let page = try folder.text("page.html")
    #expect(page.components(separatedBy: "data:image/jpeg").count - 1 == 9)
    #expect(page.components(separatedBy: "data:image/png").count - 1 == 0)
  }
}
