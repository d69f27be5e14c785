/// PNG files of one colour, with a deflate stream of a few bytes for any size.
enum PNGPicture {
  /// A PNG with a palette of one colour and one bit a pixel.
  static func solid(width: Int, height: Int, red: UInt8, green: UInt8, blue: UInt8) -> Bytes {
    picture(width: width, height: height, depth: 1, type: 3, rowBytes: (width + 7) / 8, [chunk("PLTE", [red, green, blue])])
  }

  /// 8 bits of grey, all black.
  static func black(width: Int, height: Int) -> Bytes {
    picture(width: width, height: height, depth: 8, type: 0, rowBytes: width, [])
  }

  /// One bit of grey a pixel, all black.
  static func bits(width: Int, height: Int) -> Bytes {
    picture(width: width, height: height, depth: 1, type: 0, rowBytes: (width + 7) / 8, [])
  }

  private static func picture(width: Int, height: Int, depth: UInt8, type: UInt8, rowBytes: Int, _ extra: [Bytes]) -> Bytes {
    let header = be32([width, height]) + [depth, type, 0, 0, 0]
    let data = zlibZeros((rowBytes + 1) * height)
    return signature + chunk("IHDR", header) + extra.reduce([], +) + chunk("IDAT", data) + chunk("IEND", [])
  }

  /// An animated PNG whose frames cover the canvas.
  static func animation(width: Int, height: Int) -> Bytes {
    let control = be32([width, height, 0, 0]) + be16(1) + be16(12) + [0, 0]
    let data = zlibZeros((width + 1) * height)
    return signature + chunk("IHDR", be32([width, height]) + [8, 0, 0, 0, 0]) + chunk("acTL", be32([2, 0]))
      + chunk("fcTL", be32(0) + control) + chunk("IDAT", data) + chunk("fcTL", be32(1) + control)
      + chunk("fdAT", be32(2) + data) + chunk("IEND", [])
  }

  static let signature: Bytes = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  static func chunk(_ type: String, _ content: Bytes) -> Bytes {
    let body = Bytes(type.utf8) + content
    return be32(content.count) + body + be32(Int(checksum(body)))
  }

  private static let checksums: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
  }

  /// Makes chunks whole whose content was changed. Those whose length was changed hide what follows them.
  static func correctChecksums(_ bytes: inout Bytes) {
    for chunk in Records.pngChunks(bytes) {
      let end = chunk.upperBound - 4
      let sum = checksum(Bytes(bytes[chunk.lowerBound + 4..<end]))
      bytes.overwrite(at: end, with: be32(Int(sum)))
    }
  }

  /// CRC-32, as PNG, gzip and ZIP have it.
  static func checksum(_ bytes: Bytes) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { checksums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  /// A zlib stream of `count` zeros: one dynamic block in which a match of 258 bytes takes two zero
  /// bits (RFC 1951, 3.2.7), so that four of them are one zero byte.
  static func zlibZeros(_ count: Int) -> Bytes {
    var bits = Bits()
    func put(_ value: Int, _ length: Int) { bits.putReversed(value, length) }
    put(1, 1)
    put(2, 2)
    put(29, 5)
    put(0, 5)
    put(14, 4)
    // Lengths of the codes for code lengths in the order 16, 17, 18, 0, 8, ... 2, 14, 1.
    for length in [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2] { put(length, 3) }
    func zeroRun(_ length: Int) {
      put(0, 1)
      put(length - 11, 7)
    }
    let one = 0b01
    let two = 0b11
    put(two, 2)
    zeroRun(138)
    zeroRun(117)
    put(two, 2)
    zeroRun(28)
    put(one, 2)
    put(one, 2)
    // Literal zero is `10`, the end `11`, length 258 `0`, distance 1 `0`.
    let matches = (count - 1) / 258
    for _ in 0..<count - 258 * matches { put(0b01, 2) }
    // From here on all bits are zero until the end, whatever their place in a byte.
    let padding = min((8 - bits.values.count % 8) % 8, 2 * matches)
    put(0, padding)
    let rest = 2 * matches - padding
    var tail = Bits()
    if rest == 0 {
      put(0b11, 2)
    } else {
      tail.putReversed(0, rest % 8)
      tail.putReversed(0b11, 2)
    }
    let sum = (count % 65521) << 16 | 1
    return [0x78, 0xda] + bits.reversedBytes + zeros(rest / 8) + tail.reversedBytes + be32(sum)
  }
}
