import TestSupport

/// A catalogue checked in parts and merged, against one run over all of it.
@Suite struct ShardedCheckTests {
  /// Releases whose artworkIDs and videos contradict and repeat each other, among them in other folders, files of no
  /// release, and files with errors.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "art/a/1x1.mp4": "good-1x1.mp4", "art/a/3x4.mp4": "good-3x4.mp4",
      "art/a/cover.jpg": "cover.jpg", "art/b/1x1.mp4": "good-1x1.mp4",
      "art/c/1x1.mp4": "good-1x1.mp4", "art/c/3x4.mp4": "frames-3.mp4",
      "art/x/same/1x1.mp4": "loop-static.mp4", "art/y/same/1x1.mp4": "rate-60.mp4",
      "art/z/same/3x4.mov": "good-3x4.mp4", "art/loose.mp4": "rate-24.mp4",
      "art/bad/1x1.mp4": "broken-text.mp4", "art/a b\"c\\d/é-3x4.mp4": "good-3x4.mp4",
    ])
  }

  private func check(_ options: String) throws -> BuiltTool.Result {
    try folder.artworkd(
      "check art \(options)", environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
  }

  /// Checks each shard into a separate file, and merges them from the last to the first.
  private func merge(_ count: Int, _ check: String = "", _ merge: String = "") throws
    -> BuiltTool.Result
  {
    let names = try (1...count).map { index in
      let name = "shard-\(index)-of-\(count).ndjson"
      let result = try self.check(
        "--shard \(index)/\(count) --format ndjson --output \(name) \(check)")
      #expect(result.status <= 2, "\(result.error)")
      return name
    }
    return try folder.artworkd("merge \(names.reversed().joined(separator: " ")) \(merge)")
  }

  /// Without the time that a run took.
  private static func timeless(_ report: String) -> String {
    report.replacing(/"seconds" ?: ?[0-9.e-]+/, with: "").replacing(#/ in [0-9.]+ s.*/#, with: "")
  }

  @Test(
    "shards merged are one run, byte by byte, in every format",
    arguments: Nightly.isOn ? [1, 2, 7, 64] : [4])
  func merged(count: Int) throws {
    let options = "--profile now-playing,web"
    let formats = ["json", "ndjson", "junit", "sarif", "github", "markdown", "text"]
    func reports(_ name: String) -> String {
      formats.map { "--report \($0)=\(name).\($0)" }.joined(separator: " ")
    }
    let whole = try check("\(reports("whole")) \(options)")
    let merged = try merge(count, options, reports("merged"))
    #expect(merged.status == whole.status)
    for format in formats {
      let texts = try ["whole", "merged"].map { Self.timeless(try folder.text("\($0).\(format)")) }
      #expect(texts[0] == texts[1], "\(format)")
      #expect(!texts[0].isEmpty)
    }
  }

  @Test(
    "text for one destination is streamed, and is the same", .nightly, arguments: ["", "--quiet"])
  func text(option: String) throws {
    let merged = try merge(2, "", option)
    #expect(Self.timeless(merged.output) == Self.timeless(try check(option).output))
    #expect(merged.output.contains("an identical video has a different artworkID"))
    #expect(merged.output.contains("artwork-id-reuse"))
  }

  @Test("a baseline is applied when shards are merged", .nightly)
  func baseline() throws {
    _ = try check("--write-baseline known.json")
    let merged = try merge(2, "--thorough", "--baseline known.json")
    let whole = try check("--thorough --baseline known.json")
    #expect(merged.status == 0 && whole.status == 0)
    #expect(Self.timeless(merged.output) == Self.timeless(whole.output))
  }

  @Test("rows with evidence follow the schema")
  func schema() throws {
    let result = try check("--shard 1/1 --format ndjson")
    try ReportSchema.expectValidIfPossible(result.lines)
    let rows = try result.rows
    let summary = try #require(rows.last?["summary"])
    #expect(summary["shard"] == "1/1")
    #expect(summary["candidates"] == 11 && summary["configuration"]?.text != nil)
    let row = try #require(rows.first { $0["path"] == "art/a/1x1.mp4" })
    #expect(try row.at("evidence.bytes")?.int == folder.data("art/a/1x1.mp4").count)
    let reference = try folder.run("sha256sum art/a/1x1.mp4").output
    #expect(reference.hasPrefix(try #require(row.at("evidence.digest")?.text)))
  }
}
