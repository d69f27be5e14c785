import TestSupport

@Suite struct AnimateCommandTests {
  /// A cover with colours, edges and text-like bars, by the ffmpeg program.
  private static func cover(_ size: String = "240x240", named name: String = "cover.png") throws
    -> MadeClip
  { try MadeClip(named: name, "-f lavfi -i testsrc2=s=\(size):r=1,format=rgb24 -frames:v 1") }

  /// The first frame as R, G, B.
  private static func pixels(
    _ name: String, _ filter: String = "null", in folder: TemporaryFolder
  ) throws -> [UInt8] {
    Array(
      try folder.ffmpeg("-i \(name) -vf \(filter) -frames:v 1 -f rawvideo -pix_fmt rgb24 -"))
  }

  private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
    zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
  }

  @Test(
    "both variants begin with the cover, repeat without a seam, and check passes them",
    arguments: Nightly.isOn ? [Motion.Kind.drift, .breathe, .light] : [.drift, .light])
  func endToEnd(motion: Motion.Kind) throws {
    let cover = try Self.cover()
    let made = try cover.artworkd(
      "animate cover.png -o out --motion \(motion.rawValue) --seconds 3")
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("out/cover_1x1.mp4: \(motion), 90 frames, 3 s, 240x240"))
    let checked = try cover.artworkd("check out --format json --no-cache")
    #expect(checked.status == 0)
    let json = try checked.json
    #expect(json.at("results.*.key") == ["1x1", "3x4"])
    #expect(json.at("results.*.seam.verdict") == ["seamless", "seamless"])
    let rules = json.at("results.*.findings")?.items.flatMap { $0.texts("*.rule") } ?? []
    #expect(!rules.contains("loop-seam") && !rules.contains("fade"))
    #expect(json.at("results.*.facts.frameCount") == [90, 90])
    #expect(json.at("results.*.facts.frameRate") == [30, 30])
    #expect(json.at("results.*.facts.displayWidth") == [240, 180])
    #expect(json.at("results.*.facts.displayHeight") == [240, 240])
    try Self.expectLikeness(cover, Motion(motion, seconds: 3))
    let first = try Self.pixels("out/cover_1x1.mp4", in: cover.folder)
    // 4:2:0 blurs the colours of edges: both go the same way.
    let still = try Self.pixels(
      "cover.png", "scale=out_color_matrix=bt709,format=yuv420p,scale=in_color_matrix=bt709",
      in: cover.folder)
    #expect(first.count == 240 * 240 * 3 && still.count == first.count)
    #expect(Double(Self.difference(first, still)) / Double(first.count) < 1.5)
  }

  /// Compares the luma of every frame of the square video with the drawn frames.
  private static func expectLikeness(_ cover: MadeClip, _ motion: Motion) throws {
    let size = PixelSize(width: 240, height: 240)
    let drawn = try PictureSequence(
      setting: PixelImage(
        size: size, channels: .rgb, bytes: try pixels(cover.name, in: cover.folder)),
      in: motion)
    let video = Array(
      try cover.folder.ffmpeg("-i out/cover_1x1.mp4 -vf extractplanes=y -f rawvideo -"))
    #expect(video.count == motion.frameCount * size.area)
    let noise = try (0..<motion.frameCount).map { number in
      unsafe CodedPicture(try drawn.picture(number)).withPlanes { planes in
        var sum = 0.0
        for y in 0..<size.height {
          for x in 0..<size.width {
            let luma = unsafe planes.luma.start.load(
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
    let folder = cover.folder
    let line =
      "animate wide.png -o out --key 3x4 --seconds 2 --width 60 --motion light --focus 0,50"
    let made = try folder.artworkd(line)
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("60x80"))
    #expect(folder.names("out") == ["wide_3x4.mp4"])
    // The left part, as requested.
    let first = try Self.pixels("out/wide_3x4.mp4", in: folder)
    func difference(left: Int) throws -> Int {
      let still = try Self.pixels(
        "wide.png", "crop=132:176:\(left):2,scale=60:80:flags=lanczos", in: folder)
      return Self.difference(first, still)
    }
    #expect(try 4 * difference(left: 0) < difference(left: 94))
    let bytes = try folder.data("out/wide_3x4.mp4")
    try folder.remove("out/wide_3x4.mp4")
    try folder.artworkd(line)
    #expect(try folder.data("out/wide_3x4.mp4") == bytes)
  }

  @Test("a higher quality has more bytes, and a limit of bytes is kept")
  func bytes() throws {
    let folder = try Self.cover("120x120", named: "small.png").folder
    func size(_ name: String, _ options: String = "") throws -> Int {
      let made = try folder.artworkd(
        "animate small.png -o \(name) --key 1x1 --seconds 2 \(options)")
      #expect(made.status == 0, "\(made.error)")
      return try folder.data("\(name)/small_1x1.mp4").count
    }
    let usual = try size("usual")
    let sizes = try ["20", "40", "60", "80", "100"].map { try size($0, "--quality \($0)") }
    for (less, more) in zip(sizes, sizes.dropFirst()) { #expect(less < more) }
    #expect(try size("half", "--max-bytes \(usual / 2)") <= usual / 2)
    let none = try folder.artworkd("animate small.png -o none --seconds 2 --max-bytes 900")
    #expect(none.status == 2 && none.error.contains("would look blocky in so few bytes"))
    #expect(folder.names("none").isEmpty)
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
    #expect(try folder.run("/usr/bin/python3 -c", [program]).status == 0)
    let made = try folder.artworkd("animate turned.jpg -o out --key 3x4 --seconds 2")
    #expect(made.status == 0 && made.output.contains("90x120"), "\(made.output)\(made.error)")
    // The left is the top now.
    let first = try Self.pixels("out/turned_3x4.mp4", in: folder)
    #expect(first[(10 * 90 + 45) * 3] > 200 && first[(100 * 90 + 45) * 3] < 100)
  }
}
