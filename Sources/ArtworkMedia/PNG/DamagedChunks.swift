import CPNG

extension InputFile {
  /// Hides the chunks of a PNG file that browsers pass over: those beside the picture with a wrong checksum, a profile that
  /// cannot be read, or a place after the pixels. FFmpeg refuses pictures because of the last two.
  func hideDamagedChunks() {
    guard bytes(at: 0, count: 8) == PNGFile.signature else { return }
    let reader = BoxReader(self)
    var found: [Int64] = []
    var hasPixels = false
    _ = ImageBlocks.walkPNG(reader) { type, data in
      if type == 0x4944_4154 { hasPixels = true }  // IDAT
      // What a picture needs begins with a capital; an animation needs acTL, fcTL and fdAT.
      guard type & 0x2000_0000 != 0, ![0x6163_544c, 0x6663_544c, 0x6664_4154].contains(type),
        found.count < Self.mostHidden, let size = reader.unsigned(at: data - 8, size: 4),
        size <= Self.mostRead,
        hasPixels || isDamaged(bytes(at: data - 4, count: Int(size) + 8))
      else { return }
      found.append(data - 4)
    }
    found.forEach(hideChunk)
  }

  /// - Parameter chunk: from its name to its checksum.
  private func isDamaged(_ chunk: [UInt8]) -> Bool {
    guard chunk.count >= 8 else { return false }
    let sum = chunk.dropLast(4).withUnsafeBufferPointer {
      artwork_png_checksum($0.baseAddress, $0.count)
    }
    return chunk.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } != sum
      || chunk.starts(with: "iCCP".utf8) && !Self.holdsProfile(chunk[4..<chunk.count - 4])
  }

  /// Chunks that are hidden at most, and bytes of one that are read.
  private static let (mostHidden, mostRead): (Int, UInt64) = (64, 8_000_000)

  /// Whether data of iCCP is a name of 1 to 79 bytes and what can be inflated (PNG, third edition, 11.3.2.3).
  private static func holdsProfile(_ chunk: ArraySlice<UInt8>) -> Bool {
    guard let end = chunk.firstIndex(of: 0), (1..<80).contains(end - chunk.startIndex),
      chunk[end...].dropFirst().first == 0, let profile = PNGWeight.compressedText(chunk, after: 1)
    else { return false }
    return artwork_zlib_length(profile, profile.count, Int(mostRead)) > 0
  }
}
