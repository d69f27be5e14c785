import CFFmpeg

/// A movie that is encoded frame by frame: a ``VideoEncoder`` and a ``MovieWriter`` for its packets. AVIF has its alpha in
/// a second track, with an encoder of its own.
struct EncodedMovie: ~Copyable {
  private var encoder: VideoEncoder
  private var alpha: VideoEncoder?
  private var writer: MovieWriter
  private var packet: Packet
  private let output: MovieOutput
  private var time: Int64 = 0
  /// Durations, track by track, of the frames whose packets are still missing, the oldest first.
  private var durations: [[Int64]]
  private var end: LoopEnd

  /// - Parameters:
  ///   - source: a track whose turn and other side data the movie keeps; `nil` for pictures.
  ///   - muxer: libavformat's name of the container: that of a ``MovieContainer``, `avif` or `apng`.
  ///   - options: of the muxer.
  ///   - mostBytes: of the file.
  /// - Throws: `video-not-written` or `out-of-memory`.
  static func open(
    _ format: VideoEncoder.Format, copying source: VideoStream? = nil,
    muxer: String = MovieContainer.mp4.rawValue, options: [String: String] = [:],
    atMost mostBytes: Int
  ) throws(InspectionError) -> EncodedMovie {
    var format = format
    var second: VideoEncoder?
    if case .av1 = format.codec, format.content == .colorsAndAlpha {
      format.content = .alpha
      second = try VideoEncoder.open(format)
      format.content = .colors
    }
    let encoder = try VideoEncoder.open(format)
    let output = MovieOutput(atMost: mostBytes)
    let writer = try unsafe MovieWriter.open(
      encoder.parameters, alpha: second?.parameters, timeBase: format.timeBase,
      tag: format.codec.tag, copying: source, samePackets: false, isReordered: false,
      restsAtEnd: format.restsAtEnd, muxer: muxer, options: options, into: output)
    return EncodedMovie(
      encoder: encoder, alpha: second, writer: writer, packet: try Packet(), output: output,
      end: LoopEnd(of: format.frameCount, takesRegions: format.takesRegions))
  }

  private init(
    encoder: consuming VideoEncoder, alpha: consuming VideoEncoder?, writer: consuming MovieWriter,
    packet: consuming Packet, output: MovieOutput, end: consuming LoopEnd
  ) {
    self.encoder = encoder
    durations = alpha == nil ? [[]] : [[], []]
    self.alpha = alpha
    self.writer = writer
    self.packet = packet
    self.output = output
    self.end = end
  }

  /// Adds a frame of planar 4:2:0, with its alpha where the format has it, in the format's size.
  ///
  /// - Parameter duration: in the format's time base, above zero.
  mutating func append(_ frame: borrowing Frame, duration: Int64) throws(InspectionError) {
    precondition(duration > 0, "a frame is shown for some time")
    for track in durations.indices { durations[track].append(duration) }
    if alpha != nil { try alpha?.send(frame.alpha(), at: time) }
    let frame = try alpha == nil ? frame.shared() : frame.withoutAlpha()
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
    try alpha?.drain()
    try writePackets()
    try writer.finish()
    return output.bytes
  }

  private mutating func writePackets() throws(InspectionError) {
    while try encoder.receive(into: &packet) {
      try unsafe end.take(packet, encoder.parameters)
      try write(track: 0)
    }
    while try alpha?.receive(into: &packet) == true { try write(track: 1) }
  }

  private mutating func write(track: Int) throws(InspectionError) {
    guard let time = packet.pts, time == packet.dts, !durations[track].isEmpty else {
      throw InspectionError(.videoNotWritten, "the encoder reorders frames", operation: "encode")
    }
    try writer.write(
      &packet, track: track, pts: time, dts: time, duration: durations[track].removeFirst())
    packet.clear()
  }
}

extension Frame {
  /// The alpha plane as a gray picture.
  fileprivate func alpha() throws(InspectionError) -> Frame {
    let result = try Frame.empty(
      size: PixelSize(width: width, height: height), format: AV_PIX_FMT_GRAY8)
    let (from, to) = unsafe (pointer.pointee, result.pointer.pointee)
    unsafe av_image_copy_plane(
      to.data.0, to.linesize.0, from.data.3, from.linesize.3, Int32(width), Int32(height))
    return result
  }

  /// The planes of the colours, which are not copied.
  fileprivate func withoutAlpha() throws(InspectionError) -> Frame {
    let result = try shared()
    unsafe result.pointer.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    return result
  }
}

extension Rational {
  /// The fraction of two numbers of 16 bits that is nearest, for an option of FFmpeg.
  var shortFraction: String {
    var (above, below) = (Int32(0), Int32(1))
    unsafe av_reduce(&above, &below, numerator, denominator, Int64(UInt16.max))
    return "\(above)/\(below)"
  }
}
