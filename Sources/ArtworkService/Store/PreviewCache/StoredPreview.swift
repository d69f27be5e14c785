package import ArtworkModel

/// A preview as a file.
package struct StoredPreview: Sendable, Equatable {
  package var bytes: [UInt8]
  package var format: PictureFormat
  package var size: PixelSize
  /// Identifies these exact bytes by the video's digest, the size, the format and its encoder: a strong ETag without
  /// its quotes.
  package var tag: String
}
