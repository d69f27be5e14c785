/// The outer form of a PNG file.
package enum PNGFile {
  /// The first bytes of every PNG file (PNG, third edition, 5.2).
  package static let signature = ArtworkRepresentation.pngSignature
  /// Between the first and the last.
  private static let chunks: Set<String> = ["gAMA", "sRGB", "cHRM", "IDAT"]
  /// Most chunks of a preview, with the first, the last and a second IDAT.
  private static let mostChunks = 7

  /// Whether these bytes are a PNG file of the form that ``PNGEncoder`` writes, from the signature to the last chunk,
  /// with a picture no larger than previews are. For files from an untrusted process: the compressed data is not
  /// checked.
  package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: PNGFile.signature) else { return false }
    func number(at offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    var offset = 8
    var types: [String] = []
    while bytes.count - offset >= 12, types.count < mostChunks {
      let length = number(at: offset)
      types.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
      guard length <= bytes.count - offset - 12 else { return false }
      if types == ["IHDR"] {
        guard length == 13 else { return false }
        let (width, height) = (number(at: offset + 8), number(at: offset + 12))
        guard width > 0, height > 0 else { return false }
        let size = PixelSize(width: width, height: height)
        guard size == size.limitedForPreview else { return false }
        // 8 bits of RGB or RGBA, deflated, plain filters, not interlaced.
        let form = bytes[offset + 16..<offset + 21]
        guard form.elementsEqual([8, 2, 0, 0, 0]) || form.elementsEqual([8, 6, 0, 0, 0]) else {
          return false
        }
      }
      offset += 12 + length
    }
    return offset == bytes.count && types.count >= 3 && types.first == "IHDR"
      && types.last == "IEND" && types.dropFirst().dropLast().allSatisfy(chunks.contains)
  }
}
