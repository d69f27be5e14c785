/// One walk over all boxes of an ISO base media file, before libavformat sees it: libavformat builds an index of all
/// samples that a table declares, and 600 bytes can declare 80 million samples.
///
/// Linear, without recursion, and bounded by ``Limits``. It follows boxes wherever libavformat does: into containers
/// at any level, because libavformat checks a box's type and not its parent.
struct MovieWalk {
  private(set) var movie: Box?
  private(set) var movieHeaderFirst: Bool?
  private(set) var isFragmented = false
  private(set) var isCutShort = false
  /// The first box at file level that holds the items of a still image (ISO/IEC 23008-12): `meta`, or `mini` in a short
  /// file.
  private(set) var items: Box?
  /// Fragments are missing: a fragment's header is cut, or an index points past the end of the file.
  private(set) var lacksFragments = false
  /// The movie header extends past the end of the file.
  private(set) var lacksHeader = false
  private(set) var movieTimescale: UInt64?
  /// The duration of the movie in its time scale's units (`mvhd`); zero if unknown.
  private(set) var movieDuration: UInt64 = 0
  /// The duration of the movie with its fragments, in movie time scale units (`mehd`).
  private(set) var fragmentedDuration: UInt64?
  private(set) var tracks: [MovieTrack] = []

  private let reader: BoxReader
  private let limits: Limits
  private var boxCount = 0
  private var seenData = false
  /// Per track ID: the sample sizes in `trex` and `tfhd`, and the samples of `trun`.
  private var defaultSizes: [UInt64: UInt64] = [:]
  private var fragmentSamples: [UInt64: Int64] = [:]
  private var currentFragment: (track: UInt64, size: UInt64) = (0, 0)
  /// Samples in all fragments, to stop a flood of them early.
  private var allFragmentSamples: Int64 = 0

  /// The deepest nesting: libavformat's own limit.
  private static let depthLimit = 10
  /// Boxes, and references to fragments, for each frame: a fragment for every frame of a video and an audio track
  /// takes 16 (a header, its number, a track with a header, a time and a run, the data, and one to spare).
  private static let boxesPerFrame = 16
  /// Boxes that do not depend on the number of frames.
  private static let otherBoxes = 10_000
  /// Samples of sound, text and data for each frame of the frame limit: 24 bytes of libavformat's index
  /// each, 48 MB in all by default.
  private static let otherSamplesPerFrame: Int64 = 100

  private static let containers: Set<BoxType> = [
    "moov", "trak", "mdia", "minf", "stbl", "edts", "mvex", "moof", "traf", "udta", "dinf",
  ]

  /// - Throws: `too-many-streams`, `too-many-frames`, or `not-a-movie` for a tree of boxes that no
  ///   movie needs.
  init(_ reader: BoxReader, limits: Limits) throws(InspectionError) {
    self.reader = reader
    self.limits = limits
    try walk()
    finishTopLevel()
    assignFragments()
    for track in tracks { try check(track) }
    try checkOthers()
  }

  private mutating func walk() throws(InspectionError) {
    let boxLimit = limits.frames.multipliedClamped(by: Self.boxesPerFrame)
      .addingClamped(Self.otherBoxes)
    var offset: Int64 = 0
    var ends = [reader.fileSize]
    while let end = ends.last {
      guard let box = reader.box(at: offset, limit: end) else {
        // Bytes that cannot be a box end its parent. At the end of the file they may be the start of one.
        if ends.count == 1 { recordTail(from: offset) }
        ends.removeLast()
        offset = end
        continue
      }
      boxCount += 1
      guard boxCount <= boxLimit else {
        throw InspectionError(.notAMovie, "the movie has more than \(boxLimit) boxes")
      }
      if ends.count == 1 { recordTopLevel(box) }
      if isContainer(box) {
        guard ends.count <= Self.depthLimit else {
          throw InspectionError(
            .notAMovie, "boxes are nested more than \(Self.depthLimit) deep")
        }
        if box.type == "trak" { try startTrack() }
        if box.type == "mvex" { isFragmented = true }
        offset = box.start
        ends.append(box.end)
      } else {
        try record(box)
        offset = box.end
      }
    }
  }

  /// libavformat treats a `free` box as a movie header if it starts like one, so this must, too.
  private func isContainer(_ box: Box) -> Bool {
    if Self.containers.contains(box.type) { return true }
    guard box.type == "free" || box.type == "hoov",
      let inner = reader.unsigned(at: 4, size: 4, in: box)
    else { return false }
    return BoxType(code: UInt32(truncatingIfNeeded: inner)) == "mvhd"
  }

  // MARK: The top level

  private mutating func recordTopLevel(_ box: Box) {
    switch box.type {
    case "moov":
      movie = movie ?? box
      if seenData { movieHeaderFirst = false }
    case "mdat":
      seenData = true
      if movie != nil, movieHeaderFirst == nil { movieHeaderFirst = true }
    case "moof", "sidx":
      isFragmented = true
    case "meta", "mini":
      items = items ?? box
    default: break
    }
    if box.next > reader.fileSize {
      isCutShort = true
      // Samples that lie past the end are missed when they are read; those of a lost header are not.
      if box.type != "mdat" { lacksFragments = true }
      if box.type == "moov" { lacksHeader = true }
    }
  }

  /// Up to seven bytes remain, or something that is not a box.
  private mutating func recordTail(from offset: Int64) {
    if offset < reader.fileSize { lacksFragments = true }
  }

  private mutating func finishTopLevel() {
    // Media data without a movie header: the recording or the copy was not finished.
    if seenData, movie == nil, items == nil { isCutShort = true }
    // A movie whose sample tables are complete does not need the fragments.
    if !isFragmented { lacksFragments = false }
  }

  // MARK: Inside

  private mutating func startTrack() throws(InspectionError) {
    guard tracks.count < limits.streams else {
      throw InspectionError(
        .tooManyStreams, "the movie has more than \(limits.streams) tracks")
    }
    tracks.append(MovieTrack())
  }

  private mutating func record(_ box: Box) throws(InspectionError) {
    switch box.type {
    case "cmov":
      throw InspectionError(
        .notAMovie, "the movie header is compressed, and no player supports that")
    case "mvhd":
      movieTimescale = timescale(in: box) ?? movieTimescale
      movieDuration = duration(in: box)
    case "mehd":
      let size = isLong(box) ? 8 : 4
      fragmentedDuration = reader.unsigned(at: 4, size: size, in: box)
    case "trex":
      if let track = field(4, box), let size = field(16, box) { defaultSizes[track] = size }
    case "sidx": recordIndex(box)
    case "tfra", "mfro", "mfra": isFragmented = true
    case "tfhd", "trun": try recordFragment(box)
    default: try recordTrack(box)
    }
  }

  /// Records a box of the current track. Counts of entries that the file cannot contain are refused, because
  /// libavformat allocates by some of them.
  private mutating func recordTrack(_ box: Box) throws(InspectionError) {
    guard let last = tracks.indices.last else { return }
    switch box.type {
    case "tkhd":
      tracks[last].header = box
      if let identifier = field(isLong(box) ? 20 : 12, box) { tracks[last].identifier = identifier }
    case "mdhd":
      tracks[last].timescale = timescale(in: box) ?? tracks[last].timescale
      tracks[last].duration = duration(in: box)
    case "hdlr":
      // QuickTime has a second one below `minf`, of the data.
      if tracks[last].handler == nil, let handler = field(8, box) {
        tracks[last].handler = BoxType(code: UInt32(truncatingIfNeeded: handler))
      }
    case "elst": tracks[last].editList = box
    case "stsd": tracks[last].sampleDescriptions = tracks[last].sampleDescriptions ?? box
    case "stsz":
      let size = field(4, box) ?? 0
      tracks[last].constantSize = Int64(clamping: size)
      tracks[last].entryBits = size == 0 ? 32 : 0
      tracks[last].sampleCount = count(at: 8, in: box)
    case "stz2":
      tracks[last].constantSize = 0
      tracks[last].entryBits = Int64(clamping: reader.unsigned(at: 7, size: 1, in: box) ?? 0)
      tracks[last].sampleCount = count(at: 8, in: box)
    case "stts":
      tracks[last].times = box
      tracks[last].timeEntries = try entries(of: 8, in: box)
      tracks[last].hasUnitSteps = tracks[last].timeEntries == 1 && field(12, box) == 1
    case "stsc": tracks[last].chunkRuns = try entries(of: 12, in: box)
    case "stco": tracks[last].chunks = try entries(of: 4, in: box)
    case "co64": tracks[last].chunks = try entries(of: 8, in: box)
    case "ctts": _ = try entries(of: 8, in: box)
    case "stss": _ = try entries(of: 4, in: box)
    default: break
    }
  }

  private func field(_ offset: Int64, _ box: Box) -> UInt64? {
    reader.unsigned(at: offset, size: 4, in: box)
  }

  private func count(at offset: Int64, in box: Box) -> Int64 {
    Int64(clamping: field(offset, box) ?? 0)
  }

  /// Version 1 has 64-bit times.
  private func isLong(_ box: Box) -> Bool { reader.unsigned(at: 0, size: 1, in: box) == 1 }

  private func timescale(in box: Box) -> UInt64? {
    field(isLong(box) ? 20 : 12, box).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The duration after the time scale in `mvhd` and `mdhd`: zero for "unknown", which is all ones.
  private func duration(in box: Box) -> UInt64 {
    let isLong = isLong(box)
    let value = reader.unsigned(at: isLong ? 24 : 16, size: isLong ? 8 : 4, in: box) ?? 0
    return value == (isLong ? UInt64.max : UInt64(UInt32.max)) ? 0 : value
  }

  /// How many entries of `size` bytes a table claims.
  private func entries(of size: Int64, in box: Box) throws(InspectionError) -> Int64 {
    let count = count(at: 4, in: box)
    if count > limits.frames, count.multipliedClamped(by: size) > reader.fileSize {
      throw InspectionError(
        .tooManyFrames, "a table declares \(count) entries, more than the file can hold")
    }
    return count
  }

  // MARK: Fragments

  /// Adds up the durations in a segment index (ISO/IEC 14496-12, 8.16.3).
  private mutating func recordIndex(_ box: Box) {
    let (offset, fields): (Int64, Int) = isLong(box) ? (20, 8) : (16, 4)
    guard let first = reader.unsigned(at: offset, size: fields, in: box),
      let references = reader.unsigned(at: offset + Int64(fields) + 2, size: 2, in: box)
    else { return }
    boxCount = boxCount.addingClamped(Int(clamping: references))
    var end = box.next.addingClamped(Int64(clamping: first))
    for index in 0..<Int64(references) {
      let entry = offset + Int64(fields) + 4 + 12 * index
      guard let size = reader.unsigned(at: entry, size: 4, in: box) else { break }
      end = end.addingClamped(Int64(size & 0x7fff_ffff))
    }
    if end > reader.fileSize { lacksFragments = true }
  }

  private mutating func recordFragment(_ box: Box) throws(InspectionError) {
    guard let flags = field(0, box), let first = field(4, box) else { return }
    if box.type == "tfhd" {
      var offset: Int64 = 8
      for (flag, size) in [(0x1, 8), (0x2, 4), (0x8, 4)] as [(UInt64, Int64)]
      where flags & flag != 0 {
        offset += size
      }
      let own = flags & 0x10 == 0 ? nil : field(offset, box)
      currentFragment = (first, own ?? defaultSizes[first] ?? 0)
      return
    }
    var entrySize: Int64 = 0
    for flag in [0x100, 0x200, 0x400, 0x800] as [UInt64] where flags & flag != 0 { entrySize += 4 }
    // If samples have no individual sizes, the default counts.
    let dataSize = flags & 0x200 == 0 ? Int64(clamping: currentFragment.size) : 0
    let count = Int64(first)
    let track = currentFragment.track
    allFragmentSamples = allFragmentSamples.addingClamped(count)
    fragmentSamples[track] = (fragmentSamples[track] ?? 0).addingClamped(count)
    let isTooMuch =
      count > limits.frames
      && max(count.multipliedClamped(by: entrySize), count.multipliedClamped(by: dataSize))
        > reader.fileSize
    guard !isTooMuch,
      allFragmentSamples <= otherSampleLimit.addingClamped(Int64(limits.frames))
    else { throw tooMany("a fragment declares \(count) samples") }
  }

  private mutating func assignFragments() {
    for index in tracks.indices {
      tracks[index].fragmentSamples = fragmentSamples[tracks[index].identifier] ?? 0
    }
  }

  // MARK: Limits

  private var otherSampleLimit: Int64 {
    Int64(limits.frames).multipliedClamped(by: Self.otherSamplesPerFrame)
  }

  private func check(_ track: MovieTrack) throws(InspectionError) {
    let count = track.declaredCount
    guard count > limits.frames else { return }
    if track.mayBeVideo {
      throw InspectionError(
        .tooManyFrames,
        "the video declares \(count) frames (limit \(limits.frames))")
    }
    if track.claimsMoreThan(fileSize: reader.fileSize) {
      throw tooMany("a track declares \(count) samples, more than the file can hold")
    }
  }

  private func checkOthers() throws(InspectionError) {
    let entries = tracks.reduce(Int64(0)) {
      $0.addingClamped($1.mayBeVideo ? 0 : $1.indexEntries.addingClamped($1.fragmentSamples))
    }
    guard entries <= otherSampleLimit else {
      throw tooMany("tracks other than video declare \(entries) samples")
    }
  }

  private func tooMany(_ what: String) -> InspectionError {
    // A file that ends inside its movie header has lost the samples in its tables.
    movie.map { $0.next > reader.fileSize } == true
      ? InspectionError(.truncated, "the file ends inside its movie header (moov)")
      : InspectionError(.tooManyFrames, what)
  }
}
