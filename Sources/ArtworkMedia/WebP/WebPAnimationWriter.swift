#if WebP
  import CWebP

  /// libwebp's encoder of animations that repeat for ever.
  ///
  /// Every picture is whole. Where libwebp writes only what changed, it takes pixels that differ by a few code values for the
  /// same, so that light that changes slowly leaps.
  struct WebPAnimationWriter: ~Copyable {
    private let encoder: OpaquePointer
    private var config = WebPConfig()
    /// Times are rounded to milliseconds so that the errors do not add up.
    private var end = 0.0

    /// - Parameter quality: libwebp's scale, 0 to 100.
    /// - Throws: `out-of-memory`, `video-not-written`.
    init(size: PixelSize, quality: Int) throws(InspectionError) {
      var options = WebPAnimEncoderOptions()
      var config = WebPConfig()
      guard max(size.width, size.height) <= WebPEncoder.longestSide else {
        throw InspectionError(
          .videoNotWritten,
          "WebP pictures have at most \(WebPEncoder.longestSide) pixels a side")
      }
      guard WebPAnimEncoderOptionsInit(&options) != 0, WebPConfigInit(&config) != 0 else {
        throw InspectionError(
          .videoNotWritten, "libwebp has another version than its headers")
      }
      options.anim_params.loop_count = 0
      options.kmax = 1
      config.quality = Float(quality)
      config.method = Self.effort
      guard let encoder = WebPAnimEncoderNew(Int32(size.width), Int32(size.height), &options) else {
        throw InspectionError(.outOfMemory, "out of memory", operation: "encode WebP")
      }
      self.encoder = encoder
      self.config = config
    }

    /// libwebp's effort, from 0 (quick) to 6 (small).
    private static let effort: Int32 = 3

    deinit { WebPAnimEncoderDelete(encoder) }

    mutating func append(_ image: PixelImage, seconds: Rational) throws(InspectionError) {
      var picture = WebPPicture()
      guard WebPPictureInit(&picture) != 0 else {
        throw InspectionError(
          .videoNotWritten, "libwebp has another version than its headers")
      }
      defer { WebPPictureFree(&picture) }
      picture.use_argb = 1
      picture.width = Int32(image.size.width)
      picture.height = Int32(image.size.height)
      let row = Int32(image.bytesPerRow)
      let isImported = image.bytes.withUnsafeBufferPointer { pixels in
        switch image.channels {
        case .rgb: WebPPictureImportRGB(&picture, pixels.baseAddress, row) != 0
        case .rgba: WebPPictureImportRGBA(&picture, pixels.baseAddress, row) != 0
        }
      }
      guard isImported else {
        throw InspectionError(.outOfMemory, "out of memory", operation: "encode WebP")
      }
      try check(WebPAnimEncoderAdd(encoder, &picture, milliseconds, &config))
      end += seconds.value
    }

    /// The bytes of the complete file.
    mutating func finish() throws(InspectionError) -> [UInt8] {
      try check(WebPAnimEncoderAdd(encoder, nil, milliseconds, nil))
      var data = WebPData()
      try check(WebPAnimEncoderAssemble(encoder, &data))
      defer { WebPDataClear(&data) }
      return Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
    }

    private var milliseconds: Int32 { wholeNumber((end * 1000).rounded(), as: Int32.self) ?? .max }

    private func check(_ status: Int32) throws(InspectionError) {
      guard status == 0 else { return }
      let message = WebPAnimEncoderGetError(encoder).map { String(cString: $0) } ?? "failed"
      throw InspectionError(.videoNotWritten, "libwebp: \(message)", operation: "encode WebP")
    }
  }
#else
  struct WebPAnimationWriter: ~Copyable {
    init(size: PixelSize, quality: Int) throws(InspectionError) { throw Self.missing }

    mutating func append(_ image: PixelImage, seconds: Rational) throws(InspectionError) {
      throw Self.missing
    }

    mutating func finish() throws(InspectionError) -> [UInt8] { throw Self.missing }

    private static let missing = InspectionError(.videoNotWritten, "this build lacks libwebp")
  }
#endif
