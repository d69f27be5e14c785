import TestSupport

@testable import ArtworkService

/// Names that look like something else, through the built tool.
@Suite(.timeLimit(.minutes(5))) struct HostileNamesTests {
  /// Options of ours, protocols of libavformat, a playlist's idea of a name, patterns of image2.
  static let lookalikes = [
    "-i", "--help", "-", "concat:a.mp4|b.mp4", "subfile,,start,0,end,0,,:x.mp4",
    "http:", "http:a.mp4", "pipe:0", "fd:3", "file:x.mp4", "data:text", "crypto:x.mp4",
    "cache:x.mp4",
    "async:x.mp4", "tee:a.mp4|b.mp4", "lavfi:color.mp4", "rtp:127.0.0.1:9", "%03d.mp4", "*.mp4",
    "a*?[b].mp4", "~", "~a.mp4", "\\a.mp4", "$HOME", "$(a).mp4", "`id`.mp4", "a b.mp4", "'.mp4",
    ";.mp4", "@list",
  ]
  static let canary = Fixture.named("good-3x4.mp4")

  /// A folder with a video under each name, and the canary where the protocols would find it.
  static func folder(_ names: [[UInt8]]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let video = try Data(contentsOf: Fixture.named("good-1x1.mp4").url)
    for name in names {
      let path = FilePath(bytes: Array(folder.root.path.utf8) + [UInt8(ascii: "/")] + name)
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(video) }
    }
    return folder
  }

  static func lookalikeFolder() throws -> TemporaryFolder {
    let folder = try folder(lookalikes.map { Array($0.utf8) })
    for name in [".a.mp4", ".x.mp4"] { try folder.copy(canary, to: name) }
    return folder
  }

  /// The paths of results without an error that are the small square video.
  static func squares(_ result: BuiltTool.Result) throws -> Set<String> {
    let squares = try result.rows.filter { $0.at("facts.displayHeight") == 96 }
    return Set(squares.compactMap { $0["path"]?.text })
  }

  @Test("found in a folder, each is the file of that name")
  func found() throws {
    let folder = try Self.lookalikeFolder()
    let result = try folder.artworkd("check --format ndjson")
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.squares(result) == Set(Self.lookalikes.map { "./" + $0 }))
    #expect(result.lines.count == Self.lookalikes.count + 1)
  }

  @Test("named as arguments, each is the file of that name")
  func named() throws {
    let folder = try Self.lookalikeFolder()
    let names = Self.lookalikes.filter { $0 != "-" }
    let bare = try folder.artworkd("check --format ndjson --", names)
    #expect(bare.status == 0, "\(bare.error)")
    #expect(try Self.squares(bare) == Set(names))
    // A lone dash is standard input even after --; with a folder it is a file.
    let dotted = try folder.artworkd("check --format ndjson", Self.lookalikes.map { "./" + $0 })
    #expect(try Self.squares(dotted) == Set(Self.lookalikes.map { "./" + $0 }))
    let listed = try folder.artworkd(
      "check --format ndjson -", input: Self.lookalikes.joined(separator: "\n"))
    #expect(try Self.squares(listed) == Set(Self.lookalikes))
    let preview = try folder.artworkd("preview -- -i")
    #expect(preview.output == "-i.png\n")
  }

  /// Both forms of é, and what JSON must escape.
  static let textNames = [
    "caf\u{e9}.mp4", "cafe\u{301}.mp4", "🎵👩‍👩‍👧.mp4", "line\nbreak.mp4", "\r\n.mp4",
    "quote\"back\\slash.mp4", "tab\t.mp4", "\u{1b}[31mred.mp4", "\u{7f}\u{85}.mp4",
    "\u{2028}\u{2029}.mp4", "\u{202e}4pm.mp4", "\u{fffd}.mp4", "\u{10fff0}.mp4", "日本.mp4",
  ]

  @Test("names that are text come through JSON byte for byte, however they came in")
  func roundTrip() throws {
    let folder = try Self.folder(Self.textNames.map { Array($0.utf8) })
    let expected = Set(Self.textNames.map { Array($0.utf8) })
    func names(_ result: BuiltTool.Result) throws -> Set<[UInt8]> {
      #expect(!result.output.contains("pathBytes"))
      try ReportSchema.expectValidIfPossible(result.lines)
      let paths = try result.rows.compactMap { $0["path"]?.text }
      return Set(paths.map { Array($0.utf8.drop { $0 == 0x2e || $0 == 0x2f }) })
    }
    let options = ["check", "--format", "ndjson"]
    #expect(try names(folder.artworkd(options)) == expected)
    #expect(try names(folder.artworkd(options + Self.textNames)) == expected)
    let list = Self.textNames.joined(separator: "\0") + "\0"
    #expect(try names(folder.artworkd(options + ["-"], input: list)) == expected)
  }

  @Test("names that are no text have their bytes in JSON, however they came in")
  func bytes() throws {
    let name = Array("caf".utf8) + [0xe9, 0x0a, 0xff] + Array(".mp4".utf8)
    let folder = try Self.folder([name])
    let tool = try BuiltTool.find().path
    // A shell, since Process hands over text only.
    for script in ["'\(tool)' check", "'\(tool)' check *", "printf '%s\\0' * | '\(tool)' check -"] {
      let result = try folder.run("sh -c", ["\(script) --format ndjson --preview-dir p"])
      #expect(result.status == 0, "\(result.error)")
      let row = try #require(try result.rows.first)
      #expect(row["path"]?.text?.hasSuffix("caf\u{fffd}\n\u{fffd}.mp4") == true)
      #expect(row["pathBytes"]?.text?.hasSuffix("caf%E9%0A%FF.mp4") == true)
      #expect(row["previewBytes"] == "p/caf%E9%0A%FF.1x1.png")
      try ReportSchema.expectValidIfPossible([result.lines[0]])
      try folder.remove("p")
    }
  }

  @Test("no name moves the cursor, forges a line or sets a colour in output for people")
  func injection() throws {
    let evil = "\u{1b}[2J\u{1b}]0;title\u{7}\r\n  ✓ pass   forged.mp4\u{9b}31m\u{8}\u{202e}"
    let folder = try TemporaryFolder()
    for (fixture, name) in [
      ("good-1x1.mp4", ""), ("loop-jump.mp4", "-jump"), ("broken-text.mp4", "-text"),
    ] { try folder.copy(fixture, to: "\(evil)/\(evil)\(name).mp4") }
    try folder.make("\(evil)-empty")
    let runs: [[String]] = [
      ["check", "."], ["check", ".", "--quiet"], ["check", ".", "--preview-dir", "p\(evil)"],
      ["check", ".", "--output", "report.txt"], ["check", "\(evil)-empty"],
      ["check", "\(evil)/missing.mp4"], ["preview", "\(evil)/missing.mp4"],
      ["check", "\(evil)/\(evil).mp4", "--output", "/nowhere/\(evil)"],
      ["preview", "\(evil)/\(evil)-text.mp4"],
      ["preview", "\(evil)/\(evil).mp4", "-o", "/nowhere/\(evil).png"],
      ["check", "--\(evil)"], ["check", "--key", evil],
    ]
    for arguments in runs {
      let result = try folder.artworkd(arguments)
      Self.expectHarmless(result.output + result.error, "\(arguments)")
    }
    Self.expectHarmless(try folder.text("report.txt"), "the report")
  }

  @Test("a link out of the folder is refused by the tool, and leaves no preview")
  func linkOut() throws {
    let folder = try TemporaryFolder(["canary.mp4": "good-3x4.mp4"])
    try folder.make("in")
    try folder.link("in/link.mp4", to: "../canary.mp4")
    let result = try folder.artworkd("check in --format ndjson --preview-dir p")
    #expect(result.status == 2)
    let row = try #require(try result.rows.first)
    #expect(row.at("error.code") == "outside-folder")
    #expect(row["facts"] == nil && row["preview"] == nil)
    #expect(!folder.has("p"))
    // Named directly, or on standard input, it is followed.
    #expect(try folder.artworkd("check in/link.mp4").status == 0)
    #expect(try folder.artworkd("check -", input: "in/link.mp4\n").status == 0)
  }

  /// strace can answer for the kernel.
  static let canPretend =
    (try? execute("strace -f -e inject=openat2:error=ENOSYS true").status) == 0

  @Test(
    "without openat2 the same is found, and no link followed",
    .enabled(if: canPretend, "strace cannot be used here"), arguments: ["ENOSYS", "EPERM"])
  func oldKernel(error: String) throws {
    let folder = try TemporaryFolder([
      "canary.mp4": "good-3x4.mp4", "in/good.mp4": "good-1x1.mp4", "in/sub/good": "good-1x1.mp4",
    ])
    for (name, target) in [
      ("out.mp4", "../canary.mp4"), ("inside.mp4", "good.mp4"), ("out", "../canary.mp4"),
    ] { try folder.link("in/\(name)", to: target) }
    let result = try folder.run(
      "strace -f -qq -o log -e trace=openat2 -e inject=openat2:error=\(error) "
        + "\(BuiltTool.find().path) check in --format json")
    #expect(try folder.text("log").contains(error))
    let reported = try #require(try result.json["results"]).items.map {
      "\($0["path"]?.text ?? "") \($0.at("error.code")?.text ?? "inspected")"
    }
    #expect(
      reported == [
        "in/good.mp4 inspected", "in/inside.mp4 outside-folder", "in/out.mp4 outside-folder",
        "in/sub/good inspected",
      ])
  }

  /// Neither control characters other than the ends of lines, nor a line that the name made up.
  static func expectHarmless(
    _ text: String, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let controls = text.unicodeScalars.filter {
      $0 != "\n" && [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
    }
    #expect(controls.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(
      !text.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("✓ pass   forged") },
      comment,
      sourceLocation: sourceLocation)
  }

  @Test("nor the path that preview prints on a terminal, whose bytes scripts get")
  func previewPath() throws {
    let folder = try Self.folder([Array("\u{1b}[31mred.mp4".utf8)])
    let piped = try folder.artworkd("preview \u{1b}[31mred.mp4")
    #expect(piped.output == "\u{1b}[31mred.png\n")
    try #require(TerminalMaker.isPresent, "script(1) is needed")
    let drawn = try TerminalMaker.run("$T preview *.mp4", in: folder)
    // A terminal ends lines with CR LF.
    #expect(drawn.output == "\\u{1b}[31mred.png\r\n")
  }
}
