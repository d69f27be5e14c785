import TestSupport

/// Commands that make files, on folders of releases.
@Suite struct FolderCommandTests {
  /// A release with both shapes, one without a tall one, and a cover in each.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "art/Both/1x1.mp4": "good-1x1.mp4", "art/Both/3x4.mp4": "good-3x4.mp4",
      "art/Lone Square/1x1.mp4": "good-1x1.mp4", "art/Both/cover.jpg": "cover.jpg",
      "art/Lone Square/cover.jpg": "cover.jpg",
    ])
  }

  @discardableResult
  private func run(_ line: String) throws -> BuiltTool.Result {
    let result = try folder.artworkd(
      line, environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
    #expect(result.status == 0, "\(line): \(result.error)")
    return result
  }

  private func files(below name: String) throws -> [String] { try folder.files(name).keys.sorted() }

  @Test("derive --missing makes what releases lack, beside their videos, and nothing a second time")
  func missing() throws {
    let before = try files(below: "art")
    try run("derive art --missing")
    #expect(try files(below: "art") == (before + ["Lone Square/3x4.mp4"]).sorted())
    let checked = try run("check art --select pair --fail-on warning --no-cache")
    #expect(!checked.output.contains("variant"), "\(checked.output)")
    #expect(try run("derive art --missing").output.isEmpty)
  }

  @Test("what a folder holds keeps its place in the output folder")
  func places() throws {
    try run("export art --output-dir out --to gif --width 48")
    #expect(try files(below: "out") == ["Both/1x1.gif", "Both/3x4.gif", "Lone Square/1x1.gif"])
    let gif = Array(try folder.data("out/Both/1x1.gif").prefix(10))
    // The width and the height in a GIF's header.
    #expect(gif.prefix(6) == Array("GIF89a".utf8)[...] && gif[6] == 48 && gif[8] == 48)
    try run("derive art --key 3x4 --output-dir tall")
    #expect(try files(below: "tall") == ["Both/3x4.mp4", "Lone Square/3x4.mp4"])
  }

  @Test("each cover below a folder is animated in its own folder")
  func covers() throws {
    try run("animate art -o out --seconds 2 --width 96 --key 1x1 --motion light")
    #expect(try files(below: "out") == ["Both/cover_1x1.mp4", "Lone Square/cover_1x1.mp4"])
  }

  @Test("pictures of loops lie below the name of the video's folder")
  func pictures() throws {
    try run("loop art/Both/1x1.mp4 --output-dir out")
    #expect(try files(below: "out") == ["Both/1x1.loop-strip.png", "Both/1x1.loop.png"])
  }

  @Test(
    "several inputs need a folder, and a folder is named as such",
    arguments: [
      ("export art -o a.gif", 64, "-o takes one file"), ("export art", 64, "--output-dir"),
      ("derive art --key 3x4", 64, "--output-dir"), ("derive art/Both/1x1.mp4", 64, "--key"),
      ("preview art", 2, "this is a folder"),
    ])
  func refused(words: String, status: Int, message: String) throws {
    let result = try folder.artworkd(words)
    #expect(result.status == status && result.error.contains(message), "\(result.error)")
  }
}
