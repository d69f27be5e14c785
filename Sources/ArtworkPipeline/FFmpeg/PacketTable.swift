/// What one packet says of itself, without its data.
struct PacketRecord {
  var pts: Int64?
  var dts: Int64?
  var duration: Int64
  /// Byte offset in the file.
  var position: Int64
  var isKey: Bool
  /// Decoded but cut by the edit list.
  var isDiscarded: Bool
  /// Never shown: a VP8 or VP9 frame that only serves as a reference.
  var isHidden: Bool
  /// Never shown: a sample without data.
  var isEmpty: Bool
  /// The data ends early.
  var isDamaged: Bool

  var isDisplayed: Bool { !isDiscarded && !isHidden && !isEmpty }
}

/// All packets of a video stream in decoding order.
struct PacketTable {
  var packets: [PacketRecord]
  /// Packets in the container's index that could not be read: the file is cut short.
  var missingCount: Int
  /// Some packet changes the decoder's set-up on the way: a palette, or another sample entry.
  var changesSetup: Bool
  /// The edit list joins several parts of the media.
  var isSpliced: Bool

  /// Walks the whole stream. Where the container's sample table is complete (an unfragmented ISO base
  /// media file, as `layout` tells) only timestamps are read, at the cost of about a microsecond a
  /// packet and no I/O; elsewhere the packets themselves are.
  init(
    scanning demuxer: borrowing Demuxer, stream: VideoStream, layout: MovieLayout?
  ) throws(InspectionError) {
    let withoutData = layout?.isFragmented == false && stream.indexedPacketCount > 0
    var packets: [PacketRecord] = []
    packets.reserveCapacity(stream.indexedPacketCount)
    var changesSetup = false
    var packet = try Packet()
    let codec = FrameHeaderReader(stream: stream)
    func walk() {
      while demuxer.read(into: &packet) {
        guard packet.streamIndex == stream.index else { continue }
        packets.append(
          PacketRecord(
            pts: packet.pts, dts: packet.dts, duration: packet.duration,
            position: packet.position, isKey: packet.isKey, isDiscarded: packet.isDiscarded,
            isHidden: !withoutData && packet.withBytes(codec.isHidden), isEmpty: packet.isEmpty,
            isDamaged: packet.isDamaged))
        if packet.changesSetup { changesSetup = true }
      }
    }
    if withoutData { demuxer.withoutData(walk) } else { walk() }
    self.packets = packets
    missingCount = max(0, stream.indexedPacketCount - packets.count)
    self.changesSetup = changesSetup
    let segments = layout?.editList(track: stream.identifier) ?? []
    isSpliced = segments.count { $0.mediaSeconds != nil } > 1
  }

  var displayedCount: Int { packets.count { $0.isDisplayed } }

  var damagedCount: Int { packets.count { $0.isDamaged } }

  /// Indices of the displayed packets in presentation order, or `nil` where timestamps are missing or
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

  /// The most frames that precede one in decoding order and follow it in presentation order.
  func reorderDepth(of presentationOrder: [Int]) -> Int {
    // The frame shown at place p is decoded as number d of the displayed ones: d - p frames that are
    // shown later were decoded before it.
    let displayed = packets.indices.filter { packets[$0].isDisplayed }
    var rank = [Int](repeating: 0, count: packets.count)
    for (number, index) in displayed.enumerated() { rank[index] = number }
    return presentationOrder.enumerated().reduce(0) { max($0, rank[$1.element] - $1.offset) }
  }
}
