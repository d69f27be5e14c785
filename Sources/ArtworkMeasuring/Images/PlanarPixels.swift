/// A borrowed view of a planar Y'CbCr picture. Samples use the low `bitDepth` bits of one byte up to 8 bits, or of
/// two little-endian bytes above. Valid only inside the call that lends it.
package struct PlanarPixels {
  package struct Plane {
    package let start: UnsafeRawPointer
    /// May be negative for pictures stored bottom-up.
    package let bytesPerRow: Int
    package let width: Int
    package let height: Int

    package init(
      start: UnsafeRawPointer, bytesPerRow: Int, width: Int, height: Int
    ) {
      self.start = start
      self.bytesPerRow = bytesPerRow
      self.width = width
      self.height = height
    }
  }

  package let luma: Plane
  package let blue: Plane
  package let red: Plane
  package let bitDepth: Int

  package init(
    luma: Plane, blue: Plane, red: Plane, bitDepth: Int
  ) {
    self.luma = luma
    self.blue = blue
    self.red = red
    self.bitDepth = bitDepth
  }
}

extension PlanarPixels {
  /// The luma inside `crop`; all of it if `crop` is `nil` or extends beyond the picture.
  package func luma(inside crop: CleanAperture?) -> Plane {
    guard let crop, crop.isInside(width: luma.width, height: luma.height) else { return luma }
    return Plane(
      start: luma.start + crop.y * luma.bytesPerRow + crop.x * (bitDepth > 8 ? 2 : 1),
      bytesPerRow: luma.bytesPerRow, width: crop.width, height: crop.height)
  }
}
