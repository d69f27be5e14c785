import TestSupport

/// A catalogue checked in parts and merged, against one run over all of it.
@Suite struct ShardedCheckTests {
  /// Releases whose artworkIDs and videos contradict and repeat each other, among them in other folders, files of no
  /// release, and files with errors.
  static func catalogue() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let files = [
      "a/1x1.mp4": "good-1x1.mp4", "a/3x4.mp4": "good-3x4.mp4", "a/cover.jpg": "cover.jpg",
      "b/1x1.mp4": "good-1x1.mp4", "c/1x1.mp4": "good-1x1.mp4", "c/3x4.mp4": "frames-3.mp4",
      "x/same/1x1.mp4": "loop-static.mp4", "y/same/1x1.mp4": "rate-60.mp4",
      "z/same/3x4.mov": "good-3x4.mp4", "loose.mp4": "rate-24.mp4",
      "bad/1x1.mp4": "broken-text.mp4",
      "a b\"c\\d/é-3x4.mp4": "good-3x4.mp4",
    ]
    for (name, fixture) in files {
      let url = folder.url("art/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: url)
    }
    return folder
  }

  static func check(_ folder: TemporaryFolder, _ options: [String]) throws -> BuiltTool.Result {
    try BuiltTool.run(
      ["check", "art"] + options, in: folder.root,
      environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
  }

  static func merge(_ folder: TemporaryFolder, _ options: [String]) throws -> BuiltTool.Result {
    try BuiltTool.run(["merge"] + options, in: folder.root)
  }

  /// Checks each shard into a separate file.
  static func shards(
    _ folder: TemporaryFolder, _ count: Int, _ options: [String] = []
  ) throws -> [String] {
    try (1...count).map { index in
      let name = "shard-\(index)-of-\(count).ndjson"
      let result = try check(
        folder,
        ["--shard", "\(index)/\(count)", "--format", "ndjson", "--output", name] + options)
      #expect(result.status <= 2, "\(result.error)")
      return name
    }
  }

  /// Without the time that a run took.
  static func timeless(_ report: String) -> String {
    report.replacing(/"seconds" ?: ?[0-9.e-]+/, with: "")
      .replacing(#/ in [0-9.]+ s.*/#, with: "")
  }

  @Test(
    "shards merged are one run, byte by byte, in every format",
    arguments: Nightly.isOn ? [1, 2, 7, 64] : [4])
  func merged(count: Int) throws {
    let folder = try Self.catalogue()
    let options = ["--profile", "now-playing,web"]
    let files = try Self.shards(folder, count, options)
    let formats = ["json", "ndjson", "junit", "sarif", "github", "markdown", "text"]
    func reports(_ name: String) -> [String] {
      formats.flatMap { ["--report", "\($0)=\(name).\($0)"] }
    }
    let whole = try Self.check(folder, reports("whole") + options)
    let merged = try Self.merge(folder, files.reversed() + reports("merged"))
    #expect(merged.status == whole.status)
    for format in formats {
      let texts = try ["whole", "merged"].map { name in
        let data = try Data(contentsOf: folder.url("\(name).\(format)"))
        return Self.timeless(String(decoding: data, as: UTF8.self))
      }
      #expect(texts[0] == texts[1], "\(format)")
      #expect(!texts[0].isEmpty)
    }
  }

  @Test(
    "text for one destination is streamed, and is the same",
    .nightly)
  func text() throws {
    let folder = try Self.catalogue()
    let whole = try Self.check(folder, [])
    let files = try Self.shards(folder, 2)
    let merged = try Self.merge(folder, files)
    #expect(Self.timeless(merged.output) == Self.timeless(whole.output))
    #expect(merged.output.contains("an identical video has a different artworkID"))
    #expect(merged.output.contains("artwork-id-reuse"))
    let quiet = try Self.merge(folder, files + ["--quiet"])
    #expect(
      Self.timeless(quiet.output) == Self.timeless(try Self.check(folder, ["--quiet"]).output))
  }

  @Test(
    "a baseline is applied when shards are merged",
    .nightly)
  func baseline() throws {
    let folder = try Self.catalogue()
    _ = try Self.check(folder, ["--write-baseline", "known.json"])
    let files = try Self.shards(folder, 2, ["--thorough"])
    let merged = try Self.merge(folder, files + ["--baseline", "known.json"])
    let whole = try Self.check(folder, ["--thorough", "--baseline", "known.json"])
    #expect(merged.status == whole.status)
    #expect(merged.status == 0)
    #expect(Self.timeless(merged.output) == Self.timeless(whole.output))
  }

  @Test("rows with evidence follow the schema")
  func schema() throws {
    let folder = try Self.catalogue()
    let result = try Self.check(folder, ["--shard", "1/1", "--format", "ndjson"])
    try ReportSchema.expectValidIfPossible(result.lines)
    let summary = try #require(try result.objects().last?["summary"] as? [String: Any])
    #expect(summary["shard"] as? String == "1/1")
    #expect(summary["candidates"] as? Int == 11 && summary["configuration"] is String)
    let digest = Data(try Data(contentsOf: folder.url("art/a/1x1.mp4")))
    let row = try #require(
      try result.objects().first { $0["path"] as? String == "art/a/1x1.mp4" })
    let evidence = try #require(row["evidence"] as? [String: Any])
    #expect(evidence["bytes"] as? Int == digest.count)
    let reference = try run("sha256sum", [folder.url("art/a/1x1.mp4").path]).output
    #expect(
      String(decoding: reference, as: UTF8.self).hasPrefix(evidence["digest"] as? String ?? "-"))
  }
}
