internal import CKernels

/// Counts samples that are far from the mean.
enum GridSamples {
  /// Sampled rows, evenly spaced.
  private static let rows = 64
  /// Farther than grain goes, in 8-bit code values.
  private static let distance = 32

  /// The share of samples that are farther than 32 from `mean`, in 8-bit code values. Takes 20 us for rows of 1,080.
  static func share(of plane: PlanarPixels.Plane, bitDepth: Int, mean: Double) -> Double {
    guard plane.width > 0, plane.height > 0 else { return 0 }
    let rows = min(rows, plane.height)
    let shift = max(0, bitDepth - 8)
    let level = Int32(wholeNumber(mean.rounded()) ?? 0) << shift
    var far = 0
    for row in 0..<rows {
      let start = plane.start + (2 * row + 1) * plane.height / (2 * rows) * plane.bytesPerRow
      let (count, distance) = (Int32(plane.width), Int32(distance << shift))
      far += Int(
        bitDepth > 8
          ? artwork_far_16(
            start.assumingMemoryBound(to: UInt16.self), count, level, distance)
          : artwork_far_8(start.assumingMemoryBound(to: UInt8.self), count, level, distance))
    }
    return Double(far) / Double(rows * plane.width)
  }
}
