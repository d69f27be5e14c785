/// Encodes previews as WebP files in memory. WebP has no tag for sRGB, because pictures without a profile are sRGB.
///
/// Files of `preview` are lossless: the pixels are those of the PNG, also under transparent parts, because a player puts
/// the preview in place of the video's first frame, and the two should be the same. Such files have about 70 % of the
/// bytes of their PNGs, lossy ones of quality 90 a tenth.
package enum WebPEncoder {
  /// The longest side in pixels (14 bits in the header: WebP Lossless Bitstream Specification, section 3).
  package static let longestSide = 16383

  /// libwebp's effort for lossless files, from 0 (quick) to 9 (small). More than 4 makes the fixtures no smaller, and 9
  /// takes 30 times as long; 0 and 2 are larger.
  package static let effort: Int32 = 4

  /// How a lossy file is made: libwebp's effort, from 0 (quick) to 6 (small), and whether the chroma is chosen so that edges
  /// between colours stay sharp.
  package enum Effort {
    case still, animation
    /// Parts of one, with clear pixels between them, which the filter of edges would bring in.
    case changes

    var method: Int32 { self == .still ? 2 : 4 }
    var sharpensChroma: Bool { self != .still }
    var filtersEdges: Bool { self != .changes }
  }

  /// Whether this build can encode WebP.
  package static var isAvailable: Bool { WebPLibrary.version != nil }

  /// The bytes of a complete WebP file. Single-threaded; a multiple of the time and memory of ``PNGEncoder``.
  ///
  /// - Throws: `preview-not-written` for a side of more than 16383 pixels and in a build without libwebp;
  ///   `out-of-memory`.
  package static func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    try encode(image, quality: nil)
  }

  /// The bytes of a complete WebP file, which may be lossy.
  ///
  /// - Parameters:
  ///   - quality: libwebp's scale, 0 to 100; `nil` for no loss.
  ///   - effort: for a lossy one.
  package static func encode(
    _ image: PixelImage, quality: Float?, effort: Effort = .still
  ) throws(InspectionError) -> [UInt8] {
    guard max(image.size.width, image.size.height) <= longestSide else {
      throw failure(
        .previewNotWritten,
        "WebP pictures have at most \(longestSide) pixels a side, and this one has \(image.size)")
    }
    return try WebPLibrary.encode(image, quality: quality, effort: effort)
  }

  package static func failure(_ code: InspectionError.Code, _ message: String) -> InspectionError {
    InspectionError(code, message, operation: "encode the preview")
  }
}
