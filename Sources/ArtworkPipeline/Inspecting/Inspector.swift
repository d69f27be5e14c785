import ArtworkLottie

/// Inspects one file: facts, the seam, and the preview, decoding as little of it as these need.
///
/// Calls block, use one thread and keep no state: run one per core on your own threads, never on Swift's cooperative
/// pool, as ``Batch`` does. Peak memory is that of the decoder plus the preview.
package struct Inspector: Sendable {
  package enum PreviewRequest: Sendable, Equatable, Codable {
    case none
    case original
    /// Fitted inside this size, keeping the aspect.
    case fitted(PixelSize)
    /// The frames around the seam; see ``SeamStrip``.
    case seam

    /// How large a picture of this shape on screen becomes.
    func size(of shape: PixelSize) -> PixelSize {
      if case .fitted(let box) = self { return shape.fitted(inside: box).limitedForPreview }
      return shape.limitedForPreview
    }
  }

  package var limits: Limits

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Frames at each end that the seam is judged by when a path is inspected: see ``SeamMeasurement/ends``. At least 2.
  package var window = SeamMeasurement.ends

  /// Inspects the file at `path`.
  ///
  /// - Parameters:
  ///   - folder: see ``Candidate/folder``.
  ///   - everyFrame: decode every frame instead of those at the ends: slower, and finds damage in the middle.
  /// - Returns: the inspection, and the first displayed frame (upright, square pixels, sRGB) when
  ///   `preview` asks for it.
  /// - Throws: ``InspectionError`` for a file that cannot be opened, is not a video, has no decodable frame, exceeds
  ///   a limit, or changed meanwhile.
  package func inspect(
    _ path: FilePath, beneath folder: FilePath? = nil, preview: PreviewRequest = .none,
    everyFrame: Bool = false
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    let input = try InputFile.open(path, beneath: folder, limits: limits)
    let examination = try input.whileUnchanged { () throws(InspectionError) in
      try examine(input, InspectionRequest(preview: preview, everyFrame: everyFrame))
    }
    return (examination.inspection, examination.preview)
  }

  /// The result of examining a clip.
  struct Examination {
    var inspection: Inspection
    var preview: PixelImage?
    var reportImages: ReportImages?
  }

  /// Inspects an open file, without checking whether it changes meanwhile.
  func examine(
    _ input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> Examination {
    let pictures =
      request.still
      ? try PictureFile.still(input, limits: limits)
      : try PictureFile.open(
        input, limits: limits, edits: request.animation, drawnSize: request.drawnSize(of:))
    if let pictures {
      var found = try LogCapture.scope { () throws(InspectionError) in
        try examination(at: pictures, request)
      }
      found.inspection.facts.fileBytes = input.size
      return found
    }
    let formats = request.still ? ContainerFormat.stills : ContainerFormat.allowed
    let found = try input.withClip(limits: limits, formats: formats) {
      clip throws(InspectionError) in try examination(at: clip, request)
    }
    guard !request.still || found.inspection.decoding.errorCount == 0 else { throw .damagedStill }
    return found
  }

  /// Examines the frames of any source.
  func examination(
    at source: borrowing some FrameSource & ~Copyable, _ request: InspectionRequest
  ) throws(InspectionError) -> Examination {
    var gatherer = FrameGatherer(request, endCount: request.onlyPreview ? 1 : max(2, window))
    let read = try source.readFrames(everyFrame: request.everyFrame, into: &gatherer)
    let clock = read.clock
    if let first = clock.timestamps.min(), let last = clock.timestamps.max() {
      try limits.checkLength(
        last.subtractingClamped(first).addingClamped(max(0, clock.lastDuration)), clock.timeBase)
    }
    // A full decode already has every frame.
    if !request.onlyPreview, gatherer.seam == nil, let missing = gatherer.measure(clock) {
      preconditionFailure("frames \(missing.numbers.sorted()) of a whole clip are missing")
    }
    let inspection = Inspection(
      facts: read.facts, seam: gatherer.seam, firstFrame: gatherer.signature,
      decoding: read.effort, previewIsToneMapped: read.facts.color.isHDR,
      looks: gatherer.looks(
        clock,
        display: DisplayedPicture(
          orientation: read.orientation,
          size: PixelSize(width: read.facts.displayWidth, height: read.facts.displayHeight))))
    return Examination(
      inspection: inspection, preview: gatherer.preview ?? gatherer.seamStrip(count: clock.count),
      reportImages: try gatherer.reportImages(
        count: clock.count, seamStep: inspection.seam?.seamStep))
  }
}

extension Inspector {
  /// Inspects a sequence of pictures with the measurements of a video. No container and no decoder is involved.
  ///
  /// Code values of the measurements are those of 8-bit Y'CbCr, BT.709, limited range: those of a video made from the
  /// pictures. Transparent parts count as black; the preview keeps them.
  ///
  /// - Parameter everyFrame: whether to measure every picture instead of those at the ends.
  /// - Returns: the inspection, and the first picture if `preview` requests it. In the facts, container and codec are
  ///   those of ``PictureSequence/origin``.
  /// - Throws: `too-large`, `too-many-frames` or `too-long` for a sequence beyond a limit, and errors of drawing.
  package func inspect(
    _ pictures: PictureSequence, preview: PreviewRequest = .none, everyFrame: Bool = false
  ) throws(InspectionError) -> (inspection: Inspection, preview: PixelImage?) {
    try limits.check(pictures)
    let examination = try examination(
      at: pictures, InspectionRequest(preview: preview, everyFrame: everyFrame))
    return (examination.inspection, examination.preview)
  }
}
