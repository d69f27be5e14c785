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
  /// - Throws: ``InspectionError`` for a file that cannot be opened, is no video, or has not one
  ///   decodable frame.
  public func inspect(
    _ path: FilePath, beneath folder: FilePath? = nil, preview: PreviewRequest = .none
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let input = try InputFile.open(path, beneath: folder, limits: limits)
    return try LogCapture.scope { () throws(InspectionError) in
      try examine(input, preview: preview)
    }
  }

  func examine(
    _ input: InputFile, preview: PreviewRequest
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let demuxer = try Demuxer.open(input)
    let stream = try demuxer.selectVideo()
    guard stream.timeBase != nil else {
      throw InspectionError(.notAMovie, "the video stream has no time base")
    }
    let layout =
      demuxer.formatName == ContainerFormat.isoMedia ? MovieLayout(reading: input) : nil
    let table = try PacketTable(scanning: demuxer, stream: stream, layout: layout)

    var image: PixelImage?
    let reader = FrameReader<Thumbnail>(input: input) {
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
          + (ends.fallback != nil ? max(0, table.displayedCount - ends.count) : 0)),
      previewIsToneMapped: facts.color.isHDR)
    return (inspection, image)
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
