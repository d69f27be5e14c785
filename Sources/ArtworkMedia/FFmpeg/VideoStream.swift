import CFFmpeg

/// The video stream that was chosen, as its container describes it. Borrowed from a ``Demuxer`` and
/// valid as long as that lives.
@unsafe struct VideoStream {
  private let stream: UnsafeMutablePointer<AVStream>
  private let container: UnsafeMutablePointer<AVFormatContext>

  init(
    _ stream: UnsafeMutablePointer<AVStream>, in container: UnsafeMutablePointer<AVFormatContext>
  ) {
    unsafe self.stream = unsafe stream
    unsafe self.container = unsafe container
  }

  var index: Int { unsafe Int(stream.pointee.index) }
  /// The track ID in ISO base media files.
  var identifier: Int { unsafe Int(stream.pointee.id) }
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe stream.pointee.codecpar }
  var rawTimeBase: AVRational { unsafe stream.pointee.time_base }
  var timeBase: Rational? {
    unsafe Rational(Int64(rawTimeBase.num), Int64(rawTimeBase.den)).flatMap {
      $0 > Rational(0) ? $0 : nil
    }
  }
  var codecID: AVCodecID { unsafe parameters.pointee.codec_id }
  var codecName: String {
    if unsafe codecID == AV_CODEC_ID_NONE { return unsafe codecTag ?? "unknown" }
    return unsafe String(cString: avcodec_get_name(codecID))
  }

  /// The four characters of the sample entry; `nil` if the container has none. Unprintable characters appear as `?`.
  var codecTag: String? {
    let tag = unsafe parameters.pointee.codec_tag
    guard tag != 0 else { return nil }
    return String(
      (0..<4).map { index -> Character in
        let byte = UInt8(truncatingIfNeeded: tag >> (8 * index))
        return (0x20..<0x7f).contains(byte) ? Character(UnicodeScalar(byte)) : "?"
      })
  }

  /// The pixels of a picture, as the container states them.
  var pictureArea: Int64 {
    unsafe Int64(parameters.pointee.width).multipliedClamped(by: Int64(parameters.pointee.height))
  }

  /// The size of a picture, as the container states it.
  var pictureSize: String { unsafe "\(parameters.pointee.width)x\(parameters.pointee.height)" }

  /// Frames in the container's index, with the edit list applied; zero if there is no index.
  var indexedPacketCount: Int { unsafe Int(avformat_index_get_entries_count(stream)) }

  /// The declared duration in time base units.
  var declaredDuration: Int64? {
    let duration = unsafe stream.pointee.duration
    return duration == artwork_no_timestamp() || duration <= 0 ? nil : duration
  }

  var isAttachedPicture: Bool {
    unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
  }

  /// Whether it is a picture outside of any track: libavformat gives such items of HEIF files one packet and whole seconds.
  var isItem: Bool {
    unsafe rawTimeBase.num == 1 && rawTimeBase.den == 1 && stream.pointee.nb_frames == 1
  }

  /// Whether it is one picture: a single sample, or a codec of stills in a container that does not count them.
  var isStill: Bool {
    let stills = [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP, AV_CODEC_ID_WEBP]
    return unsafe stream.pointee.nb_frames == 1
      || stream.pointee.nb_frames == 0 && stills.contains(codecID)
  }

  /// See ``MediaFacts/dolbyVision``.
  var dolbyVision: String? {
    let stated = unsafe artwork_stream_dolby_vision(stream)
    guard stated >= 0 else { return nil }
    let (profile, compatible) = (stated >> 4, stated & 15)
    return compatible == 0 ? "\(profile)" : "\(profile).\(compatible)"
  }

  var displayMatrix: [Int32]? {
    var matrix = [Int32](repeating: 0, count: 9)
    return unsafe artwork_stream_display_matrix(stream, &matrix) == 1 ? matrix : nil
  }

  /// The ICC profile that the container states; `nil` for none.
  var iccProfile: [UInt8]? {
    var size = 0
    let bytes = unsafe artwork_stream_side_data(stream, AV_PKT_DATA_ICC_PROFILE, &size)
    return unsafe bytes.map { unsafe Array(UnsafeBufferPointer(start: $0, count: size)) }
  }

  /// The container's sample aspect ratio, else the bitstream's, else square. That of GIF is a byte that no browser reads.
  func sampleAspect(of frame: borrowing Frame) -> Rational {
    if unsafe codecID == AV_CODEC_ID_GIF { return .one }
    let ratio = unsafe av_guess_sample_aspect_ratio(container, stream, frame.pointer)
    return Rational(Int64(ratio.num), Int64(ratio.den)).flatMap { $0 > Rational(0) ? $0 : nil }
      ?? .one
  }

  /// The sample aspect ratio before a frame is decoded; 0 for none.
  var containerSampleAspect: AVRational {
    unsafe av_guess_sample_aspect_ratio(container, stream, nil)
  }

  /// Copies this stream's properties besides its codec parameters to an output stream: rotation, and HDR metadata.
  ///
  /// - Parameter samePackets: whether the packets are copied; encoding makes some of the side data obsolete.
  /// - Throws: `out-of-memory`.
  func copySideData(
    to other: UnsafeMutablePointer<AVStream>, samePackets: Bool
  ) throws(InspectionError) {
    guard unsafe artwork_copy_stream_side_data(other, stream, samePackets ? 1 : 0) >= 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "copy the video")
    }
  }

  /// Whether the container says that the packets are encrypted: `encv` (ISO/IEC 14496-12, 8.12), or a key in Matroska.
  var isEncrypted: Bool {
    unsafe codecTag == "encv" || av_dict_get(stream.pointee.metadata, "enc_key_id", nil, 0) != nil
  }

  /// The decoder for VP8 and VP9 with alpha, which Matroska stores beside each frame and FFmpeg's own decoders
  /// ignore; `nil` for everything else, and in builds of FFmpeg without libvpx.
  var alphaDecoder: UnsafePointer<AVCodec>? {
    guard let mode = unsafe av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0),
      unsafe String(cString: mode.pointee.value) == "1"
    else { return nil }
    switch unsafe codecID {
    case AV_CODEC_ID_VP8: return unsafe avcodec_find_decoder_by_name("libvpx")
    case AV_CODEC_ID_VP9: return unsafe avcodec_find_decoder_by_name("libvpx-vp9")
    default: return nil
    }
  }

  /// The container's colours if they differ from `color`, which follows the bitstream; `nil` if they do not
  /// contradict it.
  func containerColor(contradicting color: ColorDescription) -> ColorDescription? {
    let stated = unsafe ColorDescription(parameters.pointee)
    return stated.contradicts(color) ? stated : nil
  }

  /// The location of the parameter sets of H.264 and HEVC with an `avcC` or `hvcC` box, which `avc3` and `hev1` may
  /// leave empty (ISO/IEC 14496-15, 5.4.2.1 and 8.4.1); `nil` for everything else.
  var parameterSets: ParameterSetPlace? {
    let isHEVC = unsafe codecID == AV_CODEC_ID_HEVC
    guard unsafe isHEVC || codecID == AV_CODEC_ID_H264, unsafe setupData.first == 1,
      let units = unsafe NALUnits(codec: isHEVC ? .hevc : .h264, setupData: setupData)
    else { return nil }
    // Sequence parameter sets (ITU-T H.265, table 7-1, and H.264, table 7-1).
    let isThere = units.setup.contains { unit in
      unit.first.map { isHEVC ? $0 >> 1 & 0x3f == 33 : $0 & 0x1f == 7 } ?? false
    }
    return isThere ? .header : .frames
  }

  /// The codec's extradata (`avcC`, `hvcC`, ...).
  var setupData: [UInt8] {
    let count = unsafe Int(parameters.pointee.extradata_size)
    guard let data = unsafe parameters.pointee.extradata, count > 0 else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data, count: count))
  }
}
