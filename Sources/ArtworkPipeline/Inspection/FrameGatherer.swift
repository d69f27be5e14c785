import ArtworkModel

/// What is gathered from the frames of a clip while they are decoded.
struct FrameGatherer {
  /// What is kept of a frame at one of the ends.
  struct EndFrame {
    var thumbnail: Thumbnail
    /// For an exhibit.
    var picture: PixelImage?
  }

  private let request: InspectionRequest
  private let crop: (_ width: Int, _ height: Int) -> CleanAperture?
  private var recorder = SeamRecorder()
  private var looks: LooksRecorder?

  /// Of the first displayed frame, as soon as it came.
  private(set) var preview: PixelImage?
  private(set) var still: PixelImage?
  private(set) var signature: PictureSignature?

  /// - Parameter crop: the clean aperture of pictures of a size.
  init(
    _ request: InspectionRequest,
    crop: @escaping (_ width: Int, _ height: Int) -> CleanAperture?
  ) {
    self.request = request
    self.crop = crop
  }

  mutating func take(
    _ frame: borrowing Frame, _ format: DecodedFormat, isFirst: Bool
  ) throws(InspectionError) -> EndFrame {
    let crop = crop(frame.width, frame.height)
    if isFirst { try begin(frame, format, crop) }
    let thumbnail = try FramePicture.thumbnail(frame)
    recorder.add(thumbnail)
    looks?.add(thumbnail)
    frame.withPlanes {
      looks?.add(
        $0.luma(inside: crop), bitDepth: $0.bitDepth, mean: FrameStep.statistics(thumbnail).mean)
    }
    return EndFrame(
      thumbnail: thumbnail,
      picture: request.exhibit
        ? try FramePicture.make(
          frame, format: format, crop: crop, inside: ExhibitMaker.frameSize) : nil)
  }

  /// A quick read that fails starts again from the first frame.
  private mutating func begin(
    _ frame: borrowing Frame, _ format: DecodedFormat, _ crop: CleanAperture?
  ) throws(InspectionError) {
    recorder = SeamRecorder()
    looks = LooksRecorder(codes: FramePicture.lightCodes(frame, format: format))
    signature = PictureSignature(
      try FramePicture.make(
        frame, format: format, crop: crop, inside: PictureSignature.sourceSize))
    if request.preview != .none {
      preview = try FramePicture.make(
        frame, format: format, crop: crop, size: request.preview.size)
    }
    if request.exhibit {
      still = try FramePicture.make(
        frame, format: format, crop: crop, inside: ExhibitMaker.previewSize)
    }
  }

  /// The frames that the seam is measured by: all that came, or those at the ends.
  func seamFrames(_ ends: EndFrames<EndFrame>) -> SeamFrames {
    ends.fallback == nil
      ? SeamFrames(
        first: ends.first.map(\.thumbnail), last: ends.last.map(\.thumbnail), count: ends.count)
      : recorder.frames
  }

  /// How they look; `nil` before the first frame.
  func looks(
    _ ends: EndFrames<EndFrame>, timeBase: Rational, medianStep: Int64, display: PixelSize
  ) -> LooksMeasurement? {
    guard var looks else { return nil }
    if ends.fallback == nil {
      // A quick read gives the frames in any order.
      looks = looks.startingAgain()
      for frame in ends.distinctFrames { looks.add(frame.thumbnail) }
    }
    let isWhole = ends.fallback != nil || ends.first.count + ends.last.count >= ends.count
    return looks.measurement(
      scope: isWhole ? .everyFrame : .ends,
      clock: LoopClock(
        timestamps: ends.timestamps, lastDuration: ends.lastDuration, medianStep: medianStep,
        timeBase: timeBase),
      display: DisplayedPicture(orientation: ends.format.orientation, size: display))
  }
}

extension EndFrames {
  /// Each frame once, in presentation order.
  fileprivate var distinctFrames: [Element] {
    first + last.suffix(min(last.count, max(0, count - first.count)))
  }
}
