import TestSupport

/// Bundles that are refused, and those under the names of servers.
@Suite struct BundleNamesTests {
  @Test(
    "a release whose animation does not loop is refused with advice about it, and leaves nothing")
  func unfit() throws {
    let clip = try MadeClip(named: "cover.gif", "-f lavfi -i testsrc2=s=320x320:r=10 -frames:v 12")
    let made = try clip.artworkd("bundle . -o out")
    #expect(made.status == 2 && made.error.contains("would break loop-seam"), "\(made.error)")
    #expect(made.error.contains("repair cover.gif") && !made.error.contains("folder exists"))
    #expect(clip.folder.names("out") == [])
  }

  @Test(
    "a video beyond repair is refused with the reason of its repair, and advice that its folder allows"
  )
  func beyondRepair() throws {
    // Too wide, and black for the first half.
    let clip = try MadeClip(
      "-f lavfi -i testsrc2=s=160x90:r=10:d=3 -vf drawbox=t=fill:c=black:enable='lt(t,1.5)' "
        + "-c:v libx264 -pix_fmt yuv420p")
    let refused = try clip.artworkd("bundle . -o out --animate-missing")
    #expect(refused.status == 2 && refused.error.contains("no part of it loops"), "\(refused)")
    #expect(refused.error.contains("put a cover.jpg beside it and use --animate-missing"))
    try clip.folder.ffmpeg("-f lavfi -i testsrc2=s=96x96:r=1 -frames:v 1 cover.jpg")
    let other = try clip.artworkd("bundle . -o out")
    #expect(other.error.contains("set the cover in motion with --animate-missing"), "\(other)")
  }

  @Test("a server's names in a folder of their own")
  func names() throws {
    let folder = try TemporaryFolder(["One/Hits/1x1.mp4": "good-1x1.mp4"])
    let line = "bundle One/Hits --names navidrome -o out"
    #expect(try folder.artworkd(line).status == 0)
    // The moving cover that this build writes for Navidrome.
    #expect(folder.names("out") == [OptionalLibrary.webP.isPresent ? "cover.webp" : "cover.gif"])
    #expect(try folder.artworkd(line).status == 2, "it exists")
  }

  @Test("a folder of several releases makes each in a folder of its own, or none")
  func several() throws {
    let folder = try TemporaryFolder([
      "art/One/1x1.mp4": "good-1x1.mp4", "art/Two/1x1.mp4": "good-1x1.mp4",
      "flat/a_1x1.mp4": "good-1x1.mp4", "flat/b_1x1.mp4": "good-1x1.mp4",
    ])
    let made = try folder.artworkd("bundle art -o out")
    #expect(made.status == 0, "\(made.error)")
    for name in ["One", "Two"] {
      let list = try folder.text("out/\(name)/artwork.json")
      #expect(list.contains("\"madeOf\" : \"\(name)/1x1.mp4\""))
    }
    #expect(!folder.has("out/cover.mp4"))
    let refused = try folder.artworkd("bundle flat -o none")
    #expect(refused.status == 64 && refused.error.contains("flat holds 2 releases: a, b"))
    #expect(!folder.has("none"))
  }
}
