/// The properties of one packet, without its data.
struct PacketRecord {
  var pts: Int64?
  var dts: Int64?
  var duration: Int64
  /// Byte offset in the file.
  var position: Int64
  var isKey: Bool
  /// Decoded but cut by the edit list.
  var isDiscarded: Bool
  /// Never displayed: a VP8 or VP9 frame that only serves as a reference.
  var isHidden: Bool
  /// Bytes of data; 0 for a sample that is never displayed.
  var size: Int
  /// The data ends early.
  var isDamaged: Bool

  var isEmpty: Bool { size <= 0 }
  var isDisplayed: Bool { !isDiscarded && !isHidden && !isEmpty }
}

/// All packets of a video stream in decoding order.
struct PacketTable {
  var packets: [PacketRecord]
  /// Packets that the container declares but that could not be read: the file is cut short.
  var missingCount: Int
  /// The container declares data beyond the end of the file.
  var endsEarly: Bool
  /// A packet changes the decoder's configuration midway: a palette, or another sample entry.
  var changesSetup: Bool
  /// The first packet with other parameter sets than those before it; see ``ParameterSetWatch``.
  private(set) var changedSets: Int?
  /// The edit list joins several parts of the media.
  var isSpliced: Bool
  /// The times are those of browsers, and not those of libavformat.
  private(set) var isRetimed = false
  /// The ends of the audio streams in seconds, by their packets; empty if packets were not read.
  var audioEnds: [Double] = []

  /// Walks the whole stream. If the container's sample table is complete (an unfragmented ISO base media file), only
  /// timestamps are read, at the cost of about a microsecond per packet and no I/O; otherwise, or if `withData` is
  /// set, the packets themselves are.
  ///
  /// - Throws: `too-many-frames`, or `out-of-memory`, also for an index that libavformat dropped.
  init(
    scanning demuxer: borrowing Demuxer, stream: VideoStream, withData: Bool = false
  ) throws(InspectionError) {
    let layout = demuxer.layout
    let indexed = unsafe stream.indexedPacketCount
    try Self.check(indexed, limits: demuxer.limits)
    let track = unsafe layout?.track(stream.identifier)
    let edits = unsafe layout?.editList(track: stream.identifier)
    if LogCapture.notices.lostIndex
      || Self.isIndexLost(indexed, track: track, edits: edits)
        && !hasMemory(forIndexOf: layout?.indexEntries ?? 0)
    {
      throw InspectionError(
        .outOfMemory, "out of memory for the index", operation: "read the movie header")
    }
    let withoutData = !withData && layout?.isFragmented == false && indexed > 0
    var packets: [PacketRecord] = []
    packets.reserveCapacity(indexed)
    var changesSetup = false
    var packet = try Packet()
    let codec = unsafe FrameHeaderReader(stream: stream)
    var sets = unsafe ParameterSetWatch(stream)
    var audio: [Int: Double] = [:]
    func walk() throws(InspectionError) {
      while try demuxer.read(into: &packet) {
        guard unsafe packet.streamIndex == stream.index else {
          if let end = demuxer.audioEnd(of: packet) {
            audio[packet.streamIndex] = max(audio[packet.streamIndex] ?? 0, end)
          }
          continue
        }
        unsafe packets.append(
          PacketRecord(
            pts: packet.pts, dts: packet.dts, duration: packet.duration,
            position: packet.position, isKey: packet.isKey, isDiscarded: packet.isDiscarded,
            isHidden: !withoutData && packet.withBytes(codec.isHidden), size: packet.size,
            isDamaged: packet.isDamaged))
        try Self.check(packets.count, limits: demuxer.limits)
        if packet.changesSetup { changesSetup = true }
        if !withoutData, packet.isKey {
          unsafe packet.withBytes { unsafe sets?.add($0, number: packets.count - 1) }
        }
      }
    }
    if withoutData {
      try demuxer.withoutData(walk)
      if unsafe sets != nil {
        for (number, packet) in packets.enumerated() where packet.isKey && packet.position >= 0 {
          unsafe demuxer.input.bytes(
            at: packet.position, count: min(packet.size, ParameterSetWatch.searchedBytes)
          ).withUnsafeBytes { unsafe sets?.add($0, number: number) }
        }
      }
    } else {
      try demuxer.withAudio(walk)
      audioEnds = audio.values.sorted()
    }
    self.packets = packets
    changedSets = unsafe sets?.changedPacket
    // An edit list leaves samples out of the index of a sample table, but not out of fragments.
    let isCutByEdits = edits != nil && (track?.sampleCount ?? 0) > 0
    let declared = isCutByEdits ? 0 : track?.declaredCount ?? 0
    missingCount = max(
      LogCapture.notices.unbelievedSamples,
      max(indexed, Int(clamping: declared)) - packets.count, 0)
    endsEarly =
      layout.map { $0.lacksFragments || $0.lacksHeader }
      ?? DeclaredEnd.isMissed(by: demuxer.input, format: demuxer.formatName)
    self.changesSetup = changesSetup
    isSpliced = (edits ?? []).count { $0.mediaSeconds != nil } > 1
    if demuxer.formatName == "gif" { retime(GIFOutline(BoxReader(demuxer.input)).durations) }
    if let promised = layout?.fragmentedSeconds, let base = unsafe stream.timeBase,
      let span = timeSpan
    {
      // Writers round, and the last frame may be held: half a frame less is not a gap.
      let step = Double(span) / Double(packets.count)
      if Double(span) + 1.5 * step < promised / base.value { endsEarly = true }
    }
  }

  /// Gives the pictures of a GIF their times in browsers: libavformat gives one without a control extension the delay of
  /// the one before, or none.
  private mutating func retime(_ durations: [Int64]) {
    guard durations.count == packets.count else { return }
    var start: Int64 = 0
    for (index, duration) in durations.enumerated() {
      if packets[index].pts != start || packets[index].duration != duration { isRetimed = true }
      (packets[index].pts, packets[index].dts) = (start, start)
      packets[index].duration = duration
      start += duration
    }
  }

  private static func check(_ count: Int, limits: Limits) throws(InspectionError) {
    guard count > limits.frames else { return }
    throw InspectionError(
      .tooManyFrames, "the video has more than \(limits.frames) frames, which is the limit"
    )
  }

  /// Out of memory, libavformat drops the index of a sample table and reports success. An edit list can
  /// hide everything, too.
  private static func isIndexLost(
    _ indexed: Int, track: MovieTrack?, edits: [EditSegment]?
  ) -> Bool {
    indexed == 0 && edits == nil && track?.hasPlausibleTables == true
  }

  /// The time from the first displayed frame to the end of the last, in time base units, by the packets' own
  /// times; `nil` if they have none.
  var timeSpan: Int64? {
    let displayed = packets.lazy.filter { $0.isDisplayed }
    guard let first = displayed.compactMap(\.pts).min(),
      let last = displayed.max(by: { ($0.pts ?? .min) < ($1.pts ?? .min) }), let end = last.pts
    else { return nil }
    return max(0, end.subtractingClamped(first)).addingClamped(max(0, last.duration))
  }

  var displayedCount: Int { packets.count { $0.isDisplayed } }

  var damagedCount: Int { packets.count { $0.isDamaged } }

  /// Packets displayed before the keyframe that they follow, except those of the first keyframe; `nil` if timestamps
  /// are missing.
  var leadingCount: Int? {
    var key: Int64?
    var isFirst = true
    var count = 0
    for packet in packets where packet.isDisplayed {
      guard let pts = packet.pts else { return nil }
      if packet.isKey {
        isFirst = key == nil
        key = pts
      } else if let key, !isFirst, pts < key {
        count += 1
      }
    }
    return count
  }

  /// Indices of the displayed packets in presentation order, or `nil` if timestamps are missing or
  /// repeat, so that the order is only known after decoding.
  var presentationOrder: [Int]? {
    let displayed = packets.indices.filter { packets[$0].isDisplayed }
    let timed = displayed.compactMap { index in packets[index].pts.map { (index, $0) } }
    guard timed.count == displayed.count else { return nil }
    let ordered = timed.sorted { $0.1 < $1.1 }
    for (earlier, later) in zip(ordered, ordered.dropFirst()) where earlier.1 == later.1 {
      return nil
    }
    return ordered.map(\.0)
  }

  /// The decoding times of the displayed packets, if the container has no presentation times; `nil` if it has, and if
  /// these times are missing or not increasing.
  var decodingTimes: [Int64]? {
    let displayed = packets.filter(\.isDisplayed)
    let times = displayed.compactMap(\.dts)
    guard times.count == displayed.count, displayed.allSatisfy({ $0.pts == nil }),
      zip(times, times.dropFirst()).allSatisfy(<)
    else { return nil }
    return times
  }

  /// The most frames that precede one in decoding order and follow it in presentation order.
  func reorderDepth(of presentationOrder: [Int]) -> Int {
    // The frame displayed at position p is decoded as number d of the displayed ones: d - p frames that are displayed
    // later were decoded before it.
    let displayed = packets.indices.filter { packets[$0].isDisplayed }
    var rank = [Int](repeating: 0, count: packets.count)
    for (number, index) in displayed.enumerated() { rank[index] = number }
    return presentationOrder.enumerated().reduce(0) { max($0, rank[$1.element] - $1.offset) }
  }
}
