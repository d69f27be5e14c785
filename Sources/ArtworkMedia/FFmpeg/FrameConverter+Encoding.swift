import CFFmpeg

/// Frames in the form that ``VideoEncoder`` takes: planar 4:2:0 in limited range, with 8 bits, or 10 for HDR.
extension FrameConverter {
  /// A picture by the equations of BT.709.
  ///
  /// - Parameters:
  ///   - image: whose alpha becomes a fourth plane.
  ///   - size: that it is scaled to; with even sides.
  static func encodable(
    _ image: PixelImage, size: PixelSize
  ) throws(InspectionError) -> Frame {
    try encodable(
      .copy(of: image), matrix: nil, crop: nil, to: size, as: "bt709",
      keepsAlpha: image.channels == .rgba)
  }

  /// A decoded frame with its own matrix, scaled from the part inside `crop` (the whole of it for `nil`).
  ///
  /// - Parameters:
  ///   - matrix: of the frame, by FFmpeg's name.
  ///   - target: the matrix of the result.
  ///   - bitDepth: of the result, 8 or 10.
  static func encodable(
    _ frame: borrowing Frame, matrix: String?, crop: CleanAperture?, to size: PixelSize,
    as target: String, bitDepth: Int = 8, keepsAlpha: Bool = false
  ) throws(InspectionError) -> Frame {
    let frame = try frame.progressive().inWholeBytes(matrix: matrix)
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let format =
      bitDepth > 8
      ? AV_PIX_FMT_YUV420P10LE : keepsAlpha ? AV_PIX_FMT_YUVA420P : AV_PIX_FMT_YUV420P
    let isScaled = region.width != size.width || region.height != size.height
    let scaler = try Scaler(
      frame: frame, region: region, matrix: matrix, to: size, format: format,
      flags: isScaled ? artwork_scale_resize() : artwork_scale_same_size(), target: target)
    let planes = try Frame.empty(size: size, format: format)
    try scaler.scale(frame, into: planes)
    return planes
  }

  /// A dissolve between two frames of planar 4:2:0 with 8 bits in one size.
  ///
  /// - Parameter share: of `other`, 0 to 1.
  /// - Throws: `out-of-memory`.
  static func mixed(
    _ frame: borrowing Frame, with other: borrowing Frame, share: Double
  ) throws(InspectionError) -> Frame {
    let size = PixelSize(width: frame.width, height: frame.height)
    precondition(size.width == other.width && size.height == other.height, "one size")
    let result = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    let weight = wholeNumber((min(1, max(0, share)) * 256).rounded(), as: UInt32.self) ?? 0
    let (one, two, target) = (
      frame.pointer.pointee, other.pointer.pointee, result.pointer.pointee
    )
    let planes = [
      (one.data.0, one.linesize.0, two.data.0, two.linesize.0, target.data.0, target.linesize.0),
      (one.data.1, one.linesize.1, two.data.1, two.linesize.1, target.data.1, target.linesize.1),
      (one.data.2, one.linesize.2, two.data.2, two.linesize.2, target.data.2, target.linesize.2),
    ]
    for (index, plane) in planes.enumerated() {
      guard let a = plane.0, let b = plane.2, let mix = plane.4 else { continue }
      let shift = index == 0 ? 0 : 1
      for y in 0..<(size.height + shift) >> shift {
        let (from, to, into) = (y * Int(plane.1), y * Int(plane.3), y * Int(plane.5))
        for x in 0..<(size.width + shift) >> shift {
          let sum = UInt32(a[from + x]) * (256 - weight) + UInt32(b[to + x]) * weight
          mix[into + x] = UInt8(truncatingIfNeeded: (sum + 128) >> 8)
        }
      }
    }
    return result
  }

  /// A frame of planar 4:2:0 with 8 bits in other colours.
  ///
  /// - Parameter map: see ``LightDrift/map(at:)``.
  /// - Throws: `out-of-memory`.
  static func levelled(
    _ frame: borrowing Frame, by map: [Float]
  ) throws(InspectionError) -> Frame {
    let size = PixelSize(width: frame.width, height: frame.height)
    let result = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    let (from, to) = (frame.pointer.pointee, result.pointer.pointee)
    guard let luma = from.data.0, let blue = from.data.1, let red = from.data.2,
      let newLuma = to.data.0, let newBlue = to.data.1, let newRed = to.data.2
    else { return result }
    func code(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
    for y in 0..<(size.height + 1) / 2 {
      for x in 0..<(size.width + 1) / 2 {
        let u = Float(blue[y * Int(from.linesize.1) + x])
        let v = Float(red[y * Int(from.linesize.2) + x])
        var (sum, count) = (Float(0), Float(0))
        for row in 2 * y..<min(2 * y + 2, size.height) {
          for column in 2 * x..<min(2 * x + 2, size.width) {
            let value = Float(luma[row * Int(from.linesize.0) + column])
            (sum, count) = (sum + value, count + 1)
            newLuma[row * Int(to.linesize.0) + column] = code(
              map[0] * value + map[1] * u + map[2] * v + map[3])
          }
        }
        let mean = sum / count
        newBlue[y * Int(to.linesize.1) + x] = code(
          map[4] * mean + map[5] * u + map[6] * v + map[7])
        newRed[y * Int(to.linesize.2) + x] = code(
          map[8] * mean + map[9] * u + map[10] * v + map[11])
      }
    }
    return result
  }
}
