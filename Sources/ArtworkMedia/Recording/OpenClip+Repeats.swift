extension OpenClip {
  /// Whether a copy can leave out the repeated frames of a pattern. Reads every packet, and decodes none.
  package func canLeaveOut(_ cadence: Cadence) throws(InspectionError) -> Bool {
    guard let order = table.presentationOrder, order.count == table.packets.count,
      table.displayedCount == order.count
    else { return false }
    do throws(InspectionError) {
      return try !original(order, cadence).isEmpty
    } catch {
      if error.code == .notCopied { return false }
      throw error
    }
  }

  /// The packets of one frame of each group of equal ones, in presentation order: the one that others need, or else the
  /// first.
  ///
  /// - Throws: `not-copied` if others need several.
  func original(_ order: [Int], _ cadence: Cadence) throws(InspectionError) -> [Int] {
    let isDroppable = try droppablePackets()
    var packets: [Int] = []
    var isNeeded = false
    for (number, index) in order.enumerated() {
      if !cadence.isRepeat(number) {
        packets.append(index)
        isNeeded = !isDroppable[index]
      } else if !isDroppable[index] {
        // The first frame is the preview.
        guard !isNeeded, packets.count > 1 else {
          throw InspectionError(.notCopied, "others need the repeated frames to be decoded")
        }
        packets[packets.count - 1] = index
        isNeeded = true
      }
    }
    return packets
  }

  /// Whether no other packet needs this one to be decoded, by packet.
  private func droppablePackets() throws(InspectionError) -> [Bool] {
    // Each frame stands alone, as in ProRes.
    if table.packets.allSatisfy(\.isKey) { return table.packets.map { _ in true } }
    let source = try Demuxer.open(demuxer.input, limits: limits)
    let video = try source.selectVideo()
    let headers = FrameHeaderReader(stream: video)
    var packet = try Packet()
    var isDroppable: [Bool] = []
    while try source.read(into: &packet) {
      guard packet.streamIndex == video.index else { continue }
      isDroppable.append(packet.withBytes(headers.isDroppable))
    }
    guard video.index == stream.index, isDroppable.count == table.packets.count else {
      throw Self.changed
    }
    return isDroppable
  }

  /// The times of a copy without repeated frames: those of the original rate.
  ///
  /// - Parameters:
  ///   - table: of the copied packets.
  ///   - whole: all packets in presentation order.
  func evenTimes(
    _ table: PacketTable, _ order: [Int], _ whole: [Int], _ cadence: Cadence
  ) throws(InspectionError) -> CopiedTimes {
    let timing = FrameTiming(
      timestamps: whole.compactMap { self.table.packets[$0].pts }, timeBase: timeBase,
      lastDuration: 0, declaredDuration: nil)
    guard timing.mode == .constant, let rate = timing.rate?.multiplied(by: cadence.share),
      let base = Rational(1, rate.numerator)
    else { throw InspectionError(.notCopied, "its frame rate is not constant") }
    var table = table
    for (number, index) in order.enumerated() {
      table.packets[index].pts = Int64(number).multipliedClamped(by: rate.denominator)
    }
    return CopiedTimes(
      table: table, order: order, timeBase: base, lastDuration: rate.denominator)
  }
}
