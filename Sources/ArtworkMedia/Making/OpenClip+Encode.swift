extension OpenClip {
  /// Encodes the clip again, with the changes of `request`.
  ///
  /// - Parameters:
  ///   - mostBytes: of the new file.
  ///   - progress: is told how many frames of how many are encoded.
  /// - Returns: the bytes of the file.
  /// - Throws: `not-copied` for frames that the clip does not have, `video-not-written`, or what decoding throws.
  package func encode(
    _ request: EncodeRequest, mostBytes: Int,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8] {
    var ends = EndReducer()
    let read = try readFrames(everyFrame: false, into: &ends)
    let step = request.rate.flatMap(\.inverse) ?? .one
    let durations =
      request.ignoresTimes
      ? [Rational](repeating: step, count: read.clock.count) : read.clock.durations
    guard request.frames.upperBound <= durations.count else {
      throw InspectionError(
        .notCopied, "it has \(durations.count) frames, and \(request.frames.upperBound) are wanted")
    }
    var plan = try ImportPlan(durations, request.shots, keepsRate: true, limits: limits)
    try plan.dissolve(request.dissolvedFrames)
    let isTurned = !request.drawsPictures && read.orientation.swapsAxes
    let size = isTurned ? request.size.transposed : request.size
    var format = VideoEncoder.Format(
      codec: request.codec, size: size, timeBase: plan.timeBase, rate: plan.rate,
      color: request.color)
    format.rateLimit = request.rateLimit
    let form: FrameForm =
      request.drawsPictures
      ? .picture(size: size, prepare: request.prepared)
      : .planes(
        region: CleanAperture(showing: request.area, of: read.facts, read.orientation),
        size: size, matrix: request.color.matrix ?? read.facts.shownMatrix)
    let recorder = try MovieRecorder(
      plan, form, format, copying: request.drawsPictures ? nil : stream,
      container: request.container, mostBytes: mostBytes, progress: progress)
    return try recorder.record(self)
  }
}

extension EncodeRequest {
  /// The part of a picture on screen that is encoded, over black.
  fileprivate func prepared(_ image: PixelImage) -> (image: PixelImage, isTransparent: Bool) {
    let (picture, isTransparent) = image.opaque(over: .black)
    guard let area else { return (picture, isTransparent) }
    let part = picture.placed(
      on: PixelSize(width: area.width, height: area.height), x: -area.x, y: -area.y,
      background: .black)
    return (part, isTransparent)
  }
}
