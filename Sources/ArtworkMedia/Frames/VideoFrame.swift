/// A decoded frame of a video. Measurements read its planes in place; nothing is converted to RGB for them.
struct VideoFrame: SourceFrame, ~Copyable {
  private let frame: Frame
  private let format: DecodedFormat
  private let crop: CleanAperture?

  /// Shares the frame's samples, which costs about a microsecond.
  ///
  /// - Parameter crop: the clean aperture, if the container states one.
  /// - Throws: `out-of-memory`.
  init(
    _ frame: borrowing Frame, format: DecodedFormat, crop: CleanAperture?
  ) throws(InspectionError) {
    self.frame = try frame.shared()
    self.format = format
    self.crop = crop
  }

  /// Colours under transparent parts, which nobody sees, change at will in films with alpha.
  private var hidesColors: Bool {
    unsafe format.hasAlpha && frame.withPlanes { _ in true } != nil
  }

  /// Black and white marks alike stand out from it.
  private static let ground = PixelColor(red: 128, green: 128, blue: 128)

  var lightCodes: LightCodes {
    if hidesColors { return CodedPicture.lightCodes }
    var color = format.color
    color.matrix = format.assumedMatrix
    return unsafe LightCodes(
      color, pixelFormat: format.pixelFormat,
      isConverted: frame.withPlanes { _ in true } == nil)
  }

  func thumbnail() throws(InspectionError) -> Thumbnail {
    if hidesColors {
      let size = PixelSize(width: frame.width, height: frame.height)
      let seen = try shown(nil, size).opaque(over: Self.ground).image
      return unsafe CodedPicture(seen).withPlanes(BoxAverage.thumbnail)
    }
    if let thumbnail = unsafe frame.withPlanes(BoxAverage.thumbnail) { return thumbnail }
    return try unsafe FrameConverter.withReducedPlanes(
      frame, side: Thumbnail.lumaSide, BoxAverage.thumbnail)
  }

  func withLuma<R>(_ body: (_ luma: PlanarPixels.Plane, _ bitDepth: Int) -> R) -> R? {
    unsafe frame.withPlanes { unsafe body($0.luma(inside: crop), $0.bitDepth) }
  }

  func picture(size: (PixelSize) -> PixelSize) throws(InspectionError) -> PixelImage {
    let orientation = format.orientation
    let upright = size(displaySize)
    return orientation.applied(
      to: try shown(crop, orientation.swapsAxes ? upright.transposed : upright))
  }

  /// A part of it in sRGB, as coded.
  private func shown(
    _ region: CleanAperture?, _ size: PixelSize
  ) throws(InspectionError) -> PixelImage {
    switch try FrameConverter.convert(frame, format: format, crop: region, to: size) {
    case .image(let image): format.colors.shown(image)
    case .deep(let samples, let size, let channels):
      ToneMap.sRGB(
        samples, size: size, channels: channels, color: format.color,
        shoulder: format.colors.shoulder)
    }
  }

  func planes(
    of region: CleanAperture, size: PixelSize, matrix: String, bitDepth: Int
  ) throws(InspectionError) -> Frame {
    let isResized = !format.isSize(of: frame)
    let whole = CleanAperture(x: 0, y: 0, width: format.width, height: format.height)
    // The region is a part of the first frame.
    guard !isResized || region == whole else {
      throw InspectionError(.notCopied, "its pictures change their size")
    }
    if format.colors.isColoredAsStill || isResized {
      let picture = try shown(isResized ? nil : region, size)
      return try FrameConverter.encodable(
        .copy(of: picture), matrix: nil, crop: nil, to: size, as: matrix, bitDepth: bitDepth)
    }
    return try FrameConverter.encodable(
      frame, matrix: format.assumedMatrix, crop: region, to: size, as: matrix,
      bitDepth: bitDepth)
  }

  /// Its size on screen.
  var displaySize: PixelSize {
    DisplayShape(format: format, crop: crop, orientation: format.orientation).size
  }
}

extension DecodedFormat {
  package var orientation: Orientation {
    displayMatrix.map(Orientation.init(displayMatrix:)) ?? .upright
  }
}
