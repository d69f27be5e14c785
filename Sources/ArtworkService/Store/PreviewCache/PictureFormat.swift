import ArtworkModel
import ArtworkPipeline

/// The file formats in which the store hands out pictures.
package enum PictureFormat: String, Sendable, CaseIterable {
  /// Without loss, and the default: what players that ask for nothing have always got.
  case png
  /// Lossy WebP; only in a build with the package trait `WebP`.
  case webp
  /// Lossy JPEG; transparent parts are black.
  case jpeg

  package var contentType: String { "image/\(rawValue)" }

  /// What identifies the library that writes the format, whose other versions write other bytes; `nil` for PNG, which
  /// always holds the same picture.
  var encoder: String? {
    switch self {
    case .png: nil
    case .webp: OptionalLibrary.webP.version
    case .jpeg: FFmpegVersion.text.replacing(" ", with: "-")
    }
  }

  /// Whether this build can write the format.
  package var isAvailable: Bool { self != .webp || WebPEncoder.isAvailable }

  /// Whether a picture may be as large as this. Every preview fits into a PNG or JPEG file.
  func holds(_ size: PixelSize) -> Bool {
    self != .webp || max(size.width, size.height) <= WebPEncoder.longestSide
  }

  // Both have about a tenth of the bytes of the PNGs. Coarser ones lose 3 dB for a third of the bytes.

  /// libwebp's scale, 0 to 100.
  private static let webPQuality: Float = 90
  /// libavcodec's scale, 2 (best) to 31.
  private static let jpegQuantizer: Int32 = 2

  /// The bytes of a complete file.
  ///
  /// - Throws: `out-of-memory` or `preview-not-written`.
  func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    switch self {
    case .png: try PNGEncoder.encode(image)
    case .webp: try WebPEncoder.encode(image, quality: Self.webPQuality)
    case .jpeg: try JPEGEncoder.encode(image, quantizer: Self.jpegQuantizer)
    }
  }
}
