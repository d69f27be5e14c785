/// A6: tables of a few bytes that stand for millions of frames. A12: frames that take long to decode.
enum SampleTables {
  static let files: [HostileFile] =
    [1_000_000, 10_000_000, 89_000_000].map { count in
      file("stsz-\(count).mov", "\(count) samples of one byte in 600 bytes", declared(count))
    } + [
      file("stsz-20001.mov", "one sample more than the limit allows", declared(20_001)),
      HostileFile(
        "A6", "stsz-20000.mov", .error("decode-failed"), "as many samples as the limit allows, without data", declared(20_000)),
      file("stsz-maximum.mov", "2^32 - 1 samples", declared(0xffff_ffff)),
      // Sizes of four bits take half a byte a sample, so the table itself is short.
      HostileFile(
        "A6", "stz2-cut.mov", .error("too-many-frames", "no-frames"),
        "10^8 samples of four bits each, in a table that ends after one",
        {
          var movie = empty
          movie.tables["stsz"] = fullBox("stz2", be32([4, 100_000_000]), zeros(8))
          return movie.bytes()
        }()),
      HostileFile(
        "A6", "trun-100000000.mp4", .error("too-many-frames", "out-of-memory"),
        "a fragment that says 10^8 samples, whose sizes are defaults and take no bytes", fragment(samples: 100_000_000)),
      HostileFile(
        "A6", "trun-80000000.mp4", .error("too-many-frames", "out-of-memory"),
        "a fragment of 8 * 10^7 samples, for which libavformat allocates 2 GB", fragment(samples: 80_000_000)),
      HostileFile(
        "A6", "truns-1000x30000.mp4", .error("too-many-frames", "out-of-memory"),
        "a thousand fragments with 30,000 samples each in 100 kB",
        {
          let one = fragment(samples: 30000)
          let start = fragmentStart
          return start + (0..<1000).flatMap { _ in one[start.count...] }
        }()),
      file(
        "ctts-and-stts.mov", "10^7 samples, with run lengths for their times",
        {
          var movie = empty
          movie.tables = declaredTables(10_000_000)
          movie.tables["ctts"] = fullBox("ctts", be32([1, 10_000_000, 1]))
          return movie.bytes()
        }()),
    ]

  /// Frames that skip every block cost a few bytes and the copying of a picture: 16.8 million pixels
  /// each here, 20 ms, and only the first can be started from.
  static let slow = HostileFile(
    "A12", "skips-4096.mp4", .error("timed-out"), "19,937 H.264 frames of 4096x4096 in 150 kB: minutes of decoding",
    SkippedFrames.movie(side: 4096, groups: 1246))

  private static func file(_ name: String, _ reason: String, _ make: @autoclosure @escaping @Sendable () -> Bytes)
    -> HostileFile
  { HostileFile("A6", name, .error("too-many-frames"), reason, make()) }

  static let empty = MovieBuilder(
    entry: MovieBuilder.visualEntry("avc1", width: 64, height: 64), samples: [], width: 64, height: 64)

  private static func declaredTables(_ count: Int) -> [String: Bytes] {
    [
      "stsz": fullBox("stsz", be32([1, count])), "stts": fullBox("stts", be32([1, count, 1])),
      "stsc": fullBox("stsc", be32([1, 1, count, 1])),
    ]
  }

  private static func declared(_ count: Int) -> Bytes {
    var movie = empty
    movie.timeScale = 1_000_000
    movie.tables = declaredTables(count)
    return movie.bytes()
  }

  static let extends = box("mvex", fullBox("trex", be32([1, 1, 1, 1, 0])))

  private static let fragmentStart: Bytes = {
    var movie = empty
    movie.timeScale = 1_000_000
    movie.movieExtras = extends
    return movie.bytes()
  }()

  private static func fragment(samples: Int) -> Bytes {
    fragmentStart
      + box(
        "moof", fullBox("mfhd", be32(1)), box("traf", fullBox("tfhd", flags: 0x20000, be32(1)), fullBox("trun", be32(samples))))
      + box("mdat", zeros(16))
  }
}

/// H.264 written by hand: a grey picture and frames that repeat it.
enum SkippedFrames {
  /// - Parameter groups: of sixteen frames that share their data; a frame number has four bits.
  static func movie(side: Int, groups: Int) -> Bytes {
    let (parameters, picture) = (sets(side: side), firstPicture(side: side))
    let record =
      Bytes([1, 66, 0xc0, 52, 0xff, 0xe1]) + be16(parameters.sequence.count) + parameters.sequence + [1]
      + be16(parameters.picture.count) + parameters.picture
    var movie = MovieBuilder(
      entry: MovieBuilder.visualEntry("avc1", width: side, height: side, box("avcC", record)),
      samples: [picture] + (1...16).map { repetition(side: side, number: $0 % 16) }, width: side, height: side)
    movie.timeScale = 60
    let count = 1 + 16 * groups
    let size = movie.samples[1].count
    precondition(movie.samples.dropFirst().allSatisfy { $0.count == size })
    let start = 28
    movie.tables = [
      "stts": fullBox("stts", be32([1, count, 1])),
      "stsz": fullBox("stsz", be32([0, count, picture.count]) + (1..<count).flatMap { _ in be32(size) }),
      "stsc": fullBox("stsc", be32([2, 1, 1, 1, 2, 16, 1])),
      "stco": fullBox("stco", be32([groups + 1, start]) + (0..<groups).flatMap { _ in be32(start + picture.count) }),
    ]
    movie.trackExtras = []
    let keys = fullBox("stss", be32([1, 1]))
    movie.tables["stts"]? += keys
    return movie.bytes()
  }

  private static func sets(side: Int) -> (sequence: Bytes, picture: Bytes) {
    var sequence = Bits([66, 0xc0, 52])
    // Identifier, frame numbers of four bits, output in decoding order, one reference.
    for value in [0, 0, 2, 1] { sequence.putGolomb(value) }
    sequence.put(0, 1)
    sequence.putGolomb(side / 16 - 1)
    sequence.putGolomb(side / 16 - 1)
    sequence.put(0b1100, 4)
    sequence.close()
    var picture = Bits()
    for value in [0, 0] { picture.putGolomb(value) }
    picture.put(0, 2)
    for value in [0, 0, 0] { picture.putGolomb(value) }
    picture.put(0, 3)
    for value in [0, 0, 0] { picture.putGolomb(value) }
    picture.put(0b100, 3)
    picture.close()
    return ([0x67] + escaped(sequence.bytes), [0x68] + escaped(picture.bytes))
  }

  /// Every block is predicted from its neighbours and has nothing to add: eight bits.
  private static func firstPicture(side: Int) -> Bytes {
    var head = Bits()
    for value in [0, 7, 0] { head.putGolomb(value) }
    head.put(0, 4)
    // Identifier, no marking, quantiser, no deblocking.
    head.putGolomb(0)
    head.put(0, 2)
    head.putGolomb(0)
    head.putGolomb(1)
    let used = head.values.count % 8
    let block = 0b0010_0111
    head.put(block >> used, 8 - used)
    // The rest of one block and the start of the next.
    let byte = UInt8((block << (8 - used) | block >> used) & 0xff)
    var tail = Bits()
    if used > 0 { tail.put(block & (1 << used - 1), used) }
    tail.close()
    let body = Bytes(repeating: byte, count: side / 16 * side / 16 - 1)
    return unit(0x65, head.bytes + body + tail.bytes)
  }

  private static func repetition(side: Int, number: Int) -> Bytes {
    var bits = Bits()
    for value in [0, 5, 0] { bits.putGolomb(value) }
    bits.put(number, 4)
    bits.put(0, 3)
    bits.putGolomb(0)
    bits.putGolomb(1)
    bits.putGolomb(side / 16 * side / 16)
    bits.close()
    return unit(0x41, bits.bytes)
  }

  private static func unit(_ header: UInt8, _ payload: Bytes) -> Bytes {
    let content = [header] + escaped(payload)
    return be32(content.count) + content
  }
}

/// The file that takes minutes to decode; see ``HostileFile/all`` for the others.
public enum SlowFile { public static var file: HostileFile { SampleTables.slow } }
