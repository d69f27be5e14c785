@Suite struct StillTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ arguments: [String]) throws -> Candidate {
    let source = ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=200x100:d=1"]
    let made = try run("ffmpeg", source + arguments + ["-frames:v", "1", folder.url(name).path])
    try #require(made.status == 0, "\(made.error)")
    return Candidate(path: folder.path(name))
  }

  @Test(
    arguments: [
      ("a.png", "png", []), ("grey.png", "png", ["-pix_fmt", "gray"]), ("deep.png", "png", ["-pix_fmt", "rgb48be"]),
      ("alpha.png", "png", ["-pix_fmt", "rgba"]), ("palette.png", "png", ["-pix_fmt", "pal8"]), ("a.jpg", "jpeg", []),
      ("full.jpeg", "jpeg", ["-pix_fmt", "yuvj444p"]), ("grey.jpg", "jpeg", ["-pix_fmt", "gray"]),
      ("named-otherwise.png", "jpeg", ["-c:v", "mjpeg", "-f", "image2"]),
    ] as [(String, String, [String])])
  func `PNG and JPEG of all kinds are read`(name: String, format: String, arguments: [String]) throws {
    let still = try Inspector().inspectStill(try make(name, arguments))
    #expect(still.format == format)
    #expect(still.size == "200x100")
  }

  @Test func `a PNG with more data than pixels is refused, and one with a little more is not`() throws {
    func picture(_ data: Int) throws -> Candidate {
      var file = PNGFile.signature
      file += PNGChunk.bytes("IHDR", PNGChunk.big(10) + PNGChunk.big(10) + [8, 2, 0, 0, 0])
      file += PNGChunk.bytes("IDAT", PNGChunk.stored([UInt8](repeating: 0, count: data)))
      file += PNGChunk.bytes("IEND", [])
      try Data(file).write(to: folder.url("bomb.png"))
      return Candidate(path: folder.path("bomb.png"))
    }
    for data in [310, 400] { #expect(try Inspector().inspectStill(picture(data)).size == "10x10") }
    let bomb = try picture(60_000)
    let error = refusal { try Inspector().inspectStill(bomb) }
    #expect(error?.code == .decodeFailed && error?.message.contains("more data") == true)
  }

  @Test func `the orientation that EXIF states is honoured`() throws {
    let flat = try make("flat.jpg", [])
    // An APP1 segment with orientation 6: rotated by 90 degrees clockwise for display.
    let exif: [UInt8] =
      [0xff, 0xe1, 0x00, 0x22] + Array("Exif".utf8) + [0, 0] + [
        0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
      ] + [0, 0, 0, 0]
    var bytes = Array(try Data(contentsOf: folder.url("flat.jpg")))
    bytes.insert(contentsOf: exif, at: 2)
    try Data(bytes).write(to: folder.url("turned.jpg"))
    let still = try Inspector().inspectStill(flat)
    let turned = try Inspector().inspectStill(Candidate(path: folder.path("turned.jpg")))
    #expect(still.size == "200x100")
    #expect(turned.size == "100x200")
    #expect(turned.signature != still.signature)
  }

  @Test func `other files are refused with a code`() throws {
    func code(_ path: FilePath) -> InspectionError.Code? {
      refusal { try Inspector().inspectStill(Candidate(path: path)) }?.code
    }
    #expect(code(Fixture.named("good-1x1.mp4").path) == .notAMovie)
    #expect(code(Fixture.named("image-anim.gif").path) == .notAMovie)
    #expect(code(Fixture.named("broken-text.mp4").path) == .notAMovie)
    #expect(code(folder.path("none.png")) == .notFound)
    let whole = try make("whole.png", [])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.path.string))
    try bytes.prefix(bytes.count / 2).write(to: folder.url("half.png"))
    #expect(code(folder.path("half.png")) == .decodeFailed)
    #expect(code(Fixture.named("cover.jpg").path) == nil)
  }

  @Test(arguments: [
    "good-1x1.mp4", "rotate-90.mp4", "aspect-sar-4x3.mp4", "color-bt709-full.mp4", "color-pq.mp4", "prores-4444-alpha.mov",
  ])
  func `a preview that we write is the first frame, by its signature`(file: String) throws {
    let clip = Candidate(path: Fixture.named(file).path)
    let inspected = try Inspector().inspect(clip, InspectionRequest(preview: .original))
    try Data(try #require(inspected.preview)).write(to: folder.url("preview.png"))
    let still = try Inspector().inspectStill(Candidate(path: folder.path("preview.png")))
    #expect(still.size == inspected.inspection.facts.displayDescription)
    let frame = try #require(inspected.inspection.firstFrame)
    #expect((zip(frame.cells, still.signature.cells).map { abs(Int($0.0) - Int($0.1)) }.max() ?? 255) <= 6)
  }

  @Test func `a signature survives JSON, and another length is refused`() throws {
    let signature = ReleaseRuleTests.signature()
    let data = try JSONEncoder().encode([signature])
    #expect(try JSONDecoder().decode([PictureSignature].self, from: data) == [signature])
    for text in [#"["AAAA"]"#, #"["not base64!"]"#, "[1]"] {
      #expect(throws: (any Error).self) { try JSONDecoder().decode([PictureSignature].self, from: Data(text.utf8)) }
    }
  }
}
