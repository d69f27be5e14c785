import TestSupport

@Suite struct DeriveCommandTests {
  /// A light that goes round on the right of a wide picture.
  private static func wide(_ options: String = "") throws -> MadeClip {
    let light = "40+180*exp(-(pow(X-250-20*sin(2*PI*N/24),2)+pow(Y-90-20*cos(2*PI*N/24),2))/400)"
    return try MadeClip(
      "-f lavfi -i color=black:s=320x180:r=24000/1001,format=gray,geq=lum='\(light)',format=yuv420p "
        + "-frames:v 24 \(MadeClip.x264) \(options)")
  }

  private static func derive(
    _ clip: MadeClip, _ options: String
  ) throws -> (status: Int32, json: JSONNode?) {
    let result = try clip.folder.artworkd(
      "derive \(clip.name) --format json \(options)",
      environment: ["ARTWORKD_CACHE_DIR": clip.folder.url("cache").path])
    return (result.status, try? result.json)
  }

  private static func expectSameTimes(_ clip: MadeClip, _ derived: String) throws {
    let (old, new) = (try clip.times(), try clip.times(derived))
    #expect(old.count == 24 && new.count == 24)
    for (old, new) in zip(old, new) { #expect(abs(old - new) < 0.0001) }
  }

  @Test(
    "the part with the light becomes the other variant, with every frame at its time",
    arguments: ["", "-g 15"])
  func endToEnd(options: String) throws {
    let clip = try Self.wide(options)
    let (status, json) = try Self.derive(clip, "--key 1x1 -o square.mp4")
    #expect(status == 0)
    // 180 pixels wide, so that it holds 270 only from 90 on.
    #expect(try #require(json?.at("window.x")?.int) >= 90)
    #expect(json?.at("window.width") == 180 && json?.at("window.height") == 180)
    try Self.expectSameTimes(clip, "square.mp4")
    let written = try clip.folder.data("square.mp4")
    #expect(try Self.derive(clip, "--key 1x1 --focus 0,0 -o square.mp4").status == 2)
    #expect(try clip.folder.data("square.mp4") == written)
  }

  @Test("a clip that is shown turned is cropped as it is shown")
  func turned() throws {
    let clip = try Self.wide()
    try clip.folder.run("cp clip.mp4 turned.mp4")
    let turn = try clip.folder.run(
      Fixture.turn[0], Fixture.turn[1...] + ["turned.mp4", "270", "320", "180"])
    #expect(turn.status == 0)
    let json = try clip.artworkd("derive turned.mp4 --key 1x1 --format json").json
    // It is rotated so that the right of the coded picture is displayed at the top.
    #expect(json.at("window.x") == 0)
    #expect(try #require(json.at("window.y")?.int) <= 50)
    #expect(try clip.artworkd("preview turned_1x1.mp4 -o p.png").status == 0)
    #expect(try clip.folder.probe("p.png", "stream=width,height") == "180,180")
  }

  /// The mean luma of the middle of an area of a picture, by ffmpeg.
  private static func luma(_ area: String, of file: String, in folder: TemporaryFolder) throws
    -> Double
  {
    let pixel = try folder.ffmpeg(
      "-i \(file) -vf crop=\(area),scale=1:1:flags=area,format=gray -f rawvideo -")
    return Double(try #require(pixel.first))
  }

  @Test(
    "the choice is drawn: three frames with the crop marked, the rest dark, and the crop of each")
  func picture() throws {
    // White, but for a grey bar at the right that flickers.
    let clip = try MadeClip(
      "-f lavfi -i color=white:s=320x180:r=24,format=gray,"
        + "geq=lum='if(between(X,230,270),90+40*sin(2*PI*N/24),235)',format=yuv420p "
        + "-frames:v 24 \(MadeClip.x264)")
    let (status, json) = try Self.derive(clip, "--key 1x1 --dry-run --picture crop.jpg")
    #expect(status == 0 && json?["picture"] == "crop.jpg")
    let x = try #require(json?.at("window.x")?.int)
    // Three columns of 240 pixels; the whole pictures are 135 high, the crops 240.
    #expect(try clip.folder.probe("crop.jpg", "stream=codec_name,width,height") == "mjpeg,760,405")
    for column in 0..<3 {
      let left = 10 + 250 * column
      let places = [
        "40:60:\(left + 20):40", "10:60:\(left + x * 240 / 320 + 15):40", "20:200:\(left + 10):170",
      ]
      let luma = try places.map { try Self.luma($0, of: "crop.jpg", in: clip.folder) }
      #expect(luma[0] < 130 && luma[1] > 200 && luma[2] > 220, "\(luma)")
    }
    let written = clip.folder.names()
    #expect(Set(written).isSuperset(of: ["clip.mp4", "crop.jpg"]) && written.count <= 3)
    for wrong in [
      "--dry-run --picture crop.png", "--dry-run --picture clip.mp4", "--picture crop.jpg",
    ] {
      #expect(try Self.derive(clip, "--key 1x1 \(wrong)").status == 64)
    }
  }

  @Test(
    "the page of a release that lacks a shape shows the crop that derive would choose, also from the cache"
  )
  func page() throws {
    let clip = try Self.wide()
    try clip.folder.make("release")
    #expect(try Self.derive(clip, "--key 1x1 -o release/1x1.mp4").status == 0)
    func picture() throws -> Data {
      let result = try clip.folder.artworkd(
        "check release --report html=page.html --pictures beside",
        environment: ["ARTWORKD_CACHE_DIR": clip.folder.url("cache").path])
      #expect(result.status == 0, "\(result.error)")
      let name = clip.folder.names("page-pictures").first { $0.contains("crop") }
      return try clip.folder.data("page-pictures/\(try #require(name))")
    }
    let first = try picture()
    #expect(try picture() == first)
    let again = try clip.artworkd(
      "derive release/1x1.mp4 --key 3x4 --dry-run --picture crop.jpg")
    #expect(again.status == 0, "\(again.error)")
    #expect(try clip.folder.data("crop.jpg") == first)
  }

  @Test(
    "HDR stays HDR: ten bits, the same colours, light, times, and nearly the same samples",
    arguments: ["smpte2084", "arib-std-b67"])
  func highDynamicRange(transfer: String) throws {
    let clip = try MadeClip(
      "-f lavfi -i testsrc2=s=160x120:r=24000/1001,format=yuv420p10le -frames:v 24 "
        + "-c:v libx265 -tag:v hvc1 -x265-params "
        + "log-level=none:crf=12:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc:range=limited"
        + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
        + ":max-cll=1000,400")
    let (status, json) = try Self.derive(clip, "--key 1x1 --focus center -o square.mp4")
    #expect(status == 0)
    func probe(_ file: String, _ entries: String) throws -> [String] {
      try clip.folder.run(
        "ffprobe -v error -select_streams v:0 -read_intervals %+#1 -show_entries \(entries) "
          + "-of default=nw=1 \(file)"
      ).lines
    }
    let stream =
      "stream=codec_name,profile,codec_tag_string,pix_fmt,color_space,color_range"
      + ",color_transfer,color_primaries"
    let old = try probe(clip.name, stream)
    #expect(try probe("square.mp4", stream) == old)
    #expect(old.contains("pix_fmt=yuv420p10le") && old.contains("color_transfer=\(transfer)"))
    // The frame's side data: the display and the levels.
    let light =
      "frame_side_data=max_luminance,min_luminance,red_x,green_y,white_point_x,max_content,max_average"
    let stated = try probe(clip.name, light)
    #expect(stated.contains("max_content=1000"))
    #expect(try probe("square.mp4", light) == stated)
    try Self.expectSameTimes(clip, "square.mp4")
    let x = try #require(json?.at("window.x")?.int)
    let compared = try clip.folder.run(
      "ffmpeg -i square.mp4 -i clip.mp4 -lavfi [1:v]crop=120:120:\(x):0[a];[0:v][a]psnr -f null -")
    let average = try #require(compared.error.firstMatch(of: /average:([0-9.]+|inf)/)).1
    #expect(try #require(Double(average)) > 40, "\(compared.error)")
  }
}
