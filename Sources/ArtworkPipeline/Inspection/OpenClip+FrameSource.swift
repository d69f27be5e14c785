import ArtworkModel

extension OpenClip: FrameSource {
  /// Decodes the frames at the ends, or all of them; see ``FrameReader``.
  func readFrames<Reducer: FrameReducer>(
    endCount: Int, everyFrame: Bool, into reducer: inout Reducer
  ) throws(InspectionError) -> ReducedFrames<Reducer.Reduced> {
    let ends = try FrameReader<Reducer.Reduced>(endCount: endCount).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: everyFrame
    ) { frame, format, isFirst throws(InspectionError) in
      try reducer.reduce(
        VideoFrame(frame, format: format, crop: crop(frame.width, frame.height)), isFirst: isFirst)
    }
    let container = ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, timing) = MediaFacts.gather(ends: ends, stream: stream, container: container)
    let lost = max(0, table.displayedCount - ends.count)
    return ReducedFrames(
      first: ends.first, last: ends.last, isWhole: ends.fallback != nil, count: ends.count,
      timestamps: ends.timestamps, lastDuration: ends.lastDuration, timeBase: timeBase,
      medianStep: timing.medianStep, orientation: ends.format.orientation, facts: facts,
      effort: Inspection.DecodingEffort(
        fallback: ends.fallback, packetsDecoded: ends.packetsDecoded,
        errorCount: ends.errorCount + table.damagedCount,
        missingFrames: table.missingCount + (ends.fallback != nil ? lost : 0),
        endsEarly: table.endsEarly),
      lostCount: lost)
  }

  /// The clean aperture of pictures of a size.
  func crop(_ width: Int, _ height: Int) -> CleanAperture? {
    demuxer.layout?.cleanAperture(track: stream.identifier, width: width, height: height)
  }
}
