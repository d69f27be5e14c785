@testable import ArtworkMedia

/// Animated pictures as browsers show them, and what becomes of their rate.
@Suite struct BrowserPictureTests {
  private static func animation(_ rate: Int64, count: Int = 4) throws -> [UInt8] {
    try AnimatedPicture.png(
      APNGTests.frames(count, .rgb, width: 32, height: 24), seconds: (0..<count).map { _ in Rational(1, rate) ?? .one },
      limits: Limits())
  }

  @Test(arguments: [1, 3, 6, 8], [false, true])
  func `eXIf turns an animated PNG as a still one`(orientation: UInt8, isComposedHere: Bool) throws {
    let folder = try TemporaryFolder()
    var bytes = try Self.animation(10)
    let exif: [UInt8] =
      Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
    // After the signature and the header.
    bytes.insert(contentsOf: PNGChunk.bytes("eXIf", exif), at: 33)
    if isComposedHere {
      // The animation control after the first frame control, where FFmpeg does not look for it.
      let names = ["acTL", "fcTL"].map { name in bytes.indices.first { bytes[$0...].starts(with: name.utf8) } ?? 0 }
      let control = Array(bytes[names[0] - 4..<names[1] - 4])
      let frame = Array(bytes[names[1] - 4..<names[1] + 34])
      bytes.replaceSubrange(names[0] - 4..<names[1] + 34, with: frame + control)
    }
    try Data(bytes).write(to: folder.url("a.png"))
    let seen = try Inspector().inspect(folder.path("a.png"), preview: .original)
    let preview = try #require(seen.preview)
    let turned = orientation > 4
    #expect(preview.size == PixelSize(width: turned ? 24 : 32, height: turned ? 32 : 24))
    #expect(seen.inspection.facts.displayWidth == preview.size.width)
    let first = APNGTests.frames(4, .rgb, width: 32, height: 24)[0]
    let matrix = Orientation.matrix(exif: Int(orientation))
    let wanted = (matrix.map(Orientation.init(displayMatrix:)) ?? .upright).applied(to: first)
    #expect(preview.bytes == wanted.bytes)
  }

  @Test func `the reserved disposal 4 of a GIF restores what was before, as in browsers`() throws {
    let clip = try MadeClip(
      named: "a.gif", ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-frames:v", "6", "-gifflags", "-transdiff"])
    let bytes = try [UInt8](Data(contentsOf: clip.folder.url("a.gif")))
    func strip(_ disposal: UInt8) throws -> [UInt8] {
      var bytes = bytes
      let control: [UInt8] = [0x21, 0xf9, 4]
      for place in bytes.indices.filter({ bytes[$0...].starts(with: control) }).dropFirst() {
        bytes[place + 3] = bytes[place + 3] & 0xe3 | disposal << 2
      }
      try Data(bytes).write(to: clip.folder.url("b.gif"))
      return try #require(try Inspector().inspect(clip.folder.path("b.gif"), preview: .seam).preview).bytes
    }
    let restored = try strip(3)
    #expect(try strip(4) == restored)
    #expect(try strip(1) != restored)
    #expect(try strip(5) == strip(1))
  }

  @Test(
    "above 60 fps, a picture keeps its frames where the format carries them, or says that it does not",
    arguments: ([("png", 24, nil), ("webp", 24, nil), ("avif", 24, nil), ("gif", 12, "lowered to 37.5")]
      as [(String, Int, String?)]).filter { $0.0 != "webp" || FileFormat.webp.isAvailable })
  func quick(format: String, frames: Int, note: String?) throws {
    let folder = try TemporaryFolder()
    try Data(Self.animation(75, count: 24)).write(to: folder.url("a.png"))
    let result = try BuiltTool.run(["export", "a.png", "-o", "b.\(format)"], in: folder.root)
    let facts = try Inspector().inspect(folder.path("b.\(format)")).inspection.facts
    #expect(facts.frameCount == frames, "\(result.output)")
    #expect(result.output.contains("lowered to") == (note != nil))
    if let note { #expect(result.output.contains(note), "\(result.output)") }
  }

  @Test func `a video of 120 fps is halved, with a word: browsers show delays of 10 ms for 100 ms`() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=120", "-frames:v", "24", "-pix_fmt", "yuv420p"] + MadeClip.h264)
    let result = try BuiltTool.run(["export", clip.name, "-o", "b.png"], in: clip.folder.root)
    #expect(result.output.contains("lowered to 60 fps"), "\(result.output)")
    #expect(try Inspector().inspect(clip.folder.path("b.png")).inspection.facts.frameCount == 12)
  }
}
