/// A borrowed view of a planar Y'CbCr picture with the low `bitDepth` bits of each sample used: one
/// byte a sample up to 8 bits, two little-endian bytes above. Valid only inside the call that lends it.
public struct PlanarPixels {
  public struct Plane {
    public let start: UnsafeRawPointer
    /// May be negative for pictures stored bottom-up.
    public let bytesPerRow: Int
    public let width: Int
    public let height: Int
  }

  public let luma: Plane
  public let blue: Plane
  public let red: Plane
  public let bitDepth: Int
}

extension PlanarPixels {
  /// The part of luma inside `crop`; all of it for `nil`, and where the crop reaches beyond the picture.
  func luma(inside crop: CleanAperture?) -> Plane {
    guard let crop, crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0,
      crop.x <= luma.width - crop.width, crop.y <= luma.height - crop.height
    else { return luma }
    return Plane(
      start: luma.start + crop.y * luma.bytesPerRow + crop.x * (bitDepth > 8 ? 2 : 1),
      bytesPerRow: luma.bytesPerRow, width: crop.width, height: crop.height)
  }
}
