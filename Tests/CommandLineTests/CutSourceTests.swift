import TestSupport

/// Files of clips that were cut short: the new file is written, and standard error says what is missing in it.
@Suite struct CutSourceTests {
  /// A clip without its last part.
  private static func cut(_ name: String, _ options: String = "") throws -> MadeClip {
    let clip = try MadeClip(
      named: name, "-f lavfi -i testsrc2=s=96x96:r=10 -frames:v 20 \(options)")
    let bytes = try clip.folder.data(name)
    try clip.folder.write(bytes.prefix(bytes.count * 6 / 10), to: name)
    return clip
  }

  @Test(
    "export, import and derive say how many frames there are",
    arguments: [
      ("export", "-o", "a.avif"), ("import", "-o", "a.mp4"), ("derive", "--key 3x4 -o", "b.mp4"),
    ])
  func video(command: String, options: String, output: String) throws {
    let clip = try Self.cut("clip.mp4", "\(MadeClip.x264) -g 1 -movflags +faststart")
    let result = try clip.artworkd("\(command) clip.mp4 \(options) \(output)")
    #expect(clip.folder.has(output))
    let frames = try clip.times(output).count
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
    let output = command == "export" ? "a.png" : "a.mp4"
    let result = try Self.cut("clip.gif").artworkd("\(command) clip.gif -o \(output)")
    #expect(result.error.contains("is left is used: "), "\(result)")
  }

  @Test("pictures that do not fit in memory blame no file, and name options that export has")
  func memory() throws {
    let clip = try MadeClip(
      "-f lavfi -i testsrc=s=640x640:r=30 -frames:v 40 \(MadeClip.x264)")
    let line = "export clip.mp4 -o a.avif --limit"
    let small = try clip.artworkd("\(line) memory=128MiB")
    #expect(small.status == 2 && !small.error.contains("invalid data"), "\(small)")
    #expect(small.error.contains("--width, a lower --fps or another format"), "\(small)")
    let advised = try #require(small.error.firstMatch(of: /--limit (memory=\d+GiB)/)).1
    let large = try clip.artworkd("\(line) \(advised)")
    #expect(large.status == 0, "\(large)")
  }
}
