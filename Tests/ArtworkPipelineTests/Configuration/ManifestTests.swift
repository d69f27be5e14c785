@testable import ArtworkJudging

@Suite struct ManifestTests {
  static func read(_ text: String) throws -> Manifest {
    var manifest = Manifest()
    try manifest.addTable(text, file: "releases.csv", folder: "/catalogue")
    return manifest
  }

  static func problem(_ text: String) throws -> String {
    let error = try #require(throws: ConfigurationError.self) { _ = try read(text) }
    return error.description
  }

  @Test func `columns have any order, others are ignored, and fields may be quoted`() throws {
    let manifest = try Self.read(
      "cover,title,1x1,artworkID\r\n" + "a.jpg,\"Songs, two\nlines and a \"\"quote\"\"\",\"a,b.mp4\", id-1 \r\n"
        + "\r\n,,/elsewhere/c.mp4,id-2\r\n")
    let entries = manifest.entries
    #expect(entries.map(\.artworkID) == ["id-1", "id-2"])
    #expect(entries.map(\.line) == [2, 5])
    #expect(entries[0].files == [.square: "/catalogue/a,b.mp4"])
    #expect(entries[0].cover == "/catalogue/a.jpg")
    #expect(entries[1].files == [.square: "/elsewhere/c.mp4"] && entries[1].cover == nil)
    #expect(manifest.entry(for: "/catalogue/a,b.mp4")?.artworkID == "id-1")
    #expect(manifest.entry(for: "/catalogue/c.mp4") == nil)
  }

  @Test(arguments: [
    "artworkID;1x1;3x4\nid;a.mp4;b.mp4", "artworkID\t1x1\t3x4\nid\ta.mp4\tb.mp4\n",
    "\u{FEFF}artworkID,1x1,3x4\nid,a.mp4,b.mp4\n", "\"artworkID\",\"1x1\",\"3x4\"\n\"id\",a.mp4,b.mp4",
  ])
  func `what spreadsheets write is read: semicolons, tabs, a byte order mark`(_ text: String) throws {
    let entries = try Self.read(text).entries
    #expect(entries.map(\.artworkID) == ["id"])
    #expect(entries.first?.files == [.square: "/catalogue/a.mp4", .tall: "/catalogue/b.mp4"])
  }

  @Test func `mistakes are reported with their line, all at once`() throws {
    #expect(
      try Self.problem("artworkID,1x1\nid,a.mp4,b.mp4\n,c.mp4\nok,d.mp4\n") == """
        releases.csv:2:1: 3 fields where the first line names 2; put a path with a comma into quotes
        releases.csv:3:1: no artworkID
        """)
    #expect(
      try Self.problem("artwork_id,1x1\nid,a.mp4\n")
        == "releases.csv:1:1: no column is called `artworkID`; rename `artwork_id`?")
    #expect(try Self.problem("artworkID,square\nid,a.mp4\n") == "releases.csv:1:1: no column names videos: `1x1` or `3x4`")
    #expect(try Self.problem("artworkID,1x1,1x1\n") == "releases.csv:1:1: two columns are called `1x1`")
    #expect(try Self.problem("") == "releases.csv: the manifest is empty")
    #expect(
      try Self.problem("artworkID,1x1\na,\"b.mp4\nc,d.mp4\n") == "releases.csv:2:1: not CSV: a quote is opened and never closed"
    )
    #expect(try Self.problem("artworkID,1x1\na,b.mp4\nc,\"d\"e.mp4\n").hasPrefix("releases.csv:3:1: not CSV"))
  }

  @Test func `a video of two artworks, or under two keys, is a mistake; an artwork that is listed twice is not`() throws {
    func problems(_ yaml: String) throws -> [String] {
      do {
        _ = try MadeConfiguration.read(yaml)
        return []
      } catch let error as ConfigurationError { return error.problems.map(\.message) }
    }
    #expect(try problems("artworks:\n  - {artworkID: a, 1x1: x.mp4}\n  - {artworkID: b, 1x1: x.mp4}\n").count == 1)
    #expect(try problems("artworks: [{artworkID: a, 1x1: x.mp4, 3x4: x.mp4}]\n").count == 1)
    #expect(try problems("artworks: [{artworkID: a, 1x1: x.mp4}, {artworkID: a, 1x1: x.mp4}]\n").isEmpty)
  }

  @Test func `a configuration reads the manifest that it names, and adds its own artworks`() throws {
    let folder = try TemporaryFolder()
    try folder.make("lists")
    try Data("artworkID,1x1\nid-1,../a.mp4\n".utf8).write(to: folder.url("lists/all.csv"))
    try Data("manifest: lists/all.csv\nartworks: [{artworkID: id-2, 3x4: b.mp4, cover: c.jpg}]\n".utf8).write(
      to: folder.url("artwork.yml"))
    let manifest = try Configuration.load(folder.path("artwork.yml")).manifest
    #expect(manifest.entries.map(\.artworkID) == ["id-1", "id-2"])
    #expect(manifest.entry(for: folder.path("a.mp4"))?.line == 2)
    try Data("artworkID\nx,y\n".utf8).write(to: folder.url("lists/all.csv"))
    let error = try #require(throws: ConfigurationError.self) { _ = try Configuration.load(folder.path("artwork.yml")) }
    #expect(error.problems.map(\.place?.line) == [1, 2])
    #expect(error.problems.allSatisfy { $0.file == folder.path("lists/all.csv") })
  }
}
