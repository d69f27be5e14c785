/// A frame reduced to a few numbers for comparison: luma and two chroma planes in 8-bit code values
/// (0...255, fractions kept), coded orientation, box-averaged over the whole picture.
public struct Thumbnail: Sendable, Equatable {
  /// Cells each way of the luma plane.
  public static let lumaSide = 64
  /// Cells each way of each chroma plane.
  public static let chromaSide = 32

  /// `lumaSide * lumaSide` values, row by row.
  public var luma: [Float]
  /// `chromaSide * chromaSide` values each.
  public var blue: [Float]
  public var red: [Float]
  /// The mean absolute second difference of luma along rows, in code values at the picture's own size.
  public var sharpness: Float

  public init(luma: [Float], blue: [Float], red: [Float], sharpness: Float = 0) {
    precondition(luma.count == Self.lumaSide * Self.lumaSide, "a thumbnail has a fixed shape")
    precondition(
      blue.count == Self.chromaSide * Self.chromaSide && red.count == blue.count,
      "a thumbnail has a fixed shape")
    self.luma = luma
    self.blue = blue
    self.red = red
    self.sharpness = sharpness
  }
}
