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
    return try input.whileUnchanged { () throws(InspectionError) in
      try examine(input, preview: preview, everyFrame: everyFrame)
    }
  }

  /// Inspects an open file, without a look at whether it changes meanwhile.
  func examine(
    _ input: InputFile, preview: PreviewRequest, everyFrame: Bool
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    try input.withClip(limits: limits) { clip throws(InspectionError) in
      try look(at: clip, preview: preview, everyFrame: everyFrame)
    }
  }

  private func look(
    at clip: borrowing OpenClip, preview: PreviewRequest, everyFrame: Bool
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let (stream, layout, timeBase) = (clip.stream, clip.demuxer.layout, clip.timeBase)
    var image: PixelImage?
    var recorder = SeamRecorder()
    let reader = FrameReader<Thumbnail>(endCount: max(2, window)) {
      frame, format, isFirst throws(InspectionError) in
      // A quick read that fails starts again from the first frame.
      if isFirst { recorder = SeamRecorder() }
      if isFirst, preview != .none {
        let crop = layout?.cleanAperture(
          track: stream.identifier, width: frame.width, height: frame.height)
        image = try FramePicture.make(frame, format: format, crop: crop, size: preview.size)
      }
      let thumbnail = try FramePicture.thumbnail(frame)
      recorder.add(thumbnail)
      return thumbnail
    }
    let ends = try reader.read(
      demuxer: clip.demuxer, stream: stream, table: clip.table, everything: everyFrame)
    if let first = ends.timestamps.min(), let last = ends.timestamps.max() {
      try limits.checkLength(
        last.subtractingClamped(first).addingClamped(max(0, ends.lastDuration)), timeBase)
    }
    let container = ContainerFacts(
      demuxer: clip.demuxer, stream: stream, table: clip.table, layout: layout)
    let (facts, timing) = MediaFacts.gather(ends: ends, stream: stream, container: container)
    let inspection = Inspection(
      facts: facts,
      seam: SeamMeasurement(
        ends.fallback == nil
          ? SeamFrames(first: ends.first, last: ends.last, count: ends.count) : recorder.frames,
        timestamps: ends.timestamps, lastDuration: ends.lastDuration,
        medianStep: timing.medianStep),
      decoding: Inspection.DecodingEffort(
        fallback: ends.fallback, packetsDecoded: ends.packetsDecoded,
        errorCount: ends.errorCount + clip.table.damagedCount,
        missingFrames: clip.table.missingCount
          + (ends.fallback != nil ? max(0, clip.table.displayedCount - ends.count) : 0),
        endsEarly: clip.table.endsEarly),
      previewIsToneMapped: facts.color.isHDR)
    return (inspection, image)
  }
}
