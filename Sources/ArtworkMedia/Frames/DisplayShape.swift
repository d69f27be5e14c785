/// The shape of a picture on screen: cropped to its clean aperture, with square pixels, upright.
struct DisplayShape {
  /// Rounded to whole pixels.
  var size: PixelSize
  /// Exact width over height.
  var aspect: Rational

  init(format: DecodedFormat, crop: CleanAperture?, orientation: Orientation) {
    let width = crop?.width ?? format.width
    let height = crop?.height ?? format.height
    let exact =
      Rational(Int64(width), Int64(height)).flatMap { $0.multiplied(by: format.sampleAspect) }
      ?? .one
    let square = (Double(width) * format.sampleAspect.value).rounded()
    // libswscale and PNG count in 31 bits.
    let shown = wholeNumber(square, as: Int32.self).flatMap { $0 > 0 ? Int($0) : nil } ?? width
    let size = PixelSize(width: shown, height: height)
    self.size = orientation.swapsAxes ? size.transposed : size
    aspect = orientation.swapsAxes ? exact.inverse ?? .one : exact
  }
}
