/// The video in an open file, for ``Inspector`` and ``LoopFinder``.
///
/// Noncopyable as the demuxer that it owns; `stream` is valid as long as it lives.
@safe package struct OpenClip: ~Copyable {
  let demuxer: Demuxer
  let stream: VideoStream
  let table: PacketTable
  package let timeBase: Rational
  package let limits: Limits
  /// The separate alpha track; `nil` if there is none that can be read.
  let alpha: AlphaTrack?
  /// An animated PNG or AVIF sequence has the colours of a still.
  private let traits: PictureTraits

  package init(
    _ input: InputFile, limits: Limits, formats: [String] = ContainerFormat.allowed
  ) throws(InspectionError) {
    let demuxer = try Demuxer.open(input, limits: limits, formats: formats)
    let stream = try unsafe demuxer.selectVideo()
    guard let timeBase = unsafe stream.timeBase else {
      throw InspectionError(.notAMovie, "the video stream has no time base")
    }
    let table = try unsafe PacketTable(scanning: demuxer, stream: stream)
    try limits.checkLength(table.timeSpan ?? 0, timeBase)
    let alpha =
      demuxer.layout?.hasAlphaTrack == true
      ? try AlphaTrack.of(input, frames: table.displayedCount, limits: limits) : nil
    let isPicture =
      formats == ContainerFormat.stills || demuxer.formatName == "apng"
      || FileFormat.avif.begins(input.bytes(at: 0, count: FileFormat.signatureLength))
    traits = unsafe PictureTraits(of: input, stream, isPicture: isPicture)
    self.demuxer = demuxer
    unsafe self.stream = unsafe stream
    self.table = table
    self.timeBase = timeBase
    self.limits = limits
    self.alpha = alpha
  }

  /// The form of decoded frames, which for a still also depends on its file.
  func form(_ decoded: DecodedFormat) -> DecodedFormat {
    let format = traits.turned(decoded)
    return alpha == nil ? format : format.addingAlpha()
  }

  /// A decoded frame as displayed, with its transparency and its colours.
  ///
  /// - Parameter number: in presentation order.
  func videoFrame(
    _ frame: borrowing Frame, _ format: DecodedFormat, number: Int
  ) throws(InspectionError) -> VideoFrame {
    let crop = crop(frame.width, frame.height)
    let format = traits.format(format, of: frame)
    if traits.inks == .plain { return try VideoFrame(frame.inksAsColors(), format: format, crop: crop) }
    guard let alpha else { return try VideoFrame(frame, format: format, crop: crop) }
    return try VideoFrame(
      alpha.composed(frame, number), format: format.addingAlpha(), crop: crop)
  }
}

extension Limits {
  /// - Parameter ticks: from the first displayed frame to the end of the last by their own times, since headers
  ///   of real files are wrong.
  package func checkLength(_ ticks: Int64, _ timeBase: Rational) throws(InspectionError) {
    let seconds = Double(ticks) * timeBase.value
    guard seconds > durationSeconds else { return }
    throw InspectionError(
      .tooLong,
      "the video lasts \(decimal(seconds, places: 1)) s "
        + "(limit \(decimal(durationSeconds, places: 1)) s)")
  }
}

extension InputFile {
  /// Runs `body` on the clip in this file; a read error takes precedence over its consequences.
  package func withClip<Result>(
    limits: Limits, formats: [String] = ContainerFormat.allowed,
    _ body: (borrowing OpenClip) throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    readAsBrowsers()
    if formats == ContainerFormat.stills { try PNGWeight.check(self, limits: limits) }
    return try LogCapture.scope { () throws(InspectionError) in
      let result: Result
      do throws(InspectionError) {
        result = try body(try OpenClip(self, limits: limits, formats: formats))
      } catch {
        try checkReads()
        throw formats == ContainerFormat.stills ? error.ofStill : error
      }
      try checkReads()
      return result
    }
  }

  func checkReads() throws(InspectionError) {
    if let failure = readFailure {
      throw InspectionError(
        .unreadable, "cannot read the file: \(failure.description.lowercased())")
    }
  }
}

extension OpenClip {
  /// The edit list, if a part of it has a speed of its own. Whoever opens the file again finds none, and all frames.
  func takeRetimedEdits() -> [EditSegment]? {
    let track = unsafe stream.identifier
    guard let edits = demuxer.layout?.editList(track: track), edits.contains(where: { $0.rate != nil }),
      let name = demuxer.layout?.editListName(track: track)
    else { return nil }
    for (place, byte) in zip(name, "free".utf8) { demuxer.input.replace(place, by: byte) }
    return edits
  }
}

extension OpenClip: FrameSource {
  /// Decodes the frames at the ends and requested ones, or all of them; see ``FrameReader``.
  package func readFrames(
    everyFrame: Bool, into reducer: inout some FrameReducer
  ) throws(InspectionError) -> ReadFrames {
    var decoded = try unsafe FrameReader(endCount: reducer.endCount).read(
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
    var decoded = try unsafe FrameReader(endCount: 1, wantsEnd: false).read(
      demuxer: demuxer, stream: stream, table: table, take: { _, _, _ in })
    return decoded.fallback == nil ? read(&decoded) : nil
  }

  private func read(_ decoded: inout DecodedFrames) -> ReadFrames {
    decoded.format = form(decoded.format)
    let container = unsafe ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, timing) = unsafe MediaFacts.gather(
      decoded: decoded, stream: stream, container: container)
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
      sizes: order.map { table.packets[$0].size }, places: order)
  }

  /// The clean aperture of pictures of a size.
  package func crop(_ width: Int, _ height: Int) -> CleanAperture? {
    unsafe demuxer.layout?.cleanAperture(track: stream.identifier, width: width, height: height)
  }
}

extension OpenClip {
  /// Decodes every frame and keeps of each its digest and its time. Costs one full decode.
  package func displayed() throws(InspectionError) -> DisplayedClip {
    var digests: [SIMD2<UInt64>] = []
    let decoded = try unsafe FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true,
      take: { frame, _, _ throws(InspectionError) in digests.append(try frame.digest()) })
    guard !decoded.isDisordered else {
      throw InspectionError(.notCopied, "its times contradict the order of its frames")
    }
    let frames = DisplayedFrames(
      timestamps: decoded.timestamps, timeBase: timeBase, digests: digests)
    let container = unsafe ContainerFacts(
      demuxer: demuxer, stream: stream, table: table, layout: demuxer.layout)
    let (facts, _) = unsafe MediaFacts.gather(
      decoded: decoded, stream: stream, container: container)
    return DisplayedClip(frames: frames, facts: facts)
  }
}

extension DisplayedFrames {
  /// - Parameter timestamps: of the frames in order, in units of `timeBase`.
  package init(timestamps: [Int64], timeBase: Rational, digests: [SIMD2<UInt64>]) {
    let tick = timeBase.value * 1e9
    let first = timestamps.first ?? 0
    self.init(
      frames: zip(digests, timestamps).map { digest, time in
        Frame(
          digest: digest,
          nanoseconds: wholeNumber(Double(time.subtractingClamped(first)) * tick, as: Int64.self)
            ?? 0)
      }, tickNanoseconds: wholeNumber(tick.rounded(.up), as: Int64.self) ?? 0)
  }
}

extension InputFile {
  /// Reads a still beside videos.
  ///
  /// - Throws: `decode-failed` for a damaged picture.
  package func readStill(limits: Limits) throws(InspectionError) -> StillPicture {
    let header = bytes(at: 0, count: MediaSignature.length)
    var shape: PixelSize?
    let picture = try readPicture(limits: limits) {
      shape = $0
      return $0.fitted(inside: PictureSignature.sourceSize)
    }
    let upright = shape ?? picture.size
    return StillPicture(
      format: FileFormat.stills.first { $0.begins(header) }?.rawValue ?? "unknown",
      width: upright.width, height: upright.height, signature: PictureSignature(picture))
  }

  /// Reads the picture of a still, in sRGB, upright.
  ///
  /// - Parameter size: receives its size, returns the wanted size.
  /// - Throws: `decode-failed` for a damaged picture.
  package func readPicture(
    limits: Limits, size: (PixelSize) -> PixelSize
  ) throws(InspectionError) -> PixelImage {
    if let pictures = try PictureFile.still(self, limits: limits) {
      return try PictureFrame(pictures.picture(0)).picture(size: size)
    }
    return try withClip(limits: limits, formats: ContainerFormat.stills) {
      clip throws(InspectionError) in
      try clip.readPicture(size: size)
    }
  }
}

extension OpenClip {
  fileprivate func readPicture(
    size: (PixelSize) -> PixelSize
  ) throws(InspectionError) -> PixelImage {
    var first: PixelImage?
    let decoded = try unsafe FrameReader(endCount: 1, wantsEnd: false).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: demuxer.formatName != "apng"
    ) { frame, format, place throws(InspectionError) in
      guard place.number == 0 else { return }
      first = try videoFrame(frame, format, number: 0).picture(size: size)
    }
    guard let first, decoded.errorCount == 0 else { throw .damagedStill }
    return first
  }
}

extension InspectionError {
  package static let damagedStill = InspectionError(
    .decodeFailed, "the picture is cut or damaged",
    advice: "copy it again, or export it again from its source")

  /// What an error in a still means for its owner, at the time when it was thrown.
  var ofStill: InspectionError {
    // Beyond a quarter of a thousand million pixels, no limit that is raised makes a difference.
    if let size = LogCapture.notices.refusedSize {
      return InspectionError(
        .tooLarge, "the picture has \(size) pixels, more than can be read",
        advice: "export it smaller: 4096 pixels a side are plenty")
    }
    // Errors that say more than a decoder does have their own advice.
    return [.decodeFailed, .noFrames, .truncated].contains(code) && advice == nil
      ? .damagedStill : self
  }
}
