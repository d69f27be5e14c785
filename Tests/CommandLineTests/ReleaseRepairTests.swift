import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

/// `repair` of folders: releases become ready, in a complete tree or where they are.
@Suite struct ReleaseRepairTests {
  /// The four faulty releases of the demonstration.
  private static func demo() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Demo"), to: folder.url("Demo"))
    return folder
  }

  private static func releases(_ run: BuiltTool.Result) throws -> [String: Any] {
    let summary = try LoopCommandTests.json(run.output)["summary"] as? [String: Any]
    return try #require(summary?["releases"] as? [String: Any], "\(run.error)")
  }

  /// The verdicts of `check`, and the paths of the videos.
  private static func verdicts(_ place: String, _ folder: TemporaryFolder) throws -> [String:
    String]
  {
    let run = try BuiltTool.run(
      ["check", place, "--format", "json", "--no-cache"], in: folder.root)
    let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
    return Dictionary(
      uniqueKeysWithValues: try #require(results).map {
        ($0["path"] as? String ?? "", $0["verdict"] as? String ?? "")
      })
  }

  private static func bytes(_ place: URL) throws -> [String: Data] {
    let files = try #require(FileManager.default.enumerator(atPath: place.path))
    var bytes: [String: Data] = [:]
    for case let name as String in files {
      var isFolder: ObjCBool = false
      let path = place.appending(path: name).path
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        bytes[name] = try Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
    return bytes
  }

  @Test("one command makes every release of the demonstration ready, in a complete tree", .nightly)
  func tree() throws {
    let folder = try Self.demo()
    let command = ["repair", "Demo", "--unsafe", "--output-dir", "Demo/fixed", "--format", "json"]
    let kept = ["ARTWORKD_CACHE_DIR": folder.url("cache").path]
    let run = try BuiltTool.run(command, in: folder.root, environment: kept)
    #expect(run.status == 0, "\(run.error)")
    let releases = try Self.releases(run)
    // One has its missing shape by a crop, and one plays forward and back or dissolves.
    let (ready, look) = (releases["ready"] as? Int ?? 0, releases["look"] as? Int ?? 0)
    #expect(ready + look == 6 && look > 0 && releases["needYou"] as? Int == 0)
    let after = try Self.verdicts("Demo/fixed", folder)
    #expect(after.count == 12 && Set(after.values) == ["pass"], "\(after)")
    // The folder is left out of searches above it, and a second run makes nothing.
    #expect(try Self.verdicts(".", folder).count == 10)
    let again = try BuiltTool.run(command, in: folder.root, environment: kept)
    #expect(again.status == 0 && again.output.contains("isFromEarlierRun"))
    // The square of the pair whose tall loop was good has its length.
    let lengths = try ["1x1", "3x4"].map { key in
      try BuiltTool.run(
        ["check", "Demo/fixed/The Tide Tables - Salt & Lanterns/\(key).mp4", "--format", "json"],
        in: folder.root
      ).output.split(separator: "\n").first { $0.contains("durationSeconds") }
    }
    #expect(lengths[0] == lengths[1])
  }

  @Test("what is repaired in place is taken back to the byte, and a changed file is not lost")
  func place() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("art/amber"), withIntermediateDirectories: true)
    for (name, fixture) in [("1x1", "codec-hev1.mp4"), ("3x4", "good-3x4.mp4")] {
      try FileManager.default.copyItem(
        at: Fixture.named(fixture).url, to: folder.url("art/amber/\(name).mp4"))
    }
    let before = try Self.bytes(folder.url("art"))
    let command = ["repair", "art", "--in-place", "--select", "codec-tag"]
    #expect(try BuiltTool.run(command, in: folder.root).status == 0)
    let after = try Self.bytes(folder.url("art"))
    #expect(after["amber/.artworkd/originals/1x1.mp4"] == before["amber/1x1.mp4"])
    #expect(after["amber/1x1.mp4"] != before["amber/1x1.mp4"])
    #expect(try Self.verdicts("art", folder).count == 2)
    // An export that came since.
    try Data("new".utf8).write(to: folder.url("art/amber/1x1.mp4"))
    let refused = try BuiltTool.run(["repair", "--undo", "art"], in: folder.root)
    #expect(refused.status == 2 && refused.error.contains("1x1.mp4 was changed since"))
    try #require(after["amber/1x1.mp4"]).write(to: folder.url("art/amber/1x1.mp4"))
    #expect(try BuiltTool.run(["repair", "--undo", "art"], in: folder.root).status == 0)
    #expect(try Self.bytes(folder.url("art")) == before)
  }

  /// Copies fixtures to `art`, in folders that are made.
  private static func art(_ files: [(fixture: String, name: String)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (fixture, name) in files {
      let url = folder.url("art/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: url)
    }
    return folder
  }

  @Test("a file that is named is repaired and taken back, and no other")
  func named() throws {
    let folder = try Self.art([("codec-hev1.mp4", "a_1x1.mp4"), ("codec-hev1.mp4", "b_1x1.mp4")])
    let before = try Self.bytes(folder.url("art"))
    for name in ["a_1x1.mp4", "b_1x1.mp4"] {
      let run = try BuiltTool.run(["repair", "art/\(name)", "--in-place"], in: folder.root)
      #expect(run.status == 0, "\(run.output)\(run.error)")
    }
    let after = try Self.bytes(folder.url("art"))
    #expect(Set(after.keys.filter { !$0.hasPrefix(".artworkd") }) == Set(before.keys))
    let undone = try BuiltTool.run(["repair", "art/a_1x1.mp4", "--undo"], in: folder.root)
    #expect(undone.status == 0 && undone.output == "art: a_1x1.mp4 as before\n")
    let then = try Self.bytes(folder.url("art"))
    #expect(then["a_1x1.mp4"] == before["a_1x1.mp4"] && then["b_1x1.mp4"] == after["b_1x1.mp4"])
    let demo = try Self.demo()
    let place = "Demo/Orsolya Benedek - Nocturnes"
    try FileManager.default.removeItem(at: demo.url("\(place)/3x4.mp4"))
    let alone = try BuiltTool.run(["repair", "\(place)/1x1.mp4", "--in-place"], in: demo.root)
    #expect(alone.status == 0 && !alone.output.contains("3x4"), "\(alone.output)")
    #expect(try Self.bytes(demo.url(place)).count == 2)
  }

  @Test("the page shows originals of shapes in folders of their own, and they are taken back")
  func shapeFolders() throws {
    let folder = try Self.art([
      ("codec-hev1.mp4", "song/square/1x1.mp4"), ("codec-mpeg4.mp4", "song/tall/3x4.mp4"),
    ])
    let run = try BuiltTool.run(
      [
        "repair", "art", "--in-place", "--unsafe", "--report", "html=page.html", "--format", "json",
      ],
      in: folder.root)
    let originals = try Self.bytes(folder.url("art/song/.artworkd/originals"))
    #expect(Set(originals.keys) == ["square/1x1.mp4", "tall/3x4.mp4"], "\(run.output)")
    let page = try String(contentsOf: folder.url("page.html"), encoding: .utf8)
    #expect(page.contains("art/song/.artworkd/originals/square/1x1.mp4"))
    let undone = try BuiltTool.run(["repair", "art/song/tall/3x4.mp4", "--undo"], in: folder.root)
    #expect(undone.output == "art/song: square/1x1.mp4, tall/3x4.mp4 as before\n")
  }

  @Test("a release whose files cannot all be placed is not ready")
  func incomplete() throws {
    let folder = try Self.art([
      ("codec-hev1.mp4", "song/1x1.mp4"), ("good-3x4.mp4", "song/3x4.mp4"),
      ("cover.jpg", "song/cover.jpg"),
    ])
    try FileManager.default.createDirectory(
      at: folder.url("fixed/song"), withIntermediateDirectories: true)
    try Data("other".utf8).write(to: folder.url("fixed/song/cover.jpg"))
    let run = try BuiltTool.run(
      ["repair", "art", "--output-dir", "fixed", "--select", "codec-tag", "--format", "json"],
      in: folder.root)
    let releases = try Self.releases(run)
    #expect(run.status == 2 && run.error.contains("cover.jpg exists"))
    #expect(releases["ready"] as? Int == 0 && releases["needYou"] as? Int == 1)
    let reasons = try #require(releases["reasons"] as? [String: [String]])
    #expect(reasons["song"]?.contains { $0.contains("cover.jpg exists") } == true)
  }

  @Test("where a new file cannot be written, its original is in the tree")
  func unwritten() throws {
    let folder = try Self.art([
      ("codec-hev1.mp4", "song/square/1x1.mp4"), ("rate-24000-1001.mkv", "song/tall/3x4.mkv"),
    ])
    try FileManager.default.createDirectory(
      at: folder.url("fixed/song"), withIntermediateDirectories: true)
    // In the place of a folder.
    try Data("other".utf8).write(to: folder.url("fixed/song/tall"))
    let run = try BuiltTool.run(
      ["repair", "art", "--output-dir", "fixed", "--select", "codec-tag,container"],
      in: folder.root)
    #expect(run.status == 2, "\(run.output)\(run.error)")
    #expect(
      try Data(contentsOf: folder.url("fixed/song/square/1x1.mp4"))
        == Data(contentsOf: folder.url("art/song/square/1x1.mp4")))
  }

  @Test("a shape is not cropped out of the other for a path that is taken")
  func taken() throws {
    let folder = try Self.art([
      ("broken-truncated.mp4", "song/1x1.mov"), ("good-3x4.mp4", "song/good.mp4"),
    ])
    let made = try run(
      "ffmpeg", ["-v", "error", "-i", "good.mp4", "-c", "copy", "3x4.mkv"],
      in: folder.url("art/song"))
    try #require(made.status == 0)
    try FileManager.default.removeItem(at: folder.url("art/song/good.mp4"))
    try FileManager.default.createDirectory(
      at: folder.url("fixed/song"), withIntermediateDirectories: true)
    try Data("older".utf8).write(to: folder.url("fixed/song/1x1.mp4"))
    let run = try BuiltTool.run(
      ["repair", "art", "--output-dir", "fixed", "--unsafe"], in: folder.root)
    #expect(
      FileManager.default.fileExists(atPath: folder.url("fixed/song/3x4.mp4").path),
      "\(run.output)\(run.error)")
    #expect(try String(contentsOf: folder.url("fixed/song/1x1.mp4"), encoding: .utf8) == "older")
  }

  @Test("an animation beside a video of its shape is its source; alone it is a candidate")
  func sources() throws {
    let folder = try TemporaryFolder()
    func place(_ fixture: String, _ name: String) throws {
      let url = folder.url(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: url)
    }
    try place("image-anim.gif", "art/a/1x1.gif")
    try place("image-anim.gif", "art/b/1x1.gif")
    try place("good-1x1.mp4", "art/b/1x1.mp4")
    try place("image-anim.gif", "art/c/3x4.gif")
    try place("good-1x1.mp4", "art/c/1x1.mp4")
    #expect(
      Set(try Self.verdicts("art", folder).keys) == [
        "art/a/1x1.gif", "art/b/1x1.mp4", "art/c/1x1.mp4", "art/c/3x4.gif",
      ])
  }

  /// Two seconds of a picture without symmetry, of which the filter makes a shape.
  private static func make(_ picture: String, _ filter: String, _ url: URL) throws {
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "lavfi", "-i",
        "\(picture)=s=400x400:r=24",
        "-vf", "trim=end_frame=1,loop=47:1:0,setpts=N/24/TB,rotate='0.06*sin(2*PI*n/48)',\(filter)",
        "-pix_fmt", "yuv420p",
        "-c:v", "libx264", "-crf", "20", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-colorspace", "bt709", url.path,
      ], in: url.deletingLastPathComponent())
    try #require(made.status == 0, "\(made.error)")
  }

  private static func pair(
    tall filter: String, of picture: String = "testsrc2", cover: Bool
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let art = folder.url("art/song")
    try FileManager.default.createDirectory(at: art, withIntermediateDirectories: true)
    try make("testsrc2", "null", art.appending(path: "1x1.mp4"))
    try make(picture, filter, art.appending(path: "3x4.mp4"))
    if cover {
      let still = try run(
        "ffmpeg", ["-v", "error", "-i", "1x1.mp4", "-frames:v", "1", "cover.png"], in: art)
      try #require(still.status == 0)
    }
    return folder
  }

  private static func repairAll(
    _ folder: TemporaryFolder, _ options: [String] = ["--unsafe"]
  ) throws -> [String: Any] {
    let run = try BuiltTool.run(
      ["repair", "art", "--output-dir", "fixed", "--format", "json"] + options, in: folder.root)
    return try releases(run)
  }

  @Test(
    "a shape that shows another picture replaces nothing, and is replaced only by the cover's word")
  func otherPicture() throws {
    let unknown = try Self.pair(tall: "crop=300:400", of: "mandelbrot", cover: false)
    let before = try Self.bytes(unknown.url("art"))
    #expect(try Self.repairAll(unknown)["needYou"] as? Int == 1)
    let after = try Self.bytes(unknown.url("fixed"))
    #expect(after["song/1x1.mp4"] == before["song/1x1.mp4"])
    #expect(after["song/3x4.mp4"] == before["song/3x4.mp4"])
    let known = try Self.pair(tall: "crop=300:400", of: "mandelbrot", cover: true)
    let square = try Self.bytes(known.url("art"))["song/1x1.mp4"]
    #expect(try Self.repairAll(known)["look"] as? Int == 1)
    #expect(try Self.bytes(known.url("fixed"))["song/1x1.mp4"] == square)
    #expect(try Self.bytes(known.url("fixed"))["song/3x4.mp4"] != after["song/3x4.mp4"])
  }

  @Test("a shape that is upside down is turned by its header, and a mirrored one cropped again")
  func turned() throws {
    let folder = try Self.pair(tall: "crop=300:400,hflip,vflip", cover: true)
    #expect(try Self.repairAll(folder, [])["ready"] as? Int == 1)
    let path = folder.url("fixed/song/3x4.mp4").path
    let shown = try run("ffprobe", ["-v", "error", "-show_streams", path], in: folder.root)
    #expect(String(decoding: shown.output, as: UTF8.self).contains("rotation=-180"))
    let mirrored = try Self.pair(tall: "crop=300:400,hflip", cover: true)
    #expect(try Self.repairAll(mirrored, [])["needYou"] as? Int == 1)
    let again = try Self.pair(tall: "crop=300:400,hflip", cover: true)
    #expect(try Self.repairAll(again)["look"] as? Int == 1)
  }

  @Test("a run that is killed leaves whole releases, and the next one goes on with them")
  func killed() throws {
    var files: [(fixture: String, name: String)] = []
    for name in ["a", "b", "c", "d"] {
      files += [
        ("codec-hev1.mp4", "\(name)/1x1.mp4"), ("good-3x4.mp4", "\(name)/3x4.mp4"),
        ("cover.jpg", "\(name)/cover.jpg"),
      ]
    }
    let folder = try Self.art(files)
    let process = Process()
    process.executableURL = try BuiltTool.find()
    process.currentDirectoryURL = folder.root
    process.environment = ["ARTWORKD_CACHE_DIR": folder.url("cache").path]
    process.arguments = [
      "repair", "art", "--output-dir", "fixed", "--select", "codec-tag", "--format", "json",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Until the second release is begun.
    while process.isRunning,
      !FileManager.default.fileExists(atPath: folder.url("fixed/b/1x1.mp4").path)
    {
      usleep(2000)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(
      Set(try Self.bytes(folder.url("fixed/a")).keys) == ["1x1.mp4", "3x4.mp4", "cover.jpg"])
    let again = try BuiltTool.run(
      process.arguments ?? [], in: folder.root,
      environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
    #expect(!again.output.contains("is not replaced"), "\(again.output)")
    #expect(again.output.contains("isFromEarlierRun"))
    #expect(try Self.bytes(folder.url("fixed")).keys.count { $0.hasSuffix(".mp4") } == 8)
  }

  @Test("videos of a folder that say nothing of their shape are one release, of one shape two")
  func unnamed() throws {
    let folder = try Self.art([
      ("good-1x1.mp4", "one/IMG_1.mp4"), ("good-1x1.mp4", "two/IMG_1.mp4"),
      ("good-3x4.mp4", "two/IMG_2.mp4"), ("good-1x1.mp4", "same/IMG_1.mp4"),
      ("good-1x1.mp4", "same/IMG_2.mp4"), ("good-1x1.mp4", "title/Song square.mp4"),
      ("good-3x4.mp4", "title/Song portrait.mp4"),
    ])
    let run = try BuiltTool.run(
      ["check", "art", "--format", "json", "--no-cache", "--ignore", "duplicate-content"],
      in: folder.root)
    let results = try #require(
      try LoopCommandTests.json(run.output)["results"] as? [[String: Any]])
    var found: [String: (id: String?, rules: [String])] = [:]
    for result in results {
      let rules = (result["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String }
      found[result["path"] as? String ?? ""] = (result["artworkID"] as? String, rules ?? [])
    }
    #expect(found["art/one/IMG_1.mp4"]?.rules.contains("pair") == true, "\(run.output)")
    #expect(found["art/two/IMG_1.mp4"]?.id == found["art/two/IMG_2.mp4"]?.id)
    #expect(found["art/two/IMG_1.mp4"]?.id != nil)
    #expect(found["art/same/IMG_1.mp4"]?.id == nil)
    #expect(found["art/title/Song square.mp4"]?.id == "Song")
    #expect(found["art/title/Song portrait.mp4"]?.id == "Song")
  }

  @Test("no command writes into the folder that it reads")
  func printed() throws {
    let folder = try Self.art([("codec-hev1.mp4", "song/1x1.mp4")])
    try FileManager.default.moveItem(at: folder.url("art"), to: folder.url("fixed"))
    let run = try BuiltTool.run(["check", "fixed", "--no-cache"], in: folder.root)
    #expect(run.output.contains("artworkd repair ./fixed --output-dir fixed-again"))
  }

  @Test("a drawing of which a crop would cut more than a tenth is fitted whole, to look at")
  func fittedDrawing() throws {
    let folder = try TemporaryFolder()
    let art = folder.url("art/boat")
    try FileManager.default.createDirectory(at: art, withIntermediateDirectories: true)
    // Water on the lowest tenth, where a crop in the middle ends above it.
    func layer(_ number: Int, _ color: String, _ y: Int, _ width: Int, _ height: Int) -> String {
      #"{"ty":1,"ind":\#(number),"sw":\#(width),"sh":\#(height),"sc":"\#(color)","ks":{"p":{"k":[250,\#(y)]},"#
        + #""a":{"k":[\#(width / 2),\#(height / 2)]},"r":{"a":1,"k":[{"t":0,"s":[0]},{"t":24,"s":[0.2]},{"t":48,"s":[0]}]}},"ip":0,"op":48}"#
    }
    try Data(
      (#"{"v":"5.7.0","fr":24,"ip":0,"op":48,"w":500,"h":600,"layers":["#
        + layer(1, "#0000ff", 570, 400, 60) + "," + layer(2, "#e0c020", 200, 300, 90) + ","
        + layer(3, "#206020", 300, 900, 900) + "]}").utf8
    ).write(to: art.appending(path: "1x1.json"))
    #expect(try Self.repairAll(folder)["look"] as? Int == 1)
    let shown = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", "1x1.mp4", "-frames:v", "1", "-vf", "crop=8:8:iw/2:ih-20,scale=1:1",
        "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
      ], in: folder.url("fixed/boat"))
    let color = [UInt8](shown.output)
    #expect(color.count == 3 && color[2] > 200 && color[1] < 60, "\(color) \(shown.error)")
  }

  @Test("both shapes keep the same frames, and of a picture that repeats one round")
  func sameFrames() throws {
    let folder = try TemporaryFolder()
    let art = folder.url("art/candle")
    try FileManager.default.createDirectory(at: art, withIntermediateDirectories: true)
    // A ball that goes round every 5 s, for 35 s.
    for (name, crop) in [("1x1", "null"), ("3x4", "crop=180:240:36:0")] {
      let made = try run(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "color=black:s=240x240:r=10", "-t", "35", "-vf",
          "format=gray,geq=lum='40+Y/4+160*exp(-(pow(X-120-40*sin(2*PI*N/50),2)+pow(Y-120-60*cos(2*PI*N/50),2))/300)',format=yuv420p,\(crop)",
        ] + MadeClip.h264 + [
          "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
          "bt709", "\(name).mp4",
        ], in: art)
      try #require(made.status == 0, "\(made.error)")
    }
    let run = try BuiltTool.run(
      ["repair", "art", "--output-dir", "fixed", "--format", "json", "--unsafe"], in: folder.root)
    let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
    let seconds = try #require(results).compactMap { $0["newDurationSeconds"] as? Double }
    #expect(seconds == [5, 5], "\(run.output)")
    let frames = try #require(results).map { result in
      (result["changes"] as? [String])?.filter { $0.contains("frame") }
    }
    #expect(frames[0] == frames[1] && frames[0]?.isEmpty == false, "\(run.output)")
  }

  @Test("a shape with bars that are too large to crop is cropped out of a good other one")
  func bars() throws {
    let folder = try Self.pair(tall: "crop=400:200,scale=300:150,pad=300:400:0:125", cover: true)
    let square = try Self.bytes(folder.url("art"))["song/1x1.mp4"]
    #expect(try Self.repairAll(folder)["look"] as? Int == 1)
    #expect(try Self.bytes(folder.url("fixed"))["song/1x1.mp4"] == square)
    let after = try Self.verdicts("fixed", folder)
    #expect(after["fixed/song/3x4.mp4"] == "pass", "\(after)")
  }

  @Test("every format gives one advice for a partner that repair turns, and the same")
  func advice() throws {
    let folder = try Self.pair(tall: "crop=300:400,hflip,vflip", cover: true)
    let command = "artworkd repair ./art/song --in-place"
    for format in ["text", "full", "github", "markdown", "html"] {
      let run = try BuiltTool.run(
        ["check", "art", "--format", format, "--no-cache", "--fail-on", "never"], in: folder.root)
      #expect(run.output.contains("is upside down"), "\(format)")
      #expect(
        run.output.contains(command) && !run.output.contains(command + " --unsafe"), "\(format)")
      // That of the finding stays in JSON, which is in the page.
      if format != "html" { #expect(!run.output.contains("export it again"), "\(run.output)") }
    }
    let text = try BuiltTool.run(["check", "art", "--no-cache"], in: folder.root)
    #expect(text.output.contains("same picture, one command"))
    try FileManager.default.removeItem(at: folder.url("art/song/3x4.mp4"))
    for format in ["text", "full", "github", "markdown"] {
      let run = try BuiltTool.run(
        ["check", "art", "--format", format, "--no-cache", "--fail-on", "never"], in: folder.root)
      #expect(run.output.contains(command) && !run.output.contains("derive"), "\(run.output)")
    }
  }

  @Test("a shape that was enlarged much more than the other is found")
  func enlarged() throws {
    for (filter, isFound) in [
      ("crop=300:400,scale=45:60,scale=300:400", true), ("crop=300:400,scale=240:320", false),
    ] {
      let folder = try Self.pair(tall: filter, cover: false)
      let run = try BuiltTool.run(["check", "art", "--no-cache"], in: folder.root)
      #expect(run.output.contains("a third of the detail") == isFound, "\(run.output)")
    }
  }

  @Test("an interlaced video is deinterlaced with --unsafe")
  func interlaced() throws {
    let clip = try MadeClip(
      named: "clip_1x1.mp4",
      [
        "-f", "lavfi", "-i", "color=c=0x204060:s=320x320:r=50,format=yuv420p", "-t", "2", "-vf",
        "geq=lum='if(lt(abs(mod(X+4*N,80)-40),12),220,60)':cb=128:cr=128,tinterlace=interleave_top,setfield=tff",
        "-flags", "+ildct+ilme", "-x264-params", "tff=1",
      ] + MadeClip.h264 + ["-colorspace", "bt709"])
    let run = try BuiltTool.run(
      ["repair", clip.name, "--unsafe", "-o", "new.mp4", "--select", "field-order"],
      in: clip.folder.root)
    #expect(run.status == 0, "\(run.output)\(run.error)")
    // What FFmpeg sees of the lines.
    let seen = try TestSupport.run(
      "ffmpeg", ["-v", "info", "-i", "new.mp4", "-vf", "idet", "-f", "null", "-"],
      in: clip.folder.root)
    let line = try #require(
      seen.error.split(separator: "\n").last { $0.contains("Multi frame detection") })
    #expect(line.contains("TFF:     0") || line.contains("TFF: 0"), "\(line)")
  }

  @Test("large files come last, and the rest of their release with them")
  func largeLast() throws {
    let folder = try Self.art([
      ("codec-hev1.mp4", "a/1x1.mp4"), ("good-3x4.mp4", "a/3x4.mp4"),
      ("codec-hev1.mp4", "b/1x1.mp4"), ("good-3x4.mp4", "b/3x4.mp4"),
    ])
    // A free box of 40 MB after the movie.
    let file = try FileHandle(forWritingTo: folder.url("art/a/3x4.mp4"))
    let end = try file.seekToEnd()
    try file.write(contentsOf: Data([0x02, 0x62, 0x5A, 0x00]) + Data("free".utf8))
    try file.truncate(atOffset: end + 0x0262_5A00)
    try file.close()
    let run = try BuiltTool.run(
      ["repair", "art", "--dry-run", "--select", "codec-tag"], in: folder.root)
    let first = try #require(run.output.range(of: "art/b/1x1.mp4"))
    let last = try #require(run.output.range(of: "art/a/1x1.mp4"))
    #expect(first.lowerBound < last.lowerBound, "\(run.output)")
  }
}
