#if WebP
  import CWebP
#endif

/// The calls to libwebp. The only file that knows whether the package trait `WebP` is on.
enum WebPLibrary {
  #if WebP
    /// The version of libwebp that was loaded, for example `1.2.4`; `nil` in a build without it.
    static var version: String? {
      let version = WebPGetEncoderVersion()
      return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
    }

    static func encode(
      _ image: PixelImage, quality: Float?, effort: WebPEncoder.Effort
    ) throws(InspectionError) -> [UInt8] {
      var config = WebPConfig()
      var picture = WebPPicture()
      guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0,
        quality != nil || WebPConfigLosslessPreset(&config, WebPEncoder.effort) != 0
      else {
        throw WebPEncoder.failure(
          .previewNotWritten, "libwebp has another version than its headers")
      }
      if let quality {
        config.quality = quality
        config.method = effort.method
        if !effort.filtersEdges { config.filter_strength = 0 }
        if effort.sharpensChroma { (config.use_sharp_yuv, picture.use_argb) = (1, 1) }
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
          throw WebPEncoder.failure(.outOfMemory, "out of memory")
        default:
          throw WebPEncoder.failure(
            .previewNotWritten, "libwebp reports error \(picture.error_code.rawValue)")
        }
      }
      return Array(UnsafeBufferPointer(start: file.mem, count: file.size))
    }
    /// The pixels of a file with one picture, in R, G, B and A; `nil` without memory.
    static func decode(_ bytes: [UInt8]) -> PixelImage? {
      var (width, height) = (Int32(), Int32())
      guard let pixels = WebPDecodeRGBA(bytes, bytes.count, &width, &height) else { return nil }
      defer { WebPFree(pixels) }
      let size = PixelSize(width: Int(width), height: Int(height))
      return PixelImage(
        size: size, channels: .rgba,
        bytes: Array(UnsafeBufferPointer(start: pixels, count: 4 * size.area)))
    }
  #else
    static let version: String? = nil

    static func encode(
      _ image: PixelImage, quality: Float?, effort: WebPEncoder.Effort
    ) throws(InspectionError) -> [UInt8] {
      throw WebPEncoder.failure(.previewNotWritten, "this build lacks libwebp")
    }
  #endif
}

#if WebP
  /// libwebp's decoder of animations, which keeps a canvas and draws the frames onto it in order: each over the one
  /// before or in its place, which may be cleared first.
  struct WebPFrameDecoder: ~Copyable {
    private let decoder: OpaquePointer
    private let file: UnsafeMutableBufferPointer<UInt8>
    private let canvas: PixelSize

    /// - Throws: `out-of-memory`.
    init(_ bytes: [UInt8], canvas: PixelSize) throws(InspectionError) {
      // The decoder keeps a pointer to it.
      let file = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = file.initialize(from: bytes)
      var data = WebPData(bytes: file.baseAddress, size: file.count)
      var options = WebPAnimDecoderOptions()
      guard WebPAnimDecoderOptionsInit(&options) != 0,
        let decoder = WebPAnimDecoderNew(&data, &options)
      else {
        file.deallocate()
        throw InspectionError(.outOfMemory, "out of memory", operation: "decode WebP")
      }
      self.decoder = decoder
      self.file = file
      self.canvas = canvas
    }

    deinit {
      WebPAnimDecoderDelete(decoder)
      file.deallocate()
    }

    /// Goes back before the first frame.
    mutating func rewind() { WebPAnimDecoderReset(decoder) }

    /// The whole canvas after the next frame; `nil` for a frame that is damaged.
    mutating func next(_ channels: PixelImage.Channels) -> PixelImage? {
      var pixels: UnsafeMutablePointer<UInt8>?
      var end: Int32 = 0
      guard WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels else { return nil }
      let count = canvas.area
      let bytes = [UInt8](unsafeUninitializedCapacity: count * channels.rawValue) { target, used in
        if channels == .rgba {
          _ = target.update(fromContentsOf: UnsafeBufferPointer(start: pixels, count: count * 4))
        } else {
          for pixel in 0..<count {
            for channel in 0..<3 { target[pixel * 3 + channel] = pixels[pixel * 4 + channel] }
          }
        }
        used = count * channels.rawValue
      }
      return PixelImage(size: canvas, channels: channels, bytes: bytes)
    }

    /// Reads the headers of a file.
    ///
    /// - Returns: `nil` for a file that ends early.
    /// - Throws: `decode-failed` for a file of another form.
    static func layout(
      of bytes: [UInt8], mostFrames: Int
    ) throws(InspectionError) -> WebPAnimation.Layout? {
      let (state, layout) = bytes.withUnsafeBufferPointer {
        file -> (WebPDemuxState, WebPAnimation.Layout?) in
        var data = WebPData(bytes: file.baseAddress, size: file.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = WebPDemuxPartial(&data, &state) else { return (state, nil) }
        defer { WebPDemuxDelete(demuxer) }
        let width = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH))
        let height = Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))
        guard state == WEBP_DEMUX_DONE, width > 0, height > 0 else { return (state, nil) }
        var layout = WebPAnimation.Layout(canvas: PixelSize(width: width, height: height))
        let plays = Int(WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT))
        layout.playCount = plays == 0 ? nil : plays
        var frame = WebPIterator()
        guard WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { return (state, layout) }
        defer { WebPDemuxReleaseIterator(&frame) }
        repeat {
          let covers =
            frame.x_offset == 0 && frame.y_offset == 0 && Int(frame.width) == width
            && Int(frame.height) == height
          layout.append(
            milliseconds: Int64(frame.duration), isOpaque: frame.has_alpha == 0,
            blends: frame.blend_method == WEBP_MUX_BLEND, coversCanvas: covers,
            clears: frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND)
        } while layout.milliseconds.count <= mostFrames && WebPDemuxNextFrame(&frame) != 0
        return (state, layout)
      }
      if let layout { return layout }
      guard state != WEBP_DEMUX_PARSE_ERROR else {
        throw InspectionError(.decodeFailed, "this is not a valid WebP file")
      }
      return nil
    }
  }
#else
  struct WebPFrameDecoder: ~Copyable {
    init(_ bytes: [UInt8], canvas: PixelSize) throws(InspectionError) { throw Self.missing }

    mutating func rewind() {}

    mutating func next(_ channels: PixelImage.Channels) -> PixelImage? { nil }

    static func layout(
      of bytes: [UInt8], mostFrames: Int
    ) throws(InspectionError) -> WebPAnimation.Layout? { throw missing }

    private static let missing = InspectionError(.unsupportedCodec, "this build lacks libwebp")
  }
#endif

#if WebP
  /// Writes an animated WebP that loops forever: of opaque pictures, only what changes.
  ///
  /// libwebp's own animation encoder compares each picture with the one before, so slow changes get lost, and it drops
  /// frames.
  struct WebPAnimationWriter: ~Copyable {
    private let file: OpaquePointer
    private let quality: Int
    private var canvas: WebPCanvas
    /// Milliseconds that were written, and how much of the time that is: rounding errors do not add up.
    private var written: Int32 = 0
    private var end = 0.0

    /// - Parameters:
    ///   - quality: libwebp's scale, 0 to 100.
    ///   - count: of the pictures.
    /// - Throws: `out-of-memory`.
    init(size: PixelSize, quality: Int, count: Int) throws(InspectionError) {
      var parameters = WebPMuxAnimParams(bgcolor: 0, loop_count: 0)
      let made = WebPMuxNew()
      guard let made, WebPMuxSetAnimationParams(made, &parameters) == WEBP_MUX_OK else {
        WebPMuxDelete(made)
        throw Self.noMemory
      }
      file = made
      self.quality = quality
      canvas = WebPCanvas(size: size, count: count)
    }

    deinit { WebPMuxDelete(file) }

    /// Adds a picture.
    ///
    /// - Throws: `preview-not-written` for a side of more than 16383 pixels, `out-of-memory`.
    mutating func append(_ image: PixelImage, seconds: Rational) throws(InspectionError) {
      let (bytes, area) = try drawn(image)
      end += seconds.value
      let time = wholeNumber((end * 1000).rounded(), as: Int32.self) ?? .max
      let duration = time - written
      written = time
      let status = bytes.withUnsafeBufferPointer { bytes in
        var frame = WebPMuxFrameInfo()
        frame.bitstream = WebPData(bytes: bytes.baseAddress, size: bytes.count)
        frame.id = WEBP_CHUNK_ANMF
        frame.duration = duration
        frame.dispose_method = WEBP_MUX_DISPOSE_NONE
        frame.blend_method = area == nil ? WEBP_MUX_NO_BLEND : WEBP_MUX_BLEND
        if let area { (frame.x_offset, frame.y_offset) = (Int32(area.x), Int32(area.y)) }
        return WebPMuxPushFrame(file, &frame, 1)
      }
      try check(status)
    }

    /// The share of changes from which on the whole picture may be as small.
    private static let muchChanges = 0.25
    /// The share of its bytes up to which changes are worth that they lie between older blocks.
    private static let worthwhile = 0.85

    /// The picture, or what changes in it.
    private mutating func drawn(
      _ image: PixelImage
    ) throws(InspectionError) -> (bytes: [UInt8], area: CropArea?) {
      guard image.channels == .rgb else { return (try encoded(image), nil) }
      var change = canvas.change(to: image)
      var bytes =
        if let change { try encoded(change.picture, .changes) } else { try encoded(image) }
      if let part = change, !part.isLed, part.share >= Self.muchChanges {
        let whole = try encoded(image)
        if Double(bytes.count) > Self.worthwhile * Double(whole.count) {
          (bytes, change) = (whole, nil)
        }
      }
      guard let shown = WebPLibrary.decode(bytes) else { throw Self.noMemory }
      canvas.draw(shown, change, of: image)
      return (bytes, change?.area)
    }

    private func encoded(
      _ image: PixelImage, _ effort: WebPEncoder.Effort = .animation
    ) throws(InspectionError) -> [UInt8] {
      try WebPEncoder.encode(image, quality: Float(quality), effort: effort)
    }

    /// The bytes of the complete file.
    mutating func finish() throws(InspectionError) -> [UInt8] {
      var data = WebPData()
      try check(WebPMuxAssemble(file, &data))
      defer { WebPDataClear(&data) }
      return Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
    }

    private static let noMemory = InspectionError(
      .outOfMemory, "out of memory", operation: "encode WebP")

    private func check(_ status: WebPMuxError) throws(InspectionError) {
      if status == WEBP_MUX_MEMORY_ERROR { throw Self.noMemory }
      guard status == WEBP_MUX_OK else {
        throw InspectionError(
          .videoNotWritten, "libwebp reports error \(status.rawValue)", operation: "encode WebP")
      }
    }
  }
#else
  struct WebPAnimationWriter: ~Copyable {
    init(size: PixelSize, quality: Int, count: Int) throws(InspectionError) { throw Self.missing }

    mutating func append(_ image: PixelImage, seconds: Rational) throws(InspectionError) {
      throw Self.missing
    }

    mutating func finish() throws(InspectionError) -> [UInt8] { throw Self.missing }

    private static let missing = InspectionError(.videoNotWritten, "this build lacks libwebp")
  }
#endif
