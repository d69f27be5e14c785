/// Decodes selected displayed frames without decoding the frames between them.
enum FrameExcerpt {
  /// The selected frames by their numbers in presentation order, or `nil` if some were not decoded as expected: then
  /// only a full decode can determine it.
  ///
  /// Reads the file from its start, and decodes from the last possible position before each frame.
  ///
  /// - Parameter reduce: returns what to keep of a frame.
  static func read<Element>(
    _ wanted: Set<Int>, demuxer: borrowing Demuxer, stream: VideoStream, table: PacketTable,
    places: CutPlaces,
    reduce: (borrowing Frame, DecodedFormat, _ number: Int) throws(InspectionError) -> Element
  ) throws(InspectionError) -> [Int: Element]? {
    guard let order = table.presentationOrder, order.count == table.packets.count,
      wanted.allSatisfy(order.indices.contains), !wanted.isEmpty
    else { return nil }
    var numbers: [Int64: Int] = [:]
    for number in wanted { table.packets[order[number]].pts.map { numbers[$0] = number } }
    let needed = packets(for: wanted, order: order, places: places)
    let fresh = try demuxer.reopenedWithAnalysis()
    let video = try unsafe fresh.selectVideo()
    guard unsafe video.index == stream.index else { return nil }
    var decoder = try unsafe VideoDecoder.open(
      stream: video, reorderDepth: table.reorderDepth(of: order), limits: demuxer.limits)
    var packet = try Packet()
    var frame = try Frame()
    var elements: [Int: Element] = [:]
    var format: DecodedFormat?

    /// False when the decoder refused something.
    func receiveAll() throws(InspectionError) -> Bool {
      while true {
        switch try decoder.receive(into: &frame) {
        case .needsPacket, .ended: return true
        case .refused: return false
        case .frame:
          guard let number = frame.pts.flatMap({ numbers[$0] }) else { continue }
          if frame.isDamaged { return false }
          let known = unsafe format ?? decoder.format(of: frame, in: stream)
          format = known
          elements[number] = try reduce(frame, known, number)
        }
      }
    }
    var index = 0
    var isRunning = false
    while try fresh.read(into: &packet) {
      guard unsafe packet.streamIndex == video.index else { continue }
      guard index < needed.count, packet.position == table.packets[index].position else {
        return nil
      }
      if needed[index] {
        guard try decoder.send(packet) == nil, try receiveAll() else { return nil }
      } else if isRunning {
        decoder.drain()
        guard try receiveAll() else { return nil }
        decoder.flush()
      }
      isRunning = needed[index]
      index += 1
      if elements.count == wanted.count { return elements }
    }
    decoder.drain()
    guard try receiveAll() else { return nil }
    return elements.count == wanted.count ? elements : nil
  }

  /// Which packets to decode: from the last possible start before each wanted frame.
  private static func packets(for wanted: Set<Int>, order: [Int], places: CutPlaces) -> [Bool] {
    var needed = [Bool](repeating: false, count: order.count)
    for number in wanted {
      let start = (0...number).last { places.starts.indices.contains($0) && places.starts[$0] } ?? 0
      for index in start...max(start, order[number]) { needed[index] = true }
    }
    return needed
  }
}
