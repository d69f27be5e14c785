import CFFmpeg

/// What a decoder answers when asked for a frame: these are states, not errors.
enum DecodeStep {
  case frame
  case needsPacket
  case ended
  /// The data was refused; decoding may go on with the next packet.
  case refused(Int32)
}

/// A software video decoder with one thread.
struct VideoDecoder: ~Copyable {
  private let context: UnsafeMutablePointer<AVCodecContext>

  /// - Parameters:
  ///   - reorderDepth: how many frames may precede a frame in decoding order but follow it in
  ///     presentation order. Streams may leave it out of their headers; a decoder that does not know
  ///     it drops the first frames that come out of order.
  static func open(stream: VideoStream, reorderDepth: Int) throws(InspectionError) -> VideoDecoder {
    let parameters = stream.parameters
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw InspectionError(
        .unsupportedCodec, "no decoder for \(stream.codecName) video", operation: nil)
    }
    guard let context = avcodec_alloc_context3(codec) else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the decoder")
    }
    let decoder = VideoDecoder(context: context)
    var status = avcodec_parameters_to_context(context, parameters)
    if status >= 0 {
      context.pointee.thread_count = 1
      context.pointee.pkt_timebase = stream.rawTimeBase
      context.pointee.has_b_frames = max(context.pointee.has_b_frames, Int32(min(reorderDepth, 16)))
      status = avcodec_open2(context, codec, nil)
    }
    guard status >= 0 else {
      throw InspectionError(.unsupportedCodec, status: status, operation: "open the decoder")
    }
    return decoder
  }

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// Hands over one packet. Returns the status of a refused packet, or `nil`. The caller has received
  /// until ``DecodeStep/needsPacket`` before, so the decoder always has room.
  mutating func send(_ packet: borrowing Packet) -> Int32? {
    let status = avcodec_send_packet(context, packet.pointer)
    return status < 0 ? status : nil
  }

  /// Says that no packet follows: what is delayed comes out.
  mutating func drain() { _ = avcodec_send_packet(context, nil) }

  /// Forgets everything, ready for a packet from somewhere else.
  mutating func flush() { avcodec_flush_buffers(context) }

  mutating func receive(into frame: inout Frame) -> DecodeStep {
    let status = avcodec_receive_frame(context, frame.pointer)
    switch status {
    case 0...: return .frame
    case artwork_error_again(): return .needsPacket
    case artwork_error_eof(): return .ended
    default: return .refused(status)
    }
  }

  /// The format of what was decoded, read after the first frame.
  func format(of frame: borrowing Frame, in stream: borrowing VideoStream) -> DecodedFormat {
    DecodedFormat(frame: frame, context: context, stream: stream)
  }
}
