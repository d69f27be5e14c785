import CFFmpeg

/// Encodes frames as H.264 or HEVC in the form that every Apple system plays: 8 bits, 4:2:0, closed GOPs. HDR is HEVC
/// with 10 bits (Main 10). VP9, with 8 bits, is for browsers.
///
/// Decoding order is presentation order (no B-frames), so that a file needs no edit list: its first frame is at zero
/// in every player, and each sample lasts exactly as long as its frame, also at variable rates (docs/decisions/0055).
///
/// libx264, libvpx and libaom start no thread. libx265 always starts one, so it needs a worker that allows threads.
@safe package struct VideoEncoder: ~Copyable {
  package enum Codec {
    case movie(MovieCodec)
    /// Codec of AVIF sequences.
    case av1
    /// Codec of animated PNG files, without loss: R, G, B, and alpha.
    case apng
  }

  package enum Content {
    case colors, colorsAndAlpha, alpha
  }

  package struct Format {
    package var codec = Codec.movie(.h264)
    /// Both sides are even, except without loss.
    package var size: PixelSize
    /// The time base of the frames.
    package var timeBase: Rational
    /// Frames per second, for the rate control; the mean of a variable rate.
    package var rate: Rational
    /// The interpretation of the samples; ``ColorDescription/video`` for pictures.
    package var color = ColorDescription.video
    /// What the samples are: colours, also with their alpha (VP9), or alpha alone (AV1).
    package var content = Content.colors
    /// Bits of a sample: 8, or 10 with HEVC.
    package var bitDepth = 8
    var light: MasteringLight?
    /// The constant rate factor of libx264 and libx265, or that of libaom, whose numbers are larger.
    package var quality = Self.usualQuality
    /// `nil` for any number of bits.
    package var rateLimit: RateLimit?
    /// See ``MediaFacts/restsAtEnd``.
    var restsAtEnd = false
    /// Frames of the movie, whose end leads back to its beginning: see ``LoopEnd``.
    package var frameCount = Int.max
    package var isQuick = false

    /// The CRF at which drawings and photographs have a PSNR of 40 dB or more, so that no difference is visible.
    static let usualQuality = 16

    /// How much coarser than the quality the quantizer of H.264 may get, which busy pictures would get past: at the usual
    /// quality it keeps each frame above 40 dB, for up to a fifth more bytes of the busiest.
    static let coarser = 5

    /// Whether it is a cover in motion: smooth vectors everywhere, for which small blocks, several references, and bits for
    /// the look of noise gain nothing, for three times the time.
    var isCover = false
  }

  let parameters: UnsafeMutablePointer<AVCodecParameters>
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// Frames between whole pictures of AV1.
  private static let longestGroup: Int32 = 240
  /// Frames that libaom looks ahead: with 19, a file of equal quality has a fifth more bytes.
  private static let furthestAhead = 35

  /// Frames that are held to plan the bits of one. libx264's own number, or fewer for large pictures, so that they
  /// take at most a quarter of a worker's memory, at 3 bytes per pixel: twice the samples of 4:2:0.
  private static func lookahead(_ format: Format) -> Int {
    let most = (256 << 20) / (3 * format.size.area * format.bytesPerSample)
    // The first packet comes before the last frames.
    return min(40, max(5, min(most, format.frameCount - LoopEnd.length - 3)))
  }

  /// Frames that later ones refer to. libx264's own number, or fewer for large pictures, so that they take at most an
  /// eighth of a worker's memory, at 6 bytes per pixel: the samples of 4:2:0, and the luma at three places between pixels.
  private static func references(_ format: Format) -> Int {
    min(3, max(1, (128 << 20) / (6 * format.size.area * format.bytesPerSample)))
  }

  /// - Throws: `unsupported-codec` for HEVC if no thread may be started; `video-not-written` if the system's FFmpeg
  ///   lacks the encoder, and for parameters that the encoder rejects.
  package static func open(_ format: Format) throws(InspectionError) -> VideoEncoder {
    precondition(format.bitDepth == 8 || format.codec.isHEVC, "the other codecs have 8 bits")
    precondition(
      format.codec.isLossless || format.size.width % 2 == 0 && format.size.height % 2 == 0,
      "4:2:0 needs even sides")
    guard let codec = unsafe avcodec_find_encoder_by_name(format.codec.encoder) else {
      throw InspectionError(
        .videoNotWritten, "this FFmpeg has no \(format.codec.encoder)", operation: "encode",
        advice: "install an FFmpeg with it")
    }
    // Without one, libx265 waits forever.
    guard !format.codec.isHEVC || artwork_may_start_threads() == 1 else {
      throw InspectionError(
        .unsupportedCodec, "HEVC needs a thread (libx265), and none can be started")
    }
    var parameters = unsafe avcodec_parameters_alloc()
    guard let parameters = unsafe parameters, let context = unsafe avcodec_alloc_context3(codec)
    else {
      unsafe avcodec_parameters_free(&parameters)
      throw InspectionError(.outOfMemory, "out of memory", operation: "encode")
    }
    let encoder = unsafe VideoEncoder(parameters: parameters, context: context)
    unsafe context.pointee.width = Int32(clamping: format.size.width)
    unsafe context.pointee.height = Int32(clamping: format.size.height)
    unsafe context.pointee.pix_fmt =
      switch format.content {
      case .colors where format.codec.isLossless: AV_PIX_FMT_RGB24
      case .colors: format.bitDepth > 8 ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
      case .colorsAndAlpha: format.codec.isLossless ? AV_PIX_FMT_RGBA : AV_PIX_FMT_YUVA420P
      case .alpha: AV_PIX_FMT_GRAY8
      }
    unsafe context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    unsafe context.pointee.time_base = format.timeBase.forFFmpeg
    unsafe context.pointee.framerate = format.rate.forFFmpeg
    unsafe context.pointee.max_b_frames = 0
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags |=
      AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
    encoder.tag(format.color)
    // Otherwise readers take 16 for nothing (AV1 Image File Format, 4.1).
    if format.content == .alpha || format.codec.isLossless {
      unsafe context.pointee.color_range = AVCOL_RANGE_JPEG
    }
    if let limit = format.rateLimit {
      unsafe context.pointee.rc_max_rate = limit.bitsPerSecond
      unsafe context.pointee.rc_buffer_size = Int32(clamping: limit.bufferedBits)
    }
    var options: OpaquePointer?
    defer { unsafe av_dict_free(&options) }
    if let limit = format.rateLimit, limit.isConstant {
      unsafe context.pointee.bit_rate = limit.bitsPerSecond
      if case .movie(.h264) = format.codec { unsafe av_dict_set(&options, "nal-hrd", "cbr", 0) }
    } else {
      // The scale of VP9 goes to 63, and is finer.
      let quality = format.codec.isVP9 ? format.quality + format.quality / 2 : format.quality
      if !format.codec.isLossless { unsafe av_dict_set_int(&options, "crf", Int64(quality), 0) }
    }
    let (lookahead, references) = (lookahead(format), references(format))
    switch format.codec {
    case .movie(.h264):
      unsafe av_dict_set(&options, "profile", "high", 0)
      if format.isQuick { unsafe av_dict_set(&options, "preset", "veryfast", 0) }
      let effort =
        format.isQuick
        ? ""
        : ":rc-lookahead=\(lookahead):ref=\(format.isCover ? 1 : references)"
          + (format.isCover ? ":partitions=none:no-psy=1" : "")
      unsafe av_dict_set(
        &options, "x264-params",
        "threads=1:lookahead-threads=1:sync-lookahead=0\(effort)"
          + (format.rateLimit == nil ? ":qpmax=\(format.quality + Format.coarser)" : ""), 0)
    case .av1:
      // Otherwise every twelfth frame is a whole picture.
      unsafe context.pointee.gop_size = Self.longestGroup
      // Quality alone decides.
      unsafe context.pointee.bit_rate = 0
      unsafe av_dict_set(&options, "cpu-used", "6", 0)
      unsafe av_dict_set_int(
        &options, "lag-in-frames", Int64(min(Self.furthestAhead, lookahead)), 0)
    case .apng:
      // Higher levels save 3 % of noise in one and a half of the time.
      unsafe context.pointee.compression_level = 1
      unsafe av_dict_set(&options, "pred", "paeth", 0)
    case .movie(.hevc):
      unsafe av_dict_set(
        &options, "x265-params",
        "pools=none:frame-threads=1:open-gop=0:log-level=none:rc-lookahead=\(lookahead)"
          + ":ref=\(references)\(format.light?.forX265 ?? "")\(format.finerEnd)", 0)
    case .movie(.vp9):
      unsafe av_dict_set(&options, "deadline", format.isQuick ? "realtime" : "good", 0)
      unsafe av_dict_set(&options, "cpu-used", format.isQuick ? "6" : "4", 0)
      unsafe av_dict_set_int(&options, "lag-in-frames", Int64(min(25, lookahead)), 0)
      // Frames that are not shown would part the pictures from their alpha.
      if format.content == .colorsAndAlpha { unsafe av_dict_set(&options, "auto-alt-ref", "0", 0) }
    }
    try unsafe Self.check(avcodec_open2(context, codec, &options))
    try unsafe Self.check(avcodec_parameters_from_context(parameters, context))
    return encoder
  }

  deinit {
    var (context, parameters): (UnsafeMutablePointer<AVCodecContext>?, _) = unsafe (
      context, Optional(parameters)
    )
    unsafe avcodec_free_context(&context)
    unsafe avcodec_parameters_free(&parameters)
  }

  /// Hands over a frame of planar 4:2:0 in the encoder's size. Its packet may come later.
  ///
  /// - Parameter time: in the time base; later than that of the frame before.
  package mutating func send(_ frame: borrowing Frame, at time: Int64) throws(InspectionError) {
    unsafe frame.pointer.pointee.pts = time
    unsafe frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    // PNG states the colours of the frame.
    unsafe frame.pointer.pointee.color_primaries = unsafe context.pointee.color_primaries
    unsafe frame.pointer.pointee.color_trc = unsafe context.pointee.color_trc
    try unsafe Self.check(avcodec_send_frame(context, frame.pointer))
  }

  /// Signals the end of the frames.
  package mutating func drain() throws(InspectionError) {
    try unsafe Self.check(avcodec_send_frame(context, nil))
  }

  /// - Returns: whether there was a packet. The packets are in the order of the frames.
  mutating func receive(into packet: inout Packet) throws(InspectionError) -> Bool {
    let status = unsafe avcodec_receive_packet(context, packet.pointer)
    if status == artwork_error_again() || status == artwork_error_eof() { return false }
    try Self.check(status)
    return true
  }

  private func tag(_ color: ColorDescription) {
    func code(_ name: String?, _ find: (UnsafePointer<CChar>?) -> Int32) -> UInt32 {
      // 2 is "unspecified" (ITU-T H.273).
      UInt32(exactly: name.map { unsafe find($0) } ?? 2) ?? 2
    }
    unsafe context.pointee.colorspace = unsafe AVColorSpace(
      rawValue: code(color.matrix) { unsafe av_color_space_from_name($0) })
    unsafe context.pointee.color_primaries = unsafe AVColorPrimaries(
      rawValue: code(color.primaries) { unsafe av_color_primaries_from_name($0) })
    unsafe context.pointee.color_trc = unsafe AVColorTransferCharacteristic(
      rawValue: code(color.transfer) { unsafe av_color_transfer_from_name($0) })
    unsafe context.pointee.color_range = AVCOL_RANGE_MPEG
    unsafe context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
  }

  private static func check(_ status: Int32) throws(InspectionError) {
    guard status < 0 else { return }
    // FFmpeg calls every failure of libaom invalid data; most are of memory, and none of the file.
    guard status != artwork_error_invalid_data() else {
      throw InspectionError(
        .videoNotWritten, "the encoder failed" + (LogCapture.lastLine.map { ": \($0)" } ?? ""),
        operation: "encode")
    }
    throw InspectionError(.videoNotWritten, status: status, operation: "encode")
  }
}

extension VideoEncoder.Format {
  /// Bytes of a sample.
  var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

  /// Whether ``LoopEnd`` can ask for a finer quantizer: libx265 crashes with a region, and libvpx and libaom take none.
  var takesRegions: Bool { if case .movie(.h264) = codec { true } else { false } }

  /// The quantizers of the last frames for libx265, each a zone of its own: see ``LoopEnd``.
  fileprivate var finerEnd: String {
    guard rateLimit == nil, (2 * LoopEnd.length..<Int.max).contains(frameCount) else { return "" }
    let zones = (1...LoopEnd.length).map { step in
      let number = frameCount - 1 - LoopEnd.length + step
      return "\(number),\(number),q=\(max(1, quality + 3 - 16 * step / LoopEnd.length))"
    }
    return ":zones=" + zones.joined(separator: "/")
  }
}

extension VideoEncoder {
  /// Whether this FFmpeg writes AVIF sequences: it has libaom, and the muxer, which came with FFmpeg 5.1.
  package static var writesAVIF: Bool {
    unsafe avcodec_find_encoder_by_name(Codec.av1.encoder) != nil
      && av_guess_format("avif", nil, nil) != nil
  }
}

extension VideoEncoder.Codec {
  /// The sample entry that Apple systems and browsers play; `nil` in WebM and PNG, which have none.
  package var tag: String? {
    switch self {
    case .movie(.h264): "avc1"
    case .movie(.hevc): "hvc1"
    case .movie(.vp9): nil
    case .av1: "av01"
    case .apng: nil
    }
  }

  fileprivate var encoder: String {
    switch self {
    case .movie(.h264): "libx264"
    case .movie(.hevc): "libx265"
    case .movie(.vp9): "libvpx-vp9"
    case .av1: "libaom-av1"
    case .apng: "apng"
    }
  }

  fileprivate var isLossless: Bool { if case .apng = self { true } else { false } }

  fileprivate var isHEVC: Bool { if case .movie(.hevc) = self { true } else { false } }
  fileprivate var isVP9: Bool { if case .movie(.vp9) = self { true } else { false } }
}

extension Rational {
  fileprivate var forFFmpeg: AVRational {
    AVRational(num: Int32(clamping: numerator), den: Int32(clamping: denominator))
  }
}
