@Suite struct KeptOriginalsTests {
  /// A folder with two files, and what is in it.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data("one".utf8).write(to: folder.url("1x1.mov"))
    try Data("two".utf8).write(to: folder.url("3x4.mp4"))
    return folder
  }

  private static func contents(_ folder: TemporaryFolder) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.root.path) where !name.hasPrefix(".") {
      found[name] = String(decoding: try Data(contentsOf: folder.url(name)), as: UTF8.self)
    }
    return found
  }

  private static let files = [
    KeptOriginals.NewFile("1x1.mp4", Array("new".utf8)), KeptOriginals.NewFile("3x4.mp4", Array("tall".utf8)),
  ]
  private static let before = ["1x1.mov": "one", "3x4.mp4": "two"]
  private static let after = ["1x1.mp4": "new", "3x4.mp4": "tall"]

  @Test func `files are replaced, replaced again, and the first ones come back`() throws {
    let folder = try Self.folder()
    let kept = KeptOriginals(of: FilePath(folder.root.path))
    try kept.replace(["1x1.mov", "3x4.mp4"], by: Self.files)
    #expect(try Self.contents(folder) == Self.after)
    try kept.replace(["1x1.mp4"], by: [KeptOriginals.NewFile("1x1.mp4", Array("newer".utf8))])
    #expect(try Self.contents(folder)["1x1.mp4"] == "newer")
    #expect(Set(try kept.takeBack().names) == ["1x1.mov", "3x4.mp4"])
    #expect(try Self.contents(folder) == Self.before)
    #expect(!FileManager.default.fileExists(atPath: folder.url(".artworkd").path))
  }

  @Test func `an export that is replaced is kept as well, and the newest comes back`() throws {
    let folder = try Self.folder()
    let kept = KeptOriginals(of: FilePath(folder.root.path))
    for round in 2...3 {
      try kept.replace(["3x4.mp4"], by: [KeptOriginals.NewFile("3x4.mp4", Array("made".utf8))])
      try Data("export \(round)".utf8).write(to: folder.url("3x4.mp4"))
      try kept.replace(["3x4.mp4"], by: [KeptOriginals.NewFile("3x4.mp4", Array("again".utf8))])
      let original = try #require(kept.original(of: "3x4.mp4"))
      #expect(try original.contents(atMost: 99) == Array("export \(round)".utf8))
      let older = try kept.takeBack().older
      #expect(try Self.contents(folder)["3x4.mp4"] == "export \(round)")
      // What was there before each of the exports.
      #expect(
        try older.map { String(decoding: try $0.contents(atMost: 99), as: UTF8.self) }
          == ["two", "export 2"].prefix(round - 1).map(\.self))
    }
  }

  @Test func `files of another change stay when some are taken back`() throws {
    let folder = try Self.folder()
    let kept = KeptOriginals(of: FilePath(folder.root.path))
    try kept.replace(["1x1.mov"], by: [KeptOriginals.NewFile("1x1.mp4", Array("new".utf8))])
    try kept.replace(["3x4.mp4"], by: [KeptOriginals.NewFile("3x4.mp4", Array("tall".utf8))])
    #expect(kept.changed("1x1.mov") && kept.changed("1x1.mp4") && !kept.changed("2.mp4"))
    #expect(try kept.takeBack(["1x1.mp4"]).names == ["1x1.mov"])
    #expect(try Self.contents(folder) == ["1x1.mov": "one", "3x4.mp4": "tall"])
    #expect(try kept.takeBack().names == ["3x4.mp4"])
    #expect(try Self.contents(folder) == Self.before)
  }

  @Test func `what is not the file that was made is not overwritten, whatever it is`() throws {
    let folder = try Self.folder()
    let kept = KeptOriginals(of: FilePath(folder.root.path))
    try kept.replace(["1x1.mov", "3x4.mp4"], by: Self.files)
    try FileManager.default.removeItem(at: folder.url("3x4.mp4"))
    try unsafe #require(mkfifo(folder.url("3x4.mp4").path, 0o600) == 0)
    #expect(throws: KeptOriginals.Failure.changed("3x4.mp4")) { try kept.takeBack() }
    try FileManager.default.removeItem(at: folder.url("3x4.mp4"))
    // An export with the name of an original that had to go.
    try Data("three".utf8).write(to: folder.url("1x1.mov"))
    #expect(throws: KeptOriginals.Failure.changed("1x1.mov")) { try kept.takeBack() }
    #expect(try Self.contents(folder) == ["1x1.mov": "three", "1x1.mp4": "new"])
  }

  @Test func `a change that was written down is completed, one that was not has not begun`() throws {
    let folder = try Self.folder()
    let kept = KeptOriginals(of: FilePath(folder.root.path))
    try kept.replace(["1x1.mov", "3x4.mp4"], by: Self.files)
    // As after a crash between the record and the first step, and after the first step.
    let record = try String(contentsOf: folder.url(".artworkd/changes.json"), encoding: .utf8)
    for steps in 0...2 {
      let place = try Self.folder()
      let kept = KeptOriginals(of: FilePath(place.root.path))
      try place.make(".artworkd/new")
      for (number, file) in Self.files.enumerated() { try Data(file.bytes).write(to: place.url(".artworkd/new/\(number)")) }
      #expect(try !kept.recover())
      #expect(try Self.contents(place) == Self.before)
      try place.make(".artworkd/new")
      try place.make(".artworkd/originals")
      for (number, file) in Self.files.enumerated() { try Data(file.bytes).write(to: place.url(".artworkd/new/\(number)")) }
      let begun = record.replacing(
        "\"removing\":[]",
        with: """
          "placing":[{"name":"1x1.mp4","place":"0"},{"name":"3x4.mp4","place":"1"}],"removing":["1x1.mov"]
          """)
      try Data(begun.utf8).write(to: place.url(".artworkd/changes.json"))
      if steps > 0 { try FileManager.default.linkItem(at: place.url("1x1.mov"), to: place.url(".artworkd/originals/1x1.mov")) }
      if steps > 1 {
        try FileManager.default.linkItem(at: place.url("3x4.mp4"), to: place.url(".artworkd/originals/3x4.mp4"))
        unsafe #expect(rename(place.url(".artworkd/new/1").path, place.url("3x4.mp4").path) == 0)
      }
      #expect(try kept.recover())
      #expect(try Self.contents(place) == Self.after, "after \(steps) steps")
      _ = try kept.takeBack()
      #expect(try Self.contents(place) == Self.before, "after \(steps) steps")
    }
  }
}
