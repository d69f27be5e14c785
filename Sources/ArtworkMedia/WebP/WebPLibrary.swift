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
      var picture = unsafe WebPPicture()
      guard unsafe WebPConfigInit(&config) != 0, unsafe WebPPictureInit(&picture) != 0,
        unsafe quality != nil || WebPConfigLosslessPreset(&config, WebPEncoder.effort) != 0
      else {
        throw WebPEncoder.failure(
          .previewNotWritten, "libwebp has another version than its headers")
      }
      if let quality {
        config.quality = quality
        config.method = effort.method
        if !effort.filtersEdges { config.filter_strength = 0 }
        if effort.sharpensChroma { unsafe (config.use_sharp_yuv, picture.use_argb) = (1, 1) }
      } else {
        // Keeps the colour of transparent pixels.
        config.exact = 1
        unsafe picture.use_argb = 1
      }
      unsafe picture.width = Int32(image.size.width)
      unsafe picture.height = Int32(image.size.height)
      defer { unsafe WebPPictureFree(&picture) }
      var file = unsafe WebPMemoryWriter()
      unsafe WebPMemoryWriterInit(&file)
      defer { unsafe WebPMemoryWriterClear(&file) }

      let isEncoded = unsafe image.bytes.withUnsafeBufferPointer { pixels in
        let row = Int32(image.bytesPerRow)
        let isImported =
          switch image.channels {
          case .rgb: unsafe WebPPictureImportRGB(&picture, pixels.baseAddress, row) != 0
          case .rgba: unsafe WebPPictureImportRGBA(&picture, pixels.baseAddress, row) != 0
          }
        return unsafe isImported
          && withUnsafeMutablePointer(to: &file) { file in
            unsafe picture.writer = unsafe WebPMemoryWrite
            unsafe picture.custom_ptr = UnsafeMutableRawPointer(file)
            return unsafe WebPEncode(&config, &picture) != 0
          }
      }
      guard isEncoded else {
        switch unsafe picture.error_code {
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
          throw WebPEncoder.failure(.outOfMemory, "out of memory")
        default:
          throw WebPEncoder.failure(
            .previewNotWritten, unsafe "libwebp reports error \(picture.error_code.rawValue)")
        }
      }
      return unsafe Array(UnsafeBufferPointer(start: file.mem, count: file.size))
    }
    /// The pixels of a file with one picture, in R, G, B and A; `nil` without memory.
    static func decode(_ bytes: [UInt8]) -> PixelImage? {
      var (width, height) = (Int32(), Int32())
      guard let pixels = unsafe WebPDecodeRGBA(bytes, bytes.count, &width, &height) else {
        return nil
      }
      defer { unsafe WebPFree(pixels) }
      let size = PixelSize(width: Int(width), height: Int(height))
      return unsafe PixelImage(
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
  @safe struct WebPFrameDecoder: ~Copyable {
    private let decoder: OpaquePointer
    private let file: UnsafeMutableBufferPointer<UInt8>
    private let canvas: PixelSize

    /// - Throws: `out-of-memory`.
    init(_ bytes: [UInt8], canvas: PixelSize) throws(InspectionError) {
      // The decoder keeps a pointer to it.
      let file = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = unsafe file.initialize(from: bytes)
      var data = unsafe WebPData(bytes: file.baseAddress, size: file.count)
      var options = WebPAnimDecoderOptions()
      guard unsafe WebPAnimDecoderOptionsInit(&options) != 0,
        let decoder = unsafe WebPAnimDecoderNew(&data, &options)
      else {
        unsafe file.deallocate()
        throw InspectionError(.outOfMemory, "out of memory", operation: "decode WebP")
      }
      unsafe self.decoder = unsafe decoder
      unsafe self.file = unsafe file
      self.canvas = canvas
    }

    deinit {
      unsafe WebPAnimDecoderDelete(decoder)
      unsafe file.deallocate()
    }

    /// Goes back before the first frame.
    mutating func rewind() { unsafe WebPAnimDecoderReset(decoder) }

    /// The whole canvas after the next frame; `nil` for a frame that is damaged.
    mutating func next(_ channels: PixelImage.Channels) -> PixelImage? {
      var pixels: UnsafeMutablePointer<UInt8>?
      var end: Int32 = 0
      guard unsafe WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0, let pixels = unsafe pixels
      else { return nil }
      let count = canvas.area
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count * channels.rawValue) {
        target, used in
        if channels == .rgba {
          _ = unsafe target.update(
            fromContentsOf: UnsafeBufferPointer(start: pixels, count: count * 4))
        } else {
          for pixel in 0..<count {
            for channel in 0..<3 {
              unsafe target[pixel * 3 + channel] = unsafe pixels[pixel * 4 + channel]
            }
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
      let (state, layout) = unsafe bytes.withUnsafeBufferPointer {
        file -> (WebPDemuxState, WebPAnimation.Layout?) in
        var data = unsafe WebPData(bytes: file.baseAddress, size: file.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let demuxer = unsafe WebPDemuxPartial(&data, &state) else { return (state, nil) }
        defer { unsafe WebPDemuxDelete(demuxer) }
        let width = unsafe Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_WIDTH))
        let height = unsafe Int(WebPDemuxGetI(demuxer, WEBP_FF_CANVAS_HEIGHT))
        guard state == WEBP_DEMUX_DONE, width > 0, height > 0 else { return (state, nil) }
        var layout = WebPAnimation.Layout(canvas: PixelSize(width: width, height: height))
        let plays = unsafe Int(WebPDemuxGetI(demuxer, WEBP_FF_LOOP_COUNT))
        layout.playCount = plays == 0 ? nil : plays
        var frame = unsafe WebPIterator()
        guard unsafe WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else { return (state, layout) }
        defer { unsafe WebPDemuxReleaseIterator(&frame) }
        repeat {
          let covers =
            unsafe frame.x_offset == 0 && frame.y_offset == 0 && Int(frame.width) == width
            && Int(frame.height) == height
          unsafe layout.append(
            milliseconds: Int64(frame.duration), isOpaque: frame.has_alpha == 0,
            blends: frame.blend_method == WEBP_MUX_BLEND, coversCanvas: covers,
            clears: frame.dispose_method == WEBP_MUX_DISPOSE_BACKGROUND)
        } while unsafe layout.milliseconds.count <= mostFrames && WebPDemuxNextFrame(&frame) != 0
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
  @safe struct WebPAnimationWriter: ~Copyable {
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
      let made = unsafe WebPMuxNew()
      guard let made = unsafe made,
        unsafe WebPMuxSetAnimationParams(made, &parameters) == WEBP_MUX_OK
      else {
        unsafe WebPMuxDelete(made)
        throw Self.noMemory
      }
      unsafe file = unsafe made
      self.quality = quality
      canvas = WebPCanvas(size: size, count: count)
    }

    deinit { unsafe WebPMuxDelete(file) }

    /// Adds a picture.
    ///
    /// - Throws: `preview-not-written` for a side of more than 16383 pixels, `out-of-memory`.
    mutating func append(_ image: PixelImage, seconds: Rational) throws(InspectionError) {
      let (bytes, area) = try drawn(image)
      end += seconds.value
      let time = wholeNumber((end * 1000).rounded(), as: Int32.self) ?? .max
      let duration = time - written
      written = time
      let status = unsafe bytes.withUnsafeBufferPointer { bytes in
        var frame = unsafe WebPMuxFrameInfo()
        unsafe frame.bitstream = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
        unsafe frame.id = WEBP_CHUNK_ANMF
        unsafe frame.duration = duration
        unsafe frame.dispose_method = WEBP_MUX_DISPOSE_NONE
        unsafe frame.blend_method = area == nil ? WEBP_MUX_NO_BLEND : WEBP_MUX_BLEND
        if let area { unsafe (frame.x_offset, frame.y_offset) = (Int32(area.x), Int32(area.y)) }
        return unsafe WebPMuxPushFrame(file, &frame, 1)
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
      var data = unsafe WebPData()
      try unsafe check(WebPMuxAssemble(file, &data))
      defer { unsafe WebPDataClear(&data) }
      return unsafe Array(UnsafeBufferPointer(start: data.bytes, count: data.size))
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
