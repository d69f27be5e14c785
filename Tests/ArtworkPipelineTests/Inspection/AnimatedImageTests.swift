/// How the frames of a GIF and an APNG become pictures, on a canvas of 4x4 pixels, of which the first row is compared.
@Suite struct AnimatedImageTests {
  private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255])
  private static let (black, clear): ([UInt8], [UInt8]) = ([0, 0, 0, 255], [0, 0, 0, 0])

  private static func firstRows(_ bytes: [UInt8], as name: String) throws -> [[[UInt8]]] {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url(name))
    let path = folder.path(name)
    let sequence = try PictureFile.open(InputFile.open(path), limits: Limits()) ?? PictureSequenceTests.sequence(path)
    return try sequence.durations.indices.map { number in
      let picture = try sequence.picture(number)
      let length = picture.channels.rawValue
      return (0..<4).map { x in
        let pixel = Array(picture.bytes[x * length..<(x + 1) * length])
        // Transparent pixels have no colour.
        return length == 3 ? pixel + [255] : pixel[3] == 0 ? clear : pixel
      }
    }
  }

  private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

  /// A frame of a GIF: its corner, width, height and disposal (GIF89a, 23), and the number of its colour for each pixel.
  private typealias GIFFrame = (x: Int, width: Int, height: Int, disposal: UInt8, pixels: [UInt8])

  /// A GIF whose colours are black, red, green and blue. With transparency the first is not drawn.
  private static func gif(_ frames: [GIFFrame], hasTransparency: Bool, background: UInt8) -> [UInt8] {
    var file = Array("GIF89a".utf8) + [4, 0, 4, 0, 0xf1, background, 0]
    for colour in [black, red, green, blue] { file += colour.prefix(3) }
    for frame in frames {
      file += [0x21, 0xf9, 4, frame.disposal << 2 | (hasTransparency ? 1 : 0), 10, 0, 0, 0]
      file += [0x2c] + little(frame.x) + [0, 0] + little(frame.width) + little(frame.height) + [0]
      // Codes of three bits. Clear (4) before every second pixel, so that they never need more; 5 is the end.
      var codes: [UInt8] = []
      for (number, pixel) in frame.pixels.enumerated() { codes += number % 2 == 0 ? [4, pixel] : [pixel] }
      var bits: [UInt8] = (codes + [5]).flatMap { code in (0..<3).map { code >> $0 & 1 } }
      bits += Array(repeating: 0, count: (8 - bits.count % 8) % 8)
      let data = stride(from: 0, to: bits.count, by: 8).map { start -> UInt8 in
        (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
      }
      file += [2, UInt8(data.count)] + data + [0]
    }
    return file + [0x3b]
  }

  private static let frames: [GIFFrame] = [
    (0, 4, 4, 1, Array(repeating: 1, count: 16)),
    // Restored to the previous contents.
    (2, 2, 2, 3, Array(repeating: 2, count: 4)),
    // Cleared.
    (0, 1, 1, 2, [3]), (3, 1, 1, 1, [2]), (0, 4, 1, 1, [0, 2, 0, 0]),
  ]

  @Test("a GIF's frames are kept, put back or cleared, and drawn over one another", arguments: [0, 3])
  func gif(background: UInt8) throws {
    let file = Self.gif(Self.frames, hasTransparency: true, background: background)
    #expect(
      try Self.firstRows(file, as: "a.gif") == [
        [Self.red, Self.red, Self.red, Self.red], [Self.red, Self.red, Self.green, Self.green],
        [Self.blue, Self.red, Self.red, Self.red], [Self.clear, Self.red, Self.red, Self.green],
        [Self.clear, Self.green, Self.red, Self.green],
      ])
  }

  /// As Pillow 11 draws it; browsers show cleared areas as transparent.
  @Test func `without a transparent colour, what is cleared has the background colour`() throws {
    let file = Self.gif(Array(Self.frames.prefix(4)), hasTransparency: false, background: 3)
    #expect(try Self.firstRows(file, as: "a.gif").last == [Self.blue, Self.red, Self.red, Self.green])
  }

  /// A frame of an APNG: its corner, size, disposal and blending (APNG specification, `fcTL`), and its colour.
  private typealias APNGFrame = (x: Int, size: Int, disposal: UInt8, blending: UInt8, pixel: [UInt8])

  /// How the chunks of an APNG are written.
  struct APNGForm: Sendable {
    var depth = 8
    /// The first frame control precedes the animation control.
    var startsEarly = false
    /// By how much the sequence numbers after the first are too high.
    var gap = 0

    static let all = [
      APNGForm(), APNGForm(depth: 16), APNGForm(startsEarly: true), APNGForm(depth: 16, startsEarly: true, gap: 1),
    ]
  }

  private static func apng(_ frames: [APNGFrame], _ form: APNGForm = APNGForm()) -> [UInt8] {
    var file = PNGFile.signature + PNGChunk.bytes("IHDR", PNGChunk.big(4) + PNGChunk.big(4) + [UInt8(form.depth), 6, 0, 0, 0])
    let animation = PNGChunk.bytes("acTL", PNGChunk.big(frames.count) + PNGChunk.big(0))
    if !form.startsEarly { file += animation }
    var sequence = 0
    for (number, frame) in frames.enumerated() {
      let samples = form.depth == 16 ? frame.pixel.flatMap { [$0, $0] } : frame.pixel
      let row: [UInt8] = [0] + (0..<frame.size).flatMap { _ in samples }
      file += PNGChunk.bytes(
        "fcTL",
        PNGChunk.big(sequence) + PNGChunk.big(frame.size) + PNGChunk.big(frame.size) + PNGChunk.big(frame.x) + PNGChunk.big(0)
          + [0, 1, 0, 10] + [frame.disposal, frame.blending])
      sequence += 1 + (number == 0 ? form.gap : 0)
      if number == 0, form.startsEarly { file += animation }
      let data = PNGChunk.stored((0..<frame.size).flatMap { _ in row })
      if number == 0 {
        file += PNGChunk.bytes("IDAT", data)
      } else {
        file += PNGChunk.bytes("fdAT", PNGChunk.big(sequence) + data)
        sequence += 1
      }
    }
    return file + PNGChunk.bytes("IEND", [])
  }

  @Test("an APNG's frames are kept, put back or cleared, and laid over or put in place", arguments: APNGForm.all)
  func apng(form: APNGForm) throws {
    let (keep, clearAfter, putBack): (UInt8, UInt8, UInt8) = (0, 1, 2)
    let (inPlace, over): (UInt8, UInt8) = (0, 1)
    let faint: [UInt8] = [0, 0, 255, 128]
    let frames: [APNGFrame] = [
      (0, 4, keep, inPlace, Self.red), (2, 2, putBack, inPlace, Self.green), (0, 1, clearAfter, over, Self.blue),
      (1, 1, keep, over, Self.clear), (1, 1, keep, inPlace, Self.clear), (2, 2, keep, over, faint),
      (3, 1, keep, inPlace, faint),
    ]
    let file = Self.apng(frames, form)
    let rows = try Self.firstRows(file, as: "a.apng")
    try #require(rows.count == 7)
    #expect(rows[0] == [Self.red, Self.red, Self.red, Self.red])
    #expect(rows[1] == [Self.red, Self.red, Self.green, Self.green])
    #expect(rows[2] == [Self.blue, Self.red, Self.red, Self.red])
    #expect(rows[3] == [Self.clear, Self.red, Self.red, Self.red])
    #expect(rows[4] == [Self.clear, Self.clear, Self.red, Self.red])
    // Half of each.
    for (part, wanted) in zip(rows[5][2], [127, 0, 128, 255]) { #expect(abs(Int(part) - wanted) <= 1, "\(rows[5])") }
    #expect(rows[6][3] == faint)
  }

  @Test func `behind a picture for other viewers, the first frame of an APNG may be a part`() throws {
    let row: [UInt8] = [0] + Self.red + Self.red + Self.red + Self.red
    let data = PNGChunk.bytes("IDAT", PNGChunk.stored(row + row + row + row))
    var part = Self.apng([(1, 2, 0, 0, Self.green)])
    let control = try #require(part.firstRange(of: "fcTL".utf8)).lowerBound - 4
    part[control...] =
      data + part[control..<control + 38]
      + PNGChunk.bytes("fdAT", PNGChunk.big(1) + PNGChunk.stored([0] + Self.green + Self.green + [0] + Self.green + Self.green))
      + PNGChunk.bytes("IEND", [])
    #expect(try Self.firstRows(part, as: "a.apng") == [[Self.clear, Self.green, Self.green, Self.clear]])
    let folder = try TemporaryFolder()
    try Data(part).write(to: folder.url("cover.png"))
    // What Chromium shows at first.
    let still = try InputFile.open(folder.path("cover.png")).readPicture(limits: Limits()) { $0 }
    #expect(still.bytes.prefix(16).elementsEqual(Self.clear + Self.green + Self.green + Self.clear))
  }

  @Test func `an APNG is inspected whatever the order and the depth, and wrong numbers are an error`() throws {
    let folder = try TemporaryFolder()
    for form in APNGForm.all + [APNGForm(gap: 2)] {
      let frames: [APNGFrame] = [(0, 4, 0, 0, Self.red), (0, 4, 0, 0, Self.green), (0, 4, 0, 1, [0, 0, 255, 128])]
      try Data(Self.apng(frames, form)).write(to: folder.url("a.apng"))
      let inspection = try Inspector().inspect(folder.path("a.apng")).inspection
      #expect(inspection.facts.frameCount == 3 && inspection.facts.container == "apng", "\(form)")
      #expect(inspection.facts.bitDepth == form.depth, "\(form)")
      #expect(abs(inspection.facts.durationSeconds - 0.3) < 0.001, "\(form)")
      #expect(inspection.facts.isMisnumbered == (form.gap > 0 ? true : nil), "\(form)")
      let found = findings(of: inspection, "truncated")
      #expect(found.map(\.severity) == (form.gap > 0 ? [.error] : []), "\(form)")
    }
  }

  @Test func `a deep APNG that is cut short or damaged is refused`() throws {
    let folder = try TemporaryFolder()
    let file = Self.apng([(0, 4, 0, 0, Self.red), (0, 4, 0, 1, Self.green)], APNGForm(depth: 16))
    func code(_ bytes: [UInt8]) throws -> InspectionError.Code? {
      try Data(bytes).write(to: folder.url("a.apng"))
      return refusal { try Inspector().inspect(folder.path("a.apng")) }?.code
    }
    #expect(try code(file) == nil)
    #expect(try code(Array(file.dropLast(20))) == .truncated)
    var changed = file
    changed[file.count - 60] ^= 0x55
    #expect(try code(changed) == .decodeFailed)
  }
}
