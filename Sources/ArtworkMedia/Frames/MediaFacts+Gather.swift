extension MediaFacts {
  /// A last frame held longer than a minute is a damaged header, not a picture.
  private static let longestHold = 60.0

  /// Combines the facts from the container, the packets and the decoded frames.
  static func gather(
    decoded: DecodedFrames, stream: VideoStream, container: ContainerFacts
  ) -> (MediaFacts, FrameTiming) {
    let format = decoded.format
    let orientation = format.displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
    let crop = container.cleanAperture(format.width, format.height)
    let shape = DisplayShape(format: format, crop: crop, orientation: orientation)
    let timing = unsafe FrameTiming(
      timestamps: decoded.timestamps, timeBase: stream.timeBase ?? .one,
      lastDuration: decoded.lastDuration,
      declaredDuration: declaredDuration(decoded, stream, container),
      longestHold: container.hasCompleteTables && decoded.errorCount == 0 ? longestHold : 0)
    var facts = unsafe MediaFacts(
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
      hasAudio: container.hasAudio, color: format.color, fileBytes: container.fileBytes)
    facts.timeSource = decoded.timeSource
    if container.hasUnreadAlpha, !format.hasAlpha { facts.hasUnreadAlpha = true }
    if container.isMisnumbered { facts.isMisnumbered = true }
    facts.playCount = container.playCount
    facts.contradictedSeconds = container.contradictedSeconds
    if container.restsAtEnd { facts.restsAtEnd = true }
    (facts.level, facts.fieldOrder) = (format.level, format.fieldOrder)
    facts.codecTitle = format.profile.map { VideoCodec.title(of: format.codec, profile: $0) }
    facts.dolbyVision = unsafe stream.dolbyVision
    facts.changesAtFrame = [decoded.resizedFrame, container.changedFrame].compactMap(\.self).min()
    if ["mp4", "mov", "3gp"].contains(container.name) {
      if container.isDisabled { facts.isDisabled = true }
      if format.displayMatrix.map(Orientation.isOdd) ?? false { facts.isOddlyTurned = true }
      facts.contradictedSize = container.contradictedSize(format)
      facts.parameterSets = unsafe stream.parameterSets
      facts.hasMovableParameterSets = container.hasMovableParameterSets
      facts.containerColor = unsafe stream.containerColor(contradicting: format.color)
    }
    return (facts, timing)
  }

  /// The duration that the container states of the stream, in time base units.
  ///
  /// libavformat adds up the times between the samples of a movie in decoding order. If a frame before which others
  /// are displayed was cut off, this sum omits the gap, and only an edit list can end such a movie early.
  private static func declaredDuration(
    _ decoded: DecodedFrames, _ stream: VideoStream, _ container: ContainerFacts
  ) -> Int64? {
    // A GIF states none: libavformat adds up delays, some of which no browser takes.
    if container.format == "gif" { return nil }
    guard let declared = unsafe stream.declaredDuration, container.hasCompleteTables,
      let base = unsafe stream.timeBase
    else { return unsafe stream.declaredDuration }
    let shown = FrameTiming(
      timestamps: decoded.timestamps, timeBase: base, lastDuration: decoded.lastDuration,
      declaredDuration: nil
    ).durationSeconds
    guard (Double(declared) + 0.5) * base.value < shown else { return declared }
    let edits = (container.editList ?? []).filter { $0.mediaSeconds != nil }
    // Edits count milliseconds.
    let isCut =
      edits.count > 1
      || edits.first.map { $0.durationSeconds + 0.0015 < shown } ?? false
    return isCut ? declared : nil
  }
}
