/// Covers that `Scripts/accuracy/covers.py --fixtures` made, with the colours that Chromium shows of them.
@Suite struct CoverColorsTests {
  private static let folder = Fixture.folder.deletingLastPathComponent().appending(path: "covers")
  private static let shown: [String: [[Int]]] =
    (try? JSONDecoder().decode([String: [[Int]]].self, from: Data(contentsOf: folder.appending(path: "shown.json")))) ?? [:]

  @Test func `every kind of cover has its file`() { #expect(Self.shown.count == 41) }

  @Test(arguments: built(shown.keys.sorted()))
  func `turns and colours are those that Chromium shows`(name: String) throws {
    try withKnownIssue("FFmpeg 7.1 refuses a file with a cropped item, ffprobe as well") {
      try compareColors(name)
    } when: {
      FFmpegVersion.text.hasPrefix("7.") && name == "sequence-clap.avif"
    }
  }

  private func compareColors(_ name: String) throws {
    let path = FilePath(Self.folder.appending(path: name).path)
    let picture =
      if name.hasPrefix("sequence") { try #require(Inspector().inspect(path, preview: .original).preview) } else {
        try InputFile.open(path).readPicture(limits: Limits()) { $0 }
      }
    try compareColors(of: picture, name)
    if name.hasPrefix("sequence"), !name.hasSuffix("avif") {
      let still = try InputFile.open(path).readPicture(limits: Limits()) { $0 }
      try compareColors(of: still, name)
      _ = try Inspector().inspectStill(Candidate(path: path))
    }
  }

  private func compareColors(of picture: PixelImage, _ name: String, within levels: Int = 4) throws {
    let shown = picture.opaque(over: .black).image
    #expect(shown.size == PixelSize(width: 128, height: 128))
    for (place, color) in try #require(Self.shown[name]).enumerated() {
      let pixel = ((16 + place / 4 * 32) * 128 + 16 + place % 4 * 32) * 3
      let ours = shown.bytes[pixel..<pixel + 3].map { Int($0) }
      #expect(zip(ours, color).allSatisfy { abs($0 - $1) <= levels }, "\(place): \(ours), \(color)")
    }
  }

  @Test(
    arguments: ["sequence-p3.png", "sequence-p3.avif", "sequence-early.png", "sequence-gama.png"]
      + (FileFormat.webp.isAvailable ? ["sequence-p3.webp"] : []))
  func `what becomes of an animated picture has the colours that Chromium shows`(name: String) throws {
    let folder = try TemporaryFolder()
    let made = folder.url("made.mp4").path
    let run = try BuiltTool.run(["import", Self.folder.appending(path: name).path, "-o", made])
    #expect(run.status == 0, "\(run)")
    let inspected = try Inspector().inspect(folder.path("made.mp4"), preview: .original)
    // Colours of H.264, of which the edges of the patches have neighbours.
    try compareColors(of: try #require(inspected.preview), name, within: 6)
    // FFmpeg gives the profile with the first frame alone.
    let last = [UInt8](
      try folder.ffmpeg(
        "", ["-i", made, "-vf", "select=eq(n\\,2)", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    try #require(last.count == 128 * 128 * 3)
    let size = PixelSize(width: 128, height: 128)
    try compareColors(of: PixelImage(size: size, channels: .rgb, bytes: last), name, within: 6)
  }

  @Test(
    "a video of a wide gamut is converted, or keeps its tags",
    arguments: [
      ("smpte432", "iec61966-2-1", "bt709", [1.2249, -0.2247, -0.0420, 1.0419, -0.0197, -0.0786]),
      ("bt2020", "bt2020-10", "bt2020nc", [1.6605, -0.5876, -0.1246, 1.1329, -0.0182, -0.1006]),
    ])
  func wideGamut(primaries: String, transfer: String, matrix: String, toSRGB: [Double]) throws {
    let folder = try TemporaryFolder()
    func pixels(_ file: String) throws -> [UInt8] {
      [UInt8](try folder.ffmpeg("", ["-i", file, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    }
    let patches = Self.folder.appending(path: "p3.png").path
    let scale = matrix == "bt709" ? matrix : "bt2020"
    try folder.ffmpeg(
      "",
      [
        "-loop", "1", "-r", "10", "-t", "1", "-i", patches, "-vf",
        "scale=out_color_matrix=\(scale):out_range=tv:flags=accurate_rnd,format=yuv420p", "-c:v", "libx264", "-qp", "4",
        "-x264-params", "colormatrix=\(matrix):colorprim=\(primaries):transfer=\(transfer)", "wide.mp4",
      ])
    // FFmpeg passes over the profile. The last number of a row makes its sum 1: white stays white.
    let stored = try pixels(patches)
    func compare(_ picture: [UInt8], within levels: Double) throws {
      try #require(picture.count == stored.count)
      for place in 0..<16 {
        let pixel = ((16 + place / 4 * 32) * 128 + 16 + place % 4 * 32) * 3
        let light = stored[pixel..<pixel + 3].map {
          let code = Double($0) / 255
          return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
        }
        for channel in 0..<3 {
          let (red, green) = (toSRGB[2 * channel], toSRGB[2 * channel + 1])
          let sum = red * light[0] + green * light[1] + (1 - red - green) * light[2]
          let cut = min(1, max(0, sum))
          let code = cut <= 0.0031308 ? 12.92 * cut : 1.055 * pow(cut, 1 / 2.4) - 0.055
          #expect(abs(Double(picture[pixel + channel]) - 255 * code) <= levels, "\(place) \(channel)")
        }
      }
    }
    let inspected = try Inspector().inspect(folder.path("wide.mp4"), preview: .original)
    // Of light blue, a level of the video is several of its red.
    try compare(try #require(inspected.preview).bytes, within: 6)
    for (name, words) in [
      ("import.mp4", ["import", "wide.mp4", "-o", "import.mp4"]), ("export.png", ["export", "wide.mp4", "-o", "export.png"]),
    ] {
      let made = try BuiltTool.run(words, in: folder.root)
      #expect(made.status < 2, "\(made)")
      try compare(try pixels(name), within: 6)
    }
    let derived = try BuiltTool.run(["derive", "wide.mp4", "--key", "3x4", "-o", "3x4.mp4"], in: folder.root)
    #expect(derived.status < 2, "\(derived)")
    #expect(try folder.ffprobe("3x4.mp4", "stream=color_primaries").first?.hasPrefix(primaries) == true)
  }

  @Test(arguments: built(["p3.jpg", "p3.png", "p3.webp", "709.avif"]))
  func `a cover that is cut says so, whatever its format`(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Self.folder.appending(path: name))
    try whole.prefix(whole.count * 2 / 3).write(to: folder.url(name))
    let error = try #require(refusal { try Inspector().inspectStill(Candidate(path: folder.path(name))) })
    #expect(error.message.contains("cut") || error.message.contains("ends early"), "\(error)")
    #expect(error.help.contains("again"))
  }

  @Test func `a picture that no decoder can make is not answered with a higher limit`() throws {
    let folder = try TemporaryFolder()
    // The header of a PNG of 20000x20000 pixels.
    let bytes =
      PNGFile.signature + PNGChunk.bytes("IHDR", PNGChunk.big(20000) + PNGChunk.big(20000) + [8, 2, 0, 0, 0])
      + PNGChunk.bytes("IDAT", PNGChunk.stored([0, 0, 0, 0])) + PNGChunk.bytes("IEND", [])
    try Data(bytes).write(to: folder.url("vast.png"))
    for pixels in [Limits().pixels, 1 << 29] {
      var limits = Limits()
      limits.pixels = pixels
      let error = try #require(refusal { try Inspector(limits: limits).inspectStill(Candidate(path: folder.path("vast.png"))) })
      #expect(error.code == .tooLarge && !error.help.contains("--limit"), "\(error)")
    }
  }

  @Test func `a damaged profile is passed over`() throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Self.folder.appending(path: "inks-mft2.jpg"))
    func colors(_ change: (inout Data) -> Void) throws -> [UInt8] {
      var bytes = whole
      change(&bytes)
      try bytes.write(to: folder.url("inks.jpg"))
      return try InputFile.open(folder.path("inks.jpg")).readPicture(limits: Limits()) { $0 }.bytes
    }
    let mark = try #require(whole.firstRange(of: Data("acsp".utf8))).lowerBound
    let table = try #require(whole.firstRange(of: Data("mft2".utf8))).lowerBound
    let plain = try colors { $0[mark] = 0x20 }
    #expect(try colors { _ in } != plain)
    // A grid that ends after the file, and one channel too few.
    #expect(try colors { $0[table + 10] = 200 } == plain)
    #expect(try colors { $0[table + 8] = 3 } == plain)
  }

  /// What Chromium 156 does with each.
  @Test func `damaged chunks of a PNG are passed over, and the picture is read`() throws {
    let folder = try TemporaryFolder()
    let whole = try [UInt8](Data(contentsOf: Self.folder.appending(path: "p3.png")))
    let chunk = 33..<33 + 12 + 228
    let profile = Array(whole[chunk.lowerBound + 8..<chunk.upperBound - 4])
    #expect(whole[chunk].dropFirst(4).starts(with: "iCCP".utf8))
    func picture(_ chunks: [UInt8], after: [UInt8] = []) throws -> [UInt8] {
      let bytes = whole[..<chunk.lowerBound] + chunks + whole[chunk.upperBound...].dropLast(12) + after + whole.suffix(12)
      try Data(bytes).write(to: folder.url("a.png"))
      _ = try Inspector().inspectStill(Candidate(path: folder.path("a.png")))
      return try InputFile.open(folder.path("a.png")).readPicture(limits: Limits()) { $0 }.bytes
    }
    func changed(_ place: Int, to byte: UInt8) -> [UInt8] {
      var data = profile
      data[place < 0 ? data.count + place : place] = byte
      return PNGChunk.bytes("iCCP", data)
    }
    func damaged(_ type: String, _ data: [UInt8]) -> [UInt8] {
      var bytes = PNGChunk.bytes(type, data)
      bytes[bytes.count - 1] ^= 1
      return bytes
    }
    let (colored, plain) = (try picture(Array(whole[chunk])), try picture([]))
    #expect(colored != plain)
    let end = try #require(profile.firstIndex(of: 0))
    #expect(try picture(changed(end + 1, to: 7)) == plain)
    #expect(try picture(changed(end + 2, to: 0)) == plain)
    #expect(try picture(changed(-1, to: profile[profile.count - 1] ^ 1)) == plain)
    #expect(try picture(damaged("iCCP", profile)) == plain)
    #expect(try picture([], after: Array(whole[chunk])) == plain)
    let gamma = PNGChunk.big(100_000)
    #expect(try picture(PNGChunk.bytes("gAMA", gamma)) != plain)
    #expect(try picture(damaged("gAMA", gamma)) == plain)
    for name in ["zTXt", "iTXt", "eXIf", "sBIT", "tIME", "pHYs"] {
      #expect(try picture(damaged(name, [7, 7]) + Array(whole[chunk])) == colored, "\(name)")
      #expect(try picture(PNGChunk.bytes(name, [7, 7]) + Array(whole[chunk])) == colored, "\(name)")
    }
    let density = PNGChunk.bytes("pHYs", [0, 0, 11, 19, 0, 0, 11, 19, 1])
    #expect(try picture(Array(whole[chunk]), after: density) == colored)
  }

  @Test(arguments: ["p3.jpg", "inks-mft2.jpg", "p3-profile.avif"])
  func `a profile with any byte changed is read or passed over`(name: String) throws {
    let bytes = try [UInt8](Data(contentsOf: Self.folder.appending(path: name)))
    // A profile states its length in its first four bytes, 36 before its mark.
    let start = try #require(bytes.firstRange(of: "acsp".utf8)).lowerBound - 36
    let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let profile = Array(bytes[start..<start + size])
    let isPrinted = profile[16..<20].elementsEqual("CMYK".utf8)
    let picture = PixelImage(
      size: PixelSize(width: 256, height: 1), channels: isPrinted ? .rgba : .rgb,
      bytes: (0...255).flatMap { [$0, 255 - $0, $0 / 2, 200].prefix(isPrinted ? 4 : 3) })
    #expect(ColorProfile(icc: profile, isPrinted: isPrinted) != nil)
    var noise = Noise(seed: 5)
    for _ in 0..<100 {
      var damaged = profile
      // Most of them in the header, the tags and the heads of tables.
      let place = Int(noise.next() >> 33) % min(size, 700)
      damaged[place] = UInt8(truncatingIfNeeded: noise.next() >> 40)
      let read = ColorProfile(icc: damaged, isPrinted: isPrinted)?.applied(to: picture)
      #expect(read.map { $0.bytes.count == picture.bytes.count } ?? true, "byte \(place) is \(damaged[place])")
    }
  }

  @Test func `PNG and JPEG come before other covers, and only they are previews`() {
    let names = FolderNames(["cover.webp", "cover.png", "cover.avif", "clip.mp4", "clip.webp", "folder.avif"])
    #expect(names.cover() == "cover.png")
    #expect(names.previews(of: "clip.mp4").isEmpty)
    #expect(FolderNames(["folder.avif", "clip.mp4"]).cover() == "folder.avif")
  }
}
