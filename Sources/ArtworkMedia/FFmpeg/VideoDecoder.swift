import CFFmpeg

/// The result of requesting a frame from a decoder: these are states, not errors.
enum DecodeStep {
  case frame
  case needsPacket
  case ended
  /// The data was rejected; decoding may continue with the next packet.
  case refused(Int32)
}

/// A software video decoder with one thread.
@safe struct VideoDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// A number that is not zero once a picture found no memory.
  private let lackedMemory: UnsafeMutablePointer<Int32>

  /// The conditions that count as damage: a checksum that does not match (PNG, and HEVC that carries hashes), and, if
  /// every frame is independent, an error that would be concealed. Frames of intact files are those of ffmpeg's
  /// defaults, which the frame digests of the tests prove. `AV_EF_EXPLODE` everywhere would reject H.264 pictures
  /// that precede an open GOP's keyframe, which are not displayed, and `AV_EF_BITSTREAM` alters an intact MPEG-1
  /// file.
  private static func errorDetection(_ codec: AVCodecID) -> Int32 {
    let properties = unsafe avcodec_descriptor_get(codec)?.pointee.props ?? 0
    return properties & AV_CODEC_PROP_INTRA_ONLY != 0
      ? AV_EF_CRCCHECK | AV_EF_EXPLODE : AV_EF_CRCCHECK
  }

  /// - Parameters:
  ///   - reorderDepth: how many frames may precede a frame in decoding order but follow it in presentation order.
  ///     Streams may omit it from their headers; a decoder that does not know it drops the first reordered frames.
  ///   - limits: the most pixels of a picture.
  /// - Throws: `unsupported-codec` or `out-of-memory`.
  static func open(
    stream: VideoStream, reorderDepth: Int, limits: Limits = Limits()
  ) throws(InspectionError) -> VideoDecoder {
    let parameters = unsafe stream.parameters
    guard unsafe AllowedDecoders.contains(stream.codecID),
      let codec = unsafe stream.alphaDecoder ?? avcodec_find_decoder(parameters.pointee.codec_id)
    else {
      throw InspectionError(
        .unsupportedCodec, unsafe "this FFmpeg has no decoder for \(stream.codecName) video",
        operation: nil)
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the decoder")
    }
    let decoder = unsafe VideoDecoder(context: context)
    unsafe artwork_watch_memory(context, decoder.lackedMemory)
    // Analysis may have tried the container's.
    LogCapture.forgetRefusedSize()
    var status = unsafe avcodec_parameters_to_context(context, parameters)
    if status >= 0 {
      unsafe context.pointee.thread_count = 1
      unsafe context.pointee.max_pixels = limits.pixels
      unsafe context.pointee.err_recognition = unsafe errorDetection(stream.codecID)
      // The bitstream determines the picture size. If the container declares more than the limit, decoding must not
      // even be tried.
      if unsafe stream.pictureArea > limits.pixels {
        unsafe context.pointee.width = 0
        unsafe context.pointee.height = 0
      }
      unsafe context.pointee.pkt_timebase = unsafe stream.rawTimeBase
      unsafe context.pointee.has_b_frames = unsafe max(
        context.pointee.has_b_frames, Int32(min(reorderDepth, 16)))
      status = unsafe avcodec_open2(context, codec, nil)
    }
    guard status >= 0 else {
      // AV1 may state the picture size in its extradata.
      try decoder.checkLimits(status)
      throw InspectionError(.unsupportedCodec, status: status, operation: "open the decoder")
    }
    return decoder
  }

  private init(context: UnsafeMutablePointer<AVCodecContext>) {
    unsafe self.context = unsafe context
    unsafe lackedMemory = .allocate(capacity: 1)
    unsafe lackedMemory.initialize(to: 0)
  }

  deinit {
    defer { unsafe lackedMemory.deallocate() }
    var context: UnsafeMutablePointer<AVCodecContext>? = unsafe context
    unsafe avcodec_free_context(&context)
  }

  /// The picture of a packet that the encoder with these parameters made alone; `nil` if nothing here decodes it.
  static func picture(
    of packet: borrowing Packet, _ parameters: UnsafePointer<AVCodecParameters>
  ) throws(InspectionError) -> Frame? {
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else { return nil }
    guard let context = unsafe avcodec_alloc_context3(codec) else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the decoder")
    }
    var decoder = unsafe VideoDecoder(context: context)
    unsafe context.pointee.thread_count = 1
    guard unsafe avcodec_parameters_to_context(context, parameters) >= 0,
      unsafe avcodec_open2(context, codec, nil) >= 0, try decoder.send(packet) == nil
    else { return nil }
    decoder.drain()
    var frame = try Frame()
    guard case .frame = try decoder.receive(into: &frame) else { return nil }
    return frame
  }

  /// Hands over one packet. Returns the status of a refused packet, or `nil`. The caller has received
  /// until ``DecodeStep/needsPacket`` before, so the decoder always has room.
  ///
  /// - Throws: `out-of-memory`, or `too-large` for a picture beyond the limit.
  mutating func send(_ packet: borrowing Packet) throws(InspectionError) -> Int32? {
    let status = unsafe avcodec_send_packet(context, packet.pointer)
    try checkLimits(status)
    return status < 0 ? status : nil
  }

  /// Throws for a status that must not count as one more rejected packet. A picture beyond the limit comes first:
  /// HEVC reports it as out of memory.
  private func checkLimits(_ status: Int32) throws(InspectionError) {
    if status >= 0, unsafe lackedMemory.pointee == 0 { return }
    if let size = LogCapture.notices.refusedSize, unsafe size.area > context.pointee.max_pixels {
      let most = unsafe context.pointee.max_pixels
      let words = most < 1_000_000 ? "\(most)" : "\(decimal(Double(most) / 1e6, places: 1)) million"
      throw InspectionError(
        .tooLarge,
        "a picture has \(size.width)x\(size.height) pixels (limit \(words))")
    }
    if unsafe status == artwork_error_no_memory() || lackedMemory.pointee != 0 {
      throw InspectionError(
        .outOfMemory, status: artwork_error_no_memory(), operation: "decode")
    }
  }

  /// Signals the end of the packets: delayed frames follow.
  mutating func drain() { _ = unsafe avcodec_send_packet(context, nil) }

  /// Forgets everything, ready for a packet from somewhere else.
  mutating func flush() { unsafe avcodec_flush_buffers(context) }

  /// - Throws: as ``send(_:)``.
  mutating func receive(into frame: inout Frame) throws(InspectionError) -> DecodeStep {
    let status = unsafe avcodec_receive_frame(context, frame.pointer)
    switch status {
    case 0...:
      try checkLimits(status)
      return .frame
    case artwork_error_again(): return .needsPacket
    case artwork_error_eof(): return .ended
    default:
      try checkLimits(status)
      return .refused(status)
    }
  }

  /// The decoded format, read after the first frame.
  func format(of frame: borrowing Frame, in stream: borrowing VideoStream) -> DecodedFormat {
    unsafe DecodedFormat(frame: frame, context: context, stream: stream)
  }
}
