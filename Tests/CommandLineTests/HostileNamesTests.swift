import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

/// Names that look like something else, through the built tool.
@Suite(.timeLimit(.minutes(5))) struct HostileNamesTests {
  /// Options of ours, protocols of libavformat, a playlist's idea of a name, patterns of image2.
  static let lookalikes = [
    "-i", "--help", "-", "concat:a.mp4|b.mp4", "subfile,,start,0,end,0,,:x.mp4",
    "http:", "pipe:0", "file:x.mp4", "data:text", "crypto:x.mp4", "async:x.mp4", "%03d.mp4",
    "*.mp4", "~", "$HOME", "`id`.mp4", "a b.mp4", "'.mp4", ";.mp4", "@list",
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
    for name in [".a.mp4", ".x.mp4"] {
      try FileManager.default.copyItem(at: canary.url, to: folder.url(name))
    }
    return folder
  }

  /// The paths of results without an error that are the small square video.
  static func squares(_ result: BuiltTool.Result) throws -> Set<String> {
    let results = try result.objects().filter { object in
      (object["facts"] as? [String: Any])?["displayHeight"] as? Int == 96
    }
    return Set(results.compactMap { $0["path"] as? String })
  }

  @Test("found in a folder, each is the file of that name")
  func found() throws {
    let folder = try Self.lookalikeFolder()
    let result = try BuiltTool.run(["check", "--format", "ndjson"], in: folder.root)
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.squares(result) == Set(Self.lookalikes.map { "./" + $0 }))
    #expect(result.lines.count == Self.lookalikes.count + 1)
  }

  @Test("named as arguments, each is the file of that name")
  func named() throws {
    let folder = try Self.lookalikeFolder()
    let names = Self.lookalikes.filter { $0 != "-" }
    let bare = try BuiltTool.run(["check", "--format", "ndjson", "--"] + names, in: folder.root)
    #expect(bare.status == 0, "\(bare.error)")
    #expect(try Self.squares(bare) == Set(names))
    // A lone dash is standard input even after --; with a folder it is a file.
    let dotted = try BuiltTool.run(
      ["check", "--format", "ndjson"] + Self.lookalikes.map { "./" + $0 }, in: folder.root)
    #expect(try Self.squares(dotted) == Set(Self.lookalikes.map { "./" + $0 }))
    let listed = try BuiltTool.run(
      ["check", "--format", "ndjson", "-"], in: folder.root,
      input: Self.lookalikes.joined(separator: "\n"))
    #expect(try Self.squares(listed) == Set(Self.lookalikes))
    let preview = try BuiltTool.run(["preview", "--", "-i"], in: folder.root)
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
      let paths = try result.objects().compactMap { $0["path"] as? String }
      return Set(paths.map { Array($0.utf8.drop { $0 == 0x2e || $0 == 0x2f }) })
    }
    let options = ["check", "--format", "ndjson"]
    #expect(try names(BuiltTool.run(options, in: folder.root)) == expected)
    #expect(try names(BuiltTool.run(options + Self.textNames, in: folder.root)) == expected)
    let list = Self.textNames.joined(separator: "\0") + "\0"
    #expect(try names(BuiltTool.run(options + ["-"], in: folder.root, input: list)) == expected)
  }

  @Test("names that are no text have their bytes in JSON, however they came in")
  func bytes() throws {
    let name = Array("caf".utf8) + [0xe9, 0x0a, 0xff] + Array(".mp4".utf8)
    let folder = try Self.folder([name])
    let tool = try BuiltTool.find().path
    // A shell, since Process hands over text only.
    for script in ["'\(tool)' check", "'\(tool)' check *", "printf '%s\\0' * | '\(tool)' check -"] {
      let result = try run(
        "sh", ["-c", "\(script) --format ndjson --preview-dir p"], in: folder.root)
      #expect(result.status == 0, "\(result.error)")
      let line = try #require(
        String(decoding: result.output, as: UTF8.self).split(separator: "\n").first)
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let path = try #require(object["path"] as? String)
      #expect(path.hasSuffix("caf\u{fffd}\n\u{fffd}.mp4"))
      #expect((object["pathBytes"] as? String)?.hasSuffix("caf%E9%0A%FF.mp4") == true)
      #expect(object["previewBytes"] as? String == "p/caf%E9%0A%FF.1x1.png")
      try ReportSchema.expectValidIfPossible([String(line)])
      try FileManager.default.removeItem(at: folder.url("p"))
    }
  }

  @Test("no name moves the cursor, forges a line or sets a colour in output for people")
  func injection() throws {
    let evil = "\u{1b}[2J\u{1b}]0;title\u{7}\r\n  ✓ pass   forged.mp4\u{9b}31m\u{8}\u{202e}"
    let folder = try TemporaryFolder()
    let below = folder.url(evil)
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    for (fixture, name) in [
      ("good-1x1.mp4", "\(evil).mp4"), ("loop-jump.mp4", "\(evil)-jump.mp4"),
      ("broken-text.mp4", "\(evil)-text.mp4"),
    ] {
      try FileManager.default.copyItem(
        at: Fixture.named(fixture).url, to: below.appendingPathComponent(name))
    }
    let report = folder.url("report.txt")
    let runs: [[String]] = [
      ["check", "."], ["check", ".", "--quiet"], ["check", ".", "--preview-dir", "p\(evil)"],
      ["check", ".", "--output", report.path],
      ["check", "\(evil)/missing.mp4"], ["preview", "\(evil)/missing.mp4"],
      ["preview", "\(evil)/\(evil)-text.mp4"],
      ["preview", "\(evil)/\(evil).mp4", "-o", "/nowhere/\(evil).png"],
      ["check", "--\(evil)"], ["check", "--key", evil],
    ]
    for arguments in runs {
      let result = try BuiltTool.run(arguments, in: folder.root)
      Self.expectHarmless(result.output + result.error, "\(arguments)")
    }
    Self.expectHarmless(try String(contentsOf: report, encoding: .utf8), "the report")
  }

  @Test("a link out of the folder is refused by the tool, and leaves no preview")
  func linkOut() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("in"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.canary.url, to: folder.url("canary.mp4"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("in/link.mp4").path, withDestinationPath: "../canary.mp4")
    let result = try BuiltTool.run(
      ["check", "in", "--format", "ndjson", "--preview-dir", "p"], in: folder.root)
    #expect(result.status == 2)
    let object = try #require(try result.objects().first)
    #expect((object["error"] as? [String: Any])?["code"] as? String == "outside-folder")
    #expect(object["facts"] == nil && object["preview"] == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.url("p").path))
    // Named directly, or on standard input, it is followed.
    let named = try BuiltTool.run(["check", "in/link.mp4"], in: folder.root)
    #expect(named.status == 0)
    let listed = try BuiltTool.run(["check", "-"], in: folder.root, input: "in/link.mp4\n")
    #expect(listed.status == 0)
  }

  /// strace can answer for the kernel.
  static let canPretend =
    (try? run("strace", ["-f", "-e", "inject=openat2:error=ENOSYS", "true"]).status) == 0

  @Test(
    "without openat2 the same is found, and no link followed",
    .enabled(if: canPretend, "strace cannot be used here"), arguments: ["ENOSYS", "EPERM"])
  func oldKernel(error: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("in/sub"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.canary.url, to: folder.url("canary.mp4"))
    for name in ["in/good.mp4", "in/sub/good"] {
      try FileManager.default.copyItem(
        at: Fixture.named("good-1x1.mp4").url, to: folder.url(name))
    }
    for (name, target) in [
      ("in/out.mp4", "../canary.mp4"), ("in/inside.mp4", "good.mp4"), ("in/out", "../canary.mp4"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.url(name).path, withDestinationPath: target)
    }
    let log = folder.url("log").path
    let result = try run(
      "strace",
      [
        "-f", "-qq", "-o", log, "-e", "trace=openat2", "-e", "inject=openat2:error=\(error)",
        try BuiltTool.find().path, "check", "in", "--format", "json",
      ], in: folder.root)
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("\(error)"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    let results = try #require(document["results"] as? [[String: Any]])
    let reported = results.map { result in
      let code = (result["error"] as? [String: Any])?["code"] as? String
      return "\(result["path"] ?? "") \(code ?? "inspected")"
    }
    #expect(
      reported == [
        "in/good.mp4 inspected", "in/inside.mp4 outside-folder", "in/out.mp4 outside-folder",
        "in/sub/good inspected",
      ])
  }

  @Test("nor in messages about what was not found and not written, or in the log")
  func injectionInMessages() throws {
    let evil = "\u{1b}[2J\r\n  ✓ pass   forged.mp4"
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url(evil), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Fixture.named("good-1x1.mp4").url, to: folder.url("\(evil).mp4"))
    for arguments in [
      ["check", evil], ["check", "\(evil).mp4", "--output", "/nowhere/\(evil)"],
    ] {
      let result = try BuiltTool.run(arguments, in: folder.root)
      Self.expectHarmless(result.output + result.error, "\(arguments)")
    }
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
    let piped = try BuiltTool.run(["preview", "\u{1b}[31mred.mp4"], in: folder.root)
    #expect(piped.output == "\u{1b}[31mred.png\n")
    try #require(TerminalMaker.isPresent, "script(1) is needed")
    let tool = try BuiltTool.find().path
    let drawn = try run(
      TerminalMaker.path, ["-qec", "'\(tool)' preview *.mp4", "/dev/null"], in: folder.root)
    // A terminal ends lines with CR LF.
    #expect(String(decoding: drawn.output, as: UTF8.self) == "\\u{1b}[31mred.png\r\n")
  }
}
