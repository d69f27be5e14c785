import ArtworkModel

/// Counts the frames of a GIF or APNG that say 0 or 10 ms. Browsers (Blink, Gecko) show them for 100 ms, and so do the
/// options of ``Demuxer``; libavformat does not tell where.
enum ShortDelays {
  /// Zero for other containers, and from where on the file is damaged.
  static func count(in input: InputFile, format: String) -> Int {
    switch format {
    case "gif": gif(BoxReader(input))
    case "apng": apng(BoxReader(input))
    default: 0
    }
  }

  /// Blocks and chunks that are followed: 500 MB of full GIF blocks.
  private static let blockLimit = 2_000_000

  /// The graphic control extensions (GIF89a, 23) hold the delay in hundredths of a second.
  private static func gif(_ reader: BoxReader) -> Int {
    func byte(_ offset: Int64) -> Int64? { reader.unsigned(at: offset, size: 1).map { Int64($0) } }
    /// Bytes of the color table that a packed field announces.
    func table(_ packed: Int64) -> Int64 { packed & 0x80 == 0 ? 0 : 3 << ((packed & 7) + 1) }
    guard let packed = byte(10) else { return 0 }
    var offset = 13 + table(packed)
    var (blocks, count) = (0, 0)
    while let kind = byte(offset) {
      switch kind {
      case 0x21:
        if byte(offset + 1) == 0xf9, byte(offset + 2) == 4, let low = byte(offset + 4),
          let high = byte(offset + 5), high << 8 | low <= 1
        {
          count += 1
        }
        offset += 2
      case 0x2c:
        guard let packed = byte(offset + 9) else { return count }
        offset += 11 + table(packed)
      default: return count
      }
      while let length = byte(offset) {
        blocks += 1
        if blocks > blockLimit { return count }
        offset += 1 + length
        if length == 0 { break }
      }
    }
    return count
  }

  /// The frame controls (`fcTL`, APNG specification) hold the delay as a fraction of a second, with zero for 100.
  private static func apng(_ reader: BoxReader) -> Int {
    var offset: Int64 = 8
    var count = 0
    for _ in 0..<blockLimit {
      guard let size = reader.unsigned(at: offset, size: 4),
        let type = reader.unsigned(at: offset + 4, size: 4)
      else { return count }
      if type == 0x6663_544c, let above = reader.unsigned(at: offset + 28, size: 2),
        let below = reader.unsigned(at: offset + 30, size: 2)
      {
        let hundred: UInt64 = 100
        if above * hundred <= (below == 0 ? hundred : below) { count += 1 }
      }
      // Length, type and checksum surround the data.
      offset = offset.addingClamped(12 + Int64(clamping: size))
    }
    return count
  }
}
