/// A movie that is encoded frame by frame: a ``VideoEncoder`` and a ``MovieWriter`` for its packets.
struct EncodedMovie: ~Copyable {
  private var encoder: VideoEncoder
  private var writer: MovieWriter
  private var packet: Packet
  private let output: MovieOutput
  private var time: Int64 = 0
  /// Durations of the frames whose packets are still missing, the oldest first.
  private var durations: [Int64] = []
  private var end: LoopEnd

  /// - Parameters:
  ///   - source: a track whose turn and other side data the movie keeps; `nil` for pictures.
  ///   - muxer: libavformat's name of the container: that of a ``MovieContainer``, or `avif`.
  ///   - mostBytes: of the file.
  /// - Throws: `video-not-written` or `out-of-memory`.
  static func open(
    _ format: VideoEncoder.Format, copying source: VideoStream? = nil,
    muxer: String = MovieContainer.mp4.rawValue, atMost mostBytes: Int
  ) throws(InspectionError) -> EncodedMovie {
    let encoder = try VideoEncoder.open(format)
    let output = MovieOutput(atMost: mostBytes)
    let writer = try MovieWriter.open(
      encoder.parameters, timeBase: format.timeBase, tag: format.codec.tag, copying: source,
      samePackets: false, isReordered: false, restsAtEnd: format.restsAtEnd, muxer: muxer,
      into: output)
    return EncodedMovie(
      encoder: encoder, writer: writer, packet: try Packet(), output: output,
      end: LoopEnd(of: format.frameCount, takesRegions: format.takesRegions))
  }

  private init(
    encoder: consuming VideoEncoder, writer: consuming MovieWriter, packet: consuming Packet,
    output: MovieOutput, end: consuming LoopEnd
  ) {
    self.encoder = encoder
    self.writer = writer
    self.packet = packet
    self.output = output
    self.end = end
  }

  /// Adds a frame of planar 4:2:0 in the format's size.
  ///
  /// - Parameter duration: in the format's time base, above zero.
  mutating func append(_ frame: borrowing Frame, duration: Int64) throws(InspectionError) {
    precondition(duration > 0, "a frame is shown for some time")
    durations.append(duration)
    if let leading = try end.next(frame) {
      try encoder.send(leading, at: time)
    } else {
      try encoder.send(frame, at: time)
    }
    time = time.addingClamped(duration)
    try writePackets()
  }

  /// The bytes of the complete file.
  consuming func finish() throws(InspectionError) -> [UInt8] {
    try encoder.drain()
    try writePackets()
    try writer.finish()
    return output.bytes
  }

  private mutating func writePackets() throws(InspectionError) {
    while try encoder.receive(into: &packet) {
      guard let time = packet.pts, time == packet.dts, !durations.isEmpty else {
        throw InspectionError(
          .videoNotWritten, "the encoder reorders frames", operation: "encode")
      }
      try end.take(packet, encoder.parameters)
      try writer.write(&packet, pts: time, dts: time, duration: durations.removeFirst())
      packet.clear()
    }
  }
}
