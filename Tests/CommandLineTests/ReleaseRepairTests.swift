import TestSupport

@testable import ArtworkLottie

/// `repair` of folders: releases become ready, in a complete tree or where they are.
@Suite struct ReleaseRepairTests {
  /// The four faulty releases of the demonstration.
  private static func demo() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "Demo"), to: folder.url("Demo"))
    return folder
  }

  private static func releases(_ run: BuiltTool.Result) throws -> JSONNode {
    try #require(try run.json.at("summary.releases"), "\(run.error)")
  }

  /// The verdicts of `check`, and the paths of the videos.
  private static func verdicts(_ place: String, _ folder: TemporaryFolder) throws -> [String:
    String]
  {
    let json = try folder.artworkd("check \(place) --format json --no-cache").json
    return Dictionary(
      uniqueKeysWithValues: zip(json.texts("results.*.path"), json.texts("results.*.verdict")))
  }

  /// Repairs `art` into `fixed`.
  private static func repair(_ folder: TemporaryFolder, _ options: String) throws
    -> BuiltTool.Result
  { try folder.artworkd("repair art --output-dir fixed --format json \(options)") }

  @Test("one command makes every release of the demonstration ready, in a complete tree", .nightly)
  func tree() throws {
    let folder = try Self.demo()
    func repair() throws -> BuiltTool.Result {
      try folder.artworkd(
        "repair Demo --unsafe --output-dir Demo/fixed --format json",
        environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
    }
    let run = try repair()
    #expect(run.status == 0, "\(run.error)")
    let releases = try Self.releases(run)
    // One has its missing shape by a crop, and one plays forward and back or dissolves.
    let (ready, look) = try (#require(releases["ready"]?.int), #require(releases["look"]?.int))
    #expect(ready + look == 6 && look > 0 && releases["needYou"] == 0)
    let after = try Self.verdicts("Demo/fixed", folder)
    #expect(after.count == 12 && Set(after.values) == ["pass"], "\(after)")
    // The folder is left out of searches above it, and a second run makes nothing.
    #expect(try Self.verdicts(".", folder).count == 10)
    let again = try repair()
    #expect(again.status == 0 && again.output.contains("isFromEarlierRun"))
    // The square of the pair whose tall loop was good has its length.
    let lengths = try ["1x1", "3x4"].map { key in
      try folder.artworkd([
        "check", "Demo/fixed/The Tide Tables - Salt & Lanterns/\(key).mp4", "--format", "json",
      ]).json.at("results.0.facts.durationSeconds")
    }
    #expect(lengths[0] != nil && lengths[0] == lengths[1])
  }

  @Test("what is repaired in place is taken back to the byte, and a changed file is not lost")
  func place() throws {
    let folder = try TemporaryFolder([
      "art/amber/1x1.mp4": "codec-hev1.mp4", "art/amber/3x4.mp4": "good-3x4.mp4",
    ])
    let before = try folder.files("art")
    #expect(try folder.artworkd("repair art --in-place --select codec-tag").status == 0)
    let after = try folder.files("art")
    #expect(after["amber/.artworkd/originals/1x1.mp4"] == before["amber/1x1.mp4"])
    #expect(after["amber/1x1.mp4"] != before["amber/1x1.mp4"])
    #expect(try Self.verdicts("art", folder).count == 2)
    // An export that came since.
    try folder.write("new", to: "art/amber/1x1.mp4")
    let refused = try folder.artworkd("repair --undo art")
    #expect(refused.status == 2 && refused.error.contains("1x1.mp4 was changed since"))
    try folder.write(try #require(after["amber/1x1.mp4"]), to: "art/amber/1x1.mp4")
    #expect(try folder.artworkd("repair --undo art").status == 0)
    #expect(try folder.files("art") == before)
  }

  @Test("a file that is named is repaired and taken back, and no other")
  func named() throws {
    let folder = try TemporaryFolder([
      "art/a_1x1.mp4": "codec-hev1.mp4", "art/b_1x1.mp4": "codec-hev1.mp4",
    ])
    let before = try folder.files("art")
    for name in ["a_1x1.mp4", "b_1x1.mp4"] {
      let run = try folder.artworkd("repair art/\(name) --in-place")
      #expect(run.status == 0, "\(run.output)\(run.error)")
    }
    let after = try folder.files("art")
    #expect(Set(after.keys.filter { !$0.hasPrefix(".artworkd") }) == Set(before.keys))
    let undone = try folder.artworkd("repair art/a_1x1.mp4 --undo")
    #expect(undone.status == 0 && undone.output == "art: a_1x1.mp4 as before\n")
    let then = try folder.files("art")
    #expect(then["a_1x1.mp4"] == before["a_1x1.mp4"] && then["b_1x1.mp4"] == after["b_1x1.mp4"])
    let demo = try Self.demo()
    let place = "Demo/Orsolya Benedek - Nocturnes"
    try demo.remove("\(place)/3x4.mp4")
    let alone = try demo.artworkd(["repair", "\(place)/1x1.mp4", "--in-place"])
    #expect(alone.status == 0 && !alone.output.contains("3x4"), "\(alone.output)")
    #expect(try demo.files(place).count == 2)
  }

  @Test("the page shows originals of shapes in folders of their own, and they are taken back")
  func shapeFolders() throws {
    let folder = try TemporaryFolder([
      "art/song/square/1x1.mp4": "codec-hev1.mp4", "art/song/tall/3x4.mp4": "codec-mpeg4.mp4",
    ])
    let run = try folder.artworkd("repair art --in-place --unsafe --report html=page.html")
    let originals = try folder.files("art/song/.artworkd/originals")
    #expect(Set(originals.keys) == ["square/1x1.mp4", "tall/3x4.mp4"], "\(run.output)")
    #expect(
      try folder.text("page.html").contains("art/song/.artworkd/originals/square/1x1.mp4"))
    let undone = try folder.artworkd("repair art/song/tall/3x4.mp4 --undo")
    #expect(undone.output == "art/song: square/1x1.mp4, tall/3x4.mp4 as before\n")
  }

  @Test("a release whose files cannot all be placed is not ready")
  func incomplete() throws {
    let folder = try TemporaryFolder([
      "art/song/1x1.mp4": "codec-hev1.mp4", "art/song/3x4.mp4": "good-3x4.mp4",
      "art/song/cover.jpg": "cover.jpg",
    ])
    try folder.write("other", to: "fixed/song/cover.jpg")
    let run = try Self.repair(folder, "--select codec-tag")
    #expect(run.status == 2 && run.error.contains("cover.jpg exists"))
    let releases = try Self.releases(run)
    #expect(releases["ready"] == 0 && releases["needYou"] == 1)
    #expect(releases.texts("reasons.song").contains { $0.contains("cover.jpg exists") })
  }

  @Test("where a new file cannot be written, its original is in the tree")
  func unwritten() throws {
    let folder = try TemporaryFolder([
      "art/song/square/1x1.mp4": "codec-hev1.mp4", "art/song/tall/3x4.mkv": "rate-24000-1001.mkv",
    ])
    // In the place of a folder.
    try folder.write("other", to: "fixed/song/tall")
    let run = try Self.repair(folder, "--select codec-tag,container")
    #expect(run.status == 2, "\(run.output)\(run.error)")
    #expect(
      try folder.data("fixed/song/square/1x1.mp4") == folder.data("art/song/square/1x1.mp4"))
  }

  @Test("a shape is not cropped out of the other for a path that is taken")
  func taken() throws {
    let folder = try TemporaryFolder([
      "art/song/1x1.mov": "broken-truncated.mp4", "good.mp4": "good-3x4.mp4",
    ])
    try folder.ffmpeg("-i good.mp4 -c copy art/song/3x4.mkv")
    try folder.write("older", to: "fixed/song/1x1.mp4")
    let run = try Self.repair(folder, "--unsafe")
    #expect(folder.has("fixed/song/3x4.mp4"), "\(run.output)\(run.error)")
    #expect(try folder.text("fixed/song/1x1.mp4") == "older")
  }

  @Test("an animation beside a video of its shape is its source; alone it is a candidate")
  func sources() throws {
    let folder = try TemporaryFolder([
      "art/a/1x1.gif": "image-anim.gif", "art/b/1x1.gif": "image-anim.gif",
      "art/b/1x1.mp4": "good-1x1.mp4", "art/c/3x4.gif": "image-anim.gif",
      "art/c/1x1.mp4": "good-1x1.mp4",
    ])
    #expect(
      Set(try Self.verdicts("art", folder).keys) == [
        "art/a/1x1.gif", "art/b/1x1.mp4", "art/c/1x1.mp4", "art/c/3x4.gif",
      ])
  }

  private static let bt709 = "-color_primaries bt709 -color_trc bt709 -colorspace bt709"

  /// Two seconds of a picture without symmetry, of which the filter makes a shape.
  private static func pair(
    tall filter: String, of picture: String = "testsrc2", cover: Bool
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.make("art/song")
    for (picture, filter, name) in [("testsrc2", "null", "1x1"), (picture, filter, "3x4")] {
      try folder.ffmpeg(
        "-f lavfi -i \(picture)=s=400x400:r=24 -vf trim=end_frame=1,loop=47:1:0,setpts=N/24/TB,"
          + "rotate='0.06*sin(2*PI*n/48)',\(filter) -pix_fmt yuv420p -c:v libx264 -crf 20 \(bt709) "
          + "art/song/\(name).mp4")
    }
    if cover { try folder.ffmpeg("-i art/song/1x1.mp4 -frames:v 1 art/song/cover.png") }
    return folder
  }

  private static func repairAll(
    _ folder: TemporaryFolder, _ options: String = "--unsafe"
  ) throws -> JSONNode { try releases(repair(folder, options)) }

  @Test(
    "a shape that shows another picture replaces nothing, and is replaced only by the cover's word")
  func otherPicture() throws {
    let unknown = try Self.pair(tall: "crop=300:400", of: "mandelbrot", cover: false)
    let before = try unknown.files("art")
    #expect(try Self.repairAll(unknown)["needYou"] == 1)
    let after = try unknown.files("fixed")
    #expect(after["song/1x1.mp4"] == before["song/1x1.mp4"])
    #expect(after["song/3x4.mp4"] == before["song/3x4.mp4"])
    let known = try Self.pair(tall: "crop=300:400", of: "mandelbrot", cover: true)
    #expect(try Self.repairAll(known)["look"] == 1)
    #expect(try known.data("fixed/song/1x1.mp4") == known.data("art/song/1x1.mp4"))
    #expect(try known.data("fixed/song/3x4.mp4") != after["song/3x4.mp4"])
  }

  @Test("a shape that is upside down is turned by its header, and a mirrored one cropped again")
  func turned() throws {
    let folder = try Self.pair(tall: "crop=300:400,hflip,vflip", cover: true)
    #expect(try Self.repairAll(folder, "")["ready"] == 1)
    let shown = try folder.run("ffprobe -v error -show_streams fixed/song/3x4.mp4")
    #expect(shown.output.contains("rotation=-180"))
    let mirrored = try Self.pair(tall: "crop=300:400,hflip", cover: true)
    #expect(try Self.repairAll(mirrored, "")["needYou"] == 1)
    try mirrored.remove("fixed")
    #expect(try Self.repairAll(mirrored)["look"] == 1)
  }

  @Test("a run that is killed leaves whole releases, and the next one goes on with them")
  func killed() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c", "d"] {
      try folder.copy("codec-hev1.mp4", to: "art/\(name)/1x1.mp4")
      try folder.copy("good-3x4.mp4", to: "art/\(name)/3x4.mp4")
      try folder.copy("cover.jpg", to: "art/\(name)/cover.jpg")
    }
    let arguments = [
      "repair", "art", "--output-dir", "fixed", "--select", "codec-tag", "--format", "json",
    ]
    let cache = ["ARTWORKD_CACHE_DIR": folder.url("cache").path]
    let run = try RunningTool(arguments, in: folder, environment: cache)
    // Until the second release is begun.
    while run.process.isRunning, !folder.has("fixed/b/1x1.mp4") { usleep(2000) }
    run.end(SIGKILL)
    #expect(folder.names("fixed/a") == ["1x1.mp4", "3x4.mp4", "cover.jpg"])
    let again = try folder.artworkd(arguments, environment: cache)
    #expect(!again.output.contains("is not replaced"), "\(again.output)")
    #expect(again.output.contains("isFromEarlierRun"))
    #expect(try folder.files("fixed").keys.count { $0.hasSuffix(".mp4") } == 8)
  }

  @Test("videos of a folder that say nothing of their shape are one release, of one shape two")
  func unnamed() throws {
    let folder = try TemporaryFolder([
      "art/one/IMG_1.mp4": "good-1x1.mp4", "art/two/IMG_1.mp4": "good-1x1.mp4",
      "art/two/IMG_2.mp4": "good-3x4.mp4", "art/same/IMG_1.mp4": "good-1x1.mp4",
      "art/same/IMG_2.mp4": "good-1x1.mp4", "art/title/Song square.mp4": "good-1x1.mp4",
      "art/title/Song portrait.mp4": "good-3x4.mp4",
    ])
    let json = try folder.artworkd(
      "check art --format json --no-cache --ignore duplicate-content"
    ).json
    func found(_ name: String) throws -> JSONNode {
      try #require(json.first("results", "path", "art/" + name))
    }
    func id(_ name: String) throws -> String? { try found(name)["artworkID"]?.text }
    #expect(try found("one/IMG_1.mp4").texts("findings.*.rule").contains("pair"))
    #expect(try id("two/IMG_1.mp4") != nil && id("two/IMG_1.mp4") == id("two/IMG_2.mp4"))
    #expect(try id("same/IMG_1.mp4") == nil)
    #expect(try id("title/Song square.mp4") == "Song")
    #expect(try id("title/Song portrait.mp4") == "Song")
  }

  @Test("no command writes into the folder that it reads")
  func printed() throws {
    let folder = try TemporaryFolder(["fixed/song/1x1.mp4": "codec-hev1.mp4"])
    let run = try folder.artworkd("check fixed --no-cache")
    #expect(run.output.contains("artworkd repair ./fixed --output-dir fixed-again"))
  }

  @Test(
    "a drawing of which a crop would cut more than a tenth is fitted whole, to look at",
    .enabled(if: AnimationRenderer.isAvailable, "this build draws no Lottie"))
  func fittedDrawing() throws {
    let folder = try TemporaryFolder()
    // Water on the lowest tenth, where a crop in the middle ends above it.
    func layer(_ number: Int, _ color: String, _ y: Int, _ width: Int, _ height: Int) -> String {
      #"{"ty":1,"ind":\#(number),"sw":\#(width),"sh":\#(height),"sc":"\#(color)","ks":{"p":{"k":[250,\#(y)]},"#
        + #""a":{"k":[\#(width / 2),\#(height / 2)]},"r":{"a":1,"k":[{"t":0,"s":[0]},{"t":24,"s":[0.2]},{"t":48,"s":[0]}]}},"ip":0,"op":48}"#
    }
    let layers = [
      layer(1, "#0000ff", 570, 400, 60), layer(2, "#e0c020", 200, 300, 90),
      layer(3, "#206020", 300, 900, 900),
    ].joined(separator: ",")
    try folder.write(
      #"{"v":"5.7.0","fr":24,"ip":0,"op":48,"w":500,"h":600,"layers":[\#(layers)]}"#,
      to: "art/boat/1x1.json")
    #expect(try Self.repairAll(folder)["look"] == 1)
    let color = [UInt8](
      try folder.ffmpeg(
        "-i fixed/boat/1x1.mp4 -frames:v 1 -vf crop=8:8:iw/2:ih-20,scale=1:1 -pix_fmt rgb24 "
          + "-f rawvideo -"))
    #expect(color.count == 3 && color[2] > 200 && color[1] < 60, "\(color)")
  }

  @Test("both shapes keep the same frames, and of a picture that repeats one round")
  func sameFrames() throws {
    let folder = try TemporaryFolder()
    try folder.make("art/candle")
    // A ball that goes round every 5 s, for 35 s.
    let ball =
      "40+Y/4+160*exp(-(pow(X-120-40*sin(2*PI*N/50),2)+pow(Y-120-60*cos(2*PI*N/50),2))/300)"
    for (name, crop) in [("1x1", "null"), ("3x4", "crop=180:240:36:0")] {
      try folder.ffmpeg(
        "-f lavfi -i color=black:s=240x240:r=10:d=5 -vf format=gray,geq=lum='\(ball)',"
          + "loop=6:50,setpts=N/10/TB,format=yuv420p,\(crop) \(MadeClip.x264) \(Self.bt709) art/candle/\(name).mp4")
    }
    let run = try Self.repair(folder, "--unsafe")
    #expect(try run.json.at("results.*.newDurationSeconds") == [5, 5], "\(run.output)")
    let frames = try #require(try run.json["results"]).items.map { result in
      result.texts("changes").filter { $0.contains("frame") }
    }
    #expect(frames[0] == frames[1] && !frames[0].isEmpty, "\(run.output)")
  }

  @Test(
    "a shape with bars that are too large to crop, or with far less detail, is cropped out of a good other one",
    arguments: ["crop=400:200,scale=300:150,pad=300:400:0:125", "crop=300:400,scale=45:60,scale=300:400"])
  func derived(tall: String) throws {
    let folder = try Self.pair(tall: tall, cover: true)
    #expect(try Self.repairAll(folder)["look"] == 1)
    #expect(try folder.data("fixed/song/1x1.mp4") == folder.data("art/song/1x1.mp4"))
    let after = try Self.verdicts("fixed", folder)
    #expect(after["fixed/song/3x4.mp4"] == "pass", "\(after)")
  }

  @Test("every format gives one advice for a partner that repair turns, and the same")
  func advice() throws {
    let folder = try Self.pair(tall: "crop=300:400,hflip,vflip", cover: true)
    let command = "artworkd repair ./art/song --in-place"
    func report(_ format: String) throws -> String {
      try folder.artworkd("check art --format \(format) --no-cache --fail-on never").output
    }
    for format in Nightly.some(2, of: ["text", "full", "github", "markdown", "html"]) {
      let text = try report(format)
      #expect(text.contains("is upside down"), "\(format)")
      #expect(text.contains(command) && !text.contains(command + " --unsafe"), "\(format)")
      // That of the finding stays in JSON, which is in the page.
      if format != "html" { #expect(!text.contains("export it again"), "\(text)") }
      if format == "text" { #expect(text.contains("same picture, one command")) }
    }
    try folder.remove("art/song/3x4.mp4")
    for format in Nightly.some(2, of: ["text", "full", "github", "markdown"]) {
      let text = try report(format)
      #expect(text.contains(command) && !text.contains("derive"), "\(text)")
    }
  }

  @Test("an interlaced video is deinterlaced with --unsafe")
  func interlaced() throws {
    let clip = try MadeClip(
      "-f lavfi -i color=c=0x204060:s=320x320:r=50,format=yuv420p -t 2 -vf "
        + "geq=lum='if(lt(abs(mod(X+4*N,80)-40),12),220,60)':cb=128:cr=128,"
        + "tinterlace=interleave_top,setfield=tff "
        + "-flags +ildct+ilme -x264-params tff=1 \(MadeClip.x264) -colorspace bt709")
    let run = try clip.artworkd("repair clip.mp4 --unsafe -o new.mp4 --select field-order")
    #expect(run.status == 0, "\(run.output)\(run.error)")
    // What FFmpeg sees of the lines.
    let seen = try clip.folder.run("ffmpeg -v info -i new.mp4 -vf idet -f null -").error
    let line = try #require(
      seen.split(separator: "\n").last { $0.contains("Multi frame detection") })
    #expect(line.contains(#/TFF: +0 /#), "\(line)")
  }

  @Test("large files come last, and the rest of their release with them")
  func largeLast() throws {
    let folder = try TemporaryFolder([
      "art/a/1x1.mp4": "codec-hev1.mp4", "art/a/3x4.mp4": "good-3x4.mp4",
      "art/b/1x1.mp4": "codec-hev1.mp4", "art/b/3x4.mp4": "good-3x4.mp4",
    ])
    // A free box of 40 MB after the movie.
    let file = try FileHandle(forWritingTo: folder.url("art/a/3x4.mp4"))
    let end = try file.seekToEnd()
    try file.write(contentsOf: Data([0x02, 0x62, 0x5A, 0x00]) + Data("free".utf8))
    try file.truncate(atOffset: end + 0x0262_5A00)
    try file.close()
    let output = try folder.artworkd("repair art --dry-run --select codec-tag").output
    let first = try #require(output.range(of: "art/b/1x1.mp4"))
    let last = try #require(output.range(of: "art/a/1x1.mp4"))
    #expect(first.lowerBound < last.lowerBound, "\(output)")
  }
}
