import CPNG

extension InputFile {
  /// Lets FFmpeg read what browsers make of the file, and of inks what a printer makes.
  func readAsBrowsers() {
    hideDamagedChunks()
    restoreByReservedDisposals()
    keepInksApart()
  }

  /// Restores what was before a picture of a GIF after the reserved disposal 4 (GIF89a, 23), which browsers take for 3.
  private func restoreByReservedDisposals() {
    guard bytes(at: 0, count: 4).elementsEqual("GIF8".utf8) else { return }
    let reader = BoxReader(self)
    var found: [(Int64, UInt8)] = []
    _ = ImageBlocks.walkGIF(reader) { start in
      guard reader.unsigned(at: start, size: 3) == 0x21_f904,
        let packed = reader.unsigned(at: start + 3, size: 1), packed >> 2 & 7 == 4
      else { return }
      found.append((start + 3, UInt8(packed & 0xe3 | 3 << 2)))
    }
    for (place, byte) in found { replace(place, by: byte) }
  }

  /// Hides the chunks of a PNG file that browsers pass over: those beside the picture with a wrong checksum, a profile that
  /// cannot be read, or a place after the pixels. FFmpeg refuses pictures because of the last two.
  private func hideDamagedChunks() {
    guard bytes(at: 0, count: 8) == PNGFile.signature else { return }
    var found: [Int64] = []
    var hasPixels = false
    for chunk in PNGChunks(BoxReader(self)) {
      if chunk.name == "IDAT" { hasPixels = true }
      // What a picture needs begins with a capital; an animation needs acTL, fcTL and fdAT.
      guard chunk.name.code & 0x2000_0000 != 0, !["acTL", "fcTL", "fdAT"].contains(chunk.name),
        found.count < Self.mostHidden, chunk.count <= Self.mostRead,
        hasPixels || isDamaged(bytes(at: chunk.checked.lowerBound, count: chunk.count + 8))
      else { continue }
      found.append(chunk.checked.lowerBound)
    }
    // A name that no decoder knows.
    for place in found { replace(place, by: UInt8(ascii: "x")) }
  }

  /// - Parameter chunk: from its name to its checksum.
  private func isDamaged(_ chunk: [UInt8]) -> Bool {
    guard chunk.count >= 8 else { return false }
    return chunk.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
      != PNGChunks.checksum(chunk.dropLast(4))
      || chunk.starts(with: "iCCP".utf8) && !Self.holdsProfile(chunk[4..<chunk.count - 4])
  }

  /// Chunks that are hidden at most, and bytes of one that are read.
  private static let (mostHidden, mostRead) = (64, 8_000_000)

  /// Whether data of iCCP is a name of 1 to 79 bytes and what can be inflated (PNG, third edition, 11.3.2.3).
  private static func holdsProfile(_ chunk: ArraySlice<UInt8>) -> Bool {
    guard let end = chunk.firstIndex(of: 0), (1..<80).contains(end - chunk.startIndex),
      chunk[end...].dropFirst().first == 0, let profile = PNGWeight.compressedText(chunk, after: 1)
    else { return false }
    return unsafe artwork_zlib_length(profile, profile.count, mostRead, nil) > 0
  }
}
