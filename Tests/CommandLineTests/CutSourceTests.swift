import TestSupport

/// Files of clips that were cut short: the new file is written, and standard error says what is missing in it.
@Suite struct CutSourceTests {
  /// A clip without its last part.
  private static func cut(_ name: String, _ options: [String]) throws -> MadeClip {
    let clip = try MadeClip(
      named: name,
      ["-f", "lavfi", "-i", "testsrc2=s=96x96:r=10", "-frames:v", "20"] + options)
    let bytes = try Data(contentsOf: clip.folder.url(name))
    try bytes.prefix(bytes.count * 6 / 10).write(to: clip.folder.url(name))
    return clip
  }

  private static let video = MadeClip.h264 + ["-g", "1", "-movflags", "+faststart"]

  @Test(
    "export, import and derive say how many frames there are",
    arguments: [
      ["export", "-o", "a.avif"], ["import", "-o", "a.mp4"],
      ["derive", "--key", "3x4", "-o", "b.mp4"],
    ])
  func video(command: [String]) throws {
    let clip = try Self.cut("clip.mp4", Self.video)
    let result = try BuiltTool.run([command[0], "clip.mp4"] + command[1...], in: clip.folder.root)
    #expect(FileManager.default.fileExists(atPath: clip.folder.url(command.last ?? "").path))
    let frames = try clip.times(command.last).count
    #expect((5..<20).contains(frames))
    #expect(
      result.error == """
        artworkd: clip.mp4: frames are missing: the file is truncated or damaged, and what \
        is left is used: \(frames) of 20 frames
          → copy or export it again

        """)
  }

  @Test("a GIF that ends early is told from a whole one", arguments: ["export", "import"])
  func picture(command: String) throws {
    let clip = try Self.cut("clip.gif", [])
    let output = command == "export" ? "a.png" : "a.mp4"
    let result = try BuiltTool.run([command, "clip.gif", "-o", output], in: clip.folder.root)
    #expect(result.error.contains("is left is used: "), "\(result)")
  }

  @Test("pictures that do not fit in memory blame no file, and name options that export has")
  func memory() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc=s=640x640:r=30", "-frames:v", "40"] + MadeClip.h264)
    let arguments = ["export", clip.name, "-o", "a.avif", "--limit"]
    let small = try BuiltTool.run(arguments + ["memory=128MiB"], in: clip.folder.root)
    #expect(small.status == 2 && !small.error.contains("invalid data"), "\(small)")
    #expect(small.error.contains("--width, a lower --fps or another format"), "\(small)")
    let advised = try #require(small.error.firstMatch(of: /--limit (memory=\d+GiB)/)).1
    let large = try BuiltTool.run(arguments + [String(advised)], in: clip.folder.root)
    #expect(large.status == 0, "\(large)")
  }
}
