extension OpenClip {
  /// Reads a still that was opened with ``ContainerFormat/stills``.
  ///
  /// - Throws: `decode-failed` for a damaged picture.
  package func readStill() throws(InspectionError) -> StillPicture {
    let header = demuxer.input.bytes(at: 0, count: ContentIdentifier.searchedBytes)
    let demuxer = demuxer.formatName
    return try withStill { frame throws(InspectionError) in
      let signature = PictureSignature(
        try frame.picture(inside: PictureSignature.sourceSize))
      return StillPicture(
        format: StillFormat.all.first { $0.demuxer == demuxer }?.name ?? demuxer,
        width: frame.displaySize.width, height: frame.displaySize.height, signature: signature,
        contentIdentifier: ContentIdentifier(photo: header)?.text)
    }
  }

  /// Reads the picture of a still, in sRGB, upright.
  ///
  /// - Parameter size: receives its size, returns the wanted size.
  /// - Throws: `decode-failed` for a damaged picture.
  package func readPicture(size: (PixelSize) -> PixelSize) throws(InspectionError) -> PixelImage {
    try withStill { frame throws(InspectionError) in try frame.picture(size: size) }
  }

  private func withStill<Result>(
    _ body: (borrowing VideoFrame) throws(InspectionError) -> Result
  ) throws(InspectionError) -> Result {
    var first: Result?
    let decoded = try FrameReader(endCount: 1).read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: true
    ) { frame, format, place throws(InspectionError) in
      guard place.number == 0 else { return }
      // Stills are BT.601 unless they state otherwise (JFIF; MIAF for AVIF), whatever their size.
      var format = format
      format.color.matrix = format.color.matrix ?? "smpte170m"
      first = try body(try VideoFrame(frame, format: format, crop: nil))
    }
    guard let still = first, decoded.errorCount == 0 else {
      throw .damagedStill
    }
    return still
  }
}

extension InspectionError {
  package static let damagedStill = InspectionError(.decodeFailed, "the picture is damaged")
}
