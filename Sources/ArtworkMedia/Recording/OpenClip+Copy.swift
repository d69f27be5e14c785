extension OpenClip {
  /// Copies the video track, or a part of it, into a new movie: its packets, their parameters, and nothing else. The
  /// movie starts at zero, its header comes first, and its sample entry is the one that Apple systems play. Nothing
  /// is decoded.
  ///
  /// - Parameters:
  ///   - matrix: the matrix that the copy states; `nil` for the clip's.
  ///   - rotation: see ``Recipe/rotation``.
  ///   - mostBytes: of the new file.
  ///   - Returns: the bytes of the new file, and the properties of the clip's packets.
  ///   - Throws: `not-copied` for a video whose copy would differ, `video-not-written` for one that takes more bytes,
  ///     or errors of reading.
  package func copy(
    _ selection: FrameSelection, stating matrix: String?, rotation: Int? = nil,
    into container: MovieContainer, mostBytes: Int64
  ) throws(InspectionError) -> (bytes: [UInt8], source: ReadPackets) {
    let whole = try orderOfCopy()
    if matrix != nil, unsafe stream.parameterSets == .frames {
      throw InspectionError(
        .notCopied, "its parameter sets are among its frames, where no matrix is stated")
    }
    let part = try part(selection, of: whole)
    // Between clean places, a packet and its frame have the same number.
    var table = table
    table.packets = Array(table.packets[part])
    let order = whole[part].map { $0 - part.lowerBound }
    let color = try unsafe demuxer.decodedColor()
    let source = try Demuxer.open(demuxer.input, limits: limits)
    let video = try unsafe source.selectVideo()
    guard unsafe video.index == stream.index else { throw Self.changed }
    let times = CopiedTimes(
      table: table, order: order, timeBase: timeBase, lastDuration: lastDuration(whole, part))
    let moved =
      unsafe stream.parameterSets == .frames
      ? ParameterSets(first: stream, self.table, demuxer.input) : nil
    let layout = unsafe NALUnits(video.parameters)
    var mover = try moved.map { sets throws(InspectionError) in
      try unsafe BitstreamFilter.open("filter_units", [("remove_types", sets.types)], on: video)
    }
    var filter = try matrix.map { matrix throws(InspectionError) in
      try unsafe MatrixFilter.stating(matrix, in: video)
    }
    let output = MovieOutput(
      atMost: Int(clamping: mostBytes), expecting: Int(clamping: demuxer.input.size))
    let parameters = try unsafe CopiedParameters.of(
      video, filtered: filter?.parameters, matrix: matrix,
      color: color, setupData: moved?.setupData)
    var writer = try unsafe MovieWriter.open(
      parameters.pointer, timeBase: times.timeBase, tag: sampleEntry, copying: video,
      rotation: rotation, restsAtEnd: demuxer.statesRest && part.upperBound == whole.count,
      muxer: container.rawValue,
      into: output)
    var input = try unsafe DecoderInput.digesting(parameters.pointer, order: order)
    var packet = try Packet()
    var index = 0
    while try source.read(into: &packet) {
      guard unsafe packet.streamIndex == video.index else { continue }
      guard index < whole.count, packet.position == self.table.packets[index].position else {
        throw Self.changed
      }
      defer { index += 1 }
      guard part.contains(index) else { continue }
      let number = index - part.lowerBound
      if let moved, let layout, !moved.cover(packet, of: layout) {
        throw InspectionError(
          .notCopied, "its parameter sets change on the way, so the header cannot hold them")
      }
      try mover?.filter(&packet)
      try filter?.filter(&packet)
      input?.add(packet)
      try writer.write(
        &packet, pts: times.pts[number], dts: times.dts[number], duration: times.durations[number])
    }
    guard index == whole.count else { throw Self.changed }
    try writer.finish()
    // Parameter sets move from the frames to the header: only decoding both proves that they are the same.
    let isFaithful = moved == nil && filter?.isFaithful ?? true
    return (
      output.bytes,
      ReadPackets(
        displayed: displayed(Array(whole[part])),
        input: isFaithful ? input.take()?.finish() : nil)
    )
  }

  /// The decoder's input for the clip, and the presentation times of its frames, without decoding any; `nil` if only
  /// decoding can determine it.
  package func packets() throws(InspectionError) -> ReadPackets? {
    guard let order = table.presentationOrder, order.count == table.packets.count,
      var input = try unsafe DecoderInput.digesting(stream.parameters, order: order)
    else { return nil }
    let source = try Demuxer.open(demuxer.input, limits: limits)
    let video = try unsafe source.selectVideo()
    var packet = try Packet()
    while try source.read(into: &packet) {
      if unsafe packet.streamIndex == video.index { input.add(packet) }
    }
    return input.finish().map { ReadPackets(displayed: displayed(order), input: $0) }
  }

  /// The presentation times of the frames; their digests are zero.
  private func displayed(_ order: [Int]) -> DisplayedFrames {
    DisplayedFrames(
      timestamps: order.map { table.packets[$0].pts ?? 0 }, timeBase: timeBase,
      digests: [SIMD2<UInt64>](repeating: [0, 0], count: order.count))
  }

  private static let changed = InspectionError(
    .notCopied, "the file reads differently a second time", operation: "copy the video")

  /// All packets in presentation order.
  private func orderOfCopy() throws(InspectionError) -> [Int] {
    func refuse(_ reason: String) -> InspectionError { InspectionError(.notCopied, reason) }
    if table.missingCount > 0 || table.endsEarly || table.damagedCount > 0 {
      throw refuse("frames are missing or damaged, and a copy would hide that")
    }
    if table.changesSetup || table.changedSets != nil {
      throw refuse("the decoder's set-up changes on the way")
    }
    if table.isSpliced || table.displayedCount < table.packets.count {
      throw refuse("some frames are not shown, and a copy would show them")
    }
    if unsafe stream.parameterSets == .frames,
      unsafe ParameterSets(first: stream, table, demuxer.input) == nil
    {
      throw refuse("its parameter sets are among its frames only, and not all in the first one")
    }
    guard let order = table.presentationOrder, !order.isEmpty else {
      throw refuse("the container does not say when each frame is shown")
    }
    return order
  }

  /// The frames of a copy.
  ///
  /// - Throws: `not-copied` for a part that packets alone do not make.
  private func part(
    _ selection: FrameSelection, of order: [Int]
  ) throws(InspectionError) -> Range<Int> {
    guard selection != FrameSelection() else { return order.indices }
    guard let frames = selection.range(of: order.count), FrameSelection(frames) == selection else {
      throw InspectionError(.notCopied, "packets have the order and the times of the clip")
    }
    if frames == order.indices { return frames }
    let places = try unsafe CutPlaces(demuxer: demuxer, stream: stream, table: table)
    guard frames.upperBound < places.ends.count, places.starts[frames.lowerBound],
      places.ends[frames.upperBound]
    else {
      throw InspectionError(
        .notCopied,
        "frames \(frames.lowerBound) to \(frames.upperBound - 1) need others to be decoded")
    }
    return frames
  }

  /// The duration of the last frame of a part of `order`, in time base units; zero if unknown. An MP4 file that holds
  /// its last frame may state that in the length of the track only. One that is held longer than any other is a gap
  /// at the repeat, so a copy ends without it unless it is meant.
  private func lastDuration(_ order: [Int], _ part: Range<Int>) -> Int64 {
    if part.upperBound < order.count, let last = table.packets[order[part.upperBound - 1]].pts,
      let next = table.packets[order[part.upperBound]].pts
    {
      return next.subtractingClamped(last)
    }
    let own = order.last.map { table.packets[$0].duration } ?? 0
    let times = order.compactMap { table.packets[$0].pts }
    guard let first = times.first, let last = times.last else { return own }
    var hold = own
    if demuxer.layout?.isFragmented == false, let declared = unsafe stream.declaredDuration {
      hold = max(own, declared.subtractingClamped(last.subtractingClamped(first)))
    }
    let longest = zip(times, times.dropFirst()).map { $1.subtractingClamped($0) }.max() ?? hold
    return !demuxer.statesRest && MediaFacts.isHeld(Double(hold), beside: Double(longest))
      ? longest : hold
  }

  /// The sample entry of the copy; `nil` leaves it to libavformat.
  private var sampleEntry: String? {
    let own = unsafe demuxer.layout == nil ? nil : stream.codecTag
    guard let played = unsafe VideoCodec.named(stream.codecName)?.sampleEntries?.played else {
      return own
    }
    return played.first { $0 == own } ?? played.first
  }
}
