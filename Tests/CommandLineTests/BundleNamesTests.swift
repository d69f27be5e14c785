import Fixtures
import TestSupport
import Testing

/// Bundles that are refused, and those under the names of servers.
@Suite struct BundleNamesTests {
  /// The moving cover that this build writes for Navidrome.
  private static let moving = OptionalLibrary.webP.isPresent ? "cover.webp" : "cover.gif"

  @Test(
    "a release whose animation does not loop is refused with advice about it, and leaves nothing")
  func unfit() throws {
    let clip = try MadeClip(
      named: "cover.gif", ["-f", "lavfi", "-i", "testsrc2=s=320x320:r=10", "-frames:v", "12"])
    let made = try BuiltTool.run(["bundle", ".", "-o", "out"], in: clip.folder.root)
    #expect(made.status == 2 && made.error.contains("would break loop-seam"), "\(made.error)")
    #expect(made.error.contains("repair cover.gif") && !made.error.contains("folder exists"))
    #expect(
      (try? FileManager.default.contentsOfDirectory(atPath: clip.folder.url("out").path)) ?? []
        == [])
  }

  @Test(
    "a video beyond repair is refused with the reason of its repair, and advice that its folder allows"
  )
  func beyondRepair() throws {
    // Too wide, and black for the first half.
    let clip = try MadeClip(
      named: "clip.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=3", "-vf",
        "drawbox=t=fill:c=black:enable='lt(t,1.5)'", "-c:v", "libx264", "-pix_fmt", "yuv420p",
      ])
    let refused = try BuiltTool.run(
      ["bundle", ".", "-o", "out", "--animate-missing"], in: clip.folder.root)
    #expect(refused.status == 2 && refused.error.contains("no part of it loops"), "\(refused)")
    #expect(refused.error.contains("put a cover.jpg beside it and use --animate-missing"))
    _ = try run(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96:r=1", "-frames:v", "1", "cover.jpg"],
      in: clip.folder.root)
    let other = try BuiltTool.run(["bundle", ".", "-o", "out"], in: clip.folder.root)
    #expect(other.error.contains("set the cover in motion with --animate-missing"), "\(other)")
  }

  @Test("a server's names in a folder of their own")
  func names() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "One/Hits/1x1.mp4")
    let arguments = ["bundle", "One/Hits", "--names", "navidrome", "-o", "out"]
    #expect(try BuiltTool.run(arguments, in: folder.root).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url("out").path) == [Self.moving])
    #expect(try BuiltTool.run(arguments, in: folder.root).status == 2, "it exists")
  }

  @Test("a folder of several releases makes each in a folder of its own, or none")
  func several() throws {
    let folder = try TemporaryFolder()
    for name in ["One", "Two"] {
      let place = folder.url("art/\(name)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Fixture.named("good-1x1.mp4").url, to: place.appending(path: "1x1.mp4"))
    }
    let made = try BuiltTool.run(["bundle", "art", "-o", "out"], in: folder.root)
    #expect(made.status == 0, "\(made.error)")
    for name in ["One", "Two"] {
      let list = try String(contentsOf: folder.url("out/\(name)/artwork.json"), encoding: .utf8)
      #expect(list.contains("\"madeOf\" : \"\(name)/1x1.mp4\""))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url("out/cover.mp4").path))
    let flat = folder.url("flat")
    try FileManager.default.createDirectory(at: flat, withIntermediateDirectories: true)
    for name in ["a_1x1.mp4", "b_1x1.mp4"] {
      try FileManager.default.copyItem(
        at: Fixture.named("good-1x1.mp4").url, to: flat.appending(path: name))
    }
    let refused = try BuiltTool.run(["bundle", "flat", "-o", "none"], in: folder.root)
    #expect(refused.status == 64 && refused.error.contains("flat holds 2 releases: a, b"))
    #expect(!FileManager.default.fileExists(atPath: folder.url("none").path))
  }
}
