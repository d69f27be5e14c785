import CFFmpeg

/// A stream of one packet that no demuxer reads: the coded picture of an item.
@safe struct SinglePacket: ~Copyable {
  private let container: UnsafeMutablePointer<AVFormatContext>
  private let stream: VideoStream
  private let packet: Packet

  /// - Parameter bytes: of a picture.
  /// - Throws: `out-of-memory`.
  static func av1(_ bytes: [UInt8]) throws(InspectionError) -> SinglePacket {
    let packet = try Packet.copy(of: bytes)
    guard let container = unsafe avformat_alloc_context() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "decode")
    }
    guard let stream = unsafe avformat_new_stream(container, nil) else {
      unsafe avformat_free_context(container)
      throw InspectionError(.outOfMemory, "out of memory", operation: "decode")
    }
    unsafe stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_AV1
    return unsafe SinglePacket(container, VideoStream(stream, in: container), packet)
  }

  private init(
    _ container: UnsafeMutablePointer<AVFormatContext>, _ stream: VideoStream,
    _ packet: consuming Packet
  ) {
    unsafe (self.container, self.stream) = unsafe (container, stream)
    self.packet = packet
  }

  deinit { unsafe avformat_free_context(container) }

  /// Lends the picture to `body`.
  ///
  /// - Throws: `decode-failed` for a damaged one, `too-large`.
  func decode<R: ~Copyable>(
    limits: Limits, _ body: (borrowing Frame, DecodedFormat) throws(InspectionError) -> R
  ) throws(InspectionError) -> R {
    var decoder = try unsafe VideoDecoder.open(stream: stream, reorderDepth: 0, limits: limits)
    guard try decoder.send(packet) == nil else { throw .damagedStill }
    decoder.drain()
    var frame = try Frame()
    guard case .frame = try decoder.receive(into: &frame), !frame.isDamaged else {
      throw .damagedStill
    }
    return try unsafe body(frame, decoder.format(of: frame, in: stream))
  }
}
