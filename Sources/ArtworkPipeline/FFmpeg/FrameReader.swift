import ArtworkModel

/// Decodes the displayed frames at both ends of a clip, bit-exact with a full decode.
///
/// The quick way decodes from the last key frame before the wanted frames and skips packets that no other
/// frame refers to. Anything doubtful leads to a full decode: missing or repeated timestamps, a packet marked
/// as a key frame that is not one, a refused packet, a wanted frame that does not come out. What the full
/// decode shows is what counts.
struct FrameReader<Element> {
  /// Reduces a frame; the flag says whether it is the first displayed one.
  typealias Reduce = (borrowing Frame, DecodedFormat, _ isFirst: Bool) throws(InspectionError)
    -> Element

  /// How many key frames are tried before decoding everything.
  private static var keyFrameTries: Int { 4 }

  /// How many frames at each end are wanted.
  let endCount: Int

  /// - Parameters:
  ///   - everyFrame: decode the whole clip even where its ends would do.
  ///   - reduce: gets the frames that are decoded: all in presentation order in a full decode, else those at
  ///     the ends in any order. A full decode that follows a quick one in doubt starts again with the first.
  func read(
    demuxer: borrowing Demuxer, stream: VideoStream, table: PacketTable, everyFrame: Bool = false,
    reduce: Reduce
  ) throws(InspectionError) -> EndFrames<Element> {
    if let reason = reasonForFullDecode(table, requested: everyFrame) {
      return try readAll(demuxer, stream, table, because: reason, reduce: reduce)
    }
    guard let order = table.presentationOrder, !order.isEmpty else {
      return try readAll(demuxer, stream, table, because: .ambiguousTimestamps, reduce: reduce)
    }
    let depth = table.reorderDepth(of: order)
    var quick = QuickRead<Element>(
      decoder: try VideoDecoder.open(stream: stream, reorderDepth: depth, limits: demuxer.limits),
      stream: stream, table: table)
    var skippedKeys = 0
    while skippedKeys < Self.keyFrameTries {
      let plan = FramePlan(
        table: table, order: order, endCount: endCount, skippedKeys: skippedKeys)
      switch try quick.run(plan, demuxer: demuxer, firstShown: order[0], reduce: reduce) {
      case .complete(let format): return quick.ends(order: order, count: endCount, format: format)
      case .notAKeyFrame: skippedKeys += 1
      case .doubtful:
        return try readAll(demuxer, stream, table, because: .undecodablePacket, reduce: reduce)
      }
    }
    return try readAll(demuxer, stream, table, because: .noKeyFrame, reduce: reduce)
  }

  private func reasonForFullDecode(
    _ table: PacketTable, requested: Bool
  ) -> Inspection.FullDecode? {
    if requested { return .requested }
    if table.missingCount > 0 || table.endsEarly { return .missingPackets }
    if table.changesSetup { return .changingSetup }
    return table.isSpliced ? .severalEdits : nil
  }

  /// Decodes every packet from the first, as ffmpeg does and a player without an index would.
  ///
  /// - Parameter described: the stream as its container alone describes it; analysis replaces what the
  ///   container says of colours by what the decoder says.
  private func readAll(
    _ original: borrowing Demuxer, _ described: VideoStream, _ table: PacketTable,
    because reason: Inspection.FullDecode, reduce: Reduce
  ) throws(InspectionError) -> EndFrames<Element> {
    let limits = original.limits
    // libavformat's analysis finds the reorder depth of H.264 that does not state it.
    let demuxer = try original.reopenedWithAnalysis()
    let stream = try demuxer.selectVideo()
    var decoder = try VideoDecoder.open(stream: stream, reorderDepth: 0, limits: limits)
    var packet = try Packet()
    var frame = try Frame()
    var first: [Element] = []
    var last: [Element] = []
    var format: DecodedFormat?
    var timestamps: [Int64] = []
    var lastDuration: Int64 = 0
    var packetsDecoded = 0
    var errorCount = 0

    func receiveAll() throws(InspectionError) {
      while true {
        switch try decoder.receive(into: &frame) {
        case .needsPacket, .ended: return
        case .refused: errorCount += 1
        case .frame:
          if frame.isDamaged { errorCount += 1 }
          guard timestamps.count < limits.frames else {
            throw InspectionError(
              .tooManyFrames, "the video shows more than \(limits.frames) frames")
          }
          let known = format ?? decoder.format(of: frame, in: described)
          format = known
          let element = try reduce(frame, known, timestamps.isEmpty)
          if first.count < endCount { first.append(element) }
          if last.count == endCount { last.removeFirst() }
          last.append(element)
          // Raw streams time only some of their frames: the others follow their predecessor.
          timestamps.append(
            frame.pts ?? timestamps.last.map { $0.addingClamped(max(0, lastDuration)) } ?? 0)
          lastDuration = frame.duration
        }
      }
    }

    while try demuxer.read(into: &packet) {
      // To a decoder an empty packet would be the end.
      guard packet.streamIndex == stream.index, !packet.isEmpty else { continue }
      packetsDecoded += 1
      if try decoder.send(packet) != nil { errorCount += 1 }
      try receiveAll()
    }
    decoder.drain()
    try receiveAll()

    guard let format else {
      // Some codecs know the size of their pictures from the container only.
      if errorCount > 0, described.pictureArea > limits.pixels {
        throw InspectionError(
          .tooLarge,
          "the picture has \(described.pictureSize) pixels (limit \(limits.pixels))")
      }
      if packetsDecoded == 0 {
        throw InspectionError(.noFrames, "the video stream has no frames")
      }
      throw errorCount == 0
        ? InspectionError(.noFrames, "the edit list hides every frame")
        : InspectionError(
          .decodeFailed,
          "none of the \(packetsDecoded) packets could be decoded"
            + (LogCapture.lastLine.map { ": \($0)" } ?? ""))
    }
    // Both ways take times from the container where it has one for each frame: what a decoder makes
    // of wrong ones is a guess.
    if let order = table.presentationOrder, order.count == timestamps.count, let end = order.last {
      timestamps = order.compactMap { table.packets[$0].pts }
      lastDuration = table.packets[end].duration
    }
    return EndFrames(
      first: first, last: last, format: format, timestamps: timestamps, count: timestamps.count,
      lastDuration: lastDuration, fallback: reason, packetsDecoded: packetsDecoded,
      errorCount: errorCount)
  }
}

/// The state of the quick way: what came out so far, by packet index.
private struct QuickRead<Element>: ~Copyable {
  enum Outcome {
    case complete(DecodedFormat)
    case notAKeyFrame
    case doubtful
  }

  private var decoder: VideoDecoder
  private let stream: VideoStream
  private let table: PacketTable
  private let headers: FrameHeaderReader
  private var elements: [Int: Element] = [:]
  private var format: DecodedFormat?
  private var packetsDecoded = 0
  /// The last frame that came out in this run; a later one must be shown later.
  private var lastShown = Int64.min

  init(decoder: consuming VideoDecoder, stream: VideoStream, table: PacketTable) {
    self.decoder = decoder
    self.stream = stream
    self.table = table
    headers = FrameHeaderReader(stream: stream)
  }

  func ends(order: [Int], count: Int, format: DecodedFormat) -> EndFrames<Element> {
    EndFrames(
      first: order.prefix(count).compactMap { elements[$0] },
      last: order.suffix(count).compactMap { elements[$0] },
      format: format, timestamps: order.compactMap { table.packets[$0].pts }, count: order.count,
      lastDuration: order.last.map { table.packets[$0].duration } ?? 0,
      fallback: nil, packetsDecoded: packetsDecoded, errorCount: 0)
  }

  mutating func run(
    _ plan: FramePlan, demuxer: borrowing Demuxer, firstShown: Int,
    reduce: FrameReader<Element>.Reduce
  ) throws(InspectionError) -> Outcome {
    var packet = try Packet()
    var frame = try Frame()
    for run in plan.runs {
      let missing = run.wanted.filter { elements[$0] == nil }
      if missing.isEmpty { continue }
      guard try move(demuxer, to: run.start, packet: &packet) else { return .doubtful }
      if run.start > 0, !packet.withBytes(headers.isRandomAccess) { return .notAKeyFrame }
      let byTimestamp = Dictionary(
        missing.compactMap { index in table.packets[index].pts.map { ($0, index) } },
        uniquingKeysWith: { first, _ in first })
      lastShown = .min
      var index = run.start
      while true {
        let isWanted = run.wanted.contains(index)
        let isNeeded =
          isWanted || index == run.start || !packet.withBytes(headers.isDroppable)
        if isNeeded, !packet.isEmpty {
          packetsDecoded += 1
          guard try decoder.send(packet) == nil,
            try receiveAll(byTimestamp, into: &frame, firstShown: firstShown, reduce: reduce)
          else { return .doubtful }
        }
        if index == run.end { break }
        index += 1
        guard try next(demuxer, is: index, packet: &packet) else { return .doubtful }
      }
      decoder.drain()
      guard try receiveAll(byTimestamp, into: &frame, firstShown: firstShown, reduce: reduce) else {
        return .doubtful
      }
      decoder.flush()
      guard missing.allSatisfy({ elements[$0] != nil }) else { return .doubtful }
    }
    return format.map { .complete($0) } ?? .doubtful
  }

  /// Takes what the decoder has; false when it refused something or a wanted frame is damaged.
  private mutating func receiveAll(
    _ wanted: [Int64: Int], into frame: inout Frame, firstShown: Int,
    reduce: FrameReader<Element>.Reduce
  ) throws(InspectionError) -> Bool {
    while true {
      switch try decoder.receive(into: &frame) {
      case .needsPacket, .ended: return true
      case .refused: return false
      case .frame:
        // Timestamps that contradict the decoder's order are wrong, and with them the plan.
        guard let pts = frame.pts, pts > lastShown else { return false }
        lastShown = pts
        guard let index = wanted[pts] else { continue }
        if frame.isDamaged { return false }
        let known = format ?? decoder.format(of: frame, in: stream)
        format = known
        elements[index] = try reduce(frame, known, index == firstShown)
      }
    }
  }

  /// Positions the demuxer so that `packet` is number `index`.
  private func move(
    _ demuxer: borrowing Demuxer, to index: Int, packet: inout Packet
  ) throws(InspectionError) -> Bool {
    let target = table.packets[index]
    guard let time = target.dts ?? target.pts, demuxer.seek(stream: stream, to: time) else {
      return false
    }
    // The demuxer may land on an earlier key packet.
    var steps = 0
    while try demuxer.read(into: &packet) {
      guard packet.streamIndex == stream.index else { continue }
      if packet.matches(target) { return true }
      steps += 1
      if steps > table.packets.count { return false }
    }
    return false
  }

  /// Reads the packet that follows; false when it is not number `index` of the table.
  private func next(
    _ demuxer: borrowing Demuxer, is index: Int, packet: inout Packet
  ) throws(InspectionError) -> Bool {
    while try demuxer.read(into: &packet) {
      if packet.streamIndex == stream.index { return packet.matches(table.packets[index]) }
    }
    return false
  }
}

extension Packet {
  fileprivate func matches(_ record: PacketRecord) -> Bool {
    position == record.position && pts == record.pts
  }
}
