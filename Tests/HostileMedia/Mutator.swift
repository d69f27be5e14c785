/// Damages files at random, reproducibly: the same seed and sources give the same mutants everywhere.
struct Mutator {
  private var random: SplitMix

  init(seed: UInt64, number: Int) {
    random = SplitMix(state: seed &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(number) &* 0xd1b5_4a32_d192_ed03)
  }

  /// One file with 1 to 20 mutations.
  ///
  /// - Parameter packing: what JSON becomes, mostly after the damage.
  /// - Returns: its bytes, the source's name and what was done to it.
  mutating func mutant(of sources: [(name: String, bytes: Bytes)], packing: Packing? = nil) -> (
    bytes: Bytes, source: String, recipe: [String]
  ) {
    let source = sources[pick(sources.count)]
    var bytes = source.bytes
    let packing = bytes.starts(with: "{".utf8) ? packing : nil
    let isPackedFirst = packing != nil && pick(4) == 0
    if isPackedFirst, let packing { bytes = packing.pack(bytes) }
    // Mostly few: what is damaged everywhere is refused at once and reaches little code.
    let count = pick(2) == 0 ? 1 + pick(3) : 1 + pick(20)
    // A mutation that moves bytes usually hides the movie header: most mutants keep their length.
    let kinds = pick(3) == 0 ? 20 : 13
    // Text that is no JSON any more is refused at once.
    let staysJSON = bytes.starts(with: "{".utf8) && pick(4) > 0
    var recipe = (0..<count).map { _ in staysJSON ? mutateJSON(&bytes) : mutate(&bytes, sources, kinds: kinds) }
    if bytes.starts(with: PNGPicture.signature), pick(4) > 0 {
      PNGPicture.correctChecksums(&bytes)
      recipe.append("checksums")
    }
    if let packing, !isPackedFirst {
      bytes = packing.pack(bytes)
      recipe.append("pack")
    }
    return (bytes, source.name, recipe)
  }

  mutating func pick(_ count: Int) -> Int { count < 1 ? 0 : Int(random.next() % UInt64(count)) }

  private mutating func mutate(_ bytes: inout Bytes, _ sources: [(name: String, bytes: Bytes)], kinds: Int) -> String {
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
    case 15, 16: return copyRecord(&bytes)
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

  /// A number, mostly just behind the type of a record or in a table: that is where the sizes, counts, versions and
  /// times are.
  private mutating func overwriteField(_ bytes: inout Bytes) -> String {
    let records = Records(in: bytes)
    var place = pick(bytes.count - 4)
    if !records.ranges.isEmpty, pick(8) > 0 {
      let record = records.ranges[pick(records.ranges.count)]
      let depth = pick(3) == 0 ? record.count : min(record.count, 40)
      place = record.lowerBound + pick(max(1, depth / records.step)) * records.step
    }
    place = min(place, bytes.count - 4)
    let values = [0, 1, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 0x1_0000, 8, 0xfff_ffff]
    let value = values[pick(values.count)]
    bytes.overwrite(at: place, with: records.field(value))
    return "field \(place) to \(value)"
  }

  private mutating func copyRecord(_ bytes: inout Bytes) -> String {
    let records = Records(in: bytes).ranges
    guard !records.isEmpty else { return "nothing" }
    let record = records[pick(records.count)]
    let place = records[pick(records.count)].lowerBound
    let content = Bytes(bytes[record])
    guard content.count < 20_000 else { return "nothing" }
    bytes.insert(contentsOf: content, at: place)
    return "copy \(record) to \(place)"
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
