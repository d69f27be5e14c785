/// The chain of blocks in GIF files, without their contents.
enum ImageBlocks {
  /// How a walk ended.
  enum End {
    /// After the block that is declared to be the last one.
    case declared
    /// The file is cut off.
    case missing
    /// Ends at something else, or after ``limit`` blocks: the decoder decides.
    case unclear
  }

  /// Parts that are followed before giving up: 500 MB of full GIF blocks.
  private static let limit = 2_000_000

  /// GIF states no size but has a trailer byte (GIF89a, 27). Its blocks are chains of up to 255 bytes.
  ///
  /// - Parameter visit: receives the start of each extension and picture.
  static func walkGIF(_ reader: BoxReader, visit: (_ start: Int64) -> Void = { _ in }) -> End {
    func byte(_ offset: Int64) -> Int64? { reader.unsigned(at: offset, size: 1).map { Int64($0) } }
    /// Bytes of the color table that a packed field announces.
    func table(_ packed: Int64) -> Int64 { packed & 0x80 == 0 ? 0 : 3 << ((packed & 7) + 1) }
    guard let packed = byte(10) else { return .missing }
    var offset = 13 + table(packed)
    var count = 0
    while let kind = byte(offset) {
      switch kind {
      case 0x3b: return .declared
      case 0x21:
        visit(offset)
        offset += 2
      case 0x2c:
        guard let packed = byte(offset + 9) else { return .missing }
        visit(offset)
        offset += 11 + table(packed)
      // Padding or damage.
      default: return .unclear
      }
      while true {
        guard let length = byte(offset) else { return .missing }
        count += 1
        if count > limit { return .unclear }
        offset += 1 + length
        if length == 0 { break }
      }
    }
    return .missing
  }
}
