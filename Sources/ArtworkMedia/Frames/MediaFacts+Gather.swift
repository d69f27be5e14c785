extension MediaFacts {
  /// A last frame held longer than a minute is a damaged header, not a picture.
  private static let longestHold = 60.0

  /// Puts together what the container, the packets and the decoded frames say.
  static func gather(
    decoded: DecodedFrames, stream: VideoStream, container: ContainerFacts
  ) -> (MediaFacts, FrameTiming) {
    let format = decoded.format
    let orientation = format.displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
    let crop = container.cleanAperture(format.width, format.height)
    let shape = DisplayShape(format: format, crop: crop, orientation: orientation)
    let timing = FrameTiming(
      timestamps: decoded.timestamps, timeBase: stream.timeBase ?? .one,
      lastDuration: decoded.lastDuration, declaredDuration: stream.declaredDuration,
      longestHold: container.hasCompleteTables && decoded.errorCount == 0 ? longestHold : 0)
    let facts = MediaFacts(
      container: container.name, format: container.format, majorBrand: container.majorBrand,
      movieHeaderFirst: container.movieHeaderFirst, codec: format.codec, profile: format.profile,
      codecTag: stream.codecTag, pixelFormat: format.pixelFormat, bitDepth: format.bitDepth,
      chroma: format.chroma, hasAlpha: format.hasAlpha, codedWidth: format.width,
      codedHeight: format.height, paddedWidth: format.paddedWidth,
      paddedHeight: format.paddedHeight, cleanAperture: crop, sampleAspect: format.sampleAspect,
      rotation: orientation.clockwiseRotation, mirrored: orientation.isMirrored,
      displayWidth: shape.size.width, displayHeight: shape.size.height,
      displayAspectRatio: shape.aspect, displayAspect: shape.aspect.value,
      frameRate: timing.rate?.value, frameRateRatio: timing.rate, frameRateMode: timing.mode,
      maxFrameRate: timing.highestRate, minFrameRate: timing.lowestRate, frameCount: decoded.count,
      discardedFrameCount: container.discardedCount, leadingFrameCount: container.leadingCount,
      durationSeconds: timing.durationSeconds, startSeconds: timing.startSeconds,
      lastFrameSeconds: timing.lastFrameSeconds, editList: container.editList,
      movieSeconds: container.movieSeconds, tracks: container.tracks,
      videoStreamCount: container.videoStreamCount,
      streamIndex: stream.index,
      hasAudio: container.hasAudio, contentIdentifier: container.contentIdentifier,
      color: format.color, fileBytes: container.fileBytes)
    return (facts, timing)
  }
}
