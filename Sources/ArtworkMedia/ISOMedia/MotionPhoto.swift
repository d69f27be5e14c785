/// The movie in a photo of a phone: behind the picture of a JPEG file (Google, Samsung, Xiaomi), or in a box of a HEIC file.
enum MotionPhoto {
  /// Boxes of a movie at file level (ISO/IEC 14496-12).
  private static let types: Set<BoxType> = [
    "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "moof", "mfra", "sidx", "styp",
  ]
  private static let chunk = 1 << 20

  /// Where the movie is in the file; `nil` without one. Reads a JPEG file up to its movie.
  static func movie(in input: InputFile) -> Range<Int64>? {
    let reader = BoxReader(input)
    let start = input.bytes(at: 0, count: 12)
    if start.dropFirst(4).starts(with: "ftyp".utf8) {
      var offset: Int64 = 0
      while let box = reader.box(at: offset, limit: reader.fileSize) {
        if box.type == "mpvd" { return boxes(reader, from: box.start, to: box.end) }
        if box.type == "moov" || box.next <= offset { return nil }
        offset = box.next
      }
      return nil
    }
    guard start.starts(with: [0xff, 0xd8, 0xff]) else { return nil }
    var offset: Int64 = 0
    while offset < input.size {
      // Overlaps the next one by the length of what is searched.
      let bytes = input.bytes(at: offset, count: chunk + 7)
      for place in bytes.indices.dropLast(7)
      where bytes[place + 4] == 0x66 && bytes[place] == 0
        && bytes[place + 4..<place + 8].elementsEqual("ftyp".utf8)
      {
        if let movie = boxes(reader, from: offset + Int64(place), to: reader.fileSize) {
          return movie
        }
      }
      offset += Int64(chunk)
    }
    return nil
  }

  /// The boxes from `start` on, if they are those of a movie.
  private static func boxes(_ reader: BoxReader, from start: Int64, to end: Int64) -> Range<Int64>?
  {
    var (offset, hasMovie) = (start, false)
    while let box = reader.box(at: offset, limit: end), types.contains(box.type), box.next <= end {
      if box.type == "moov" { hasMovie = true }
      offset = box.next
    }
    return hasMovie ? start..<offset : nil
  }
}
