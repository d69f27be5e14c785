package import ArtworkModel

/// A preview as a PNG file.
package struct StoredPreview: Sendable, Equatable {
  package var png: [UInt8]
  package var size: PixelSize
  /// Identifies these exact bytes by the video's digest and the size: a strong ETag without its quotes.
  package var tag: String

  package init(png: [UInt8], size: PixelSize, tag: String) {
    self.png = png
    self.size = size
    self.tag = tag
  }
}
