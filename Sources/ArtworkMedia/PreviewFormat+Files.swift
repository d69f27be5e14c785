/// The writer and the file signature of each format.
extension PreviewFormat {
  /// Whether this build can write the format.
  public var isAvailable: Bool {
    switch self {
    case .png: true
    case .webp: WebPEncoder.isAvailable
    }
  }

  /// The bytes of a complete file.
  ///
  /// - Throws: `out-of-memory` or `preview-not-written`.
  package func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    switch self {
    case .png: try PNGEncoder.encode(image)
    case .webp: try WebPEncoder.encode(image)
    }
  }

  /// Whether these bytes can be the result of ``encode(_:)``. Does not check the compressed data.
  package func isWellFormed(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: PNGFile.isWellFormed(bytes)
    case .webp: WebPFile.isWellFormed(bytes)
    }
  }
}
