extension OpenClip: FrameSource {
  /// Decodes the frames at the ends and requested ones, or all of them; see ``FrameReader``.
  package func readFrames(
    everyFrame: Bool, into reducer: inout some FrameReducer
  ) throws(InspectionError) -> ReadFrames {
    var decoded = try FrameReader(endCount: reducer.endCount).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: everyFrame,
      take: { frame, format, place throws(InspectionError) in
        try reducer.reduce(videoFrame(frame, format, number: place.number), at: place)
      },
      ends: { order in reducer.ends(clock(order)) },
      glimpse: { order in reducer.glimpses(clock(order)) },
      ask: { order throws(InspectionError) in try reducer.framesNeeded(clock(order)) })
    return read(&decoded)
  }

  /// Reads only the first frame: what the container states of the others is checked by decoding them later. `nil` if
  /// only decoding can determine it.
  package func scan() throws(InspectionError) -> ReadFrames? {
    guard table.missingCount == 0, !table.endsEarly, table.damagedCount == 0, !table.changesSetup,
      !table.isSpliced, table.presentationOrder?.count == table.packets.count
    else { return nil }
    var decoded = try FrameReader(endCount: 1, wantsEnd: false).read(
      demuxer: demuxer, stream: stream, table: table, take: { _, _, _ in })
    return decoded.fallback == nil ? read(&decoded) : nil
  }

  private func read(_ decoded: inout DecodedFrames) -> ReadFrames {
    decoded.format = form(decoded.format)
    let container = ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, timing) = MediaFacts.gather(decoded: decoded, stream: stream, container: container)
    let lost = max(0, table.displayedCount - decoded.count)
    return ReadFrames(
      clock: ClipClock(
        timestamps: decoded.timestamps, lastDuration: decoded.lastDuration, timeBase: timeBase,
        medianStep: timing.medianStep),
      orientation: decoded.format.orientation, facts: facts,
      effort: Inspection.DecodingEffort(
        fallback: decoded.isDisordered ? .ambiguousTimestamps : decoded.fallback,
        packetsDecoded: decoded.packetsDecoded,
        errorCount: decoded.errorCount + table.damagedCount,
        missingFrames: table.missingCount + (decoded.fallback != nil ? lost : 0),
        endsEarly: table.endsEarly),
      lostCount: lost, light: decoded.format.light)
  }

  /// The presentation times of the packets in `order`, from the container.
  private func clock(_ order: [Int]) -> ClipClock {
    let timestamps = order.compactMap { table.packets[$0].pts }
    let last = order.last.map { table.packets[$0].duration } ?? 0
    let timing = FrameTiming(
      timestamps: timestamps, timeBase: timeBase, lastDuration: last, declaredDuration: nil)
    return ClipClock(
      timestamps: timestamps, lastDuration: last, timeBase: timeBase,
      medianStep: timing.medianStep,
      keyFrames: order.indices.filter { table.packets[order[$0]].isKey },
      sizes: order.map { table.packets[$0].size })
  }

  /// The clean aperture of pictures of a size.
  package func crop(_ width: Int, _ height: Int) -> CleanAperture? {
    demuxer.layout?.cleanAperture(track: stream.identifier, width: width, height: height)
  }
}
