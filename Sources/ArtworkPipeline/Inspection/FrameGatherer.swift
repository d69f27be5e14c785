import ArtworkModel

/// What an inspection gathers from the frames of a clip while they are read.
struct FrameGatherer: FrameReducer {
  /// What is kept of a frame at one of the ends.
  struct EndFrame {
    var thumbnail: Thumbnail
    /// For an exhibit.
    var picture: PixelImage?
  }

  private let request: InspectionRequest
  private var recorder = SeamRecorder()
  private var looks: LooksRecorder?

  /// Of the first displayed frame, as soon as it came.
  private(set) var preview: PixelImage?
  private(set) var still: PixelImage?
  private(set) var signature: PictureSignature?

  init(_ request: InspectionRequest) { self.request = request }

  mutating func reduce(
    _ frame: borrowing some SourceFrame & ~Copyable, isFirst: Bool
  ) throws(InspectionError) -> EndFrame {
    if isFirst { try begin(frame) }
    let thumbnail = try frame.thumbnail()
    recorder.add(thumbnail)
    looks?.add(thumbnail)
    frame.withLuma { luma, bitDepth in
      looks?.add(luma, bitDepth: bitDepth, mean: FrameStep.statistics(thumbnail).mean)
    }
    return EndFrame(
      thumbnail: thumbnail,
      picture: request.exhibit ? try frame.picture(inside: ExhibitMaker.frameSize) : nil)
  }

  /// Forgets what came before the first frame.
  private mutating func begin(
    _ frame: borrowing some SourceFrame & ~Copyable
  ) throws(InspectionError) {
    recorder = SeamRecorder()
    looks = LooksRecorder(codes: frame.lightCodes)
    signature = PictureSignature(try frame.picture(inside: PictureSignature.sourceSize))
    if request.preview != .none { preview = try frame.picture(size: request.preview.size) }
    if request.exhibit { still = try frame.picture(inside: ExhibitMaker.previewSize) }
  }

  /// The frames that the seam is measured by: all that came, or those at the ends.
  func seamFrames(_ frames: ReducedFrames<EndFrame>) -> SeamFrames {
    frames.isWhole
      ? recorder.frames
      : SeamFrames(
        first: frames.first.map(\.thumbnail), last: frames.last.map(\.thumbnail),
        count: frames.count)
  }

  /// How they look; `nil` before the first frame.
  func looks(_ frames: ReducedFrames<EndFrame>) -> LooksMeasurement? {
    guard var looks else { return nil }
    if !frames.isWhole {
      // The frames at the ends came in any order.
      looks = looks.startingAgain()
      for frame in frames.distinctFrames { looks.add(frame.thumbnail) }
    }
    let sawAll = frames.isWhole || frames.first.count + frames.last.count >= frames.count
    return looks.measurement(
      scope: sawAll ? .everyFrame : .ends,
      clock: LoopClock(
        timestamps: frames.timestamps, lastDuration: frames.lastDuration,
        medianStep: frames.medianStep, timeBase: frames.timeBase),
      display: DisplayedPicture(
        orientation: frames.orientation,
        size: PixelSize(width: frames.facts.displayWidth, height: frames.facts.displayHeight)))
  }
}
