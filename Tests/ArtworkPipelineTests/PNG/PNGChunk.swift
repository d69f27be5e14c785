/// Chunks of PNG files, written and read by the specification.
struct PNGChunk: Equatable {
  var type: String
  var data: [UInt8]
  var checksum: UInt32

  /// The chunks of a file.
  static func all(_ png: [UInt8]) throws -> [PNGChunk] {
    func number(_ offset: Int) -> Int { png[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    try #require(Array(png.prefix(8)) == [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    var chunks: [PNGChunk] = []
    var offset = 8
    while offset < png.count {
      try #require(png.count - offset >= 12)
      let length = number(offset)
      try #require(length <= png.count - offset - 12)
      chunks.append(
        PNGChunk(
          type: String(decoding: png[offset + 4..<offset + 8], as: UTF8.self),
          data: Array(png[offset + 8..<offset + 8 + length]), checksum: UInt32(number(offset + 8 + length))))
      offset += 12 + length
    }
    return chunks
  }

  /// CRC-32 bit by bit (ISO 3309, as PNG's annex D).
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xedb8_8320 : 0) }
    }
  }

  static func big(_ value: Int) -> [UInt8] { unsafe withUnsafeBytes(of: UInt32(value).bigEndian) { unsafe Array($0) } }

  /// A chunk with its checksum.
  static func bytes(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return big(data.count) + body + big(Int(crc32(body)))
  }

  /// A zlib stream of one stored block (RFC 1950 and 1951).
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    let (a, b) = bytes.reduce((1, 0)) { sums, byte in
      let a = (sums.0 + Int(byte)) % 65521
      return (a, (sums.1 + a) % 65521)
    }
    return [0x78, 1, 1] + little(bytes.count) + little(bytes.count).map { ~$0 } + bytes + [
      UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255),
    ]
  }
}
