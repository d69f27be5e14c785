import CFFmpeg

/// The video stream that was chosen, as its container describes it. Borrowed from a ``Demuxer`` and
/// valid as long as that lives.
struct VideoStream {
  private let stream: UnsafeMutablePointer<AVStream>
  private let container: UnsafeMutablePointer<AVFormatContext>

  init(
    _ stream: UnsafeMutablePointer<AVStream>, in container: UnsafeMutablePointer<AVFormatContext>
  ) {
    self.stream = stream
    self.container = container
  }

  var index: Int { Int(stream.pointee.index) }
  /// The track ID in ISO base media files.
  var identifier: Int { Int(stream.pointee.id) }
  var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
  var rawTimeBase: AVRational { stream.pointee.time_base }
  var timeBase: Rational? {
    Rational(Int64(rawTimeBase.num), Int64(rawTimeBase.den)).flatMap { $0 > Rational(0) ? $0 : nil }
  }
  var codecID: AVCodecID { parameters.pointee.codec_id }
  var codecName: String {
    if codecID == AV_CODEC_ID_NONE { return codecTag ?? "unknown" }
    return String(cString: avcodec_get_name(codecID))
  }

  /// The four characters of the sample entry; `nil` where the container has none. Characters that
  /// cannot be printed show as `?`.
  var codecTag: String? {
    let tag = parameters.pointee.codec_tag
    guard tag != 0 else { return nil }
    return String(
      (0..<4).map { index -> Character in
        let byte = UInt8(truncatingIfNeeded: tag >> (8 * index))
        return (0x20..<0x7f).contains(byte) ? Character(UnicodeScalar(byte)) : "?"
      })
  }

  /// The pixels of a picture, as the container states them.
  var pictureArea: Int64 {
    Int64(parameters.pointee.width).multipliedClamped(by: Int64(parameters.pointee.height))
  }

  /// The size of a picture, as the container states it.
  var pictureSize: String { "\(parameters.pointee.width)x\(parameters.pointee.height)" }

  /// Frames in the container's index, edit list applied; zero where there is no index.
  var indexedPacketCount: Int { Int(avformat_index_get_entries_count(stream)) }

  /// The declared duration in time base units.
  var declaredDuration: Int64? {
    let duration = stream.pointee.duration
    return duration == artwork_no_timestamp() || duration <= 0 ? nil : duration
  }

  var isAttachedPicture: Bool { stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }

  /// Whether it is a picture outside of any track: libavformat gives such items of HEIF files one packet and whole seconds.
  var isItem: Bool {
    rawTimeBase.num == 1 && rawTimeBase.den == 1 && stream.pointee.nb_frames == 1
  }

  var displayMatrix: [Int32]? {
    var matrix = [Int32](repeating: 0, count: 9)
    return artwork_stream_display_matrix(stream, &matrix) == 1 ? matrix : nil
  }

  /// The container's sample aspect ratio, else the bitstream's, else square.
  func sampleAspect(of frame: borrowing Frame) -> Rational {
    let ratio = av_guess_sample_aspect_ratio(container, stream, frame.pointer)
    return Rational(Int64(ratio.num), Int64(ratio.den)).flatMap { $0 > Rational(0) ? $0 : nil }
      ?? .one
  }

  /// The sample aspect ratio before a frame is decoded; 0 for none.
  var containerSampleAspect: AVRational { av_guess_sample_aspect_ratio(container, stream, nil) }

  /// Gives a stream that is written what this one says beside its codec parameters: how the picture is turned, and HDR
  /// metadata.
  ///
  /// - Parameter samePackets: whether the packets are copied; encoding drops some of what they hold.
  /// - Throws: `out-of-memory`.
  func copySideData(
    to other: UnsafeMutablePointer<AVStream>, samePackets: Bool
  ) throws(InspectionError) {
    guard artwork_copy_stream_side_data(other, stream, samePackets ? 1 : 0) >= 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "copy the video")
    }
  }

  /// Whether HEVC in an `hvcC` box has no parameter sets there, which `hev1` allows (ISO/IEC 14496-15, 8.4.1).
  var keepsParameterSetsInFrames: Bool {
    let setup = setupData
    // Byte 22 counts the arrays of parameter sets (8.3.3.1).
    return codecID == AV_CODEC_ID_HEVC && setup.count >= 23 && setup[0] == 1 && setup[22] == 0
  }

  /// The codec's set-up data (`avcC`, `hvcC`, ...).
  var setupData: [UInt8] {
    let count = Int(parameters.pointee.extradata_size)
    guard let data = parameters.pointee.extradata, count > 0 else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: count))
  }
}
