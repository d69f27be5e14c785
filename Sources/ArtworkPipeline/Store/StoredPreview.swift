/// A preview as a PNG file.
public struct StoredPreview: Sendable, Equatable {
  public var png: [UInt8]
  public var size: PixelSize
  /// Names these very bytes: the video's digest and the size, a valid strong ETag without its quotes.
  public var tag: String

  public init(png: [UInt8], size: PixelSize, tag: String) {
    self.png = png
    self.size = size
    self.tag = tag
  }
}
