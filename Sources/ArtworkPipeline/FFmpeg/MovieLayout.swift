/// What an ISO base media file's own boxes say that libavformat does not pass on: the order and
/// completeness of the top-level boxes, edit lists and clean apertures (ISO/IEC 14496-12).
///
/// Reads box headers only; a few dozen small reads. Anything malformed ends the walk quietly: the
/// demuxer is the one that judges the file.
struct MovieLayout {
  /// The movie header precedes the media data; `nil` when either is absent.
  private(set) var movieHeaderFirst: Bool?
  /// Sample tables may continue in movie fragments.
  private(set) var isFragmented = false
  /// A top-level box claims bytes past the end of the file, or the movie header is missing.
  private(set) var isCutShort = false
  /// There is no movie but a `meta` box at file level: the items of a still image (ISO/IEC 23008-12).
  private(set) var isStillImage = false
  private var movie: Box?
  private let input: InputFile

  /// A box: its type and the extent of its payload in the file.
  private struct Box {
    var type: String
    var start: Int64
    var end: Int64
  }

  /// The most top-level boxes looked at; a fragmented file may have thousands.
  private static let topLevelLimit = 64

  init(reading input: InputFile) {
    self.input = input
    var seenData = false
    var seenItems = false
    var offset: Int64 = 0
    for _ in 0..<Self.topLevelLimit {
      guard let (box, next) = Self.box(at: offset, limit: input.size, in: input) else { break }
      switch box.type {
      case "moov":
        movie = movie ?? box
        if seenData { movieHeaderFirst = false }
      case "mdat":
        seenData = true
        if movie != nil, movieHeaderFirst == nil { movieHeaderFirst = true }
      case "moof", "sidx":
        isFragmented = true
      case "meta":
        seenItems = true
      default: break
      }
      if next > input.size { isCutShort = true }
      guard next > offset, next < input.size else { break }
      offset = next
    }
    if let movie, first("mvex", in: movie) != nil { isFragmented = true }
    isStillImage = seenItems && movie == nil
    // Media data without a movie header: the recording or the copy was not finished.
    if seenData, movie == nil, !seenItems { isCutShort = true }
  }

  /// The edit list of a track, or `nil` when it has none.
  func editList(track identifier: Int) -> [EditSegment]? {
    guard let movie, let track = track(identifier, in: movie),
      let edits = first("edts", in: track), let list = first("elst", in: edits),
      let movieScale = timescale("mvhd", in: movie),
      let media = first("mdia", in: track), let mediaScale = timescale("mdhd", in: media)
    else { return nil }
    let header = Reader(bytes: input.bytes(at: list.start, count: 8))
    guard let version = header.unsigned(at: 0, size: 1), let count = header.unsigned(at: 4, size: 4)
    else { return nil }
    let fieldSize = version == 1 ? 8 : 4
    let entrySize = 2 * fieldSize + 4
    // A real list has a handful of entries; a thousand is more than any player follows.
    let readable = min(Int(min(count, 1000)), Int(list.end - list.start - 8) / entrySize)
    guard readable > 0 else { return nil }
    let entries = Reader(bytes: input.bytes(at: list.start + 8, count: readable * entrySize))
    return (0..<readable).compactMap { index in
      let offset = index * entrySize
      guard let duration = entries.unsigned(at: offset, size: fieldSize),
        let raw = entries.unsigned(at: offset + fieldSize, size: fieldSize)
      else { return nil }
      let mediaTime =
        fieldSize == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
      return EditSegment(
        durationSeconds: Double(duration) / movieScale,
        mediaSeconds: mediaTime < 0 ? nil : Double(mediaTime) / mediaScale)
    }
  }

  /// The clean aperture of a track's first sample entry inside a `width` by `height` picture, rounded
  /// to whole pixels; `nil` when there is none or it does not crop.
  func cleanAperture(track identifier: Int, width: Int, height: Int) -> CleanAperture? {
    guard let movie, let track = track(identifier, in: movie),
      let table = ["mdia", "minf", "stbl", "stsd"].reduce(
        Optional(track),
        { box, type in
          box.flatMap { first(type, in: $0) }
        }),
      let (entry, _) = Self.box(at: table.start + 8, limit: table.end, in: input)
    else { return nil }
    // The visual sample entry's own fields take 78 bytes (ISO/IEC 14496-12, 12.1.3).
    let boxes = Box(type: entry.type, start: entry.start + 78, end: entry.end)
    guard let box = first("clap", in: boxes), box.end - box.start >= 32 else { return nil }
    let reader = Reader(bytes: input.bytes(at: box.start, count: 32))
    let fields = (0..<8).compactMap { reader.unsigned(at: $0 * 4, size: 4) }
    guard fields.count == 8, [1, 3, 5, 7].allSatisfy({ fields[$0] != 0 }) else { return nil }
    func ratio(_ index: Int) -> Double {
      Double(Int32(truncatingIfNeeded: fields[index]))
        / Double(Int32(truncatingIfNeeded: fields[index + 1]))
    }
    let (cropWidth, cropHeight) = (ratio(0).rounded(), ratio(2).rounded())
    // The offset is from the picture's centre to the aperture's centre.
    let x = (Double(width) - cropWidth) / 2 + ratio(4)
    let y = (Double(height) - cropHeight) / 2 + ratio(6)
    let isInside =
      cropWidth >= 1 && cropHeight >= 1 && x >= 0 && y >= 0
      && x + cropWidth <= Double(width) && y + cropHeight <= Double(height)
    guard isInside, cropWidth < Double(width) || cropHeight < Double(height) else { return nil }
    return CleanAperture(
      x: Int(x), y: Int(y), width: Int(cropWidth), height: Int(cropHeight))
  }

  private func track(_ identifier: Int, in movie: Box) -> Box? {
    children(of: movie).first { box in
      guard box.type == "trak", let header = first("tkhd", in: box) else { return false }
      let reader = Reader(bytes: input.bytes(at: header.start, count: 24))
      let offset = reader.unsigned(at: 0, size: 1) == 1 ? 20 : 12
      return reader.unsigned(at: offset, size: 4) == UInt64(clamping: identifier)
    }
  }

  /// The time scale in an `mvhd` or `mdhd` box.
  private func timescale(_ type: String, in parent: Box) -> Double? {
    guard let header = first(type, in: parent) else { return nil }
    let reader = Reader(bytes: input.bytes(at: header.start, count: 24))
    let offset = reader.unsigned(at: 0, size: 1) == 1 ? 20 : 12
    guard let scale = reader.unsigned(at: offset, size: 4), scale > 0 else { return nil }
    return Double(scale)
  }

  private func first(_ type: String, in parent: Box) -> Box? {
    children(of: parent).first { $0.type == type }
  }

  private func children(of parent: Box) -> some Sequence<Box> {
    sequence(state: parent.start) { [input] offset -> Box? in
      guard let (box, next) = Self.box(at: offset, limit: parent.end, in: input), next > offset
      else { return nil }
      offset = next
      return box
    }
  }

  /// The box at `offset` and where the next one starts (past `limit` when the box claims too much).
  private static func box(
    at offset: Int64, limit: Int64, in input: InputFile
  ) -> (Box, next: Int64)? {
    let header = Reader(bytes: input.bytes(at: offset, count: 16))
    guard limit - offset >= 8, let short = header.unsigned(at: 0, size: 4),
      let name = header.unsigned(at: 4, size: 4)
    else { return nil }
    var headerSize: Int64 = 8
    var size = Int64(short)
    if short == 1 {
      guard let long = header.unsigned(at: 8, size: 8) else { return nil }
      headerSize = 16
      size = Int64(clamping: long)
    } else if short == 0 {
      size = limit - offset
    }
    let (next, overflow) = offset.addingReportingOverflow(size)
    guard size >= headerSize, !overflow else { return nil }
    let type = String(
      (0..<4).map { Character(UnicodeScalar(UInt8(truncatingIfNeeded: name >> (24 - 8 * $0)))) })
    return (Box(type: type, start: offset + headerSize, end: min(next, limit)), next)
  }

  /// Big-endian fields; `nil` past the end.
  private struct Reader {
    let bytes: [UInt8]

    func unsigned(at offset: Int, size: Int) -> UInt64? {
      guard offset >= 0, offset + size <= bytes.count else { return nil }
      return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }
}
