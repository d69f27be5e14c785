import TestSupport

/// A still and a movie that name the same content identifier, as an iPhone makes them.
@Suite struct LivePhotoTests {
  private static let identifier = "8A1F9B5C-0000-4000-8000-000000000001"

  /// A folder with `IMG_0001.mov` and `IMG_0001.jpg`, another moment of the same pattern.
  private static func folder(stillIdentifier: String?) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x128:r=15:d=0.6", "-pix_fmt", "yuv420p",
        "-movflags", "use_metadata_tags", "-metadata",
        "com.apple.quicktime.content.identifier=\(identifier)", "IMG_0001.mov", "-frames:v", "1",
        "-vf", "negate", "plain.jpg",
      ], in: folder.root)
    try #require(made.error == "")
    let plain = folder.url("plain.jpg")
    var still = [UInt8](try Data(contentsOf: plain))
    if let stillIdentifier { still.insert(contentsOf: exif(stillIdentifier), at: 2) }
    try Data(still).write(to: folder.url("IMG_0001.jpg"))
    try FileManager.default.removeItem(at: plain)
    return folder
  }

  /// A segment of Exif data (Exif 2.32, 4.6) with only Apple's maker note: tags 1 and 0x11.
  private static func exif(_ identifier: String) -> [UInt8] {
    func number(_ value: Int, _ length: Int) -> [UInt8] {
      (0..<length).map { UInt8(value >> (8 * (length - 1 - $0)) & 255) }
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    let text = Array(identifier.utf8) + [0]
    var note = Array("Apple iOS\0".utf8) + number(1, 2) + Array("MM".utf8) + number(2, 2)
    note += entry(1, 9, 1, 10) + entry(0x11, 2, text.count, note.count + 28) + number(0, 4) + text
    // The first IFD points to the Exif IFD at 26, and that to the note at 44.
    let tags =
      Array("MM".utf8) + number(42, 2) + number(8, 4) + number(1, 2) + entry(0x8769, 4, 1, 26)
      + number(0, 4) + number(1, 2) + entry(0x927c, 7, note.count, 44) + number(0, 4) + note
    let content = Array("Exif\0\0".utf8) + tags
    return [0xff, 0xe1] + number(content.count + 2, 2) + content
  }

  @Test("the movie is the candidate, and the still is its cover instead of a preview")
  func paired() throws {
    let folder = try Self.folder(stillIdentifier: Self.identifier)
    let result = try BuiltTool.run(["check", ".", "--format", "ndjson"], in: folder.root)
    let rows = try result.objects()
    #expect(rows.count == 2, "one candidate and the summary")
    #expect(rows[0]["path"] as? String == "./IMG_0001.mov")
    #expect(rows[0]["cover"] as? String == "./IMG_0001.jpg")
    let facts = try #require(rows[0]["facts"] as? [String: Any])
    #expect(facts["contentIdentifier"] as? String == Self.identifier)
    #expect(Self.previewFindings(rows[0]).isEmpty)

    let made = try BuiltTool.run(
      ["import", "IMG_0001.mov", "--size", "128x128", "-o", "1x1.mp4"], in: folder.root)
    #expect([0, 1].contains(made.status), "\(made.error)")
    #expect(FileManager.default.fileExists(atPath: folder.url("1x1.mp4").path))
  }

  @Test("a still with another identifier or none is a preview", arguments: [nil, "other"])
  func unrelatedStill(identifier: String?) throws {
    let folder = try Self.folder(stillIdentifier: identifier)
    let rows = try BuiltTool.run(["check", ".", "--format", "ndjson"], in: folder.root).objects()
    #expect(rows[0]["cover"] == nil)
    #expect(Self.previewFindings(rows[0]) == ["preview-match"])
  }

  private static func previewFindings(_ row: [String: Any]) -> [String] {
    (row["findings"] as? [[String: Any]] ?? []).compactMap { $0["rule"] as? String }
      .filter { $0.hasPrefix("preview") }
  }
}
