/// Reads and rewrites headers whose fields are not whole bytes, keeping the bits that were read.
struct Bits {
  private(set) var values: [Bool] = []
  private(set) var position = 0

  init() {}

  init(_ bytes: Bytes) { for byte in bytes { put(Int(byte), 8) } }

  mutating func take(_ count: Int) -> Int {
    defer { position += count }
    return values[position..<position + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
  }

  /// An Exp-Golomb code (ITU-T H.264, 9.1).
  mutating func takeGolomb() -> Int {
    var zeros = 0
    while take(1) == 0 { zeros += 1 }
    return (1 << zeros) - 1 + take(zeros)
  }

  mutating func put(_ value: Int, _ count: Int) { for bit in 0..<count { values.append(value >> (count - 1 - bit) & 1 == 1) } }

  mutating func putGolomb(_ value: Int) {
    let length = Int.bitWidth - (value + 1).leadingZeroBitCount
    put(0, length - 1)
    put(value + 1, length)
  }

  /// Least significant bit first, as deflate wants it.
  mutating func putReversed(_ value: Int, _ count: Int) { for bit in 0..<count { values.append(value >> bit & 1 == 1) } }

  /// The bits read so far, to be continued.
  var head: Bits {
    var head = Bits()
    head.values = Array(values[..<position])
    return head
  }

  /// Appends the unread bits.
  mutating func append(restOf other: Bits) { values += other.values[other.position...] }

  /// A one and zeros up to the next byte (rbsp_trailing_bits).
  mutating func close() {
    put(1, 1)
    put(0, (8 - values.count % 8) % 8)
  }

  var bytes: Bytes {
    stride(from: 0, to: values.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | (start + $1 < values.count && values[start + $1] ? 1 : 0) }
    }
  }

  /// The same with the first bit of each byte as its least significant.
  var reversedBytes: Bytes { bytes.map { byte in (0..<8).reduce(0) { $0 << 1 | byte >> $1 & 1 } } }
}

/// The payload of an H.264 or HEVC unit without, and with, the bytes that keep start codes out.
func unescaped(_ bytes: Bytes) -> Bytes {
  var result: Bytes = []
  for byte in bytes where !(byte == 3 && result.suffix(2) == [0, 0]) { result.append(byte) }
  return result
}

func escaped(_ bytes: Bytes) -> Bytes {
  var result: Bytes = []
  var run = 0
  for byte in bytes {
    if run >= 2, byte <= 3 {
      result.append(3)
      run = 0
    }
    run = byte == 0 ? run + 1 : 0
    result.append(byte)
  }
  return result
}
