/// The outer form of a WebP file.
enum WebPFile {
  /// Whether these bytes are a WebP file of the form that ``WebPEncoder`` writes: one lossless picture no larger than
  /// previews are, without an extended header, animation or metadata. For files from an untrusted process: the
  /// compressed data is not checked.
  static func isWellFormed(_ bytes: [UInt8]) -> Bool {
    // "RIFF", size, "WEBP", "VP8L", size, signature, sides.
    guard bytes.count >= 25, bytes.starts(with: "RIFF".utf8),
      bytes[8..<16].elementsEqual("WEBPVP8L".utf8), bytes[20] == 0x2f
    else { return false }
    func number(at offset: Int) -> Int {
      bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // Chunks are padded to an even length.
    let length = number(at: 16)
    guard number(at: 4) == bytes.count - 8, length + length % 2 == bytes.count - 20 else {
      return false
    }
    // 14 bits each for width and height less one, one for alpha, three for the version.
    let header = number(at: 21)
    let size = PixelSize(width: header & 0x3fff + 1, height: header >> 14 & 0x3fff + 1)
    return header >> 29 == 0 && size == size.limitedForPreview
  }
}
