/// QuickTime movies of a few hundred bytes with arbitrary declarations.
enum SmallMovie {
  typealias Bytes = [UInt8]

  static func number(_ value: Int, _ size: Int = 4) -> Bytes {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func zeros(_ count: Int) -> Bytes { Bytes(repeating: 0, count: count) }

  static func box(_ type: String, _ parts: Bytes...) -> Bytes {
    // Not joined: without optimisation that takes seconds for a few megabytes.
    var bytes = number(8 + parts.reduce(0) { $0 + $1.count }) + Bytes(type.utf8)
    for part in parts { bytes += part }
    return bytes
  }

  /// A box with version and flags.
  static func full(_ type: String, flags: Int = 0, _ fields: Int...) -> Bytes {
    box(type, number(flags), Bytes(fields.map { number($0) }.joined()))
  }

  static let fileType = box("ftyp", Bytes("qt  ".utf8), number(0), Bytes("qt  ".utf8))
  private static let matrix = number(65536) + zeros(12) + number(65536) + zeros(12) + number(0x4000_0000)
  static let header = box(
    "mvhd", zeros(12), number(1000), number(1000), number(65536), number(256, 2), zeros(10), matrix, zeros(24), number(9))

  struct Track {
    var identifier = 1
    var handler = "vide"
    var codec = "png "
    var width = 96
    var height = 96
    var samples = 1
    /// Zero for sizes one by one.
    var constantSize = 1
    /// The table of such sizes.
    var sizes: [Int] = []
    var chunks = 1
    /// Where the only chunk starts.
    var place = 0

    var bytes: Bytes {
      let entry = box(
        codec, zeros(6), number(1, 2), zeros(16), number(width, 2), number(height, 2), number(0x48_0000), number(0x48_0000),
        zeros(4), number(1, 2), zeros(32), number(24, 2), number(0xffff, 2))
      let tables = box(
        "stbl", box("stsd", number(0), number(1), entry), full("stts", 1, samples, 1), full("stsc", 1, 1, samples, 1),
        box("stsz", number(0), number(constantSize), number(samples)).appending(sizes.flatMap { number($0) }),
        full("stco", chunks, place))
      return box(
        "trak",
        box(
          "tkhd", number(3), zeros(8), number(identifier), zeros(4), number(1000), zeros(16), matrix, number(width << 16),
          number(height << 16)),
        box(
          "mdia", box("mdhd", zeros(12), number(1000), number(1000), zeros(4)),
          box("hdlr", zeros(8), Bytes(handler.utf8), zeros(13)), box("minf", tables)))
    }
  }

  static func movie(_ tracks: Track...) -> Bytes { fileType + box("moov", header, Bytes(tracks.map(\.bytes).joined())) }

  /// One frame of `data`.
  static func movie(_ track: Track, holding data: Bytes) -> Bytes {
    var track = track
    track.constantSize = 0
    track.sizes = [data.count]
    track.place = movie(track).count + 8
    return movie(track) + box("mdat", data)
  }

  /// A fragment that declares `samples`.
  static func fragmented(_ track: Track, samples: Int) -> Bytes {
    fileType + box("moov", header, track.bytes, box("mvex", full("trex", track.identifier, 1, 1, 0, 0)))
      + box("moof", full("mfhd", 1), box("traf", full("tfhd", flags: 0x20000, track.identifier), full("trun", samples)))
  }
}

extension [UInt8] {
  /// A box that is longer by `more`.
  fileprivate func appending(_ more: [UInt8]) -> [UInt8] { SmallMovie.number(count + more.count) + dropFirst(4) + more }
}
