/// How a clip is encoded again.
package struct EncodeRequest: Sendable, Equatable, Codable {
  package var codec: MovieCodec
  package var container: MovieContainer
  /// The displayed frames that are taken, counted from zero; at least one.
  package var frames: Range<Int>
  /// The order in which they are shown.
  package var order = ImportRequest.LoopMode.loop
  /// Frames at the end that dissolve into as many before the start of ``frames``.
  package var dissolvedFrames = 0
  /// See ``ClipEdit``.
  package var rate: Rational?
  package var ignoresTimes = false
  package var ignoresPixelAspect = false
  /// What is shown; `nil` for the whole picture.
  package var area: CropArea?
  /// Of the result on screen, with even sides.
  package var size: PixelSize
  /// Of the result.
  package var color: ColorDescription
  /// Frames are encoded as they are shown, in sRGB over black: HDR and transparency end there. Others keep the samples
  /// of their planes, as far as that goes.
  package var drawsPictures = false
  package var rateLimit: RateLimit?

  /// The frames in the order in which they are shown.
  package var shots: ImportRequest {
    var request = ImportRequest(size: size)
    (request.start, request.end) = (.frame(frames.lowerBound), .frame(frames.upperBound))
    (request.loopMode, request.rate) = (order, rate)
    return request
  }

  package init(
    codec: MovieCodec, container: MovieContainer, frames: Range<Int>,
    order: ImportRequest.LoopMode = ImportRequest.LoopMode.loop, dissolvedFrames: Int = 0,
    rate: Rational? = nil, ignoresTimes: Bool = false, ignoresPixelAspect: Bool = false,
    area: CropArea? = nil, size: PixelSize, color: ColorDescription, drawsPictures: Bool = false,
    rateLimit: RateLimit? = nil
  ) {
    self.codec = codec
    self.container = container
    self.frames = frames
    self.order = order
    self.dissolvedFrames = dissolvedFrames
    self.rate = rate
    self.ignoresTimes = ignoresTimes
    self.ignoresPixelAspect = ignoresPixelAspect
    self.area = area
    self.size = size
    self.color = color
    self.drawsPictures = drawsPictures
    self.rateLimit = rateLimit
  }
}
