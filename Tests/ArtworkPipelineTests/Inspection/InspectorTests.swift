/// Previews against what ffmpeg itself makes of the first frame.
@Suite struct InspectorTests {
  /// The first displayed frame through ffmpeg's scaler, in the channels of `image`.
  static func reference(_ fixture: Fixture, filter: String, like image: PixelImage) throws -> [UInt8] {
    let result = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", fixture.url.path, "-frames:v", "1", "-vf", filter, "-pix_fmt",
        image.channels == .rgba ? "rgba" : "rgb24", "-f", "rawvideo", "-",
      ])
    try #require(result.status == 0, "\(result.error)")
    return [UInt8](result.output)
  }

  static let accurate = "flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp"
  static let scaled = "flags=lanczos+accurate_rnd+full_chroma_int+full_chroma_inp"

  static func filter(for fixture: Fixture) -> String {
    // ffmpeg 5.1 does not apply clean apertures.
    if fixture.file == "aspect-clap.mp4" { return "crop=96:96:0:4,scale=\(accurate)" }
    return fixture.facts.sampleAspect ?? [1, 1] == [1, 1] ? "scale=\(accurate)" : "scale=iw*sar:ih:\(scaled)"
  }

  static func meanError(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Double {
    guard a.count == b.count, !a.isEmpty else { return .infinity }
    return zip(a, b).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(a.count)
  }

  /// Those whose colours ffmpeg's scaler shows: it leaves wide ones as they are; see `CoverColorsTests`.
  static let narrow = Fixture.decodable.filter { $0.facts.colorPrimaries != "bt2020" }

  @Test(arguments: Nightly.some(8, of: narrow))
  func `previews are the pictures ffmpeg makes`(fixture: Fixture) throws {
    let image = try preview(fixture)
    let reference = try Self.reference(fixture, filter: Self.filter(for: fixture), like: image)
    #expect(Self.meanError(image.bytes, reference) < 1)
    #expect(zip(image.bytes, reference).map { abs(Int($0) - Int($1)) }.max() ?? 255 <= 24)
  }

  @Test(
    "transparency is kept", arguments: ["prores-4444-alpha.mov", "codec-qtrle-alpha.mov", "image-anim.gif", "image-anim.apng"])
  func alpha(file: String) throws {
    let fixture = Fixture.named(file)
    let image = try preview(fixture)
    #expect(image.channels == .rgba)
    func alpha(_ bytes: [UInt8]) -> [UInt8] { stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] } }
    let got = alpha(image.bytes)
    #expect((got.min() ?? 255) < 40, "nothing is transparent")
    #expect((got.max() ?? 0) > 215, "nothing is opaque")
    let reference = try Self.reference(fixture, filter: "scale=\(Self.accurate)", like: image)
    #expect(zip(got, alpha(reference)).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test(arguments: ["good-1x1.mp4", "codec-png.mov", "prores-422.mov"])
  func `what has no transparency has three channels`(file: String) throws {
    #expect(try preview(Fixture.named(file)).channels == .rgb)
  }

  @Test(
    "a fitted preview keeps the aspect inside its box",
    arguments: [
      ("good-3x4-apple.mp4", (600, 800), (600, 800)), ("good-1x1.mp4", (600, 800), (600, 600)),
      ("good-1x1.mp4", (64, 32), (32, 32)), ("rotate-90.mp4", (48, 48), (36, 48)), ("aspect-16x9.mp4", (100, 100), (100, 56)),
      ("aspect-sar-4x3.mp4", (40, 80), (40, 40)),
    ] as [(String, (Int, Int), (Int, Int))])
  func fitted(file: String, box: (Int, Int), size: (Int, Int)) throws {
    let fixture = Fixture.named(file)
    let image = try preview(fixture, .fitted(PixelSize(width: box.0, height: box.1)))
    #expect(image.size == PixelSize(width: size.0, height: size.1))
    // It is the same picture: ffmpeg's, scaled the same way.
    let reference = try Self.reference(fixture, filter: "scale=\(size.0):\(size.1):\(Self.scaled)", like: image)
    #expect(Self.meanError(image.bytes, reference) < 1.5)
  }

  @Test func `no preview is made unless it is asked for`() throws {
    #expect(try Inspector().inspect(Fixture.named("good-1x1.mp4").path).preview == nil)
  }

  /// The display matrix turns and flips them all into one picture, up to coding noise.
  @Test(arguments: Fixture.all.filter { $0.file.hasPrefix("rotate-") || $0.file.hasPrefix("mirror-") })
  func `turned and mirrored clips give the upright picture`(fixture: Fixture) throws {
    let upright = try preview(Fixture.named("rotate-0.mp4"))
    let image = try preview(fixture)
    #expect(image.size == upright.size)
    #expect(Self.meanError(image.bytes, upright.bytes) < 3)
    // Red, green, blue and yellow corners: every rotation and flip looks different.
    let inset = 4
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * image.size.width + x) * 3
      return image.bytes[start..<start + 3].map { $0 > 127 ? 1 : 0 }
    }
    let (right, bottom) = (image.size.width - 1 - inset, image.size.height - 1 - inset)
    #expect(pixel(inset, inset) == [1, 0, 0])
    #expect(pixel(right, inset) == [0, 1, 0])
    #expect(pixel(inset, bottom) == [0, 0, 1])
    #expect(pixel(right, bottom) == [1, 1, 0])
  }

  @Test(arguments: ["good-1x1.mp4", "color-hlg.mp4", "image-anim.gif"])
  func `inspecting twice gives the same, with and without a preview`(file: String) throws {
    let path = Fixture.named(file).path
    let (first, image) = try Inspector().inspect(path, preview: .original)
    let (second, again) = try Inspector().inspect(path, preview: .original)
    #expect(first == second && image == again)
    #expect(try Inspector().inspect(path).inspection == first)
  }

  @Test(arguments: Nightly.some(24, of: Fixture.decodable))
  func `decoding everything finds the same facts and the same seam`(fixture: Fixture) throws {
    let quick = try Inspector().inspect(fixture.path).inspection
    let full = try Inspector().inspect(fixture.path, everyFrame: true).inspection
    #expect(full.decoding.fallback != nil)
    #expect(full.facts == quick.facts)
    #expect(full.seam?.scope ?? .everyFrame == .everyFrame)
    // The same frames are compared, so the measurements are the same; the requested inner frames may differ.
    if var all = full.seam, let ends = quick.seam {
      (all.scope, all.dimness, all.rounds) = (ends.scope, ends.dimness, ends.rounds)
      all.motion.inside = ends.motion.inside
      #expect(all == ends)
    }
    #expect(full.decoding.missingFrames == quick.decoding.missingFrames)
  }
}
