extension InputFile {
  /// Reads a still beside videos.
  ///
  /// - Throws: `decode-failed` for a damaged picture.
  package func readStill(limits: Limits) throws(InspectionError) -> StillPicture {
    let header = bytes(at: 0, count: MediaSignature.length)
    var shape: PixelSize?
    let picture = try readPicture(limits: limits) {
      shape = $0
      return $0.fitted(inside: PictureSignature.sourceSize)
    }
    let upright = shape ?? picture.size
    return StillPicture(
      format: FileFormat.stills.first { $0.begins(header) }?.rawValue ?? "unknown",
      width: upright.width, height: upright.height, signature: PictureSignature(picture))
  }

  /// Reads the picture of a still, in sRGB, upright.
  ///
  /// - Parameter size: receives its size, returns the wanted size.
  /// - Throws: `decode-failed` for a damaged picture.
  package func readPicture(
    limits: Limits, size: (PixelSize) -> PixelSize
  ) throws(InspectionError) -> PixelImage {
    if let pictures = try PictureFile.still(self, limits: limits) {
      return try PictureFrame(pictures.picture(0)).picture(size: size)
    }
    return try withClip(limits: limits, formats: ContainerFormat.stills) {
      clip throws(InspectionError) in
      try clip.readPicture(size: size)
    }
  }
}

extension OpenClip {
  fileprivate func readPicture(
    size: (PixelSize) -> PixelSize
  ) throws(InspectionError) -> PixelImage {
    var first: PixelImage?
    let decoded = try FrameReader(endCount: 1, wantsEnd: false).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: demuxer.formatName != "apng"
    ) { frame, format, place throws(InspectionError) in
      guard place.number == 0 else { return }
      first = try videoFrame(frame, format, number: 0).picture(size: size)
    }
    guard let first, decoded.errorCount == 0 else { throw .damagedStill }
    return first
  }
}

extension InspectionError {
  package static let damagedStill = InspectionError(
    .decodeFailed, "the picture is cut or damaged",
    advice: "copy it again, or export it again from its source")

  /// What an error in a still means for its owner, at the time when it was thrown.
  var ofStill: InspectionError {
    // Beyond a quarter of a thousand million pixels, no limit that is raised makes a difference.
    if let size = LogCapture.notices.refusedSize {
      return InspectionError(
        .tooLarge, "the picture has \(size) pixels, more than can be read",
        advice: "export it smaller: 4096 pixels a side are plenty")
    }
    // Errors that say more than a decoder does have their own advice.
    return [.decodeFailed, .noFrames, .truncated].contains(code) && advice == nil
      ? .damagedStill : self
  }
}
