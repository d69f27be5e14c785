import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

/// The built tool, as a shell or a CI job sees it.
@Suite struct CheckCommandTests {
  static func path(_ fixture: String) -> String { Fixture.named(fixture).url.path }

  static func check(_ files: [String], _ options: String...) throws -> BuiltTool.Result {
    try BuiltTool.run(["check"] + options + files.map(path))
  }

  @Test("NDJSON has one line for each candidate and one summary, the last")
  func lines() throws {
    let objects = try CheckedFixtures.lines().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let paths = objects.dropLast().compactMap { $0["path"] as? String }
    let expected = Fixture.all.map(\.url.path).filter { !$0.hasSuffix("cover.jpg") }
    #expect(paths.count == expected.count && Set(paths) == Set(expected))
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    #expect(summary["total"] as? Int == expected.count)
    let counts = ["pass", "warn", "fail", "error"].compactMap { summary[$0] as? Int }
    #expect(counts.reduce(0, +) == expected.count)
    for (verdict, count) in zip(["pass", "warn", "fail", "error"], counts) {
      #expect(objects.count { $0["verdict"] as? String == verdict } == count)
    }
  }

  @Test("text has the files in the order of the arguments, however many run in parallel")
  func order() throws {
    let files = [
      "loop-jump.mp4", "good-1x1.mp4", "broken-text.mp4", "rate-24.mp4", "rate-60.mp4",
      "audio-aac.mp4", "prores-422.mov",
    ]
    let result = try Self.check(files, "--jobs", "8", "--no-cache")
    let names = result.lines.filter { line in "✓!✗".contains { line.first == $0 } }
      .compactMap { line in files.first { line.contains("\($0)") } }
    #expect(names == files)
  }

  @Test("a page changes no result, and every frame gives the loop fixtures the verdicts of a few")
  func pageIsNoGate() throws {
    let folder = try TemporaryFolder()
    let loops = Fixture.all.filter { $0.file.hasPrefix("loop-") }
    for fixture in loops { try folder.copy(fixture, to: fixture.file) }
    // Damage in the middle, which only a full decode detects.
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96:r=24", "-frames:v", "300",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-g", "10", "a.mp4",
      ], in: folder.root)
    try #require(made.status == 0, "\(made.error)")
    var bytes = try Data(contentsOf: folder.url("a.mp4"))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 600, with: Data(repeating: 0xa5, count: 600))
    try bytes.write(to: folder.url("a.mp4"))

    func check(_ options: String...) throws -> (status: Int32, results: [[String: Any]]) {
      let result = try BuiltTool.run(
        ["check", ".", "--format", "json", "--fail-on", "warning", "--no-cache", "--key", "1x1"]
          + options, in: folder.root)
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let results = try #require(json["results"] as? [[String: Any]])
      #expect(results.count == loops.count + 1)
      return (result.status, results)
    }
    let plain = try check()
    let page = try check("--report", "html=page.html")
    #expect(FileManager.default.fileExists(atPath: folder.url("page.html").path))
    #expect(page.status == plain.status)
    #expect(page.results as NSArray == plain.results as NSArray, "the same packets are decoded")

    let thorough = try check("--thorough")
    #expect(thorough.status == plain.status)
    for (all, few) in zip(thorough.results, plain.results).dropFirst() {
      #expect(LoopCommandTests.verdict(all["seam"]) == LoopCommandTests.verdict(few["seam"]))
      #expect(all["findings"] as? NSArray == few["findings"] as? NSArray)
    }
    #expect(thorough.results as NSArray != plain.results as NSArray)
  }

  @Test(
    "a report for several destinations follows the schema, and its page has pictures of each file")
  func severalDestinations() throws {
    let folder = try TemporaryFolder()
    for file in ["good-1x1.mp4", "audio-aac.mp4", "rate-61.mp4"] {
      try folder.copy(.named(file), to: file)
    }
    let result = try BuiltTool.run(
      [
        "check", "--profile", "now-playing,spotify-canvas", "--report", "json=all.json", "--report",
        "html=page.html",
      ], in: folder.root)
    #expect(result.status == 1)
    try ReportSchema.expectValid([
      String(contentsOf: folder.url("all.json"), encoding: .utf8)
    ])
    // The page has pictures of each: previews, strips and maps.
    let page = try String(contentsOf: folder.url("page.html"), encoding: .utf8)
    #expect(page.components(separatedBy: "data:image/jpeg").count - 1 == 9)
    #expect(page.components(separatedBy: "data:image/png").count - 1 == 0)
  }
}
