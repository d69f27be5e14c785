/// Damages files at random, reproducibly: the same seed and sources give the same mutants everywhere.
struct Mutator {
  private var random: SplitMix

  init(seed: UInt64, number: Int) {
    random = SplitMix(
      state: seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(number) &* 0xd1b5_4a32_d192_ed03)
  }

  /// One file with 1 to 20 mutations.
  ///
  /// - Returns: its bytes, the source's name and what was done to it.
  mutating func mutant(of sources: [(name: String, bytes: Bytes)]) -> (
    bytes: Bytes, source: String, recipe: [String]
  ) {
    let source = sources[pick(sources.count)]
    var bytes = source.bytes
    // Mostly few: what is damaged everywhere is refused at once and reaches little code.
    let count = pick(2) == 0 ? 1 + pick(3) : 1 + pick(20)
    // What moves bytes usually hides the movie header: most mutants keep their length.
    let kinds = pick(3) == 0 ? 20 : 13
    let recipe = (0..<count).map { _ in mutate(&bytes, sources, kinds: kinds) }
    return (bytes, source.name, recipe)
  }

  private mutating func pick(_ count: Int) -> Int {
    count < 1 ? 0 : Int(random.next() % UInt64(count))
  }

  private mutating func mutate(
    _ bytes: inout Bytes, _ sources: [(name: String, bytes: Bytes)], kinds: Int
  ) -> String {
    guard bytes.count > 16 else { return "nothing" }
    switch pick(kinds) {
    case 0..<4:
      let (place, bit) = (pick(bytes.count), pick(8))
      bytes[place] ^= 1 << bit
      return "flip \(place).\(bit)"
    case 4..<7:
      let (place, value) = (pick(bytes.count), [0, 0xff, 0x7f, 0x80, 1][pick(5)] as UInt8)
      bytes[place] = value
      return "set \(place) to \(value)"
    case 7..<13: return overwriteField(&bytes)
    case 13:
      let (place, count) = (pick(bytes.count), 1 + pick(64))
      bytes.removeSubrange(place..<min(place + count, bytes.count))
      return "delete \(count) at \(place)"
    case 14:
      let place = pick(bytes.count)
      let new = (0..<1 + pick(64)).map { _ in UInt8(pick(256)) }
      bytes.insert(contentsOf: new, at: place)
      return "insert \(new) at \(place)"
    case 15, 16: return moveBox(&bytes)
    case 17: return swapBlocks(&bytes)
    case 18:
      let length = 16 + pick(bytes.count - 16)
      bytes.removeSubrange(length...)
      return "truncate to \(length)"
    default:
      let other = sources[pick(sources.count)]
      guard !other.bytes.isEmpty else { return "nothing" }
      let (place, start) = (pick(bytes.count), pick(other.bytes.count))
      bytes.replaceSubrange(place..., with: other.bytes[start...])
      return "continue at \(place) with \(other.name) from \(start)"
    }
  }

  /// A big-endian number, half of the time just behind a box's type or in a table: that is where the
  /// sizes, counts, versions and times are.
  private mutating func overwriteField(_ bytes: inout Bytes) -> String {
    let boxes = boxes(in: bytes)
    var place = pick(bytes.count - 4)
    if !boxes.isEmpty, pick(8) > 0 {
      let box = boxes[pick(boxes.count)]
      let depth = pick(3) == 0 ? box.count : min(box.count, 40)
      place = box.lowerBound + pick(max(1, depth / 4)) * 4
    }
    place = min(place, bytes.count - 4)
    let values = [0, 1, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 0x1_0000, 8, 0xfff_ffff]
    let value = values[pick(values.count)]
    bytes.overwrite(at: place, with: be32(value))
    return "field \(place) to \(value)"
  }

  private mutating func moveBox(_ bytes: inout Bytes) -> String {
    let boxes = boxes(in: bytes)
    guard !boxes.isEmpty else { return "nothing" }
    let box = boxes[pick(boxes.count)]
    let place = boxes[pick(boxes.count)].lowerBound
    let content = Bytes(bytes[box])
    guard content.count < 20_000 else { return "nothing" }
    bytes.insert(contentsOf: content, at: place)
    return "copy \(box) to \(place)"
  }

  private mutating func swapBlocks(_ bytes: inout Bytes) -> String {
    let length = 1 + pick(min(256, bytes.count / 2))
    let (first, second) = (pick(bytes.count - length), pick(bytes.count - length))
    let (one, other) = (bytes[first..<first + length], bytes[second..<second + length])
    let (left, right) = (Bytes(one), Bytes(other))
    bytes.overwrite(at: first, with: right)
    bytes.overwrite(at: second, with: left)
    return "swap \(length) at \(first) and \(second)"
  }

  /// Boxes at any depth, found by their shape; empty for files that have none.
  private func boxes(in bytes: Bytes) -> [Range<Int>] {
    var found: [Range<Int>] = []
    func walk(_ range: Range<Int>, _ depth: Int) {
      var start = range.lowerBound
      while start + 8 <= range.upperBound, found.count < 500 {
        let size = bytes.unsigned32(at: start)
        let isNamed = bytes[start + 4..<start + 8].allSatisfy { (0x20..<0x7f).contains($0) }
        guard size >= 8, start + size <= range.upperBound, isNamed else { return }
        found.append(start..<start + size)
        // Media data looks like anything; everything else may hold boxes, some behind fields.
        if depth < 8, !bytes[start + 4..<start + 8].elementsEqual("mdat".utf8) {
          for fields in [8, 12, 16, 86] where start + fields < start + size {
            walk(start + fields..<start + size, depth + 1)
          }
        }
        start += size
      }
    }
    walk(0..<bytes.count, 0)
    return found
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): fine for this, and four lines.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
