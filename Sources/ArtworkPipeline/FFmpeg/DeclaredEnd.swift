import ArtworkModel

/// Whether a file other than an ISO base media one ends before its own structure says. libavformat takes
/// the end of the data for the end of the video, so that a copy that was cut short looks like a shorter
/// clip.
enum DeclaredEnd {
  /// - Parameter format: libavformat's demuxer name. Containers that state no end are never cut short.
  static func isMissed(by input: InputFile, format: String) -> Bool {
    let reader = BoxReader(input)
    switch format {
    case "avi": return riff(reader)
    case "matroska,webm": return segment(reader)
    case "gif": return gif(reader)
    case "apng": return png(reader)
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

  /// GIF blocks and PNG chunks that are followed before giving up: 500 MB of full blocks.
  private static let blockLimit = 2_000_000

  /// GIF has no sizes but a last byte (GIF89a, 27). Its blocks are chains of up to 255 bytes.
  private static func gif(_ reader: BoxReader) -> Bool {
    func byte(_ offset: Int64) -> Int64? { reader.unsigned(at: offset, size: 1).map { Int64($0) } }
    /// Bytes of the color table that a packed field announces.
    func table(_ packed: Int64) -> Int64 { packed & 0x80 == 0 ? 0 : 3 << ((packed & 7) + 1) }
    guard let packed = byte(10) else { return true }
    var offset = 13 + table(packed)
    var count = 0
    while let kind = byte(offset) {
      switch kind {
      case 0x3b: return false
      case 0x21: offset += 2
      case 0x2c:
        guard let packed = byte(offset + 9) else { return true }
        offset += 11 + table(packed)
      // Padding or damage: what the decoder makes of it decides.
      default: return false
      }
      while true {
        guard let length = byte(offset) else { return true }
        count += 1
        if count > blockLimit { return false }
        offset += 1 + length
        if length == 0 { break }
      }
    }
    return true
  }

  /// PNG is a chain of chunks up to `IEND` (PNG specification, 5.3).
  private static func png(_ reader: BoxReader) -> Bool {
    var offset: Int64 = 8
    for _ in 0..<blockLimit {
      guard let size = reader.unsigned(at: offset, size: 4),
        let type = reader.unsigned(at: offset + 4, size: 4)
      else { return true }
      // Length, type and checksum surround the data.
      offset += 12 + Int64(size)
      if type == 0x4945_4e44 { return offset > reader.fileSize }
    }
    return false
  }

  private static func littleEndian(
    _ reader: BoxReader, at offset: Int64, size: Int
  ) -> UInt32? {
    reader.unsigned(at: offset, size: size).map { UInt32(truncatingIfNeeded: $0).byteSwapped }
  }
}
