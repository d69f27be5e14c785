import CFFmpeg

/// A filter of libavcodec that rewrites the headers of packets, one packet in and one out. No sample is decoded.
@safe struct BitstreamFilter: ~Copyable {
  private let context: UnsafeMutablePointer<AVBSFContext>

  /// - Parameters:
  ///   - name: libavcodec's, for example `h264_metadata`.
  ///   - options: by libavcodec's names.
  ///   - stream: the packets to come.
  /// - Throws: `unsupported-codec` for a filter that this FFmpeg lacks, `decode-failed` for headers that it
  ///   cannot read, or `out-of-memory`.
  static func open(
    _ name: String, _ options: [(name: String, value: String)], on stream: VideoStream
  ) throws(InspectionError) -> BitstreamFilter {
    guard let filter = unsafe av_bsf_get_by_name(name) else {
      throw InspectionError(.unsupportedCodec, "this FFmpeg has no bitstream filter \(name)")
    }
    var allocated: UnsafeMutablePointer<AVBSFContext>?
    guard unsafe av_bsf_alloc(filter, &allocated) == 0, let context = unsafe allocated else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "rewrite the headers")
    }
    let opened = unsafe BitstreamFilter(context: context)
    var status = unsafe avcodec_parameters_copy(context.pointee.par_in, stream.parameters)
    unsafe context.pointee.time_base_in = unsafe stream.rawTimeBase
    for option in options where status >= 0 {
      status = unsafe av_opt_set(context.pointee.priv_data, option.name, option.value, 0)
    }
    if status >= 0 { status = unsafe av_bsf_init(context) }
    guard status >= 0 else {
      throw InspectionError(.decodeFailed, status: status, operation: "rewrite the headers")
    }
    return opened
  }

  /// A filter that states the colour matrix in H.264 or HEVC.
  ///
  /// - Parameter matrix: by FFmpeg's name.
  /// - Throws: `not-copied` for other codecs.
  static func stating(
    _ matrix: String, in stream: VideoStream
  ) throws(InspectionError) -> BitstreamFilter {
    let code = unsafe av_color_space_from_name(matrix)
    guard code >= 0, unsafe [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(stream.codecID) else {
      throw InspectionError(.notCopied, unsafe "\(stream.codecName) cannot state \(matrix)")
    }
    return try unsafe open(
      unsafe "\(stream.codecName)_metadata", [("matrix_coefficients", "\(code)")], on: unsafe stream
    )
  }

  /// The filter of the codec's metadata, set to change nothing: it reads and writes everything that it knows.
  static func changingNothing(in stream: VideoStream) throws(InspectionError) -> BitstreamFilter {
    try unsafe open(unsafe "\(stream.codecName)_metadata", [], on: unsafe stream)
  }

  private init(context: UnsafeMutablePointer<AVBSFContext>) { unsafe self.context = unsafe context }

  deinit {
    var context: UnsafeMutablePointer<AVBSFContext>? = unsafe context
    unsafe av_bsf_free(&context)
  }

  /// The parameters of the output packets.
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe context.pointee.par_out }

  /// Replaces `packet` by the output of the filter.
  ///
  /// - Throws: `decode-failed` or `out-of-memory`.
  mutating func filter(_ packet: inout Packet) throws(InspectionError) {
    var status = unsafe av_bsf_send_packet(context, packet.pointer)
    if status >= 0 { status = unsafe av_bsf_receive_packet(context, packet.pointer) }
    guard status >= 0 else {
      throw InspectionError(.decodeFailed, status: status, operation: "rewrite the headers")
    }
  }
}
