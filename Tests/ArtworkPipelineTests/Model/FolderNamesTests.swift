@Suite struct FolderNamesTests {
  static func names(_ names: String...) -> FolderNames { FolderNames(names.compactMap { FilePath.Component($0) }) }

  @Test func `the best cover is found, in any case, and is no video's own file`() {
    let folder = Self.names("x.mp4", "Folder.JPG", "albumart.png", "cover.txt", "FrontCover.jpeg")
    #expect(folder.cover() == "FrontCover.jpeg")
    #expect(Self.names("folder.jpg", "cover.png", "cover.jpg").cover() == "cover.jpg")
    #expect(Self.names("cover.png").cover(beside: "cover.png") == nil)
    // A folder of several releases has no cover for all.
    let several = Self.names("cover.jpg", "Song_cover.png", "other.png")
    #expect(several.cover(of: "song") == "Song_cover.png")
    #expect(several.cover(of: "other") == "other.png" && several.cover(of: "third") == nil)
  }

  @Test("a preview is named like its video, and a cover is none")
  func previews() {
    let folder = Self.names("1x1.png", "clip.3x4.png", "clip-preview.jpg", "cover.jpg")
    #expect(folder.previews(of: "1x1.mp4") == [nil: "1x1.png"])
    #expect(folder.previews(of: "clip.mp4") == [nil: "clip-preview.jpg", .tall: "clip.3x4.png"])
    #expect(folder.previews(of: "cover.mp4").isEmpty)
  }

  @Test(arguments: [
    ("canvas", true), ("cover animated", true), ("vertical background", true), ("song", true), ("song canvas", true),
    ("vertical background song", true), ("other cover", false), ("", false), ("folder", false),
  ])
  func `names of players and servers need no key`(words: String, isOne: Bool) {
    #expect(FolderNames.isAnimatedCover(words, ofTrack: "song") == isOne)
  }
}
