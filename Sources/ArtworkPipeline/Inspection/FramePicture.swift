import ArtworkModel

/// Frames as pictures to look at, and to compare.
enum FramePicture {
  /// The frame cropped, with square pixels, mapped to sRGB, upright.
  ///
  /// - Parameter size: what to scale its shape on screen to.
  static func make(
    _ frame: borrowing Frame, format: DecodedFormat, crop: CleanAperture?,
    size: (PixelSize) -> PixelSize
  ) throws(InspectionError) -> PixelImage {
    let orientation = format.orientation
    let upright = size(DisplayShape(format: format, crop: crop, orientation: orientation).size)
    let converted = try FrameConverter.convert(
      frame, format: format, crop: crop, to: orientation.swapsAxes ? upright.transposed : upright)
    switch converted {
    case .image(let image): return orientation.applied(to: image)
    case .deep(let samples, let size, let channels):
      return orientation.applied(
        to: ToneMap.sRGB(samples, size: size, channels: channels, color: format.color))
    }
  }

  /// The same, fitted inside `box`.
  static func make(
    _ frame: borrowing Frame, format: DecodedFormat, crop: CleanAperture?, inside box: PixelSize
  ) throws(InspectionError) -> PixelImage {
    try make(frame, format: format, crop: crop) { $0.fitted(inside: box) }
  }

  /// The frame reduced for comparison.
  static func thumbnail(_ frame: borrowing Frame) throws(InspectionError) -> Thumbnail {
    if let thumbnail = frame.withPlanes(BoxAverage.thumbnail) { return thumbnail }
    return try FrameConverter.withReducedPlanes(
      frame, side: Thumbnail.lumaSide, BoxAverage.thumbnail)
  }

  /// What the code values of its thumbnail mean.
  static func lightCodes(_ frame: borrowing Frame, format: DecodedFormat) -> LightCodes {
    LightCodes(
      format.color, pixelFormat: format.pixelFormat,
      isConverted: frame.withPlanes { _ in true } == nil)
  }
}

extension DecodedFormat {
  var orientation: Orientation {
    displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
  }
}
