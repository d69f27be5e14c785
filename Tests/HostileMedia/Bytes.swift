/// Big-endian fields and boxes (ISO/IEC 14496-12, 4.2), put together by hand.
typealias Bytes = [UInt8]

func be16(_ value: Int) -> Bytes { (0..<2).map { UInt8(truncatingIfNeeded: value >> (8 - 8 * $0)) } }
func be32(_ value: Int) -> Bytes { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
func be64(_ value: Int) -> Bytes { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
func be32(_ values: [Int]) -> Bytes { values.flatMap { be32($0) } }
func zeros(_ count: Int) -> Bytes { Bytes(repeating: 0, count: count) }

func box(_ type: String, _ parts: Bytes...) -> Bytes { box(type, parts) }

func box(_ type: String, _ parts: [Bytes]) -> Bytes {
  let content = parts.reduce(into: Bytes()) { $0 += $1 }
  return be32(8 + content.count) + Bytes(type.utf8) + content
}

/// A box with a version and flags.
func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ parts: Bytes...) -> Bytes {
  box(type, [be32(version << 24 | flags)] + parts)
}

extension Bytes {
  func unsigned32(at offset: Int) -> Int { self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

  mutating func overwrite(at offset: Int, with bytes: Bytes) { replaceSubrange(offset..<offset + bytes.count, with: bytes) }

  func places(of pattern: Bytes) -> [Int] {
    indices.dropLast(pattern.count - 1).filter {
      self[$0] == pattern[0] && self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
