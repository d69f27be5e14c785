/// A width and a height in whole pixels, both positive.
public struct PixelSize: Sendable, Hashable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    precondition(width > 0 && height > 0, "a pixel size is positive")
    self.width = width
    self.height = height
  }

  /// The same size with its axes exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The largest size of this aspect that fits inside `box`, enlarging where needed; at least one
  /// pixel each way.
  public func fitted(inside box: PixelSize) -> PixelSize {
    let scale = min(
      Double(box.width) / Double(width), Double(box.height) / Double(height))
    return PixelSize(
      width: max(1, min(box.width, Int((Double(width) * scale).rounded()))),
      height: max(1, min(box.height, Int((Double(height) * scale).rounded()))))
  }
}
