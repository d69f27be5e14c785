/// The positions at which a stream can be cut without decoding it, so that exactly the selected frames remain.
///
/// A place is before displayed frame n (or after the last) and is *clean* if the frames that are displayed before it
/// are also those that are decoded before it. A part of a stream between two clean places contains exactly its
/// frames; if it also starts with a keyframe whose own bits state that decoding can start there, it needs nothing from
/// outside.
package struct CutPlaces {
  /// A part can start with displayed frame n. One more than frames; the last is false.
  package var starts: [Bool]
  /// A part can end before displayed frame n. One more than frames; the first is false.
  package var ends: [Bool]

  /// A stream that cannot be cut.
  package init(frameCount: Int) {
    starts = [Bool](repeating: false, count: frameCount + 1)
    ends = starts
  }

  /// Reads every packet, but decodes none. Nothing can be cut if packets are missing, hidden or cut by an edit list,
  /// if the codec configuration changes, or if timestamps do not determine the order.
  ///
  /// - Parameter demuxer: at any position in the file; it is left at the end.
  init(
    demuxer: borrowing Demuxer, stream: VideoStream, table: PacketTable
  ) throws(InspectionError) {
    self.init(frameCount: table.packets.count)
    guard table.missingCount == 0, !table.endsEarly, !table.changesSetup, !table.isSpliced,
      table.damagedCount == 0, table.displayedCount == table.packets.count,
      let order = table.presentationOrder
    else { return }
    let count = order.count
    var lastDecoded = -1
    var isClean = [Bool](repeating: false, count: count + 1)
    for place in 0...count {
      isClean[place] = lastDecoded == place - 1
      if place < count { lastDecoded = max(lastDecoded, order[place]) }
    }
    let fresh = try demuxer.reopenedWithAnalysis()
    let video = try unsafe fresh.selectVideo()
    guard unsafe video.index == stream.index else { return }
    let headers = unsafe FrameHeaderReader(stream: video)
    var packet = try Packet()
    var index = 0
    while try fresh.read(into: &packet) {
      guard unsafe packet.streamIndex == video.index else { continue }
      guard index < count, packet.position == table.packets[index].position else {
        self.init(frameCount: table.packets.count)
        return
      }
      // Packet and frame have the same number if a place is clean.
      if packet.isKey, isClean[index], order[index] == index {
        starts[index] = unsafe packet.withBytes(headers.isRandomAccess)
      }
      index += 1
    }
    guard index == count else {
      self.init(frameCount: table.packets.count)
      return
    }
    ends = isClean
    ends[0] = false
  }
}
