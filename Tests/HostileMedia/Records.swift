/// The parts of a file that begin with a size or a mark, found by their shape: boxes, chunks and blocks. Most of what a
/// reader believes stands in their first bytes.
struct Records {
  var ranges: [Range<Int>] = []
  /// Bytes of a number.
  var fieldLength = 4
  var isLittleEndian = false
  /// Where fields may begin in a record: every so many bytes.
  var step = 4

  /// Empty for text and for files without such parts.
  init(in bytes: Bytes) {
    if bytes.starts(with: PNGPicture.signature) {
      ranges = Self.pngChunks(bytes)
      (fieldLength, step) = (4, 1)
    } else if bytes.starts(with: "RIFF".utf8) {
      Self.walkRIFF(bytes, 12..<bytes.count, &ranges)
      (fieldLength, isLittleEndian, step) = (3, true, 1)
    } else if bytes.starts(with: "GIF8".utf8) {
      ranges = Self.gifBlocks(bytes)
      (fieldLength, isLittleEndian, step) = (2, true, 1)
    } else if !bytes.starts(with: "{".utf8) {
      Self.walkBoxes(bytes, 0..<bytes.count, 0, &ranges)
    }
  }

  /// A number as these files hold it.
  func field(_ value: Int) -> Bytes {
    let bytes = be32(value).suffix(fieldLength)
    return Bytes(isLittleEndian ? bytes.reversed() : Bytes(bytes))
  }

  /// Boxes at any depth (ISO/IEC 14496-12).
  private static func walkBoxes(_ bytes: Bytes, _ range: Range<Int>, _ depth: Int, _ found: inout [Range<Int>]) {
    var start = range.lowerBound
    while start + 8 <= range.upperBound, found.count < 500 {
      let size = bytes.unsigned32(at: start)
      let isNamed = bytes[start + 4..<start + 8].allSatisfy { (0x20..<0x7f).contains($0) }
      guard size >= 8, start + size <= range.upperBound, isNamed else { return }
      found.append(start..<start + size)
      // Media data looks like anything; everything else may hold boxes, some behind fields.
      if depth < 8, !bytes[start + 4..<start + 8].elementsEqual("mdat".utf8) {
        for fields in [8, 12, 16, 86] where start + fields < start + size {
          walkBoxes(bytes, start + fields..<start + size, depth + 1, &found)
        }
      }
      start += size
    }
  }

  /// Chunks with their checksums (PNG specification, 5.3).
  static func pngChunks(_ bytes: Bytes) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = PNGPicture.signature.count
    while start + 12 <= bytes.count {
      let end = start + 12 + bytes.unsigned32(at: start)
      guard end <= bytes.count else { break }
      found.append(start..<end)
      start = end
    }
    return found
  }

  /// Chunks, and those in the frames of an animation (WebP container specification).
  private static func walkRIFF(_ bytes: Bytes, _ range: Range<Int>, _ found: inout [Range<Int>]) {
    var start = range.lowerBound
    while start + 8 <= range.upperBound {
      let size = bytes[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = start + 8 + size + size % 2
      guard end <= range.upperBound else { return }
      found.append(start..<end)
      if bytes[start..<start + 4].elementsEqual("ANMF".utf8), size > 16 { walkRIFF(bytes, start + 24..<end, &found) }
      start = end
    }
  }

  /// The header, extensions and pictures (GIF89a, 18 to 26).
  private static func gifBlocks(_ bytes: Bytes) -> [Range<Int>] {
    guard bytes.count > 13 else { return [] }
    func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
    var found = [0..<13]
    var start = 13 + colours(bytes[10])
    while start + 10 < bytes.count {
      var end: Int
      switch bytes[start] {
      case 0x21: end = start + 2
      case 0x2c: end = start + 11 + colours(bytes[start + 9])
      default: return found
      }
      while end < bytes.count, bytes[end] > 0 { end += 1 + Int(bytes[end]) }
      guard end < bytes.count else { return found }
      found.append(start..<end + 1)
      start = end + 1
    }
    return found
  }
}
