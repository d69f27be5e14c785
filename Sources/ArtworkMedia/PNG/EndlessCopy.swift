/// Copies of animated pictures that repeat without end, with the same pictures and times.
enum EndlessCopy {
  /// The bytes of the copy; `nil` for a file of another format, or one that is damaged where this is stated.
  static func of(_ input: InputFile, as format: FileFormat, limits: Limits)
    throws(InspectionError) -> [UInt8]?
  {
    // With the chunks that readers pass over.
    let bytes = InputFile(sharing: input).bytes(at: 0, count: Int(clamping: input.size))
    switch format {
    case .gif: return gif(bytes)
    case .png: return png(bytes, BoxReader(input))
    case .webp: return webp(bytes)
    case .webm, .jpeg: return nil
    case .avif:
      var bytes = bytes
      let edits = try MovieLayout(reading: input, limits: limits).endlessEdits
      for edit in edits {
        let place = Int(clamping: edit.place)
        guard place >= 0, place <= bytes.count - edit.bytes.count else { return nil }
        bytes.replaceSubrange(place..<place + edit.bytes.count, with: edit.bytes)
      }
      return edits.isEmpty ? nil : bytes
    }
  }

  /// The application extension of Netscape, with a count of zero, comes first; others are dropped.
  private static func gif(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 13, bytes.starts(with: "GIF8".utf8) else { return nil }
    let start = 13 + (bytes[10] & 0x80 == 0 ? 0 : 3 << (Int(bytes[10] & 7) + 1))
    guard start < bytes.count else { return nil }
    let head = [0x21, 0xff, 11] as [UInt8]
    let names = ["NETSCAPE2.0", "ANIMEXTS1.0"].map { head + $0.utf8 + [3, 1] }
    var copy = Array("GIF89a".utf8) + bytes[6..<start] + names[0] + [0, 0, 0]
    var place = start
    // Extensions of applications come before the first picture.
    while place + 19 <= bytes.count, bytes[place] == 0x21 {
      var end = place + 2
      while end < bytes.count, bytes[end] > 0 { end += 1 + Int(bytes[end]) }
      guard end < bytes.count else { return nil }
      if !names.contains(where: { bytes[place...].starts(with: $0) }) {
        copy += bytes[place...end]
      }
      place = end + 1
    }
    return copy + bytes[place...]
  }

  private static func png(_ bytes: [UInt8], _ reader: BoxReader) -> [UInt8]? {
    let found = PNGChunks(reader).first { $0.name == "acTL" }
    guard let found, case let control = Int(clamping: found.data.lowerBound),
      control + 12 <= bytes.count
    else { return nil }
    var bytes = bytes
    bytes.replaceSubrange(control + 4..<control + 8, with: [0, 0, 0, 0])
    let checksum = PNGChunks.checksum(bytes[control - 4..<control + 8])
    bytes.replaceSubrange(
      control + 8..<control + 12,
      with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) })
    return bytes
  }

  /// The chunk follows the extended header (WebP container specification).
  private static func webp(_ bytes: [UInt8]) -> [UInt8]? {
    guard MediaSignature.isAnimatedWebP(bytes) else { return nil }
    var place = 12
    while place + 14 <= bytes.count {
      if bytes[place..<place + 4].elementsEqual("ANIM".utf8) {
        var copy = bytes
        (copy[place + 12], copy[place + 13]) = (0, 0)
        return copy
      }
      let size = (0..<4).reduce(0) { $0 | Int(bytes[place + 4 + $1]) << (8 * $1) }
      place += 8 + size + size & 1
    }
    return nil
  }
}
