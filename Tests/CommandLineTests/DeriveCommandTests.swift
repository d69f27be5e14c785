import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct DeriveCommandTests {
  /// A light that goes round on the right of a wide picture.
  private static func wide(_ options: [String] = []) throws -> MadeClip {
    let light =
      "40+180*exp(-(pow(X-250-20*sin(2*PI*N/24),2)+pow(Y-90-20*cos(2*PI*N/24),2))/400)"
    return try MadeClip(
      [
        "-f", "lavfi", "-i",
        "color=black:s=320x180:r=24000/1001,format=gray,geq=lum='\(light)',format=yuv420p",
        "-frames:v", "24",
      ] + MadeClip.h264 + options)
  }

  private static func derive(
    _ clip: MadeClip, _ arguments: [String]
  ) throws -> (status: Int32, json: [String: Any]) {
    let result = try BuiltTool.run(
      ["derive", clip.name, "--format", "json"] + arguments, in: clip.folder.root,
      environment: ["ARTWORKD_CACHE_DIR": clip.folder.url("cache").path])
    return (result.status, (try? LoopCommandTests.json(result.output)) ?? [:])
  }

  @Test(
    "the part with the light becomes the other variant, with every frame at its time",
    arguments: [[], ["-g", "15"]])
  func endToEnd(options: [String]) throws {
    let clip = try Self.wide(options)
    let (status, json) = try Self.derive(clip, ["--key", "1x1", "-o", "square.mp4"])
    #expect(status == 0)
    let window = try #require(json["window"] as? [String: Any])
    // 180 pixels wide, so that it holds 270 only from 90 on.
    #expect(try #require(window["x"] as? Int) >= 90)
    #expect(window["width"] as? Int == 180 && window["height"] as? Int == 180)
    let files = try #require(json["files"] as? [[String: Any]])
    #expect(files.first?["seam"] as? String == files.first?["sourceSeam"] as? String)
    #expect(try clip.times("square.mp4").count == 24)
    for (old, new) in zip(try clip.times(), try clip.times("square.mp4")) {
      #expect(abs(old - new) < 0.0001)
    }
    let written = try Data(contentsOf: clip.folder.url("square.mp4"))
    let again = try Self.derive(clip, ["--key", "1x1", "-o", "square.mp4"])
    let there = try #require(again.json["files"] as? [[String: Any]])
    #expect(again.status == 0 && there.first?["isFromEarlier"] as? Bool == true)
    #expect(there.first?["frameCount"] as? Int == 24)
    let other = try Self.derive(clip, ["--key", "1x1", "--focus", "0,0", "-o", "square.mp4"])
    #expect(other.status == 2, "it is made of another part")
    #expect(try Data(contentsOf: clip.folder.url("square.mp4")) == written)
  }

  @Test("a clip that is shown turned is cropped as it is shown")
  func turned() throws {
    let clip = try Self.wide()
    let command = Fixture.turn + ["turned.mp4", "270", "320", "180"]
    try FileManager.default.copyItem(
      at: clip.folder.url("clip.mp4"), to: clip.folder.url("turned.mp4"))
    #expect(try run(command[0], Array(command[1...]), in: clip.folder.root).status == 0)
    let result = try BuiltTool.run(
      ["derive", "turned.mp4", "--key", "1x1", "--format", "json"], in: clip.folder.root)
    let json = try LoopCommandTests.json(result.output)
    let window = try #require(json["window"] as? [String: Any])
    // It is rotated so that the right of the coded picture is displayed at the top.
    #expect(window["x"] as? Int == 0)
    #expect(try #require(window["y"] as? Int) <= 50)
    let preview = try BuiltTool.run(
      ["preview", "turned_1x1.mp4", "-o", "p.png"], in: clip.folder.root)
    #expect(preview.status == 0)
    #expect(try PreviewCommandTests.size(of: clip.folder.url("p.png")) == [180, 180])
  }

  /// The mean luma of the middle of an area of a picture, by ffmpeg.
  private static func luma(_ area: String, of file: String, in folder: URL) throws -> Double {
    let result = try run(
      "ffmpeg",
      ["-v", "error", "-i", file, "-vf", "crop=\(area),scale=1:1:flags=area,format=gray"]
        + ["-f", "rawvideo", "-"], in: folder)
    return Double(try #require(result.output.first))
  }

  @Test(
    "the choice is drawn: three frames with the crop marked, the rest dark, and the crop of each")
  func picture() throws {
    // White, but for a grey bar at the right that flickers.
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i",
        "color=white:s=320x180:r=24,format=gray,geq=lum='if(between(X,230,270),90+40*sin(2*PI*N/24),235)',format=yuv420p",
        "-frames:v", "24",
      ] + MadeClip.h264)
    let (status, json) = try Self.derive(
      clip, ["--key", "1x1", "--dry-run", "--picture", "crop.jpg"])
    #expect(status == 0 && json["picture"] as? String == "crop.jpg")
    let window = try #require(json["window"] as? [String: Any])
    let x = try #require(window["x"] as? Int)
    let sides = try Self.probe(clip, "crop.jpg", "stream=width,height,codec_name")
    // Three columns of 240 pixels; the whole pictures are 135 high, the crops 240.
    #expect(sides == ["codec_name=mjpeg", "width=760", "height=405"])
    for column in 0..<3 {
      let left = 10 + 250 * column
      let scaled = x * 240 / 320
      let outside = try Self.luma("40:60:\(left + 20):40", of: "crop.jpg", in: clip.folder.root)
      let inside = try Self.luma(
        "10:60:\(left + scaled + 15):40", of: "crop.jpg", in: clip.folder.root)
      let alone = try Self.luma("20:200:\(left + 10):170", of: "crop.jpg", in: clip.folder.root)
      #expect(outside < 130 && inside > 200 && alone > 220, "\(outside) \(inside) \(alone)")
    }
    let written = try FileManager.default.contentsOfDirectory(atPath: clip.folder.root.path)
    #expect(Set(written).isSuperset(of: ["clip.mp4", "crop.jpg"]) && written.count <= 3)
    for wrong in [["--picture", "crop.png"], ["--picture", "clip.mp4"]] {
      #expect(try Self.derive(clip, ["--key", "1x1", "--dry-run"] + wrong).status == 64)
    }
    #expect(try Self.derive(clip, ["--key", "1x1", "--picture", "crop.jpg"]).status == 64)
  }

  @Test(
    "the page of a release that lacks a shape shows the crop that derive would choose, also from the cache"
  )
  func page() throws {
    let clip = try Self.wide()
    let release = clip.folder.url("release")
    try FileManager.default.createDirectory(at: release, withIntermediateDirectories: true)
    let square = try Self.derive(clip, ["--key", "1x1", "-o", "release/1x1.mp4"])
    #expect(square.status == 0)
    func pictures() throws -> [String] {
      let result = try BuiltTool.run(
        ["check", "release", "--report", "html=page.html", "--pictures", "beside"],
        in: clip.folder.root, environment: ["ARTWORKD_CACHE_DIR": clip.folder.url("cache").path])
      #expect(result.status == 0, "\(result.error)")
      return try FileManager.default.contentsOfDirectory(
        atPath: clip.folder.url("page-pictures").path
      ).filter { $0.contains("crop") }
    }
    let drawn = try pictures()
    let name = try #require(drawn.first)
    let first = try Data(contentsOf: clip.folder.url("page-pictures/\(name)"))
    #expect(try pictures() == drawn)
    #expect(try Data(contentsOf: clip.folder.url("page-pictures/\(name)")) == first)
    let again = try BuiltTool.run(
      ["derive", "release/1x1.mp4", "--key", "3x4", "--dry-run", "--picture", "crop.jpg"],
      in: clip.folder.root)
    #expect(again.status == 0, "\(again.error)")
    #expect(try Data(contentsOf: clip.folder.url("crop.jpg")) == first)
  }

  /// The fields of a stream or a frame, according to ffprobe.
  private static func probe(_ clip: MadeClip, _ file: String, _ entries: String) throws -> [String] {
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-read_intervals", "%+#1", "-show_entries",
        entries,
        "-of", "default=nw=1", file,
      ], in: clip.folder.root)
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test(
    "HDR stays HDR: ten bits, the same colours, light, times, and nearly the same samples",
    arguments: ["smpte2084", "arib-std-b67"])
  func highDynamicRange(transfer: String) throws {
    let clip = try MadeClip([
      "-f", "lavfi", "-i", "testsrc2=s=160x120:r=24000/1001,format=yuv420p10le", "-frames:v", "24",
      "-c:v", "libx265", "-tag:v", "hvc1", "-x265-params",
      "log-level=none:crf=12:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:range=limited"
        + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
        + ":max-cll=1000,400",
    ])
    let (status, json) = try Self.derive(
      clip, ["--key", "1x1", "--focus", "center", "-o", "square.mp4"])
    #expect(status == 0)
    let stream =
      "stream=codec_name,profile,codec_tag_string,pix_fmt,color_space,color_range"
      + ",color_transfer,color_primaries"
    let old = try Self.probe(clip, clip.name, stream)
    #expect(try Self.probe(clip, "square.mp4", stream) == old)
    #expect(old.contains("pix_fmt=yuv420p10le") && old.contains("color_transfer=\(transfer)"))
    // The frame's side data: the display and the levels.
    let light =
      "frame_side_data=max_luminance,min_luminance,red_x,green_y,white_point_x,max_content,max_average"
    let stated = try Self.probe(clip, clip.name, light)
    #expect(stated.contains("max_content=1000"))
    #expect(try Self.probe(clip, "square.mp4", light) == stated)
    #expect(try clip.times("square.mp4").count == 24)
    for (one, other) in zip(try clip.times(), try clip.times("square.mp4")) {
      #expect(abs(one - other) < 0.0001)
    }
    let window = try #require(json["window"] as? [String: Any])
    let x = try #require(window["x"] as? Int)
    let compared = try run(
      "ffmpeg",
      [
        "-i", "square.mp4", "-i", clip.name, "-lavfi", "[1:v]crop=120:120:\(x):0[a];[0:v][a]psnr",
        "-f", "null", "-",
      ], in: clip.folder.root)
    let average = try #require(compared.error.firstRange(of: "average:"))
    let value = compared.error[average.upperBound...].prefix { !$0.isWhitespace }
    #expect(try #require(Double(String(value))) > 40, "\(compared.error)")
  }
}
