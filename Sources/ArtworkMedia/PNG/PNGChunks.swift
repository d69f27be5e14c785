import CPNG

/// The chunks of a PNG file in order, without their contents (PNG, third edition, 5.3): a length, a name, the data, and a
/// checksum. Nothing else reads these lengths.
struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: BoxType
    /// The place of the data, which reaches beyond the end of a file that is cut.
    let data: Range<Int64>
    /// Whether all of it is inside the file.
    let isWhole: Bool

    var count: Int { Int(clamping: data.count) }
    /// The place of the name and the data, which the checksum follows.
    var checked: Range<Int64> { data.lowerBound - 4..<data.upperBound }
  }

  /// Chunks that are followed before giving up.
  private static let limit = 2_000_000

  private let reader: BoxReader
  private var place: Int64 = 8
  private var number = 0
  private var isOver = false
  /// Whether the file ends before the chunk that is the last one.
  private(set) var isCut = false

  init(_ reader: BoxReader) { self.reader = reader }

  mutating func next() -> Chunk? {
    guard !isOver, number < Self.limit else { return nil }
    guard let count = reader.unsigned(at: place, size: 4),
      let name = reader.unsigned(at: place + 4, size: 4)
    else {
      (isOver, isCut) = (true, true)
      return nil
    }
    let start = place + 8
    place = start + Int64(count) + 4
    number += 1
    let chunk = Chunk(
      name: BoxType(code: UInt32(truncatingIfNeeded: name)), data: start..<start + Int64(count),
      isWhole: place <= reader.fileSize)
    if chunk.name == "IEND" { (isOver, isCut) = (true, !chunk.isWhole) }
    return chunk
  }

  /// Whether the file ends before the chunk that is the last one.
  static func areCut(_ reader: BoxReader) -> Bool {
    var chunks = PNGChunks(reader)
    while chunks.next() != nil {}
    return chunks.isCut
  }

  /// The checksum of a name and its data.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe artwork_png_checksum($0.baseAddress, $0.count) }
  }
}
