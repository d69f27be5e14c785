import TestSupport

@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct AnimateCommandTests {
  /// A cover with colours, edges and text-like bars, by the ffmpeg program.
  private static func cover(_ size: String = "240x240", named name: String = "cover.png") throws
    -> MadeClip
  {
    try MadeClip(
      named: name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=1,format=rgb24", "-frames:v", "1",
      ])
  }

  private static func animate(_ cover: MadeClip, _ options: [String]) throws -> BuiltTool.Result {
    try BuiltTool.run(["animate", cover.name, "-o", "out"] + options, in: cover.folder.root)
  }

  /// The first frame as R, G, B.
  private static func pixels(_ name: String, _ filter: String, in folder: TemporaryFolder) throws
    -> [UInt8]
  {
    let result = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", name, "-vf", filter, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
        "rgb24", "-",
      ], in: folder.root)
    return Array(result.output)
  }

  @Test(
    "both variants begin with the cover, repeat without a seam, and check passes them",
    arguments: Nightly.isOn ? [Motion.Kind.drift, .breathe, .light] : [.drift, .light])
  func endToEnd(motion: Motion.Kind) throws {
    let cover = try Self.cover()
    let made = try Self.animate(cover, ["--motion", motion.rawValue, "--seconds", "3"])
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("out/cover_1x1.mp4: \(motion), 90 frames, 3 s, 240x240"))
    let checked = try BuiltTool.run(
      ["check", "out", "--format", "json", "--no-cache"], in: cover.folder.root)
    #expect(checked.status == 0)
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [String: Any])
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.count == 2)
    for result in results {
      #expect((result["seam"] as? [String: Any])?["verdict"] as? String == "seamless")
      let rules = (result["findings"] as? [[String: Any]] ?? []).compactMap {
        $0["rule"] as? String
      }
      #expect(!rules.contains("loop-seam") && !rules.contains("fade"))
      let facts = try #require(result["facts"] as? [String: Any])
      #expect(facts["frameCount"] as? Int == 90 && facts["frameRate"] as? Double == 30)
      let size = [facts["displayWidth"] as? Int, facts["displayHeight"] as? Int]
      #expect(size == (result["key"] as? String == "1x1" ? [240, 240] : [180, 240]))
    }
    try Self.expectLikeness(cover, Motion(motion, seconds: 3))
    let first = try Self.pixels("out/cover_1x1.mp4", "null", in: cover.folder)
    // 4:2:0 blurs the colours of edges: both go the same way.
    let still = try Self.pixels(
      "cover.png", "scale=out_color_matrix=bt709,format=yuv420p,scale=in_color_matrix=bt709",
      in: cover.folder)
    #expect(first.count == 240 * 240 * 3 && still.count == first.count)
    let difference = zip(first, still).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(first.count) < 1.5)
  }

  /// Compares the luma of every frame of the square video with the drawn frames.
  private static func expectLikeness(_ cover: MadeClip, _ motion: Motion) throws {
    let size = PixelSize(width: 240, height: 240)
    let drawn = try PictureSequence(
      setting: PixelImage(
        size: size, channels: .rgb, bytes: try pixels(cover.name, "null", in: cover.folder)),
      in: motion)
    let decoded = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", "out/cover_1x1.mp4", "-vf", "extractplanes=y", "-f", "rawvideo", "-",
      ], in: cover.folder.root)
    let video = Array(decoded.output)
    #expect(video.count == motion.frameCount * size.area)
    let noise = try (0..<motion.frameCount).map { number in
      CodedPicture(try drawn.picture(number)).withPlanes { planes in
        var sum = 0.0
        for y in 0..<size.height {
          for x in 0..<size.width {
            let luma = planes.luma.start.load(
              fromByteOffset: y * planes.luma.bytesPerRow + x, as: UInt8.self)
            let difference =
              Double(luma) - Double(video[(number * size.height + y) * size.width + x])
            sum += difference * difference
          }
        }
        return sum / Double(size.area)
      }
    }
    let worst = 10 * log10(255 * 255 / max(1e-9, try #require(noise.max())))
    #expect(worst >= 40, "the worst frame has \(worst) dB")
  }

  @Test("options choose the variant, the width and the part; the same options make the same file")
  func options() throws {
    let cover = try Self.cover("320x180", named: "wide.png")
    let options = ["--key", "3x4", "--seconds", "2", "--width", "60", "--motion", "light"]
    let made = try Self.animate(cover, options + ["--focus", "0,50"])
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("60x80"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: cover.folder.url("out").path)
    #expect(names == ["wide_3x4.mp4"])
    // The left part, as requested.
    let first = try Self.pixels("out/wide_3x4.mp4", "null", in: cover.folder)
    func difference(left: Int) throws -> Int {
      let still = try Self.pixels(
        "wide.png", "crop=132:176:\(left):2,scale=60:80:flags=lanczos", in: cover.folder)
      return zip(first, still).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    #expect(try 4 * difference(left: 0) < difference(left: 94))
    let bytes = try Data(contentsOf: cover.folder.url("out/wide_3x4.mp4"))
    try FileManager.default.removeItem(at: cover.folder.url("out/wide_3x4.mp4"))
    _ = try Self.animate(cover, options + ["--focus", "0,50"])
    #expect(try Data(contentsOf: cover.folder.url("out/wide_3x4.mp4")) == bytes)
  }

  @Test("a higher quality has more bytes, and a limit of bytes is kept")
  func bytes() throws {
    let cover = try Self.cover("120x120", named: "small.png")
    func size(_ folder: String, _ options: [String]) throws -> Int {
      let made = try BuiltTool.run(
        ["animate", "small.png", "-o", folder, "--key", "1x1", "--seconds", "2"] + options,
        in: cover.folder.root)
      #expect(made.status == 0, "\(made.error)")
      return try Data(contentsOf: cover.folder.url("\(folder)/small_1x1.mp4")).count
    }
    let usual = try size("usual", [])
    let sizes = try ["20", "40", "60", "80", "100"].map { try size($0, ["--quality", $0]) }
    for (less, more) in zip(sizes, sizes.dropFirst()) { #expect(less < more) }
    #expect(try size("half", ["--max-bytes", "\(usual / 2)"]) <= usual / 2)
    let none = try BuiltTool.run(
      ["animate", "small.png", "-o", "none", "--seconds", "2", "--max-bytes", "900"],
      in: cover.folder.root)
    #expect(none.status == 2 && none.error.contains("would look blocky in so few bytes"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: cover.folder.url("none").path).isEmpty)
  }

  @Test("a JPEG that states a rotation is rotated")
  func turned() throws {
    let folder = try TemporaryFolder()
    let program = """
      from PIL import Image
      image = Image.new("RGB", (120, 90), (40, 80, 120))
      image.paste((250, 240, 60), (0, 0, 30, 90))
      exif = image.getexif()
      exif[0x0112] = 6
      image.save("turned.jpg", exif=exif, quality=95)
      """
    #expect(try run("/usr/bin/python3", ["-c", program], in: folder.root).status == 0)
    let made = try BuiltTool.run(
      ["animate", "turned.jpg", "-o", "out", "--key", "3x4", "--seconds", "2"], in: folder.root)
    #expect(made.status == 0 && made.output.contains("90x120"), "\(made.output)\(made.error)")
    // The left is the top now.
    let first = try Self.pixels("out/turned_3x4.mp4", "null", in: folder)
    #expect(first[(10 * 90 + 45) * 3] > 200 && first[(100 * 90 + 45) * 3] < 100)
  }
}
