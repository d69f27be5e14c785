@testable import ArtworkMedia

/// Box trees made for each case: whole, odd, and broken in every way a length can be.
@Suite struct MovieLayoutTests {
  typealias Bytes = [UInt8]

  static func u32(_ value: Int) -> Bytes { SmallMovie.number(value) }

  static func box(_ type: String, _ payload: Bytes = []) -> Bytes { SmallMovie.box(type, payload) }

  static func layout(_ bytes: Bytes) throws -> MovieLayout {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("movie.mp4"))
    // The descriptor outlives the folder.
    return try MovieLayout(reading: InputFile.open(folder.path("movie.mp4")))
  }

  /// A movie of one track with the time scales 1000 (movie) and 600 (media).
  static func movie(track: Int = 7, edits: Bytes? = nil, entry: Bytes? = nil, extra: Bytes = [], version: UInt8 = 0) -> Bytes {
    let times = Bytes(repeating: 0, count: version == 1 ? 16 : 8)
    func header(_ type: String, _ field: Int) -> Bytes {
      box(type, [version, 0, 0, 0] + times + u32(field) + Bytes(repeating: 0, count: 60))
    }
    let table = box("stsd", u32(0) + u32(1) + (entry ?? box("avc1", Bytes(repeating: 0, count: 78))))
    let media = box("mdia", header("mdhd", 600) + box("minf", box("stbl", table)))
    let list = edits.map { box("edts", box("elst", $0)) } ?? []
    return box("moov", header("mvhd", 1000) + box("trak", header("tkhd", track) + list + media) + extra)
  }

  static func edits(_ entries: [(Int, Int)], version: UInt8 = 0) -> Bytes {
    let size = version == 1 ? 8 : 4
    return [version, 0, 0, 0] + u32(entries.count)
      + entries.flatMap {
        SmallMovie.number($0.0, size) + SmallMovie.number($0.1, size) + [
          0, 1, 0, 0,
        ]
      }
  }

  @Test(
    "the top-level boxes determine the place of the movie header, fragments and cuts",
    arguments: [
      // boxes, header first, fragmented, cut short
      (["ftyp", "moov", "mdat"], true, false, false), (["ftyp", "mdat", "moov"], false, false, false),
      (["moov"], nil, false, false), (["mdat"], nil, false, true), (["ftyp"], nil, false, false),
      (["moov", "moof", "mdat"], true, true, false), (["moov", "sidx", "mdat"], true, true, false),
      (["mdat", "moov", "mdat"], false, false, false), (["free", "moov", "free", "mdat"], true, false, false),
    ] as [([String], Bool?, Bool, Bool)])
  func topLevel(boxes: [String], headerFirst: Bool?, fragmented: Bool, cut: Bool) throws {
    let layout = try Self.layout(boxes.flatMap { $0 == "moov" ? Self.movie() : Self.box($0, [1, 2, 3, 4]) })
    #expect(layout.movieHeaderFirst == headerFirst)
    #expect(layout.isFragmented == fragmented)
    #expect(layout.isCutShort == cut)
    #expect(!layout.isStillImage)
  }

  @Test func `a movie that may be extended is fragmented before its first fragment`() throws {
    #expect(try Self.layout(Self.movie(extra: Self.box("mvex"))).isFragmented)
  }

  @Test func `file-level items without a movie are a still image; beside one they are not`() throws {
    let image = try Self.layout(Self.box("meta", [0, 0, 0, 0]) + Self.box("mdat"))
    #expect(image.isStillImage && !image.isCutShort && image.lacksPrimaryItem)
    let named = try Self.layout(Self.box("meta", [0, 0, 0, 0] + Self.box("pitm", [0, 0, 0, 0, 0, 1])))
    #expect(named.isStillImage && !named.lacksPrimaryItem)
    let short = try Self.layout(Self.box("mini", [8, 8, 0x80]))
    #expect(short.isStillImage && !short.lacksPrimaryItem)
    let movie = try Self.layout(Self.box("meta", [0, 0, 0, 0]) + Self.movie() + Self.box("mdat"))
    #expect(!movie.isStillImage && movie.movieHeaderFirst == true)
  }

  @Test func `a box that claims bytes past the end is cut short`() throws {
    let whole = Self.movie() + Self.box("mdat", Bytes(repeating: 9, count: 100))
    #expect(try !Self.layout(whole).isCutShort)
    #expect(try Self.layout(whole.dropLast()).isCutShort)
    let far = Self.movie() + Self.u32(1) + Array("mdat".utf8) + SmallMovie.number(1 << 62, 8)
    #expect(try Self.layout(far + [0, 0]).isCutShort)
  }

  @Test func `sizes of 64 bits and sizes to the end of the file are followed`() throws {
    let long = Self.u32(1) + Array("free".utf8) + SmallMovie.number(24, 8) + Bytes(repeating: 0, count: 8)
    let open = Self.u32(0) + Array("mdat".utf8) + [1, 2, 3]
    let layout = try Self.layout(long + Self.movie(edits: Self.edits([(500, 0)])) + open)
    #expect(layout.movieHeaderFirst == true)
    #expect(!layout.isCutShort)
    #expect(layout.editList(track: 7) == [EditSegment(durationSeconds: 0.5, mediaSeconds: 0)])
  }

  @Test(arguments: [
    u32(4) + Array("moov".utf8), u32(7) + Array("moov".utf8), u32(1) + Array("moov".utf8),
    u32(1) + Array("moov".utf8) + SmallMovie.number(15, 8), u32(1) + Array("moov".utf8) + SmallMovie.number(-1, 8),
    u32(-1) + Array("moov".utf8), u32(0) + Array("moov".utf8), [0], u32(8) + [0xff, 0xfe, 0, 1], Bytes(repeating: 0, count: 16),
    Bytes(repeating: 0xff, count: 64),
  ])
  func `malformed lengths end the walk quietly`(tail: Bytes) throws {
    for head in [[], Self.box("ftyp", [1, 2, 3, 4]), Self.movie(edits: Self.edits([(1000, 300)]))] {
      let layout = try Self.layout(head + tail)
      let expected = head.count > 100 ? [EditSegment(durationSeconds: 1, mediaSeconds: 0.5)] : nil
      #expect(layout.editList(track: 7) == expected)
      #expect(layout.cleanAperture(track: 7, width: 96, height: 96) == nil)
    }
  }

  @Test(arguments: [2, 4, 7])
  func `a movie header too small to be a box is none`(size: Int) throws {
    let stub = Self.u32(size) + Array("moov".utf8) + Bytes(repeating: 0, count: 8)
    let layout = try Self.layout(Self.box("mdat", [1, 2, 3, 4]) + stub)
    #expect(layout.isCutShort)
    #expect(layout.movieHeaderFirst == nil)
  }

  @Test(arguments: [0, 1] as [UInt8])
  func `edit lists of both versions, with empty edits`(version: UInt8) throws {
    let edits = Self.edits([(1000, -1), (2500, 50), (0, 0)], version: version)
    for headers in [0, 1] as [UInt8] {
      let layout = try Self.layout(Self.movie(edits: edits, version: headers))
      #expect(
        layout.editList(track: 7) == [
          EditSegment(durationSeconds: 1, mediaSeconds: nil), EditSegment(durationSeconds: 2.5, mediaSeconds: 50.0 / 600),
          EditSegment(durationSeconds: 0, mediaSeconds: 0),
        ])
      #expect(layout.editList(track: 8) == nil, "another track's list was read")
    }
  }

  @Test func `an edit list that promises more entries than it holds gives those it holds`() throws {
    let one = Self.edits([(1000, 0)])
    let promising = Array(one.prefix(4)) + Self.u32(0x7fff_ffff) + one.dropFirst(8)
    let layout = try Self.layout(Self.movie(edits: promising))
    #expect(layout.editList(track: 7) == [EditSegment(durationSeconds: 1, mediaSeconds: 0)])
    #expect(try Self.layout(Self.movie(edits: [0, 0])).editList(track: 7) == nil)
    #expect(try Self.layout(Self.movie(edits: Self.edits([]))).editList(track: 7) == nil)
  }

  @Test func `a movie without an edit list has none`() throws {
    #expect(try Self.layout(Self.movie()).editList(track: 7) == nil)
    #expect(try Self.layout(Self.box("moov")).editList(track: 7) == nil)
  }

  static func entry(clap fields: [Int]) -> Bytes {
    box("avc1", Bytes(repeating: 0, count: 78) + box("pasp", u32(1) + u32(1)) + box("clap", fields.flatMap(u32)))
  }

  /// Width, height, horizontal and vertical offset of the centre, each a fraction, in a 96x104 picture.
  @Test(
    "a clean aperture inside the picture is read to whole pixels",
    arguments: [
      ([96, 1, 96, 1, 0, 1, 0, 1], CleanAperture(x: 0, y: 4, width: 96, height: 96)),
      ([192, 2, 288, 3, 0, 7, 0, 9], CleanAperture(x: 0, y: 4, width: 96, height: 96)),
      ([48, 1, 48, 1, -24, 1, -28, 1], CleanAperture(x: 0, y: 0, width: 48, height: 48)),
      ([48, 1, 48, 1, 24, 1, 28, 1], CleanAperture(x: 48, y: 56, width: 48, height: 48)),
      ([191, 2, 104, 1, 0, 1, 0, 1], nil),  // 95.5 rounds to the whole width
      ([95, 1, 104, 1, 0, 1, 0, 1], CleanAperture(x: 0, y: 0, width: 95, height: 104)),
      // None, or none that makes sense.
      ([96, 1, 104, 1, 0, 1, 0, 1], nil), ([97, 1, 96, 1, 0, 1, 0, 1], nil), ([96, 1, 96, 1, 0, 1, 5, 1], nil),
      ([96, 1, 96, 1, -1, 1, 0, 1], nil), ([96, 0, 96, 1, 0, 1, 0, 1], nil), ([96, 1, 96, 1, 0, 1, 0, 0], nil),
      ([0, 1, 96, 1, 0, 1, 0, 1], nil), ([-96, 1, 96, 1, 0, 1, 0, 1], nil),
      ([-96, -1, 96, 1, 0, 1, 0, 1], CleanAperture(x: 0, y: 4, width: 96, height: 96)),
      ([0x7fff_ffff, 1, 0x7fff_ffff, 1, 0x7fff_ffff, 1, -0x8000_0000, 1], nil), ([1, 0x7fff_ffff, 96, 1, 0, 1, 0, 1], nil),
      ([96, 1, 96, 1, 0, 1], nil),
    ] as [([Int], CleanAperture?)])
  func cleanAperture(fields: [Int], expected: CleanAperture?) throws {
    let layout = try Self.layout(Self.movie(entry: Self.entry(clap: fields)))
    #expect(layout.cleanAperture(track: 7, width: 96, height: 104) == expected)
    #expect(layout.cleanAperture(track: 6, width: 96, height: 104) == nil)
  }

  @Test func `every cut and every flipped byte of a movie is survived`() throws {
    let whole = Self.movie(edits: Self.edits([(1000, 300)]), entry: Self.entry(clap: [48, 1, 48, 1, 0, 1, 0, 1]))
    let folder = try TemporaryFolder()
    func read(_ bytes: Bytes) throws -> (edits: [EditSegment]?, aperture: CleanAperture?) {
      try Data(bytes).write(to: folder.url("movie.mp4"))
      // Some mutations declare more than a file may.
      guard let layout = try? MovieLayout(reading: InputFile.open(folder.path("movie.mp4"))) else { return (nil, nil) }
      return (layout.editList(track: 7), layout.cleanAperture(track: 7, width: 96, height: 96))
    }
    #expect(try read(whole).aperture != nil)
    for index in whole.indices {
      if index > 0 { #expect(try read(Array(whole.prefix(index))).aperture == nil) }
      for value in (Nightly.isOn ? [0, 1, 0x7f, 0xff] : [0, 0xff]) as [UInt8] {
        var mutated = whole
        mutated[index] = value
        let (edits, aperture) = try read(mutated)
        #expect(edits?.allSatisfy { $0.durationSeconds.isFinite && $0.durationSeconds >= 0 } ?? true)
        if let aperture {
          #expect(aperture.x >= 0 && aperture.x + aperture.width <= 96)
          #expect(aperture.y >= 0 && aperture.y + aperture.height <= 96)
        }
      }
    }
  }
}
