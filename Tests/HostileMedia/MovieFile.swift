import Fixtures
import Foundation

/// A real clip to be spoiled, box by box. Paths are box types from the top, such as `moov/trak/tkhd`;
/// the first match is taken. The clips have `mdat` before `moov`, so that no chunk offset moves when
/// the movie header grows.
struct MovieFile {
  var bytes: Bytes

  init(_ fixture: String) {
    guard let data = try? Data(contentsOf: Fixture.named(fixture).url) else { fatalError("cannot read the fixture \(fixture)") }
    bytes = Bytes(data)
  }

  static let table = "moov/trak/mdia/minf/stbl"

  /// Bytes of fields between a box's header and its first child.
  private static let fields: [String: Int] = [
    "stsd": 8, "dref": 8, "meta": 4, "avc1": 78, "hvc1": 78, "av01": 78, "vp09": 78, "rle ": 78, "png ": 78,
  ]

  /// The extents of all boxes on the path, the outermost first.
  func located(_ path: String) -> [Range<Int>] {
    var start = 0
    var end = bytes.count
    return path.split(separator: "/").map { type in
      while start + 8 <= end {
        let size = bytes.unsigned32(at: start)
        precondition(size >= 8, "a box of \(size) bytes at \(start)")
        if bytes[start + 4..<start + 8].elementsEqual(type.utf8) {
          let range = start..<start + size
          start += 8 + Self.fields[String(type), default: 0]
          end = range.upperBound
          return range
        }
        start += size
      }
      fatalError("there is no \(path)")
    }
  }

  private func extent(_ path: String) -> Range<Int> {
    guard let last = located(path).last else { fatalError("an empty path") }
    return last
  }

  func payload(_ path: String) -> Bytes { Bytes(bytes[extent(path).dropFirst(8)]) }

  func first32(_ path: String, at offset: Int) -> Int { payload(path).unsigned32(at: offset) }

  /// Overwrites bytes of a box's payload.
  func with(_ path: String, at offset: Int, _ new: Bytes) -> MovieFile {
    var file = self
    file.bytes.overwrite(at: extent(path).lowerBound + 8 + offset, with: new)
    return file
  }

  /// Exchanges a whole box for other bytes; the sizes of all boxes around it follow.
  func with(_ path: String, box new: Bytes) -> MovieFile {
    let ranges = located(path)
    var file = self
    for outer in ranges.dropLast() {
      let size = outer.count + new.count - extent(path).count
      file.bytes.overwrite(at: outer.lowerBound, with: be32(size))
    }
    file.bytes.replaceSubrange(extent(path), with: new)
    return file
  }

  func with(_ path: String, payload: Bytes) -> MovieFile {
    with(path, box: box(String(path.split(separator: "/").last ?? ""), payload))
  }

  func appending(_ path: String, _ child: Bytes) -> MovieFile { with(path, payload: payload(path) + child) }

  func without(_ path: String) -> MovieFile { with(path, box: []) }

  /// The data of the first samples, which must be in one chunk.
  func samples(_ count: Int) -> [Bytes] {
    let sizes = payload("\(Self.table)/stsz")
    var start = first32("\(Self.table)/stco", at: 8)
    return (0..<count).map { index in
      let size = sizes.unsigned32(at: 12 + 4 * index)
      defer { start += size }
      return Bytes(bytes[start..<start + size])
    }
  }

  /// The offset of every box and of every box's end, containers opened.
  var boundaries: [Int] {
    let containers: Set = ["moov", "trak", "mdia", "minf", "stbl", "edts", "udta", "moof", "traf"]
    var found: Set<Int> = []
    func walk(_ range: Range<Int>) {
      var start = range.lowerBound
      while start + 8 <= range.upperBound {
        let size = bytes.unsigned32(at: start)
        guard size >= 8, start + size <= range.upperBound else { return }
        found.formUnion([start, start + 8, start + size])
        if containers.contains(String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)) { walk(start + 8..<start + size) }
        start += size
      }
    }
    walk(0..<bytes.count)
    return found.sorted()
  }
}
