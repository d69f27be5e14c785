/// The properties in an ISO base media file's boxes that libavformat does not expose: the order and completeness of
/// the top-level boxes, edit lists, clean apertures, and how many samples each track declares (ISO/IEC 14496-12).
///
/// Reads box headers only; a few small reads. Anything malformed silently ends its part of the walk, because the
/// demuxer judges the file.
struct MovieLayout {
  private let walk: MovieWalk
  private let reader: BoxReader

  /// - Throws: see ``MovieWalk``.
  init(reading input: InputFile, limits: Limits = Limits()) throws(InspectionError) {
    reader = BoxReader(input)
    walk = try MovieWalk(reader, limits: limits)
  }

  /// The movie header precedes the media data; `nil` if either is absent.
  var movieHeaderFirst: Bool? { walk.movieHeaderFirst }
  /// Sample tables may continue in movie fragments.
  var isFragmented: Bool { walk.isFragmented }
  /// A top-level box claims bytes past the end of the file, or the movie header is missing.
  var isCutShort: Bool { walk.isCutShort }
  /// A fragment's header is cut, or an index refers to bytes past the end of the file.
  var lacksFragments: Bool { walk.lacksFragments }
  var lacksHeader: Bool { walk.lacksHeader }
  /// There is no movie but the items of a still image (ISO/IEC 23008-12).
  var isStillImage: Bool { walk.movie == nil && walk.items != nil }

  /// A still image does not state which of its items is the picture (`pitm`).
  var lacksPrimaryItem: Bool {
    guard isStillImage, let items = walk.items, items.type == "meta" else { return false }
    return !reader.boxes(items.start + 4, items.end, most: Self.entryBoxLimit).contains {
      $0.type == "pitm"
    }
  }

  /// Transparency is a separate track (ISO/IEC 23000-22, auxiliary video), as in AVIF sequences.
  var hasAlphaTrack: Bool { walk.tracks.contains { $0.handler == "auxv" } }

  /// Whether a track is one of transparency.
  func isAlpha(track identifier: Int) -> Bool { track(identifier)?.handler == "auxv" }

  /// The total duration in seconds of the fragments of a movie with a single track; `nil` if it is not stated.
  var fragmentedSeconds: Double? {
    guard walk.tracks.count == 1, let duration = walk.fragmentedDuration,
      let scale = walk.movieTimescale, duration > 0
    else { return nil }
    return Double(duration) / Double(scale)
  }

  /// The length that the movie header states in seconds; `nil` if it states none.
  var movieSeconds: Double? {
    let duration = isFragmented ? walk.fragmentedDuration ?? 0 : walk.movieDuration
    guard let scale = walk.movieTimescale, duration > 0 else { return nil }
    return Double(duration) / Double(scale)
  }

  /// The ends of the tracks, by their edit lists or else by the length of their media; `nil` for a fragmented movie,
  /// whose header does not contain them.
  var trackSpans: [TrackSpan]? {
    guard !isFragmented else { return nil }
    return walk.tracks.compactMap { track in
      guard let scale = track.timescale, track.duration > 0 else { return nil }
      let media = Double(track.duration) / Double(scale)
      let edits = editList(track)?.map(\.durationSeconds).reduce(0, +)
      return TrackSpan(
        kind: track.kind, endSeconds: edits.flatMap { $0 > 0 ? $0 : nil } ?? media,
        mediaSeconds: media)
    }
  }

  /// Entries that libavformat makes for the sample tables of all tracks.
  var indexEntries: Int64 { walk.tracks.reduce(0) { $0.addingClamped($1.indexEntries) } }

  func track(_ identifier: Int) -> MovieTrack? {
    walk.tracks.first { $0.identifier == UInt64(clamping: identifier) }
  }

  /// The edit list of a track, or `nil` if it has none.
  func editList(track identifier: Int) -> [EditSegment]? {
    track(identifier).flatMap(editList)
  }

  /// Where the name of the edit list of a track is in the file; `nil` for none, and for a box with a size of 64 bits.
  func editListName(track identifier: Int) -> Range<Int64>? {
    guard let start = track(identifier)?.editList?.start, reader.unsigned(at: start - 4, size: 4) == 0x656c_7374
    else { return nil }
    return start - 4..<start
  }

  private func editList(_ track: MovieTrack) -> [EditSegment]? {
    guard let list = track.editList, let movieScale = walk.movieTimescale,
      let mediaScale = track.timescale,
      let version = reader.unsigned(at: 0, size: 1, in: list),
      let count = reader.unsigned(at: 4, size: 4, in: list)
    else { return nil }
    let fieldSize = version == 1 ? 8 : 4
    let entrySize = Int64(2 * fieldSize + 4)
    // A real list has a handful of entries; a thousand is more than any player follows.
    let readable = min(Int64(clamping: count), 1000, (list.payload - 8) / entrySize)
    guard readable > 0 else { return nil }
    return (0..<readable).compactMap { index in
      let offset = 8 + index * entrySize
      guard let duration = reader.unsigned(at: offset, size: fieldSize, in: list),
        let raw = reader.unsigned(at: offset + Int64(fieldSize), size: fieldSize, in: list)
      else { return nil }
      let mediaTime =
        fieldSize == 8 ? Int64(bitPattern: raw) : Int64(Int32(truncatingIfNeeded: raw))
      let rate = reader.unsigned(at: offset + 2 * Int64(fieldSize), size: 4, in: list).map {
        Double(Int32(truncatingIfNeeded: $0)) / 65536
      }
      return EditSegment(
        durationSeconds: Double(duration) / Double(movieScale),
        mediaSeconds: mediaTime < 0 ? nil : Double(mediaTime) / Double(mediaScale),
        rate: mediaTime < 0 || rate == 1 ? nil : rate)
    }
  }

  /// The clean aperture of a track's first sample entry inside a `width` by `height` picture, rounded to whole
  /// pixels; `nil` if there is none or it does not crop.
  func cleanAperture(track identifier: Int, width: Int, height: Int) -> CleanAperture? {
    child("clap", track: identifier).flatMap {
      CleanAperture($0, reader, width: width, height: height)
    }
  }

  /// Whether players treat a track as present (ISO/IEC 14496-12, 8.3.2).
  func isEnabled(track identifier: Int) -> Bool {
    track(identifier)?.header.flatMap { reader.unsigned(at: 3, size: 1, in: $0) }.map {
      $0 & 1 == 1
    } ?? true
  }

  /// The size that a header states of a track with such pictures, if it is wrong: the sample entry's, or on screen one
  /// with a side of 0 or with the padding of the codec. Any other on screen is the shape that is to be shown.
  func contradictedSize(track identifier: Int, _ format: DecodedFormat) -> String? {
    guard let track = track(identifier), let header = track.header,
      let version = reader.unsigned(at: 0, size: 1, in: header)
    else { return nil }
    func size(_ place: Int64, _ bytes: Int, in box: Box) -> (Int, Int)? {
      guard let wide = reader.unsigned(at: place, size: bytes, in: box),
        let high = reader.unsigned(at: place + Int64(bytes), size: bytes, in: box)
      else { return nil }
      let shift = (bytes - 2) * 8
      return (Int(wide >> shift), Int(high >> shift))
    }
    if let entry = sampleEntry(track: identifier), let stated = size(24, 2, in: entry),
      stated != (format.width, format.height)
    {
      return "\(stated.0)x\(stated.1)"
    }
    guard let shown = size(version == 1 ? 88 : 76, 4, in: header) else { return nil }
    // Fragmented files leave both open.
    let isEmpty = (shown.0 == 0 || shown.1 == 0) && !(isFragmented && shown == (0, 0))
    let isPadded =
      shown == (format.paddedWidth, format.paddedHeight) && shown != (format.width, format.height)
    guard isEmpty || isPadded else { return nil }
    return "\(shown.0)x\(shown.1)"
  }

  /// How the pictures of an AVIF sequence are turned and mirrored, as a display matrix (ISO/IEC 23008-12, `irot`, then
  /// `imir`); `nil` if they are not.
  func pictureMatrix(track identifier: Int) -> [Int32]? {
    func property(_ type: BoxType) -> Int? {
      child(type, track: identifier).flatMap { reader.unsigned(at: 0, size: 1, in: $0) }
        .map { Int($0) }
    }
    let (turn, mirror) = (property("irot"), property("imir"))
    return turn == nil && mirror == nil
      ? nil : Orientation.matrix(quarterTurnsBack: turn ?? 0, mirroring: mirror)
  }

  /// How many times an AVIF sequence plays; `nil` without end. An edit list that repeats plays until the length of the
  /// track is reached (ISO/IEC 14496-12, 8.6.6), one that does not plays once.
  func playCount(track identifier: Int) -> Int? {
    guard let track = track(identifier), let list = track.editList,
      let flags = reader.unsigned(at: 0, size: 4, in: list),
      let once = reader.unsigned(at: 8, size: flags >> 24 == 1 ? 8 : 4, in: list)
    else { return nil }
    guard flags & 1 == 1 else { return 1 }
    guard let length = headerDuration(track), once > 0 else { return nil }
    return max(1, Int(clamping: length / once + (length % once == 0 ? 0 : 1)))
  }

  /// The length in seconds that the header of a track or of its media states, if it contradicts its samples or its edit
  /// list; `nil` if neither does.
  func contradictedSeconds(track identifier: Int) -> Double? {
    guard !isFragmented, let track = track(identifier), let times = track.times,
      let scale = track.timescale, let movieScale = walk.movieTimescale
    else { return nil }
    var ticks: Int64 = 0
    for entry in 0..<min(track.timeEntries, (times.payload - 8) / 8) {
      let place = 8 + 8 * entry
      guard let count = reader.unsigned(at: place, size: 4, in: times),
        let step = reader.unsigned(at: place + 4, size: 4, in: times)
      else { return nil }
      ticks = ticks.addingClamped(Int64(count).multipliedClamped(by: Int64(step)))
    }
    let samples = Double(ticks) / Double(scale)
    func differs(_ stated: Double, _ known: Double) -> Bool {
      abs(stated - known) > max(Self.leastDifference, Self.leastShare * known)
    }
    let media = Double(track.duration) / Double(scale)
    if media > 0, differs(media, samples) { return media }
    let edits = editList(track)?.map(\.durationSeconds).reduce(0, +) ?? 0
    guard let header = headerDuration(track) else { return nil }
    let stated = Double(header) / Double(movieScale)
    return differs(stated, edits > 0 ? edits : samples) ? stated : nil
  }

  /// A difference that is no rounding and no last frame, in seconds and as a share.
  private static let (leastDifference, leastShare) = (0.1, 0.05)

  /// The length of a track in its header, in ticks of the movie; `nil` if it states none.
  private func headerDuration(_ track: MovieTrack) -> UInt64? {
    guard let (place, size) = durationPlace(track),
      let length = reader.unsigned(at: place, size: size), length > 0,
      length != (size == 8 ? .max : UInt64(UInt32.max))
    else { return nil }
    return length
  }

  /// Where the length of a track is in the file, and its bytes.
  private func durationPlace(_ track: MovieTrack) -> (place: Int64, size: Int)? {
    guard let header = track.header, let version = reader.unsigned(at: 0, size: 1, in: header),
      header.payload >= (version == 1 ? 36 : 24)
    else { return nil }
    return version == 1 ? (header.start + 28, 8) : (header.start + 20, 4)
  }

  /// The bytes to write, and where, so that all tracks of an AVIF sequence play without end.
  var endlessEdits: [(place: Int64, bytes: [UInt8])] {
    walk.tracks.flatMap { track -> [(place: Int64, bytes: [UInt8])] in
      guard let list = track.editList, let (place, size) = durationPlace(track) else { return [] }
      return [(list.start + 3, [1]), (place, [UInt8](repeating: 0xff, count: size))]
    }
  }

  /// The configuration of the further layers of an HEVC track (ISO/IEC 14496-15, 9.5.3), in the form of `hvcC` from
  /// its arrays on; empty without one.
  func layers(track identifier: Int) -> [UInt8] {
    guard let box = child("lhvC", track: identifier) else { return [] }
    return (0..<min(box.payload, Self.longestSetup)).compactMap { offset in
      reader.unsigned(at: offset, size: 1, in: box).map { UInt8(truncatingIfNeeded: $0) }
    }
  }

  /// Set-up data is a few hundred bytes.
  private static let longestSetup: Int64 = 4096

  /// Whether a track's first sample entry is that of encrypted video (ISO/IEC 14496-12, 8.12). libavformat reports
  /// the codec inside.
  func isEncrypted(track identifier: Int) -> Bool {
    sampleEntry(track: identifier)?.type == "encv"
  }

  /// Whether some track is of encrypted video.
  var hasEncryptedVideo: Bool {
    walk.tracks.contains { isEncrypted(track: Int(clamping: $0.identifier)) }
  }

  /// A sample entry has a handful of boxes; no more than this are read.
  private static let entryBoxLimit = 100

  /// A box in a track's first sample entry, after its own fields, which take 78 bytes (ISO/IEC 14496-12, 12.1.3).
  private func child(_ type: BoxType, track identifier: Int) -> Box? {
    sampleEntry(track: identifier).flatMap {
      reader.boxes($0.start + 78, $0.end, most: Self.entryBoxLimit).first { $0.type == type }
    }
  }

  private func sampleEntry(track identifier: Int) -> Box? {
    track(identifier)?.sampleDescriptions.flatMap {
      reader.box(at: $0.start + 8, limit: $0.end)
    }
  }
}

extension CleanAperture {
  /// The part that a box names of a `width` by `height` picture (ISO/IEC 14496-12, 12.1.4.2), rounded to whole pixels;
  /// `nil` if it does not crop.
  init?(_ box: Box, _ reader: BoxReader, width: Int, height: Int) {
    let fields = (0..<8).compactMap { reader.unsigned(at: $0 * 4, size: 4, in: box) }
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
    guard isInside, cropWidth < Double(width) || cropHeight < Double(height),
      let left = wholeNumber(x), let top = wholeNumber(y), let wide = wholeNumber(cropWidth),
      let high = wholeNumber(cropHeight)
    else { return nil }
    self.init(x: left, y: top, width: wide, height: high)
  }
}
