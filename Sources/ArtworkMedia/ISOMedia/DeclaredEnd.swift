/// Whether a file other than an ISO base media one ends before its own structure declares. libavformat treats the end
/// of the data as the end of the video, so a truncated copy looks like a shorter clip.
enum DeclaredEnd {
  /// - Parameter format: libavformat's demuxer name. Containers that state no end are never cut short.
  static func isMissed(by input: InputFile, format: String) -> Bool {
    let reader = BoxReader(input)
    switch format {
    case "avi": return riff(reader)
    case "matroska,webm": return segment(reader)
    case "gif": return ImageBlocks.walkGIF(reader) == .missing
    case "apng": return PNGChunks.areCut(reader)
    default: return false
    }
  }

  /// The size of a RIFF file follows its name; files beyond 1 GB have several such parts (OpenDML 1.02).
  private static func riff(_ reader: BoxReader) -> Bool {
    var offset: Int64 = 0
    for _ in 0..<partLimit {
      guard offset < reader.fileSize else { return false }
      guard let size = littleEndian(reader, at: offset + 4, size: 4),
        reader.unsigned(at: offset, size: 4) == 0x5249_4646  // RIFF
      else { return offset == 0 || reader.fileSize - offset < 8 }
      // A recorder that was stopped leaves zero. Parts start at even offsets.
      offset += 8 + Int64(size) + Int64(size & 1)
      if offset - Int64(size & 1) > reader.fileSize { return true }
    }
    return false
  }

  /// A part of a RIFF file has a gigabyte; this is more than ``Limits/fileBytes``.
  private static let partLimit = 64

  /// Matroska: an EBML header and a segment, each with its size (RFC 8794, 4 and 5; RFC 9559, 4.5).
  private static func segment(_ reader: BoxReader) -> Bool {
    var offset: Int64 = 0
    // The header, perhaps a void, the segment.
    for _ in 0..<8 {
      guard let element = element(reader, at: offset) else { return offset < reader.fileSize }
      // A live recording leaves the size of its segment unknown.
      guard let size = element.size else { return false }
      let end = element.start.addingClamped(size)
      if end > reader.fileSize { return true }
      if element.identifier == 0x1853_8067 { return false }  // Segment
      offset = end
    }
    return false
  }

  /// The identifier keeps its length marker and the size loses it. A size of ones is unknown.
  private static func element(
    _ reader: BoxReader, at offset: Int64
  ) -> (identifier: UInt64, start: Int64, size: Int64?)? {
    func length(at offset: Int64) -> Int? {
      reader.unsigned(at: offset, size: 1).flatMap {
        let length = UInt8(truncatingIfNeeded: $0).leadingZeroBitCount + 1
        return length <= 8 ? length : nil
      }
    }
    guard let nameLength = length(at: offset), nameLength <= 4,
      let name = reader.unsigned(at: offset, size: nameLength),
      let sizeLength = length(at: offset + Int64(nameLength)),
      let raw = reader.unsigned(at: offset + Int64(nameLength), size: sizeLength)
    else { return nil }
    let unknown = UInt64(1) << (7 * UInt64(sizeLength)) - 1
    let size = raw & unknown
    return (
      name, offset + Int64(nameLength + sizeLength), size == unknown ? nil : Int64(clamping: size)
    )
  }

  private static func littleEndian(
    _ reader: BoxReader, at offset: Int64, size: Int
  ) -> UInt32? {
    reader.unsigned(at: offset, size: size).map { UInt32(truncatingIfNeeded: $0).byteSwapped }
  }
}
