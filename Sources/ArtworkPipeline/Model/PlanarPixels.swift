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
