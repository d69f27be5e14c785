import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

/// `repair` of folders: releases become ready, in a complete tree or where they are.
@Suite struct ReleaseRepairTests {
  /// The four faulty releases of the demonstration.
  private static func demo() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Demo"), to: folder.url("Demo"))
    return folder
  }

  private static func releases(_ run: BuiltTool.Result) throws -> [String: Any] {
    let summary = try LoopCommandTests.json(run.output)["summary"] as? [String: Any]
    return try #require(summary?["releases"] as? [String: Any], "\(run.error)")
  }

  /// The verdicts of `check`, and the paths of the videos.
  private static func verdicts(_ place: String, _ folder: TemporaryFolder) throws -> [String:
    String]
  {
    let run = try BuiltTool.run(
      ["check", place, "--format", "json", "--no-cache"], in: folder.root)
    let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
    return Dictionary(
      uniqueKeysWithValues: try #require(results).map {
        ($0["path"] as? String ?? "", $0["verdict"] as? String ?? "")
      })
  }

  private static func bytes(_ place: URL) throws -> [String: Data] {
    let files = try #require(FileManager.default.enumerator(atPath: place.path))
    var bytes: [String: Data] = [:]
    for case let name as String in files {
      var isFolder: ObjCBool = false
      let path = place.appending(path: name).path
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        bytes[name] = try Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
    return bytes
  }

  @Test("one command makes every release of the demonstration ready, in a complete tree", .nightly)
  func tree() throws {
    let folder = try Self.demo()
    let command = ["repair", "Demo", "--unsafe", "--output-dir", "Demo/fixed", "--format", "json"]
    let run = try BuiltTool.run(command, in: folder.root)
    #expect(run.status == 0, "\(run.error)")
    let releases = try Self.releases(run)
    #expect(releases["ready"] as? Int == 6 && releases["needYou"] as? Int == 0)
    let after = try Self.verdicts("Demo/fixed", folder)
    #expect(after.count == 12 && Set(after.values) == ["pass"], "\(after)")
    // The folder is left out of searches above it, and a second run makes nothing.
    #expect(try Self.verdicts(".", folder).count == 10)
    let again = try BuiltTool.run(command, in: folder.root)
    #expect(again.status == 0 && again.output.contains("isFromEarlierRun"))
    // The square of the pair whose tall loop was good has its length.
    let lengths = try ["1x1", "3x4"].map { key in
      try BuiltTool.run(
        ["check", "Demo/fixed/The Tide Tables - Salt & Lanterns/\(key).mp4", "--format", "json"],
        in: folder.root
      ).output.split(separator: "\n").first { $0.contains("durationSeconds") }
    }
    #expect(lengths[0] == lengths[1])
  }

  @Test("what is repaired in place is taken back to the byte, and a changed file is not lost")
  func place() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("art/amber"), withIntermediateDirectories: true)
    for (name, fixture) in [("1x1", "codec-hev1.mp4"), ("3x4", "good-3x4.mp4")] {
      try FileManager.default.copyItem(
        at: Fixture.named(fixture).url, to: folder.url("art/amber/\(name).mp4"))
    }
    let before = try Self.bytes(folder.url("art"))
    let command = ["repair", "art", "--in-place", "--select", "codec-tag"]
    #expect(try BuiltTool.run(command, in: folder.root).status == 0)
    let after = try Self.bytes(folder.url("art"))
    #expect(after["amber/.artworkd/originals/1x1.mp4"] == before["amber/1x1.mp4"])
    #expect(after["amber/1x1.mp4"] != before["amber/1x1.mp4"])
    #expect(try Self.verdicts("art", folder).count == 2)
    // An export that came since.
    try Data("new".utf8).write(to: folder.url("art/amber/1x1.mp4"))
    let refused = try BuiltTool.run(["repair", "--undo", "art"], in: folder.root)
    #expect(refused.status == 2 && refused.error.contains("1x1.mp4 was changed since"))
    try #require(after["amber/1x1.mp4"]).write(to: folder.url("art/amber/1x1.mp4"))
    #expect(try BuiltTool.run(["repair", "--undo", "art"], in: folder.root).status == 0)
    #expect(try Self.bytes(folder.url("art")) == before)
  }

  @Test("an animation beside a video of its shape is its source; alone it is a candidate")
  func sources() throws {
    let folder = try TemporaryFolder()
    func place(_ fixture: String, _ name: String) throws {
      let url = folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: url)
    }
    try place("image-anim.gif", "art/a/1x1.gif")
    try place("image-anim.gif", "art/b/1x1.gif")
    try place("good-1x1.mp4", "art/b/1x1.mp4")
    try place("image-anim.gif", "art/c/3x4.gif")
    try place("good-1x1.mp4", "art/c/1x1.mp4")
    #expect(
      Set(try Self.verdicts("art", folder).keys) == [
        "art/a/1x1.gif", "art/b/1x1.mp4", "art/c/1x1.mp4", "art/c/3x4.gif",
      ])
  }
}
