/// A8: movies without moving pictures.
enum MissingContent {
  static let files: [HostileFile] = [
    file("zero-frames.mov", .error("no-frames"), "a video track with no sample", SampleTables.empty.bytes()),
    file(
      "init-segment.mp4", .error("no-frames"), "the header of a fragmented file, no fragment",
      {
        var movie = SampleTables.empty
        movie.movieExtras = SampleTables.extends
        return movie.bytes()
      }()),
    file(
      "init-segment-real.mp4", .error("stream-part"), "a real one",
      {
        let movie = MovieFile("frag-keyframe.mp4")
        return Bytes(movie.bytes[..<movie.located("moov")[0].upperBound])
      }()),
    file(
      "audio-only.mp4", .error("no-video"), "sound only",
      {
        let entry = box("sowt", zeros(6), be16(1), zeros(8), be16(1), be16(16), zeros(4), be32(8000 << 16))
        var movie = MovieBuilder(entry: entry, samples: [zeros(16)], width: 0, height: 0)
        movie.handler = "soun"
        return movie.bytes()
      }()),
    file(
      "cover-only.mp4", .error("no-video"), "a cover picture and no track",
      {
        let picture = PNGPicture.solid(width: 16, height: 16, red: 1, green: 2, blue: 3)
        let cover = box("covr", box("data", be32([14, 0]) + picture))
        return box("ftyp", Bytes("M4V ".utf8), be32(0))
          + box(
            "moov", MovieBuilder.header(timeScale: 1, duration: 0),
            box("udta", fullBox("meta", Texts.metadataHandler, box("ilst", cover))))
      }()),
    file("header-only.mp4", .error("not-a-movie"), "a file type and nothing else", box("ftyp", Bytes("isom".utf8), be32(0))),
    file(
      "empty-movie.mp4", .error("no-video"), "a movie header without a track",
      box("ftyp", Bytes("isom".utf8), be32(0)) + box("moov", MovieBuilder.header(timeScale: 1, duration: 0))),
    file(
      "empty-samples.mp4", .error("no-frames"), "samples of 0 bytes",
      {
        var movie = SampleTables.empty
        movie.samples = Array(repeating: [], count: 24)
        return movie.bytes()
      }()), file("still.mp4", .error("not-a-movie"), "a still picture", still(fullBox("pitm", be16(1)))),
    file("still-no-pitm.mp4", .error("not-a-movie"), "a still whose picture is not named", still()),
    // libavformat 59 takes the items for the movie, and reads memory that it never set.
    file("items-no-pitm.mp4", .error("no-frames"), "a movie behind such items", still() + Durations.base.bytes),
  ]

  /// AVIF with one item in its data (ISO/IEC 14496-12, 8.11).
  private static func still(_ names: Bytes...) -> Bytes {
    let brand = box("ftyp", Bytes("avif".utf8), be32(0), Bytes("mif1".utf8))
    let handler = fullBox("hdlr", zeros(4), Bytes("pict".utf8), zeros(13))
    // Offsets and lengths of four bytes; one item, number 1, with one extent of 64 bytes.
    let places = fullBox("iloc", be16(0x4400), be16(1), be16(1), be16(0), be16(1), be32([200, 64]))
    return brand + box("meta", [zeros(4), handler] + names + [places]) + box("mdat", Bytes(repeating: 9, count: 200))
  }

  private static func file(
    _ name: String, _ label: HostileFile.Label, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes
  ) -> HostileFile { HostileFile("A8", name, label, reason, make()) }
}

/// A11: more of something than anyone needs.
enum Floods {
  private static let base = Durations.base

  static let files: [HostileFile] =
    [65, 900, 1200].map { count in
      file("tracks-\(count).mp4", .error("too-many-streams"), "\(count) video tracks", tracks(count))
    } + [
      file("tracks-64.mp4", .error("no-frames"), "as many tracks as the limit allows, empty ones", tracks(64)),
      file(
        "nested-moov.mp4", .error("not-a-movie"), "2,000 nested moov",
        box("ftyp", Bytes("isom".utf8), be32(0)) + nested("moov", 2000)),
      file(
        "nested-trak.mp4", .error("not-a-movie", "no-video"), "2,000 nested trak",
        box("ftyp", Bytes("isom".utf8), be32(0))
          + box("moov", MovieBuilder.header(timeScale: 1, duration: 0), nested("trak", 2000))),
      file("nested-udta.mp4", .error("not-a-movie"), "2,000 nested udta", base.appending("moov", nested("udta", 2000)).bytes),
      file(
        "user-data.mp4", .inspected(facts: ["frameCount": 24]), "20,000 texts of user data",
        {
          let one = be32(13) + [0xa9] + Bytes("nam".utf8) + be16(1) + be16(0) + [0x41]
          return base.appending("moov", box("udta", (0..<20_000).flatMap { _ in one })).bytes
        }()),
      file(
        "metadata.mp4", .inspected(facts: ["frameCount": 24]), "20,000 metadata entries",
        {
          let entries = (0..<20_000).flatMap { Texts.entry("k\($0 % 1000)", "v") }
          return base.appending("moov/udta", Texts.metadata(entries)).bytes
        }()),
      file(
        "free.mp4", .inspected(facts: ["frameCount": 24]), "50,000 empty boxes before the movie",
        {
          let free = box("free", [Bytes]())
          var movie = base
          let flood = (0..<50_000).flatMap { _ in free }
          movie = movie.with(
            "\(MovieFile.table)/stco", at: 8, be32(movie.first32("\(MovieFile.table)/stco", at: 8) + flood.count))
          movie.bytes.insert(contentsOf: flood, at: movie.located("ftyp")[0].upperBound)
          return movie.bytes
        }()),
      file(
        "moovs.mp4", .inspected(facts: ["frameCount": 24]).or("too-many-streams"), "the movie header a hundred times",
        {
          let moov = base.bytes[base.located("moov")[0]]
          return base.bytes + (0..<100).flatMap { _ in moov }
        }()),
      file(
        "sample-entries.mp4", .error("not-a-movie"), "2,000 sample entries for 24 samples",
        {
          let path = "\(MovieFile.table)/stsd"
          let content = base.payload(path)
          let entry = content[8...]
          return base.with(path, payload: be32([0, 2000]) + (0..<2000).flatMap { _ in entry }).bytes
        }()),
      file(
        "box-overflow.mp4", .error("truncated"), "a box of 2^63 - 1 bytes",
        box("ftyp", Bytes("isom".utf8), be32(0)) + be32(1) + Bytes("moov".utf8) + be64(.max)),
      file(
        "box-size-0.mp4", .error("not-a-movie"), "boxes without end",
        box("ftyp", Bytes("isom".utf8), be32(0)) + (0..<1000).flatMap { _ in be32(0) + Bytes("moov".utf8) }),
    ]

  private static func file(
    _ name: String, _ label: HostileFile.Label, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes
  ) -> HostileFile { HostileFile("A11", name, label, reason, make()) }

  private static func tracks(_ count: Int) -> Bytes { SampleTables.empty.bytes(copies: count) }

  private static func nested(_ type: String, _ depth: Int) -> Bytes {
    (0..<depth).flatMap { be32(8 * (depth - $0)) + Bytes(type.utf8) }
  }
}

/// A13: codecs that cannot be decoded. A14: streams that do not start with a keyframe. A9: data that
/// ends before its tables.
enum Codecs {
  private static let base = Durations.base
  private static let entryPath = "\(MovieFile.table)/stsd/avc1"

  static let files: [HostileFile] =
    ["vvc1", "xxxx", "dvxx", "text", "\u{1}\u{2}\u{3}\u{4}"].enumerated().map { number, type in
      HostileFile(
        "A13", "codec-\(number).mp4", .error("unsupported-codec"), "a sample entry of type \(type.debugDescription)",
        base.with(entryPath, box: box(type, base.payload(entryPath))).bytes)
    } + [
      HostileFile(
        "A13", "encrypted.mp4", .error("unsupported-codec"), "an encrypted track (encv, cenc): its data is noise",
        {
          let base = scrambled
          let scheme = box(
            "sinf", box("frma", Bytes("avc1".utf8)), fullBox("schm", Bytes("cenc".utf8), be32(0x10000)),
            box("schi", fullBox("tenc", be32(0x0108), Bytes(repeating: 7, count: 16))))
          return base.with(entryPath, box: box("encv", base.payload(entryPath) + scheme)).bytes
        }()),
      HostileFile(
        "A13", "aspect-1137x800.mp4", .inspected("aspect-ratio"), "pixels of 1137:800",
        base.with("\(entryPath)/pasp", payload: be32([1137, 800])).bytes),
      HostileFile(
        "A13", "no-setup.mp4", .error("decode-failed", "not-a-movie"), "H.264 without its set-up data",
        base.without("\(entryPath)/avcC").bytes),
      HostileFile(
        "A14", "no-key-frame.mp4", .error("no-frames"), "the only key frame is gone: nothing but grey could be shown",
        withoutFirst("h264-baseline.mp4").bytes),
      HostileFile(
        "A14", "late-key-frame.mp4", .inspected("truncated"),
        "the first key frame is gone: what precedes the second cannot be shown", withoutFirst("h264-closed-gop.mp4").bytes),
      HostileFile(
        "A14", "no-sync-samples.mp4", .error("no-frames"), "the same, and all samples said to be key frames",
        withoutFirst("h264-baseline.mp4").without("\(MovieFile.table)/stss").bytes),
      HostileFile(
        "A14", "wrong-sync-sample.mp4", .inspected(facts: ["frameCount": 24]), "the fifth sample said to be the only key frame",
        base.with("\(MovieFile.table)/stss", at: 8, be32(5)).bytes),
      HostileFile(
        "A9", "data-past-end.mp4", .error("no-frames"), "chunks that lie past the end of the file",
        base.with("\(MovieFile.table)/stco", at: 8, be32(0x7fff_fff0)).bytes),
      HostileFile(
        "A9", "size-past-end.mp4", .inspected("truncated"), "a last sample that passes the end",
        base.with("\(MovieFile.table)/stsz", at: 12 + 4 * 23, be32(0xffffff)).bytes),
      HostileFile(
        "A9", "size-maximum.mp4", .inspected("truncated"),
        "a last sample of 2^31 - 1 bytes, which libavformat leaves out of its index",
        base.with("\(MovieFile.table)/stsz", at: 12 + 4 * 23, be32(0x7fff_ffff)).bytes),
    ]

  /// The clip with noise for data, but for the length and the header of each unit.
  private static let scrambled: MovieFile = {
    var movie = base
    let data = base.located("mdat")[0]
    var start = base.first32("\(MovieFile.table)/stco", at: 8)
    while start < data.upperBound {
      let length = movie.bytes.unsigned32(at: start)
      for place in (start + 5)..<(start + 4 + length) {
        movie.bytes[place] ^= UInt8(truncatingIfNeeded: place &* 151 ^ place >> 3)
      }
      start += 4 + length
    }
    return movie
  }()

  /// The clip without its first sample: the first chunk starts one later.
  private static func withoutFirst(_ fixture: String) -> MovieFile {
    let movie = MovieFile(fixture)
    let (sizes, offsets) = ("\(MovieFile.table)/stsz", "\(MovieFile.table)/stco")
    let count = movie.first32(sizes, at: 8)
    let start = movie.first32(offsets, at: 8) + movie.first32(sizes, at: 12)
    return movie.with(sizes, payload: be32([0, 0, count - 1]) + movie.payload(sizes)[16...]).with(offsets, at: 8, be32(start))
      .with("\(MovieFile.table)/stts", payload: be32([0, 1, count - 1, movie.first32("\(MovieFile.table)/stts", at: 12)]))
  }
}

/// A15: texts that want to be more than texts.
enum Texts {
  static let escape = "\u{1b}[2J\u{1b}]0;owned\u{7}\r\n::error::injected\n<failure>&\"'\u{9b}31m"

  static let files: [HostileFile] = [
    file(
      "title-1mb.mp4", "a title of 1 MB",
      base.appending("moov/udta", metadata(entry("\u{a9}nam", String(repeating: "x", count: 1 << 20)))).bytes),
    file(
      "title-escapes.mp4", "a title with escape sequences and line breaks",
      base.appending("moov/udta", metadata(entry("\u{a9}nam", escape))).bytes),
    file(
      "title-not-text.mp4", "a title that is not UTF-8 and holds NUL",
      {
        let data = box("data", be32([1, 0]) + [0xff, 0xfe, 0, 0xc0, 0x80, 0xed, 0xa0, 0x80])
        return base.appending("moov/udta", metadata(be32(8 + data.count) + latin("\u{a9}nam") + data)).bytes
      }()),
    file(
      "handler-escapes.mp4", "a handler's name with escape sequences",
      base.with("moov/trak/mdia/hdlr", payload: zeros(8) + Bytes("vide".utf8) + zeros(12) + Bytes(escape.utf8) + [0]).bytes),
    file("brand-escapes.mp4", "a brand that clears the screen", base.with("ftyp", at: 0, Bytes("\u{1b}[2J".utf8)).bytes),
    HostileFile(
      "A15", "codec-escapes.mp4", .error("unsupported-codec"), "a codec that clears the screen",
      {
        let path = "\(MovieFile.table)/stsd/avc1"
        return base.with(path, box: box("\u{1b}[2J", base.payload(path))).bytes
      }()),
    HostileFile(
      "A15", "name-\u{1b}[31mred\u{1b}[0m.mp4", .inspected(facts: ["frameCount": 24]), "a file name in red", base.bytes),
    HostileFile(
      "A15", "name-\r\n::error::injected\nverdict: pass.mp4", .inspected(facts: ["frameCount": 24]),
      "a file name of several lines", base.bytes),
    HostileFile(
      "A15", "name-\u{202e}4pm.exe\u{202c}.mp4", .inspected(facts: ["frameCount": 24]),
      "a file name that changes its direction", base.bytes),
  ]

  private static let base = Durations.base

  private static func file(_ name: String, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes)
    -> HostileFile
  { HostileFile("A15", name, .inspected(facts: ["frameCount": 24]), reason, make()) }

  static let metadataHandler = fullBox("hdlr", zeros(4), Bytes("mdirappl".utf8), zeros(9))

  static func metadata(_ entries: Bytes) -> Bytes { fullBox("meta", metadataHandler, box("ilst", entries)) }

  /// An entry of iTunes metadata: UTF-8 text. Types have four bytes, the first of them often 0xa9.
  static func entry(_ type: String, _ text: String) -> Bytes {
    let data = box("data", be32([1, 0]), Bytes(text.utf8))
    let name = latin(type)
    return be32(8 + data.count) + name + zeros(4 - name.count) + data
  }

  private static func latin(_ text: String) -> Bytes {
    text.unicodeScalars.prefix(4).map { UInt8(truncatingIfNeeded: $0.value) }
  }
}
