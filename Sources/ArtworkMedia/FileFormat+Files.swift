/// The writer of previews in each format.
extension FileFormat {
  /// Whether this build can write the format.
  public var isAvailable: Bool { self != .webp || WebPEncoder.isAvailable }

  /// The bytes of a complete file, without loss.
  ///
  /// - Throws: `out-of-memory` or `preview-not-written`.
  package func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    switch self {
    case .png: try PNGEncoder.encode(image)
    case .webp: try WebPEncoder.encode(image)
    default: throw InspectionError(.previewNotWritten, "no preview is written as \(title)")
    }
  }

  /// Whether these bytes can be the result of ``encode(_:)``. Does not check the compressed data.
  package func isWellFormed(_ bytes: [UInt8]) -> Bool {
    self == .png ? PNGFile.isWellFormed(bytes) : self == .webp && WebPFile.isWellFormed(bytes)
  }
}
