import ArtworkModel

/// How a clip is encoded again.
package struct EncodeRequest: Sendable, Equatable, Codable {
  var codec: MovieCodec
  package var container: MovieContainer
  /// The displayed frames that are taken, counted from zero; at least one.
  var frames: Range<Int>
  /// The order in which they are shown.
  var order = ImportRequest.LoopMode.loop
  /// Frames at the end that dissolve into as many before the start of ``frames``.
  var dissolvedFrames = 0
  /// See ``ClipEdit``.
  var rate: Rational?
  var ignoresTimes = false
  var ignoresPixelAspect = false
  /// What is shown; `nil` for the whole picture.
  var area: CropArea?
  /// Of the result on screen, with even sides.
  var size: PixelSize
  /// Of the result.
  var color: ColorDescription
  /// Frames are encoded as they are shown, in sRGB over black: HDR and transparency end there. Others keep the samples
  /// of their planes, as far as that goes.
  var drawsPictures = false
  var rateLimit: RateLimit?

  /// The frames in the order in which they are shown.
  var shots: ImportRequest {
    var request = ImportRequest(size: size)
    (request.start, request.end) = (.frame(frames.lowerBound), .frame(frames.upperBound))
    (request.loopMode, request.rate) = (order, rate)
    return request
  }
}
