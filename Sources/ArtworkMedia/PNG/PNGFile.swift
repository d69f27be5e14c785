/// The outer form of a PNG file.
package enum PNGFile {
  /// The first bytes of every PNG file (PNG, third edition, 5.2).
  package static let signature = ArtworkRepresentation.pngSignature
  /// Between the first and the last.
  private static let chunks: Set<BoxType> = ["gAMA", "sRGB", "cHRM", "IDAT"]
  /// Most chunks of a preview, with the first, the last and a second IDAT.
  private static let mostChunks = 7

  /// Whether these bytes are a PNG file of the form that ``PNGEncoder`` writes, from the signature to the last chunk,
  /// with a picture no larger than previews are. For files from an untrusted process: the compressed data is not
  /// checked.
  package static func isWellFormed(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: signature), ownSize(bytes) != nil else { return false }
    let chunks = Array(PNGChunks(BoxReader(bytes)).prefix(mostChunks))
    return chunks.count >= 3 && chunks.allSatisfy(\.isWhole) && chunks.last?.name == "IEND"
      && chunks.last.map { $0.checked.upperBound + 4 } == Int64(bytes.count)
      && chunks.dropFirst().dropLast().allSatisfy { Self.chunks.contains($0.name) }
  }

  /// The size in a header of our own form: 8 bits of RGB or RGBA, deflated, plain filters, not interlaced, and no larger
  /// than previews are.
  static func ownSize(_ bytes: [UInt8]) -> PixelSize? {
    let reader = BoxReader(bytes)
    guard let header = PNGChunks(reader).first(where: { _ in true }), header.name == "IHDR",
      header.count == 13, header.isWhole,
      [[8, 2, 0, 0, 0], [8, 6, 0, 0, 0]].contains(Array(bytes[24..<29])),
      let width = reader.unsigned(at: 16, size: 4), let height = reader.unsigned(at: 20, size: 4),
      width > 0, height > 0
    else { return nil }
    let size = PixelSize(width: Int(width), height: Int(height))
    return size == size.limitedForPreview ? size : nil
  }
}
