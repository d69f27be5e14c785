import CFFmpeg

/// The properties that are known only once a frame has been decoded.
struct DecodedFormat: Sendable {
  var codec: String
  var profile: String?
  /// See ``MediaFacts/level``.
  var level: String?
  var fieldOrder = FieldOrder.progressive
  var pixelFormat: String
  var bitDepth: Int
  var chroma: String
  var hasAlpha: Bool
  var width: Int
  var height: Int
  var paddedWidth: Int
  var paddedHeight: Int
  var sampleAspect: Rational
  var colors: PictureColors
  var color: ColorDescription { colors.stated }
  var displayMatrix: [Int32]?
  /// Mastering light levels that the bitstream states.
  var light: MasteringLight?

  func isSize(of frame: borrowing Frame) -> Bool { frame.width == width && frame.height == height }

  /// The matrix that players take.
  var assumedMatrix: String { color.assumedMatrix(width: width, height: height) }

  private static func chroma(of descriptor: AVPixFmtDescriptor?) -> String {
    guard let descriptor = unsafe descriptor else { return "unknown" }
    let flags = unsafe Int32(truncatingIfNeeded: descriptor.flags)
    if flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) != 0 { return "rgb" }
    if unsafe descriptor.nb_components < 3 { return "gray" }
    switch unsafe (descriptor.log2_chroma_w, descriptor.log2_chroma_h) {
    case (0, 0): return "4:4:4"
    case (0, 1): return "4:4:0"
    case (1, 0): return "4:2:2"
    case (1, 1): return "4:2:0"
    case (2, 0): return "4:1:1"
    default: return "4:1:0"
    }
  }
}

extension DecodedFormat {
  package init(
    frame: borrowing Frame, context: UnsafeMutablePointer<AVCodecContext>,
    stream: borrowing VideoStream
  ) {
    codec = unsafe stream.codecName
    profile = unsafe avcodec_profile_name(context.pointee.codec_id, context.pointee.profile).map {
      unsafe String(cString: $0)
    }
    level = unsafe Self.level(of: context.pointee)
    fieldOrder =
      switch unsafe artwork_frame_fields(frame.pointer) {
      case 0: .progressive
      case 1: .upperFirst
      default: .lowerFirst
      }
    let format = frame.format
    pixelFormat = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) } ?? "unknown"
    let descriptor = unsafe av_pix_fmt_desc_get(format)?.pointee
    let flags = unsafe Int32(truncatingIfNeeded: descriptor?.flags ?? 0)
    bitDepth = unsafe Int(descriptor?.comp.0.depth ?? 0)
    hasAlpha = flags & AV_PIX_FMT_FLAG_ALPHA != 0
    chroma = unsafe Self.chroma(of: descriptor)
    width = frame.width
    height = frame.height
    // Some decoders leave these at zero.
    paddedWidth = unsafe max(Int(context.pointee.coded_width), frame.width)
    paddedHeight = unsafe max(Int(context.pointee.coded_height), frame.height)
    sampleAspect = unsafe stream.sampleAspect(of: frame)
    colors = unsafe PictureColors(stated: ColorDescription(frame: frame, stream: stream))
    var matrix = [Int32](repeating: 0, count: 9)
    displayMatrix =
      unsafe stream.displayMatrix
      ?? (artwork_frame_display_matrix(frame.pointer, &matrix) == 1 ? matrix : nil)
    light = MasteringLight(frame)
  }
}

extension DecodedFormat {
  /// ITU-T H.264, A.3 counts tenths; ITU-T H.265, A.4 thirtieths.
  private static func level(of context: AVCodecContext) -> String? {
    let units: Int32
    switch unsafe context.codec_id {
    case AV_CODEC_ID_H264: units = 10
    case AV_CODEC_ID_HEVC: units = 30
    default: return nil
    }
    guard unsafe context.level > 0 else { return nil }
    return unsafe "\(context.level / units).\(context.level % units * 10 / units)"
  }
}

extension ColorDescription {
  /// The format that the container states.
  init(_ parameters: AVCodecParameters) {
    func name(_ value: UnsafePointer<CChar>?) -> String? {
      unsafe value.map { unsafe String(cString: $0) }
    }
    unsafe self.init(
      matrix: parameters.color_space == AVCOL_SPC_UNSPECIFIED
        ? nil : name(av_color_space_name(parameters.color_space)),
      primaries: parameters.color_primaries == AVCOL_PRI_UNSPECIFIED
        ? nil : name(av_color_primaries_name(parameters.color_primaries)),
      transfer: parameters.color_trc == AVCOL_TRC_UNSPECIFIED
        ? nil : name(av_color_transfer_name(parameters.color_trc)),
      range: parameters.color_range == AVCOL_RANGE_UNSPECIFIED
        ? nil : name(av_color_range_name(parameters.color_range)))
  }

  /// The bitstream's description if it has one, else the container's.
  fileprivate init(frame: borrowing Frame, stream: borrowing VideoStream) {
    let picture = unsafe frame.pointer.pointee
    let container = unsafe stream.parameters.pointee
    // PNG can only have the RGB matrix, which FFmpeg 7 reports for every file, and FFmpeg 5 for none.
    let isPNG = unsafe [AV_CODEC_ID_PNG, AV_CODEC_ID_APNG].contains(stream.codecID)
    let space =
      unsafe isPNG
      ? AVCOL_SPC_UNSPECIFIED
      : picture.colorspace == AVCOL_SPC_UNSPECIFIED ? container.color_space : picture.colorspace
    let primaries =
      unsafe picture.color_primaries == AVCOL_PRI_UNSPECIFIED
      ? container.color_primaries : picture.color_primaries
    let transfer =
      unsafe picture.color_trc == AVCOL_TRC_UNSPECIFIED ? container.color_trc : picture.color_trc
    let range =
      unsafe picture.color_range == AVCOL_RANGE_UNSPECIFIED
      ? container.color_range : picture.color_range
    unsafe self.init(
      matrix: space == AVCOL_SPC_UNSPECIFIED
        ? nil : av_color_space_name(space).map { unsafe String(cString: $0) },
      primaries: unsafe primaries == AVCOL_PRI_UNSPECIFIED
        ? nil : av_color_primaries_name(primaries).map { unsafe String(cString: $0) },
      transfer: unsafe transfer == AVCOL_TRC_UNSPECIFIED
        ? nil : av_color_transfer_name(transfer).map { unsafe String(cString: $0) },
      range: unsafe range == AVCOL_RANGE_UNSPECIFIED
        ? nil : av_color_range_name(range).map { unsafe String(cString: $0) })
  }
}
