import ArtworkModel
import CFFmpeg

/// Frames in the form that ``VideoEncoder`` takes: planar 4:2:0 with 8 bits in limited range.
extension FrameConverter {
  /// A picture by the equations of BT.709.
  ///
  /// - Parameter image: without transparency, and with even sides.
  static func encodable(_ image: PixelImage) throws(InspectionError) -> Frame {
    try encodable(.copy(of: image), matrix: nil, crop: nil, to: image.size, as: "bt709")
  }

  /// A decoded frame with its own matrix, scaled from the part inside `crop` (the whole of it for `nil`).
  ///
  /// - Parameters:
  ///   - matrix: of the frame, by FFmpeg's name.
  ///   - target: the matrix of the result.
  static func encodable(
    _ frame: borrowing Frame, matrix: String?, crop: CleanAperture?, to size: PixelSize,
    as target: String
  ) throws(InspectionError) -> Frame {
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let isScaled = region.width != size.width || region.height != size.height
    let scaler = try Scaler(
      frame: frame, width: region.width, height: region.height, matrix: matrix, to: size,
      format: AV_PIX_FMT_YUV420P,
      flags: isScaled ? artwork_scale_resize() : artwork_scale_same_size(), target: target)
    let planes = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    try scaler.scale(frame, from: region, into: planes)
    return planes
  }
}
