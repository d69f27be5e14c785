/// A7: durations that are not the frames'.
enum Durations {
  static let base = MovieFile("h264-baseline.mp4")

  static let files: [HostileFile] =
    [
      ("billion-seconds", 1_000_000_000), ("ffffffff", 0xffff_ffff), ("7fffffff", 0x7fff_ffff), ("143165-seconds", 143_165),
      ("zero", 0),
    ].map { name, value in file("declared-\(name).mp4", "a duration of \(value) in all headers", declared(value)) } + [
      file(
        "declared-minus-1.mp4", "a duration of -1 in headers of version 1",
        base.with("moov/mvhd", box: wide("mvhd", base.payload("moov/mvhd"), at: 12)).with(
          "moov/trak/tkhd", box: wide("tkhd", base.payload("moov/trak/tkhd"), at: 12)
        ).with("moov/trak/mdia/mdhd", box: wide("mdhd", base.payload("moov/trak/mdia/mdhd"), at: 12)).bytes),
      HostileFile("A7", "real-12-minutes.mp4", .error("too-long"), "24 frames that really last 12 minutes", lasting(30).bytes),
      HostileFile(
        "A7", "real-maximum.mp4", .error("too-long"), "24 frames, each 2^31 - 1 ticks long", steps(0x7fff_ffff).bytes),
      HostileFile(
        "A7", "real-9-minutes.mp4", .inspected("duration", facts: ["frameCount": 24]),
        "24 frames that last 9 minutes: a finding, no error", lasting(22.5).bytes),
    ]

  private static func file(_ name: String, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes)
    -> HostileFile
  {
    HostileFile(
      "A7", name, .inspected(facts: ["durationSeconds": 1, "frameCount": 24]), reason + ": the frames' own times count", make())
  }

  private static func declared(_ value: Int) -> Bytes {
    let scaled = value == 143_165 || value == 1_000_000_000
    func ticks(_ path: String, at offset: Int) -> Bytes {
      be32(scaled ? min(value &* base.first32(path, at: offset), 0xffff_ffff) : value)
    }
    return base.with("moov/mvhd", at: 16, ticks("moov/mvhd", at: 12)).with("moov/trak/tkhd", at: 20, ticks("moov/mvhd", at: 12))
      .with("moov/trak/mdia/mdhd", at: 16, ticks("moov/trak/mdia/mdhd", at: 12)).bytes
  }

  /// A header of version 1 with -1 for a duration: times of 8 bytes instead of 4.
  private static func wide(_ type: String, _ payload: Bytes, at scale: Int) -> Bytes {
    // The track header has four reserved bytes between its identifier and its duration.
    let duration = scale + (type == "tkhd" ? 8 : 4)
    let flags: Bytes = [1] + payload[1..<4]
    return box(type, flags, zeros(16), Bytes(payload[scale..<duration]), be64(-1), Bytes(payload[(duration + 4)...]))
  }

  private static func steps(_ ticks: Int) -> MovieFile {
    base.with("\(MovieFile.table)/stts", payload: be32([0, 1, 24, ticks])).without("moov/trak/edts")
  }

  private static func lasting(_ seconds: Double) -> MovieFile {
    steps(Int(seconds * Double(base.first32("moov/trak/mdia/mdhd", at: 12))))
  }
}

/// A10: numbers that arithmetic does not survive.
enum Numbers {
  private static let base = Durations.base
  private static let mediaHeader = "moov/trak/mdia/mdhd"

  static let files: [HostileFile] = [
    file(
      "matrix-zero.mp4", .inspected(facts: ["frameCount": 24]), "a display matrix of zeros",
      base.with("moov/trak/tkhd", at: 40, zeros(36)).bytes),
    file(
      "matrix-huge.mp4", .inspected(facts: ["frameCount": 24]), "a display matrix of 2^31 - 1",
      base.with("moov/trak/tkhd", at: 40, be32(Array(repeating: 0x7fff_ffff, count: 9))).bytes),
    file(
      "matrix-least.mp4", .inspected(facts: ["frameCount": 24]), "a display matrix of -2^31",
      base.with("moov/trak/tkhd", at: 40, be32(Array(repeating: 0x8000_0000, count: 9))).bytes),
    file(
      "timescale-0.mp4", .error("too-long"), "a time scale of zero, which libavformat takes for 1: 512 s a frame",
      base.with(mediaHeader, at: 12, zeros(4)).without("moov/trak/edts").bytes),
    file(
      "timescale-0-movie.mp4", .inspected(), "a time scale of zero for the movie",
      base.with("moov/mvhd", at: 12, zeros(4)).bytes),
    file(
      "timescale-maximum.mp4", .inspected("frame-rate"), "a time scale of 2^31 - 1",
      base.with(mediaHeader, at: 12, be32(0x7fff_ffff)).without("moov/trak/edts").bytes),
    file(
      "timescale-negative.mp4", .error("too-long"), "a time scale of 2^32 - 1",
      base.with(mediaHeader, at: 12, be32(0xffff_ffff)).without("moov/trak/edts").bytes),
    file(
      "step-0.mp4", .inspected(), "frames that take no time: a rate of 1/0",
      base.with("\(MovieFile.table)/stts", payload: be32([0, 1, 24, 0])).without("moov/trak/edts").bytes),
    file(
      "step-negative.mp4", .inspected(), "times that run backwards",
      base.with("\(MovieFile.table)/stts", payload: be32([0, 1, 24, 0xffff_fe00])).without("moov/trak/edts").bytes),
    file(
      "offsets-extreme.mp4", .inspected(), "composition offsets from -2^31 to 2^31 - 1",
      {
        let offsets = (0..<24).flatMap { be32([1, $0 % 2 == 0 ? 0x7fff_ffff : 0x8000_0000]) }
        let table = "\(MovieFile.table)/stts"
        return base.with(table, box: box("stts", base.payload(table)) + fullBox("ctts", version: 1, be32(24), offsets)).without(
          "moov/trak/edts"
        ).bytes
      }()), edits("huge", [(0xffff_ffff, 0x7fff_ffff)], .error("no-frames")), edits("negative", [(1000, -2)], .inspected()),
    edits("least", [(1000, -0x8000_0000)], .error("no-frames")), edits("zero-length", [(0, 0)], .error("no-frames")),
    edits("all-empty", [(0x7fff_ffff, -1), (0x7fff_ffff, -1)], .error("no-frames")),
    edits("2000", Array(repeating: (1, 0), count: 2000), .inspected(facts: ["frameCount": 2000])),
    edits("10000-empty", Array(repeating: (0xffff_ffff, -1), count: 10_000), .error("no-frames")),
    file(
      "edits-wide.mp4", .inspected(), "an edit of 2^63 - 1 at -2^63 + 1",
      base.with("moov/trak/edts/elst", box: fullBox("elst", version: 1, be32(1), be64(.max), be64(.min + 1), be32(0x10000)))
        .bytes),
    file(
      "edits-rate-0.mp4", .inspected(), "an edit that shows one moment for a second",
      base.with("moov/trak/edts/elst", at: 16, zeros(4)).bytes),
    file(
      "edits-count.mp4", .inspected(facts: ["frameCount": 24]), "an edit list that claims 2^32 - 1 entries",
      base.with("moov/trak/edts/elst", at: 4, be32(0xffff_ffff)).bytes),
    file("aspect-zero.mp4", .inspected(), "pixels of 0:0", aspect(0, 0).bytes),
    file("aspect-huge.mp4", .inspected("aspect-ratio"), "pixels of 2^31 - 1 to 1", aspect(0x7fff_ffff, 1).bytes),
    file("aspect-tiny.mp4", .inspected(), "pixels of 1 to 2^31 - 1", aspect(1, 0x7fff_ffff).bytes),
    file(
      "aperture-extreme.mp4", .inspected(), "a clean aperture with zeros and extremes",
      extended(box("clap", be32([0xffff_ffff, 1, 0x8000_0000, 0xffff_ffff, 1, 0, 0x7fff_ffff, 1]))).bytes),
    file(
      "start-far.mp4", .error("not-a-movie"), "fragments that start at 2^63 - 1 ticks",
      {
        var file = MovieFile("frag-keyframe.mp4")
        let boxes = file.bytes.indices.dropLast(4).filter { file.bytes[$0..<$0 + 4].elementsEqual("tfdt".utf8) }
        for place in boxes where file.bytes[place + 4] == 1 { file.bytes.overwrite(at: place + 8, with: be64(.max)) }
        return file.bytes
      }()),
  ]

  private static func file(
    _ name: String, _ label: HostileFile.Label, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes
  ) -> HostileFile { HostileFile("A10", name, label, reason, make()) }

  private static func edits(_ name: String, _ entries: [(duration: Int, start: Int)], _ label: HostileFile.Label) -> HostileFile
  {
    let bytes = be32([0, entries.count]) + entries.flatMap { be32([$0.duration, $0.start, 0x10000]) }
    return file("edits-\(name).mp4", label, "edits: \(name)", base.with("moov/trak/edts/elst", payload: bytes).bytes)
  }

  static func extended(_ child: Bytes) -> MovieFile { base.appending("\(MovieFile.table)/stsd/avc1", child) }

  private static func aspect(_ horizontal: Int, _ vertical: Int) -> MovieFile {
    let path = "\(MovieFile.table)/stsd/avc1/pasp"
    return base.with(path, payload: be32([horizontal, vertical]))
  }
}
