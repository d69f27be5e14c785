public import ArtworkModel

#if WebP
  import CWebP
#endif

/// Encodes previews as WebP files in memory. WebP has no tag for sRGB, because pictures without a profile are sRGB.
///
/// Files of `preview` are lossless: the pixels are those of the PNG, also under transparent parts, because a player puts
/// the preview in place of the video's first frame, and the two should be the same. Of the fixtures, such files have 70 %
/// of the bytes of their PNGs. Lossy ones of quality 90 have 8 %, and a median PSNR of 44 dB (`Scripts/bench/preview-size`).
///
/// The only file that knows whether the package trait `WebP` is on.
public enum WebPEncoder {
  /// The longest side in pixels (14 bits in the header: WebP Lossless Bitstream Specification, section 3).
  package static let longestSide = 16383

  /// libwebp's effort for lossless files, from 0 (quick) to 9 (small). More than 4 makes the fixtures no smaller, and 9
  /// takes 30 times as long; 0 and 2 leave 90 % and 73 % of the bytes of the PNGs (`Scripts/bench/preview-size`).
  private static let effort: Int32 = 4

  /// libwebp's effort for lossy files, from 0 (quick) to 6 (small).
  private static let lossyEffort: Int32 = 2

  /// Whether this build can encode WebP.
  public static var isAvailable: Bool { libraryVersion != nil }

  /// The bytes of a complete WebP file. Single-threaded; a multiple of the time and memory of ``PNGEncoder``.
  ///
  /// - Throws: `preview-not-written` for a side of more than 16383 pixels and in a build without libwebp;
  ///   `out-of-memory`.
  public static func encode(_ image: PixelImage) throws(InspectionError) -> [UInt8] {
    try encode(image, quality: nil)
  }

  /// The same with loss.
  ///
  /// - Parameter quality: libwebp's scale, 0 to 100; `nil` for no loss.
  package static func encode(
    _ image: PixelImage, quality: Float?
  ) throws(InspectionError) -> [UInt8] {
    guard max(image.size.width, image.size.height) <= longestSide else {
      throw failure(
        .previewNotWritten,
        "WebP pictures have at most \(longestSide) pixels a side, and this one has \(image.size)")
    }
    return try encodeWithLibrary(image, quality)
  }

  private static func failure(_ code: InspectionError.Code, _ message: String) -> InspectionError {
    InspectionError(code, message, operation: "encode the preview")
  }

  #if WebP
    /// The version of libwebp that was loaded, for example `1.2.4`; `nil` in a build without it.
    static var libraryVersion: String? {
      let version = WebPGetEncoderVersion()
      return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    private static func encodeWithLibrary(
      _ image: PixelImage, _ quality: Float?
    ) throws(InspectionError) -> [UInt8] {
      var config = WebPConfig()
      var picture = WebPPicture()
      guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0,
        quality != nil || WebPConfigLosslessPreset(&config, effort) != 0
      else { throw failure(.previewNotWritten, "libwebp has another version than its headers") }
      if let quality {
        config.quality = quality
        config.method = lossyEffort
      } else {
        // Keeps the colour of transparent pixels.
        config.exact = 1
        picture.use_argb = 1
      }
      picture.width = Int32(image.size.width)
      picture.height = Int32(image.size.height)
      defer { WebPPictureFree(&picture) }
      var file = WebPMemoryWriter()
      WebPMemoryWriterInit(&file)
      defer { WebPMemoryWriterClear(&file) }

      let isEncoded = image.bytes.withUnsafeBufferPointer { pixels in
        let row = Int32(image.bytesPerRow)
        let isImported =
          switch image.channels {
          case .rgb: WebPPictureImportRGB(&picture, pixels.baseAddress, row) != 0
          case .rgba: WebPPictureImportRGBA(&picture, pixels.baseAddress, row) != 0
          }
        return isImported
          && withUnsafeMutablePointer(to: &file) { file in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(file)
            return WebPEncode(&config, &picture) != 0
          }
      }
      guard isEncoded else {
        switch picture.error_code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
          throw failure(.outOfMemory, "out of memory")
        default:
          throw failure(
            .previewNotWritten, "libwebp reports error \(picture.error_code.rawValue)")
        }
      }
      return Array(UnsafeBufferPointer(start: file.mem, count: file.size))
    }
  #else
    static let libraryVersion: String? = nil

    private static func encodeWithLibrary(
      _ image: PixelImage, _ quality: Float?
    ) throws(InspectionError) -> [UInt8] {
      throw failure(.previewNotWritten, "this build lacks libwebp")
    }
  #endif
}
