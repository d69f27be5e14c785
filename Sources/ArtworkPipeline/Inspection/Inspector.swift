public import SystemPackage

/// Looks at one file: facts, the seam, and the preview, from one pass over as little of it as needed.
///
/// Calls block, use one thread and keep no state: run one per core on threads of your own, never on
/// Swift's cooperative pool. ``Batch`` does. Peak memory is what the decoder needs plus the preview.
public struct Inspector: Sendable {
  public enum PreviewRequest: Sendable, Equatable {
    case none
    case original
    /// Fitted inside this size, keeping the aspect.
    case fitted(PixelSize)
  }

  /// Decode every frame instead of those at the ends: slower, finds damage in the middle.
  public var decodesEverything: Bool

  public var limits: Limits

  public init(decodesEverything: Bool = false, limits: Limits = Limits()) {
    self.decodesEverything = decodesEverything
    self.limits = limits
  }

  /// Inspects the file at `path`.
  ///
  /// - Parameter folder: see ``Candidate/folder``.
  /// - Returns: the inspection, and the first displayed frame (upright, square pixels, sRGB) when
  ///   `preview` asks for it.
  /// - Throws: ``InspectionError`` for a file that cannot be opened, is no video, has not one decodable
  ///   frame, is beyond a limit, or changed meanwhile.
  public func inspect(
    _ path: FilePath, beneath folder: FilePath? = nil, preview: PreviewRequest = .none
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let input = try InputFile.open(path, beneath: folder, limits: limits)
    return try input.whileUnchanged { () throws(InspectionError) in
      try LogCapture.scope { () throws(InspectionError) in
        try examine(input, preview: preview)
      }
    }
  }

  /// Inspects an open file, without a look at whether it changes meanwhile.
  func examine(
    _ input: InputFile, preview: PreviewRequest
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let result: (Inspection, PixelImage?)
    do {
      result = try look(at: input, preview: preview)
    } catch {
      try checkReads(of: input)
      throw error
    }
    try checkReads(of: input)
    return result
  }

  private func checkReads(of input: InputFile) throws(InspectionError) {
    if let failure = input.readFailure {
      throw InspectionError(
        .unreadable, "cannot read the file: \(failure.description.lowercased())")
    }
  }

  private func look(
    at input: InputFile, preview: PreviewRequest
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let demuxer = try Demuxer.open(input, limits: limits)
    let stream = try demuxer.selectVideo()
    guard let timeBase = stream.timeBase else {
      throw InspectionError(.notAMovie, "the video stream has no time base")
    }
    let layout = demuxer.layout
    let table = try PacketTable(scanning: demuxer, stream: stream)
    try checkLength(table.timeSpan ?? 0, timeBase)

    var image: PixelImage?
    let reader = FrameReader<Thumbnail>(endCount: 3) {
      frame, format, isFirst throws(InspectionError) in
      if isFirst, preview != .none {
        let crop = layout?.cleanAperture(
          track: stream.identifier, width: frame.width, height: frame.height)
        image = try makePreview(frame, format: format, crop: crop, request: preview)
      }
      if let thumbnail = frame.withPlanes(BoxAverage.thumbnail) { return thumbnail }
      return try FrameConverter.withReducedPlanes(
        frame, side: Thumbnail.lumaSide, BoxAverage.thumbnail)
    }
    let ends = try reader.read(
      demuxer: demuxer, stream: stream, table: table, everything: decodesEverything)
    if let first = ends.timestamps.min(), let last = ends.timestamps.max() {
      try checkLength(
        last.subtractingClamped(first).addingClamped(max(0, ends.lastDuration)), timeBase)
    }
    let container = ContainerFacts(demuxer: demuxer, stream: stream, table: table, layout: layout)
    let (facts, timing) = MediaFacts.gather(ends: ends, stream: stream, container: container)
    let inspection = Inspection(
      facts: facts,
      seam: SeamMeasurement(
        first: ends.first, last: ends.last, timestamps: ends.timestamps,
        medianStep: timing.medianStep),
      decoding: Inspection.DecodingEffort(
        fallback: ends.fallback, packetsDecoded: ends.packetsDecoded,
        errorCount: ends.errorCount + table.damagedCount,
        missingFrames: table.missingCount
          + (ends.fallback != nil ? max(0, table.displayedCount - ends.count) : 0),
        endsEarly: table.endsEarly),
      previewIsToneMapped: facts.color.isHDR)
    return (inspection, image)
  }

  /// - Parameter ticks: from the first displayed frame to the end of the last, as their times say and
  ///   not the header: real ones declare 143,165 seconds for one.
  private func checkLength(_ ticks: Int64, _ timeBase: Rational) throws(InspectionError) {
    let seconds = Double(ticks) * timeBase.value
    guard seconds > limits.durationSeconds else { return }
    throw InspectionError(
      .tooLong,
      "the video lasts \(decimal(seconds, places: 1)) s; at most "
        + "\(decimal(limits.durationSeconds, places: 1)) s are inspected")
  }

  /// Turns the first frame into the preview: cropped, square pixels, mapped to sRGB, upright.
  private func makePreview(
    _ frame: borrowing Frame, format: DecodedFormat, crop: CleanAperture?, request: PreviewRequest
  ) throws(InspectionError) -> PixelImage {
    let orientation = format.displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
    let shape = DisplayShape(format: format, crop: crop, orientation: orientation)
    let upright =
      if case .fitted(let box) = request {
        shape.size.fitted(inside: box).limitedForPreview
      } else {
        shape.size.limitedForPreview
      }
    let converted = try FrameConverter.convert(
      frame, format: format, crop: crop, to: orientation.swapsAxes ? upright.transposed : upright)
    switch converted {
    case .image(let image): return orientation.applied(to: image)
    case .deep(let samples, let size, let channels):
      return orientation.applied(
        to: ToneMap.sRGB(samples, size: size, channels: channels, color: format.color))
    }
  }
}
