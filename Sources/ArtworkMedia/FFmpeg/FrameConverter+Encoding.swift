import CFFmpeg

/// Frames in the form that ``VideoEncoder`` takes: planar 4:2:0 in limited range, with 8 bits, or 10 for HDR.
extension FrameConverter {
  /// A picture by the equations of BT.709.
  ///
  /// - Parameters:
  ///   - image: without transparency.
  ///   - size: that it is scaled to; with even sides.
  static func encodable(
    _ image: PixelImage, size: PixelSize
  ) throws(InspectionError) -> Frame {
    try encodable(.copy(of: image), matrix: nil, crop: nil, to: size, as: "bt709")
  }

  /// A decoded frame with its own matrix, scaled from the part inside `crop` (the whole of it for `nil`).
  ///
  /// - Parameters:
  ///   - matrix: of the frame, by FFmpeg's name.
  ///   - target: the matrix of the result.
  ///   - bitDepth: of the result, 8 or 10.
  static func encodable(
    _ frame: borrowing Frame, matrix: String?, crop: CleanAperture?, to size: PixelSize,
    as target: String, bitDepth: Int = 8
  ) throws(InspectionError) -> Frame {
    let frame = try frame.inWholeBytes()
    let region = crop ?? CleanAperture(x: 0, y: 0, width: frame.width, height: frame.height)
    let format = bitDepth > 8 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
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

  /// A frame of planar 4:2:0 with 8 bits in limited range, made darker.
  ///
  /// - Parameter factors: for code values in 16x16 cells, row by row, 0 to 1; interpolated between their middles.
  /// - Throws: `out-of-memory`.
  static func dimmed(
    _ frame: borrowing Frame, by factors: [Float]
  ) throws(InspectionError) -> Frame {
    let size = PixelSize(width: frame.width, height: frame.height)
    let result = try Frame.empty(size: size, format: AV_PIX_FMT_YUV420P)
    let (from, to) = (frame.pointer.pointee, result.pointer.pointee)
    let planes = [
      (from.data.0, from.linesize.0, to.data.0, to.linesize.0),
      (from.data.1, from.linesize.1, to.data.1, to.linesize.1),
      (from.data.2, from.linesize.2, to.data.2, to.linesize.2),
    ]
    for (index, plane) in planes.enumerated() {
      guard let source = plane.0, let target = plane.2 else { continue }
      let shift = index == 0 ? 0 : 1
      let (width, height) = ((size.width + shift) >> shift, (size.height + shift) >> shift)
      // Black, and chroma of grey.
      let middle: Float = index == 0 ? 16 : 128
      let (columns, rows) = (CellPlace.all(width), CellPlace.all(height))
      var line = [Float](repeating: 1, count: width)
      for (y, row) in rows.enumerated() {
        let cells = (0..<CellPlace.side).map { x in
          row.mix(factors[row.cell * CellPlace.side + x], factors[row.next * CellPlace.side + x])
        }
        for (x, column) in columns.enumerated() {
          line[x] = column.mix(cells[column.cell], cells[column.next])
        }
        let (samples, out) = (source + y * Int(plane.1), target + y * Int(plane.3))
        for x in 0..<width {
          out[x] = UInt8(middle + (Float(samples[x]) - middle) * line[x] + 0.5)
        }
      }
    }
    return result
  }
}

/// The place of a sample between the middles of two of 16 cells.
private struct CellPlace {
  static let side = 16
  var cell: Int
  var next: Int
  /// The share of the next one.
  var share: Float

  func mix(_ one: Float, _ other: Float) -> Float { one + share * (other - one) }

  static func all(_ count: Int) -> [CellPlace] {
    (0..<count).map { sample in
      let place = (Float(sample) + 0.5) * Float(side) / Float(count) - 0.5
      let inside = max(0, min(Float(side - 1), place))
      let cell = min(side - 1, Int(inside))
      return CellPlace(
        cell: cell, next: min(side - 1, cell + 1), share: inside - Float(cell))
    }
  }
}
