internal import CKernels

/// How much fine detail a picture has.
enum Sharpness {
  /// Sampled rows, evenly spaced.
  private static let rows = 128

  /// The mean absolute difference of samples from the means of the 3x3 samples around them, in 8-bit code values; 0 for
  /// less than three columns or rows. Takes 40 us for rows of 1,080 samples.
  static func mean(_ plane: PlanarPixels.Plane, bitDepth: Int) -> Float {
    guard plane.width > 2, plane.height > 2 else { return 0 }
    let rows = min(Self.rows, plane.height - 2)
    var total: UInt64 = 0
    for row in 0..<rows {
      let y = 1 + (2 * row + 1) * (plane.height - 2) / (2 * rows)
      let three = (y - 1...y + 1).map { plane.start + $0 * plane.bytesPerRow }
      total += sum(three, width: Int32(plane.width), bitDepth: bitDepth)
    }
    return Float(total) / Float(9 * rows * (plane.width - 2)) / Float(1 << max(0, bitDepth - 8))
  }

  private static func sum(_ rows: [UnsafeRawPointer], width: Int32, bitDepth: Int) -> UInt64 {
    if bitDepth > 8 {
      return artwork_unevenness_16(
        rows.map { $0.assumingMemoryBound(to: UInt16.self) }, width)
    }
    return artwork_unevenness_8(rows.map { $0.assumingMemoryBound(to: UInt8.self) }, width)
  }
}
