public import ArtworkModel
public import SystemPackage

/// Looks at one file: facts, the seam, and the preview, from one pass over as little of it as needed.
///
/// Calls block, use one thread and keep no state: run one per core on threads of your own, never on
/// Swift's cooperative pool. ``Batch`` does. Peak memory is what the decoder needs plus the preview.
public struct Inspector: Sendable {
  public enum PreviewRequest: Sendable, Equatable, Codable {
    case none
    case original
    /// Fitted inside this size, keeping the aspect.
    case fitted(PixelSize)

    /// How large a picture of this shape on screen becomes.
    func size(of shape: PixelSize) -> PixelSize {
      if case .fitted(let box) = self { return shape.fitted(inside: box).limitedForPreview }
      return shape.limitedForPreview
    }
  }

  public var limits: Limits

  public init(limits: Limits = Limits()) { self.limits = limits }

  /// Frames at each end that the seam is judged by when not all are looked at. More are hardly more accurate,
  /// fewer settle nothing: the curve is in docs/seam.md. At least 2.
  public var window = 3

  /// Inspects the file at `path`.
  ///
  /// - Parameters:
  ///   - folder: see ``Candidate/folder``.
  ///   - everyFrame: decode every frame instead of those at the ends: slower, finds damage in the middle, and
  ///     settles seams that the ends leave in doubt.
  /// - Returns: the inspection, and the first displayed frame (upright, square pixels, sRGB) when
  ///   `preview` asks for it.
  /// - Throws: ``InspectionError`` for a file that cannot be opened, is no video, has not one decodable
  ///   frame, is beyond a limit, or changed meanwhile.
  public func inspect(
    _ path: FilePath, beneath folder: FilePath? = nil, preview: PreviewRequest = .none,
    everyFrame: Bool = false
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let input = try InputFile.open(path, beneath: folder, limits: limits)
    let look = try input.whileUnchanged { () throws(InspectionError) in
      try examine(input, InspectionRequest(preview: preview, everyFrame: everyFrame))
    }
    return (look.inspection, look.preview)
  }

  /// What was seen of a clip.
  struct Look {
    var inspection: Inspection
    var preview: PixelImage?
    var exhibit: Exhibit?
  }

  /// Inspects an open file, without a look at whether it changes meanwhile.
  func examine(
    _ input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> Look {
    try input.withClip(limits: limits) { clip throws(InspectionError) in
      try look(at: clip, request)
    }
  }

  private func look(
    at clip: borrowing OpenClip, _ request: InspectionRequest
  ) throws(InspectionError) -> Look {
    let (stream, layout, timeBase) = (clip.stream, clip.demuxer.layout, clip.timeBase)
    var gatherer = FrameGatherer(request) {
      layout?.cleanAperture(track: stream.identifier, width: $0, height: $1)
    }
    let reader = FrameReader<FrameGatherer.EndFrame>(endCount: max(2, window)) {
      frame, format, isFirst throws(InspectionError) in
      try gatherer.take(frame, format, isFirst: isFirst)
    }
    let ends = try reader.read(
      demuxer: clip.demuxer, stream: stream, table: clip.table, everything: request.everyFrame)
    if let first = ends.timestamps.min(), let last = ends.timestamps.max() {
      try limits.checkLength(
        last.subtractingClamped(first).addingClamped(max(0, ends.lastDuration)), timeBase)
    }
    let container = ContainerFacts(
      demuxer: clip.demuxer, stream: stream, table: clip.table, layout: layout)
    let (facts, timing) = MediaFacts.gather(ends: ends, stream: stream, container: container)
    let frames = gatherer.seamFrames(ends)
    let inspection = Inspection(
      facts: facts,
      seam: SeamMeasurement(
        frames, timestamps: ends.timestamps, lastDuration: ends.lastDuration,
        medianStep: timing.medianStep),
      firstFrame: gatherer.signature,
      decoding: Inspection.DecodingEffort(
        fallback: ends.fallback, packetsDecoded: ends.packetsDecoded,
        errorCount: ends.errorCount + clip.table.damagedCount,
        missingFrames: clip.table.missingCount
          + (ends.fallback != nil ? max(0, clip.table.displayedCount - ends.count) : 0),
        endsEarly: clip.table.endsEarly),
      previewIsToneMapped: facts.color.isHDR,
      looks: gatherer.looks(
        ends, timeBase: timeBase, medianStep: timing.medianStep,
        display: PixelSize(width: facts.displayWidth, height: facts.displayHeight)))
    let exhibit = try gatherer.still.map { still throws(InspectionError) in
      try ExhibitMaker(
        preview: still, first: ends.first.compactMap(\.picture),
        last: ends.last.compactMap(\.picture), count: ends.count, steps: frames.steps,
        seamStep: inspection.seam?.seamStep
      ).make()
    }
    return Look(inspection: inspection, preview: gatherer.preview, exhibit: exhibit)
  }
}
