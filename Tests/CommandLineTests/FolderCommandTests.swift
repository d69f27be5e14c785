import TestSupport

/// Commands that make files, on folders of releases.
@Suite struct FolderCommandTests {
  /// A release with both shapes, one without a tall one, and a cover in each.
  private static func releases() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (fixture, name) in [
      ("good-1x1.mp4", "art/Both/1x1.mp4"), ("good-3x4.mp4", "art/Both/3x4.mp4"),
      ("good-1x1.mp4", "art/Lone Square/1x1.mp4"), ("cover.jpg", "art/Both/cover.jpg"),
      ("cover.jpg", "art/Lone Square/cover.jpg"),
    ] {
      try folder.copy(Fixture.named(fixture), to: name)
    }
    return folder
  }

  private static func run(_ words: String, in folder: TemporaryFolder) throws -> BuiltTool.Result {
    try BuiltTool.run(
      words.split(separator: " ").map(String.init), in: folder.root,
      environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
  }

  private static func files(below name: String, in folder: TemporaryFolder) -> [String] {
    (FileManager.default.enumerator(atPath: folder.url(name).path)?.allObjects as? [String] ?? [])
      .filter { $0.contains(".") }.sorted()
  }

  @Test("derive --missing makes what releases lack, beside their videos, and nothing a second time")
  func missing() throws {
    let folder = try Self.releases()
    let first = try Self.run("derive art --missing", in: folder)
    #expect(first.status == 0, "\(first.error)")
    #expect(
      Self.files(below: "art", in: folder) == [
        "Both/1x1.mp4", "Both/3x4.mp4", "Both/cover.jpg", "Lone Square/1x1.mp4",
        "Lone Square/3x4.mp4", "Lone Square/cover.jpg",
      ])
    let checked = try Self.run("check art --select pair --fail-on warning --no-cache", in: folder)
    #expect(!checked.output.contains("variant"), "\(checked.output)")
    #expect(try Self.run("derive art --missing", in: folder).output.isEmpty)
  }

  @Test("what a folder holds keeps its place in the output folder")
  func places() throws {
    let folder = try Self.releases()
    let exported = try Self.run("export art --output-dir out --to gif --width 48", in: folder)
    #expect(exported.status == 0, "\(exported.error)")
    #expect(
      Self.files(below: "out", in: folder) == [
        "Both/1x1.gif", "Both/3x4.gif", "Lone Square/1x1.gif",
      ])
    let gif = Array(try Data(contentsOf: folder.url("out/Both/1x1.gif")).prefix(10))
    // The width and the height in a GIF's header.
    #expect(gif.prefix(6) == Array("GIF89a".utf8)[...] && gif[6] == 48 && gif[8] == 48)
    let derived = try Self.run("derive art --key 3x4 --output-dir tall", in: folder)
    #expect(derived.status == 0, "\(derived.error)")
    #expect(Self.files(below: "tall", in: folder) == ["Both/3x4.mp4", "Lone Square/3x4.mp4"])
  }

  @Test("each cover below a folder is animated in its own folder")
  func covers() throws {
    let folder = try Self.releases()
    let made = try Self.run(
      "animate art -o out --seconds 2 --width 96 --key 1x1 --motion light", in: folder)
    #expect(made.status == 0, "\(made.error)")
    #expect(
      Self.files(below: "out", in: folder) == [
        "Both/cover_1x1.mp4", "Lone Square/cover_1x1.mp4",
      ])
  }

  @Test("pictures of loops lie beside the video, or below the name of its folder")
  func pictures() throws {
    let folder = try Self.releases()
    let beside = try Self.run("loop art/Both/1x1.mp4", in: folder)
    #expect(beside.status == 0, "\(beside.error)")
    #expect(Self.files(below: "art/Both", in: folder).contains("1x1.loop.png"))
    #expect(try Self.run("loop art/Both/1x1.mp4 --output-dir out", in: folder).status == 0)
    #expect(
      Self.files(below: "out", in: folder) == ["Both/1x1.loop-strip.png", "Both/1x1.loop.png"])
  }

  @Test(
    "several inputs need a folder, and a folder is named as such",
    arguments: [
      ("export art -o a.gif", 64, "-o takes one file"), ("export art", 64, "--output-dir"),
      ("derive art --key 3x4", 64, "--output-dir"), ("derive art/Both/1x1.mp4", 64, "--key"),
      ("preview art", 2, "this is a folder"),
    ])
  func refused(words: String, status: Int, message: String) throws {
    let result = try Self.run(words, in: try Self.releases())
    #expect(result.status == status && result.error.contains(message), "\(result.error)")
  }
}
