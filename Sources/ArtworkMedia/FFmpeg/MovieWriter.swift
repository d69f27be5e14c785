import CFFmpeg

/// Writes one MP4, QuickTime, WebM or AVIF file with one video track into memory, its header first; that of AVIF may have
/// its alpha in a second one.
///
/// Packets come from a ``VideoEncoder`` or are copied from a ``Demuxer``. The file holds no sound, at most one
/// comment, no time of creation and no name of a program, so that the same packets give the same bytes.
@safe struct MovieWriter: ~Copyable {
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let io: UnsafeMutablePointer<AVIOContext>
  private let output: MovieOutput
  private let timeBase: AVRational

  /// Writes the start of the file.
  ///
  /// - Parameters:
  ///   - parameters: of the codec, with an encoder's extradata.
  ///   - alpha: those of the second track, if there is one.
  ///   - timeBase: the unit of the packets' times.
  ///   - tag: the four characters of the sample entry; `nil` leaves them to libavformat.
  ///   - source: the track whose rotation and HDR metadata are copied.
  ///   - samePackets: whether its packets are, too.
  ///   - isReordered: whether the start of the presentation needs an edit list.
  ///   - restsAtEnd: see ``MediaFacts/restsAtEnd``.
  ///   - muxer: libavformat's name of the container. In WebM each frame lasts a tick.
  ///   - more: options of the muxer.
  /// - Throws: `video-not-written` for a codec that the container cannot hold, or without room; `out-of-memory`.
  static func open(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>,
    alpha: UnsafeMutablePointer<AVCodecParameters>? = nil, timeBase: Rational, tag: String? = nil,
    copying source: VideoStream? = nil, samePackets: Bool = true, isReordered: Bool = true,
    rotation: Int? = nil, restsAtEnd: Bool = false, muxer: String,
    options more: [String: String] = [:],
    into output: MovieOutput
  ) throws(InspectionError) -> MovieWriter {
    let io = try unsafe output.writingIO()
    var allocated: UnsafeMutablePointer<AVFormatContext>?
    guard unsafe avformat_alloc_output_context2(&allocated, nil, muxer, nil) >= 0,
      let context = unsafe allocated,
      let streams = unsafe Self.tracks(
        [parameters] + [alpha].compactMap(unsafe \.self), in: unsafe context)
    else {
      unsafe avformat_free_context(allocated)
      unsafe MovieOutput.free(io)
      throw InspectionError(.outOfMemory, "out of memory", operation: "write the video")
    }
    let counted = AVRational(
      num: Int32(clamping: timeBase.numerator), den: Int32(clamping: timeBase.denominator))
    let writer = unsafe MovieWriter(context: context, io: io, output: output, timeBase: counted)
    unsafe context.pointee.pb = unsafe io
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT
    writer.moveHeaderInMemory()
    if restsAtEnd { unsafe av_dict_set(&context.pointee.metadata, "comment", restComment, 0) }
    for index in unsafe streams.indices {
      let stream = unsafe streams[index]
      // Tags of other containers mean nothing here.
      unsafe stream.pointee.codecpar.pointee.codec_tag = tag.map(Self.code) ?? 0
      unsafe stream.pointee.time_base = counted
      // WebM states the duration of every frame once. Each is a tick of the time base.
      if muxer == MovieContainer.webm.rawValue {
        unsafe stream.pointee.avg_frame_rate = av_inv_q(counted)
      }
      unsafe stream.pointee.sample_aspect_ratio = unsafe parameters.pointee.sample_aspect_ratio
      try unsafe source?.copySideData(to: stream, samePackets: samePackets)
      if let rotation {
        let matrix = Orientation.matrix(quarterTurnsBack: -rotation / 90, mirroring: nil)
        guard unsafe artwork_stream_turn(stream, matrix) >= 0 else {
          throw InspectionError(.outOfMemory, "out of memory", operation: "write the video")
        }
      }
    }
    var options: OpaquePointer?
    defer { unsafe av_dict_free(&options) }
    unsafe av_dict_set(&options, "movflags", "+faststart", 0)
    unsafe av_dict_set_int(&options, "use_editlist", isReordered ? 1 : 0, 0)
    // Otherwise the movie counts in milliseconds, and its length is rounded to one.
    let timescale = Self.timescale(counted.den)
    unsafe av_dict_set_int(&options, "video_track_timescale", timescale, 0)
    unsafe av_dict_set_int(&options, "movie_timescale", timescale, 0)
    for (name, value) in more { unsafe av_dict_set(&options, name, value, 0) }
    try unsafe writer.check(avformat_write_header(context, &options))
    return writer
  }

  /// `nil` without memory.
  private static func tracks(
    _ parameters: [UnsafeMutablePointer<AVCodecParameters>],
    in context: UnsafeMutablePointer<AVFormatContext>
  ) -> [UnsafeMutablePointer<AVStream>]? {
    let streams = unsafe parameters.compactMap { parameters in
      unsafe avformat_new_stream(context, nil).flatMap {
        unsafe avcodec_parameters_copy($0.pointee.codecpar, parameters) >= 0 ? $0 : nil
      }
    }
    return unsafe streams.count == parameters.count ? streams : nil
  }

  /// The comment in a file that states ``MediaFacts/restsAtEnd``.
  static let restComment = "artworkd: the last frame rests, as in the animation"

  deinit {
    unsafe avformat_free_context(context)
    unsafe MovieOutput.free(io)
  }

  /// Adds a packet, in decoding order.
  ///
  /// - Parameters:
  ///   - pts, dts: in the writer's time base. A first packet that is decoded before zero gets an edit list.
  ///   - duration: until the next packet of the decoding order; of the last one, until the end.
  mutating func write(
    _ packet: inout Packet, track: Int = 0, pts: Int64, dts: Int64, duration: Int64
  ) throws(InspectionError) {
    guard let stream = unsafe context.pointee.streams[track] else {
      preconditionFailure("the file has this track")
    }
    let raw = unsafe packet.pointer
    unsafe raw.pointee.stream_index = Int32(track)
    unsafe (raw.pointee.pts, raw.pointee.dts, raw.pointee.duration) = (pts, dts, duration)
    unsafe raw.pointee.pos = -1
    unsafe av_packet_rescale_ts(raw, timeBase, stream.pointee.time_base)
    try unsafe check(av_write_frame(context, raw))
  }

  /// Writes the header and moves it before the data. The bytes of ``MovieOutput`` are complete then.
  consuming func finish() throws(InspectionError) {
    try unsafe check(av_write_trailer(context))
    unsafe avio_flush(io)
    try unsafe check(io.pointee.error)
  }

  private func check(_ status: Int32) throws(InspectionError) {
    if output.isFull {
      throw InspectionError(
        .videoNotWritten, "the video would have more than \(output.mostBytes) bytes",
        operation: "write the video", advice: "make it smaller or shorter")
    }
    guard status >= 0 else {
      throw InspectionError(.videoNotWritten, status: status, operation: "write the video")
    }
  }

  /// Lets libavformat open its output a second time to move the header, which it does by name. The output has none.
  private func moveHeaderInMemory() {
    unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(output).toOpaque()
    unsafe context.pointee.io_open = { context, io, _, flags, _ in
      guard flags == AVIO_FLAG_READ,
        let again = try? unsafe MovieOutput.from(context?.pointee.opaque).readingIO()
      else { return artwork_error_from_errno(EPERM) }
      unsafe io?.pointee = unsafe again
      return 0
    }
    unsafe context.pointee.io_close2 = { _, io in
      unsafe MovieOutput.free(io)
      return 0
    }
  }

  /// Ticks per second, at least as many as ffmpeg uses.
  private static func timescale(_ denominator: Int32) -> Int64 {
    var scale = Int64(max(1, denominator))
    while scale < 10_000 { scale *= 2 }
    return scale
  }

  private static func code(_ tag: String) -> UInt32 {
    tag.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
