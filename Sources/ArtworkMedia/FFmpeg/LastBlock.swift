/// The last block of a WebM file by libavformat, which states no duration, so that readers guess how long the last frame
/// lasts.
enum LastBlock {
  /// An element of EBML (RFC 8794) whose size is known.
  private struct Element {
    var id: UInt64
    var start: Int
    /// The place of its size.
    var sizeStart: Int
    var contents: Range<Int>
  }

  /// Adds the duration to the last block of the last cluster, and changes what states a size or the place of what follows.
  ///
  /// - Returns: whether the file has the form that libavformat gives it.
  static func state(milliseconds: Int64, in bytes: inout [UInt8]) -> Bool {
    guard
      let segment = elements(in: 0..<bytes.count, of: bytes).first(where: { $0.id == 0x1853_8067 }),
      case let parts = elements(in: segment.contents, of: bytes),
      let cluster = parts.last(where: { $0.id == 0x1f43_b675 }),
      case let blocks = elements(in: cluster.contents, of: bytes), let block = blocks.last,
      block.id == 0xa0 || block.id == 0xa3, block.contents.upperBound == cluster.contents.upperBound
    else { return false }
    // SimpleBlock and Block differ in the flags that only the former has: of a keyframe, and that none needs it.
    var group = Array(bytes[block.contents])
    if block.id == 0xa3 {
      // The number of the track, the time in the cluster, and the flags.
      guard group.count > 4, group[0] & 0x80 != 0 else { return false }
      let isKey = group[3] & 0x80 != 0
      group[3] &= 0x7e
      // Its reference, without which it would be a keyframe, may be in the cluster before.
      let before = blocks.dropLast().last.map { Array(bytes[$0.contents].prefix(4)) }
      let away = before.map { $0.count < 4 ? -1 : time($0) - time(group) } ?? -1
      let reference = [0xfb] + size(4) + bigEndian(UInt64(bitPattern: away), count: 4)
      group = [0xa1] + size(group.count) + group + (isKey ? [] : reference)
    }
    group += [0x9b] + size(4) + bigEndian(UInt64(clamping: milliseconds), count: 4)
    var end = Array(bytes[cluster.contents.lowerBound..<block.start])
    end += [0xa0] + size(group.count) + group
    end = [0x1f, 0x43, 0xb6, 0x75] + size(end.count) + end
    let growth = end.count - (cluster.contents.upperBound - cluster.start)
    bytes.replaceSubrange(cluster.start..<cluster.contents.upperBound, with: end)
    guard segment.contents.lowerBound - segment.sizeStart == 8 else { return false }
    bytes.replaceSubrange(
      segment.sizeStart..<segment.contents.lowerBound, with: size(segment.contents.count + growth))
    return moveCues(by: growth, parts, &bytes)
  }

  /// The time of a block in its cluster.
  private static func time(_ block: [UInt8]) -> Int64 {
    Int64(Int16(bitPattern: UInt16(block[1]) << 8 | UInt16(block[2])))
  }

  /// Corrects the place of the cues in the index of the file, which an empty element follows.
  private static func moveCues(by growth: Int, _ parts: [Element], _ bytes: inout [UInt8]) -> Bool {
    guard let head = parts.firstIndex(where: { $0.id == 0x114d_9b74 }) else { return true }
    for seek in elements(in: parts[head].contents, of: bytes) {
      let fields = elements(in: seek.contents, of: bytes)
      guard fields.count == 2, bytes[fields[0].contents].elementsEqual([0x1c, 0x53, 0xbb, 0x6b])
      else {
        continue
      }
      let place = fields[1]
      let moved = bytes[place.contents].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } + UInt64(growth)
      let number = bigEndian(
        moved, count: max(place.contents.count, (71 - moved.leadingZeroBitCount) / 8))
      let longer = number.count - place.contents.count
      if longer > 0 {
        // Sizes of a single byte, and of eight bytes.
        let enclosing = [parts[head], seek, place]
        guard parts.count > head + 1, case let void = parts[head + 1], void.id == 0xec,
          void.contents.count > longer, void.contents.lowerBound - void.sizeStart == 8,
          enclosing.allSatisfy({
            $0.contents.lowerBound - $0.sizeStart == 1 && $0.contents.count + longer < 0x7f
          })
        else { return false }
        bytes.removeSubrange(void.contents.prefix(longer))
        bytes.replaceSubrange(
          void.sizeStart..<void.contents.lowerBound, with: size(void.contents.count - longer))
        for element in enclosing { bytes[element.sizeStart] += UInt8(longer) }
      }
      bytes.replaceSubrange(place.contents, with: number)
    }
    return true
  }

  private static func elements(in range: Range<Int>, of bytes: [UInt8]) -> [Element] {
    var (result, place) = ([Element](), range.lowerBound)
    while place < range.upperBound {
      guard let id = vint(at: place, of: bytes), let size = vint(at: id.end, of: bytes),
        size.number <= UInt64(range.upperBound - min(size.end, range.upperBound))
      else { break }
      let contents = size.end..<size.end + Int(clamping: size.number)
      let marker = UInt64(1) << (7 * UInt64(id.end - place))
      result.append(
        Element(id: id.number | marker, start: place, sizeStart: id.end, contents: contents))
      place = contents.upperBound
    }
    return result
  }

  /// A number of variable length, without its marker.
  private static func vint(at place: Int, of bytes: [UInt8]) -> (number: UInt64, end: Int)? {
    guard place < bytes.count, bytes[place] > 0 else { return nil }
    let end = place + bytes[place].leadingZeroBitCount + 1
    guard end <= bytes.count else { return nil }
    let first = UInt64(bytes[place]) & (0x7f >> UInt64(end - place - 1))
    return (bytes[place + 1..<end].reduce(first) { $0 << 8 | UInt64($1) }, end)
  }

  /// A size in eight bytes.
  private static func size(_ count: Int) -> [UInt8] {
    bigEndian(UInt64(count) | 1 << 56, count: 8)
  }

  private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
