/// The layout of the NAL units in the packets and in the extradata of an H.264 or HEVC track.
///
/// A container may write the same units in two ways: each after its length (ISO/IEC 14496-15), or each after a start
/// code (Annex B of ITU-T H.264 and H.265).
struct NALUnits {
  enum Codec {
    case h264, hevc
  }

  /// Parameter sets and other units before the first packet.
  private(set) var setup: [[UInt8]] = []
  /// Bytes of a length; `nil` for start codes.
  private let lengthSize: Int?

  /// - Returns: `nil` for extradata that ends early.
  init?(codec: Codec, setupData bytes: [UInt8]) {
    guard bytes.first == 1 else {
      lengthSize = nil
      setup = unsafe bytes.withUnsafeBytes { unsafe Self.split($0).map { unsafe Array($0) } }
      return
    }
    var rest = bytes[...]
    func byte() -> Int? { rest.popFirst().map(Int.init) }
    func units(_ count: Int) -> [[UInt8]]? {
      var units: [[UInt8]] = []
      for _ in 0..<count {
        guard let high = byte(), let low = byte(), rest.count >= high << 8 | low else { return nil }
        units.append(Array(rest.prefix(high << 8 | low)))
        rest = rest.dropFirst(high << 8 | low)
      }
      return units
    }
    if codec == .h264 {
      // avcC: the length in byte 4, then sequence and picture parameter sets (ISO/IEC 14496-15, 5.3.3.1).
      guard bytes.count >= 7 else { return nil }
      lengthSize = Int(bytes[4] & 3) + 1
      rest = bytes[5...]
      guard let sequences = byte().flatMap({ units($0 & 0x1f) }),
        let pictures = byte().flatMap({ units($0) })
      else { return nil }
      setup = sequences + pictures
    } else {
      // hvcC: the length in byte 21, then arrays of units of one type (8.3.3.1).
      guard bytes.count >= 23 else { return nil }
      lengthSize = Int(bytes[21] & 3) + 1
      rest = bytes[22...]
      for _ in 0..<(byte() ?? 0) {
        guard byte() != nil, let high = byte(), let low = byte(), let found = units(high << 8 | low)
        else { return nil }
        setup += found
      }
    }
  }

  /// The units of a packet; `nil` if a length leads past its end.
  func units(of bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer]? {
    guard let lengthSize else { return unsafe Self.split(bytes) }
    var units: [UnsafeRawBufferPointer] = unsafe []
    var start = 0
    while start < bytes.count {
      guard bytes.count - start >= lengthSize else { return nil }
      let length = unsafe bytes[start..<start + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      start += lengthSize
      guard bytes.count - start >= length else { return nil }
      unsafe units.append(Self.trimmed(bytes[start..<start + length]))
      start += length
    }
    return unsafe units.filter { unsafe !$0.isEmpty }
  }

  /// The units at the start of a packet of which the end may be missing.
  func leadingUnits(of bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    guard let lengthSize else { return unsafe Self.split(bytes) }
    var units: [UnsafeRawBufferPointer] = unsafe []
    var start = 0
    while bytes.count - start >= lengthSize {
      let length = unsafe bytes[start..<start + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      start += lengthSize
      guard bytes.count - start >= length else { break }
      unsafe units.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
      start += length
    }
    return unsafe units
  }

  /// The units between start codes: 00 00 01.
  private static func split(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    var units: [UnsafeRawBufferPointer] = unsafe []
    var start: Int?
    var index = 0
    while index + 2 < bytes.count {
      // Most bytes rule out three positions at once.
      if unsafe bytes[index + 2] > 1 {
        index += 3
      } else if unsafe bytes[index] == 0, unsafe bytes[index + 1] == 0, unsafe bytes[index + 2] == 1 {
        if let start { unsafe units.append(trimmed(bytes[start..<index])) }
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    if let start { unsafe units.append(trimmed(bytes[start...])) }
    return unsafe units.filter { unsafe !$0.isEmpty }
  }

  /// Zeros after a unit are not part of it.
  private static func trimmed(_ bytes: UnsafeRawBufferPointer.SubSequence) -> UnsafeRawBufferPointer {
    var end = unsafe bytes.endIndex
    while unsafe end > bytes.startIndex, unsafe bytes[end - 1] == 0 { end -= 1 }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[bytes.startIndex..<end])
  }
}
