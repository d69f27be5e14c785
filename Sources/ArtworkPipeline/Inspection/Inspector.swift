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

  /// Looks at the frames of any source.
  func look(
    at source: borrowing some FrameSource & ~Copyable, _ request: InspectionRequest
  ) throws(InspectionError) -> Look {
    var gatherer = FrameGatherer(request)
    let frames = try source.readFrames(
      endCount: max(2, window), everyFrame: request.everyFrame, into: &gatherer)
    if let first = frames.timestamps.min(), let last = frames.timestamps.max() {
      try limits.checkLength(
        last.subtractingClamped(first).addingClamped(max(0, frames.lastDuration)), frames.timeBase)
    }
    let seamFrames = gatherer.seamFrames(frames)
    let inspection = Inspection(
      facts: frames.facts,
      seam: SeamMeasurement(
        seamFrames, timestamps: frames.timestamps, lastDuration: frames.lastDuration,
        medianStep: frames.medianStep),
      firstFrame: gatherer.signature, decoding: frames.effort,
      previewIsToneMapped: frames.facts.color.isHDR, looks: gatherer.looks(frames))
    let exhibit = try gatherer.still.map { still throws(InspectionError) in
      try ExhibitMaker(
        preview: still, first: frames.first.compactMap(\.picture),
        last: frames.last.compactMap(\.picture), count: frames.count, steps: seamFrames.steps,
        seamStep: inspection.seam?.seamStep
      ).make()
    }
    return Look(inspection: inspection, preview: gatherer.preview, exhibit: exhibit)
  }
}
