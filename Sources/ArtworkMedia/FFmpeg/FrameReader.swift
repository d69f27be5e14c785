/// Decodes the displayed frames at both ends of a clip, and others on request, bit-exact with a full decode.
///
/// The fast path decodes from the last keyframe before the wanted frames, skips unneeded non-reference frames, and
/// returns all frames that are decoded on the way. Any inconsistency leads to a full decode: missing or repeated
/// timestamps, a packet wrongly marked as a keyframe, a rejected packet, a wanted frame that the decoder does not
/// output. The result of the full decode counts.
struct FrameReader {
  /// Receives a frame. Number 0 comes first, and again if a full decode follows an inconclusive fast one: all earlier
  /// frames are void then.
  typealias Take = (borrowing Frame, DecodedFormat, FramePlace) throws(InspectionError) -> Void
  /// Returns the frames to read next, after the ends and then after the frames that it requested.
  ///
  /// - Parameter order: displayed packets in presentation order.
  typealias Ask = (_ order: [Int]) throws(InspectionError) -> FrameRequest

  /// How many keyframes are tried before decoding everything.
  private static let keyFrameTries = 4

  /// How many frames at each end are wanted at most.
  let endCount: Int
  /// Whether those at the end are wanted, too.
  var wantsEnd = true

  /// - Parameters:
  ///   - everyFrame: whether to decode the whole clip even if its ends would suffice.
  ///   - take: receives the frames that are decoded: all in presentation order in a full decode, else those at the
  ///     ends and those decoded on the way, in presentation order between two seeks.
  ///   - ends: how many of ``endCount`` are wanted.
  ///   - glimpse: frames that are wanted only if they are on the way to the ends, which saves decoding the way again.
  ///   - ask: not called in a full decode.
  func read(
    demuxer: borrowing Demuxer, stream: VideoStream, table: PacketTable, everyFrame: Bool = false,
    take: Take, ends: ([Int]) -> Int? = { _ in nil },
    glimpse: ([Int]) -> Set<Int> = { _ in [] }, ask: Ask = { _ in .nothing }
  ) throws(InspectionError) -> DecodedFrames {
    if let reason = reasonForFullDecode(table, requested: everyFrame) {
      return try unsafe readAll(demuxer, stream, table, because: reason, take: take)
    }
    guard let order = table.presentationOrder, !order.isEmpty else {
      return try unsafe readAll(demuxer, stream, table, because: .ambiguousTimestamps, take: take)
    }
    let depth = table.reorderDepth(of: order)
    var quick = unsafe QuickRead(
      decoder: try VideoDecoder.open(stream: stream, reorderDepth: depth, limits: demuxer.limits),
      stream: stream, table: table, order: order)
    let each = ends(order) ?? endCount
    var wanted = Set(order.indices.prefix(each))
    if wantsEnd { wanted.formUnion(order.indices.suffix(each)) }
    let passing = glimpse(order)
    var skippedKeys = 0
    while true {
      guard skippedKeys < Self.keyFrameTries else {
        return try unsafe readAll(demuxer, stream, table, because: .noKeyFrame, take: take)
      }
      var plan = FramePlan(
        table: table, order: order, numbers: quick.missing(of: wanted), skippedKeys: skippedKeys)
      plan.add(quick.missing(of: passing).map { order[$0] }, table: table)
      switch try quick.run(plan, demuxer: demuxer, take: take) {
      case .notAKeyFrame: skippedKeys += 1
      case .doubtful:
        return try unsafe readAll(
          demuxer, stream, table, because: quick.isResized ? .changingSetup : .undecodablePacket,
          take: take)
      case .complete(let format):
        switch try ask(order) {
        case .nothing: return quick.decoded(format)
        case .everyFrame:
          return try unsafe readAll(demuxer, stream, table, because: .requested, take: take)
        case .frames(let numbers):
          quick.forget(numbers)
          wanted = numbers
        }
      }
    }
  }

  private func reasonForFullDecode(
    _ table: PacketTable, requested: Bool
  ) -> Inspection.FullDecode? {
    if requested { return .requested }
    if table.missingCount > 0 || table.endsEarly { return .missingPackets }
    if table.changesSetup { return .changingSetup }
    if table.isRetimed { return .ambiguousTimestamps }
    return table.isSpliced ? .severalEdits : nil
  }

  /// Decodes every packet from the first, as ffmpeg does and a player without an index would.
  ///
  /// - Parameter described: the stream as described by its container alone; analysis replaces the container's colours
  ///   by the decoder's.
  private func readAll(
    _ original: borrowing Demuxer, _ described: VideoStream, _ table: PacketTable,
    because reason: Inspection.FullDecode, take: Take
  ) throws(InspectionError) -> DecodedFrames {
    let limits = original.limits
    // libavformat's analysis finds the reorder depth of H.264 that does not state it.
    let demuxer = try original.reopenedWithAnalysis()
    let stream = try unsafe demuxer.selectVideo()
    var decoder = try unsafe VideoDecoder.open(stream: stream, reorderDepth: 0, limits: limits)
    var packet = try Packet()
    var frame = try Frame()
    var format: DecodedFormat?
    var timestamps: [Int64] = []
    var lastDuration: Int64 = 0
    var packetsDecoded = 0
    var errorCount = 0
    // Timestamps that contradict the decoder's order are wrong.
    var lastDisplayed = Int64.min
    var isDisordered = false
    var resizedFrame: Int?

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
          let known = unsafe format ?? decoder.format(of: frame, in: described)
          format = known
          if resizedFrame == nil, !known.isSize(of: frame) { resizedFrame = timestamps.count }
          try take(frame, known, FramePlace(number: timestamps.count))
          if let pts = frame.ownPts {
            if pts <= lastDisplayed { isDisordered = true }
            lastDisplayed = pts
          }
          // Raw streams time only some of their frames: the others follow their predecessor.
          timestamps.append(
            frame.pts ?? timestamps.last.map { $0.addingClamped(max(0, lastDuration)) } ?? 0)
          lastDuration = frame.duration
        }
      }
    }

    while try demuxer.read(into: &packet) {
      // To a decoder an empty packet would be the end.
      guard unsafe packet.streamIndex == stream.index, !packet.isEmpty else { continue }
      packetsDecoded += 1
      if try decoder.send(packet) != nil { errorCount += 1 }
      try receiveAll()
    }
    decoder.drain()
    try receiveAll()

    guard let format else {
      throw unsafe Self.noFrames(described, limits, packetsDecoded, errorCount)
    }
    let times = Self.times(of: table, insteadOf: timestamps, lastDuration)
    return DecodedFrames(
      format: format, timestamps: times.timestamps, lastDuration: times.lastDuration,
      timeSource: times.source, fallback: reason, isDisordered: isDisordered,
      resizedFrame: resizedFrame, packetsDecoded: packetsDecoded, errorCount: errorCount)
  }

  /// Why a decode of every packet gave no frame.
  private static func noFrames(
    _ described: VideoStream, _ limits: Limits, _ packetsDecoded: Int, _ errorCount: Int
  ) -> InspectionError {
    // Some codecs know the size of their pictures from the container only.
    if errorCount > 0, unsafe described.pictureArea > limits.pixels {
      return InspectionError(
        .tooLarge, unsafe "the picture has \(described.pictureSize) pixels (limit \(limits.pixels))"
      )
    }
    if packetsDecoded == 0 {
      return InspectionError(.noFrames, "the video stream has no frames")
    }
    return errorCount == 0
      ? InspectionError(.noFrames, "the edit list hides every frame")
      : InspectionError(
        .decodeFailed,
        "none of the \(packetsDecoded) packets could be decoded"
          + (LogCapture.lastLine.map { ": \($0)" } ?? ""))
  }

  /// The times of frames. Both ways take them from the container where it has one for each frame: what a decoder makes of
  /// wrong ones is a guess.
  private static func times(
    of table: PacketTable, insteadOf timestamps: [Int64], _ lastDuration: Int64
  ) -> (timestamps: [Int64], lastDuration: Int64, source: TimeSource) {
    if let order = table.presentationOrder, order.count == timestamps.count, let end = order.last {
      return (
        order.compactMap { table.packets[$0].pts }, table.packets[end].duration, .presentation
      )
    }
    // Each packet is one frame, so that their orders differ and their times do not.
    if let times = table.decodingTimes, times.count == timestamps.count {
      return (times, 0, .decoding)
    }
    return (timestamps, lastDuration, .unknown)
  }
}

/// The state of the quick way: which frames were taken so far.
@safe private struct QuickRead: ~Copyable {
  enum Outcome {
    case complete(DecodedFormat)
    case notAKeyFrame
    case doubtful
  }

  private var decoder: VideoDecoder
  private let stream: VideoStream
  private let table: PacketTable
  private let headers: FrameHeaderReader
  /// Displayed packets in presentation order, and the number of each by its time.
  private let order: [Int]
  private let numbers: [Int64: Int]
  private var taken: Set<Int> = []
  private var format: DecodedFormat?
  private var packetsDecoded = 0
  /// Whether a frame has another size than those before: only a full decode finds the first one.
  private(set) var isResized = false
  /// The last displayed frame in this run; any later one must have a later time.
  private var lastDisplayed = Int64.min

  init(
    decoder: consuming VideoDecoder, stream: VideoStream, table: PacketTable, order: [Int]
  ) {
    self.decoder = decoder
    unsafe self.stream = unsafe stream
    self.table = table
    self.order = order
    headers = unsafe FrameHeaderReader(stream: stream)
    numbers = Dictionary(
      order.enumerated().compactMap { number, index in
        table.packets[index].pts.map { ($0, number) }
      }, uniquingKeysWith: { first, _ in first })
  }

  func missing(of wanted: Set<Int>) -> Set<Int> { wanted.subtracting(taken) }

  /// Takes these frames again when they come again.
  mutating func forget(_ numbers: Set<Int>) { taken.subtract(numbers) }

  func decoded(_ format: DecodedFormat) -> DecodedFrames {
    DecodedFrames(
      format: format, timestamps: order.compactMap { table.packets[$0].pts },
      lastDuration: order.last.map { table.packets[$0].duration } ?? 0, fallback: nil,
      packetsDecoded: packetsDecoded, errorCount: 0)
  }

  mutating func run(
    _ plan: FramePlan, demuxer: borrowing Demuxer, take: FrameReader.Take
  ) throws(InspectionError) -> Outcome {
    var packet = try Packet()
    var frame = try Frame()
    for run in plan.runs {
      guard try move(demuxer, to: run.start, packet: &packet) else { return .doubtful }
      if run.start > 0, unsafe !packet.withBytes(headers.isRandomAccess) { return .notAKeyFrame }
      // Frames displayed before the keyframe may reference frames that were not decoded.
      let firstDisplayed = run.start > 0 ? table.packets[run.start].pts ?? .min : .min
      let wanted = Set(run.wanted.compactMap { table.packets[$0].pts })
      lastDisplayed = .min
      var index = run.start
      while true {
        let isWanted = run.wanted.contains(index)
        let isNeeded =
          unsafe isWanted || index == run.start || !packet.withBytes(headers.isDroppable)
        if isNeeded, !packet.isEmpty {
          packetsDecoded += 1
          guard try decoder.send(packet) == nil,
            try takeAll(wanted, from: firstDisplayed, into: &frame, take: take)
          else { return .doubtful }
        }
        if index == run.end { break }
        index += 1
        guard try next(demuxer, is: index, packet: &packet) else { return .doubtful }
      }
      decoder.drain()
      guard try takeAll(wanted, from: firstDisplayed, into: &frame, take: take) else {
        return .doubtful
      }
      decoder.flush()
      for packet in run.wanted where !isTaken(packet) { return .doubtful }
    }
    return format.map { .complete($0) } ?? .doubtful
  }

  private func isTaken(_ packet: Int) -> Bool {
    table.packets[packet].pts.flatMap { numbers[$0] }.map(taken.contains) ?? false
  }

  /// Takes the decoder's output; `false` if it rejected something or a wanted frame is damaged.
  private mutating func takeAll(
    _ wanted: Set<Int64>, from firstDisplayed: Int64, into frame: inout Frame,
    take: FrameReader.Take
  ) throws(InspectionError) -> Bool {
    while true {
      switch try decoder.receive(into: &frame) {
      case .needsPacket, .ended: return true
      case .refused: return false
      case .frame:
        // Timestamps that contradict the decoder's order are wrong, and with them the plan.
        guard let pts = frame.pts, pts > lastDisplayed else { return false }
        lastDisplayed = pts
        guard pts >= firstDisplayed, let number = numbers[pts], !taken.contains(number) else {
          continue
        }
        if frame.isDamaged {
          if wanted.contains(pts) { return false }
          continue
        }
        let known = unsafe format ?? decoder.format(of: frame, in: stream)
        format = known
        guard known.isSize(of: frame) else {
          isResized = true
          return false
        }
        try take(frame, known, FramePlace(number: number, count: order.count))
        taken.insert(number)
      }
    }
  }

  /// Positions the demuxer so that `packet` is number `index`.
  private func move(
    _ demuxer: borrowing Demuxer, to index: Int, packet: inout Packet
  ) throws(InspectionError) -> Bool {
    let target = table.packets[index]
    guard let time = target.dts ?? target.pts, unsafe demuxer.seek(stream: stream, to: time) else {
      return false
    }
    // The demuxer may land on an earlier key packet.
    var steps = 0
    while try demuxer.read(into: &packet) {
      guard unsafe packet.streamIndex == stream.index else { continue }
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
      if unsafe packet.streamIndex == stream.index { return packet.matches(table.packets[index]) }
    }
    return false
  }
}

extension Packet {
  fileprivate func matches(_ record: PacketRecord) -> Bool {
    position == record.position && pts == record.pts
  }
}
