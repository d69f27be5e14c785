import CFFmpeg

/// The transparency of an AVIF sequence: a second track with a gray picture for each of the first (AV1 Image File
/// Format, 4.1 and 6.3), which a second demuxer and decoder read.
///
/// A class because frames request its pictures while the clip's own demuxer is lent to their reader. Not shared
/// between threads.
@safe final class AlphaTrack {
  private let input: InputFile
  private let limits: Limits
  private var reading: Reading
  /// The picture that comes next.
  private var next = 0

  @unsafe private struct Reading: ~Copyable {
    let demuxer: Demuxer
    let stream: VideoStream
    var decoder: VideoDecoder
    var packet: Packet
    var frame: Frame
    var isDrained = false

    static func open(_ input: InputFile, _ limits: Limits) throws(InspectionError) -> Reading? {
      let demuxer = try Demuxer.open(input, limits: limits)
      guard let stream = try unsafe demuxer.selectAlpha() else { return nil }
      let decoder = try unsafe VideoDecoder.open(stream: stream, reorderDepth: 0, limits: limits)
      let packet = try Packet()
      let frame = try Frame()
      return unsafe Reading(
        demuxer: demuxer, stream: stream, decoder: decoder, packet: packet, frame: frame)
    }

    /// Decodes the next picture into ``frame``; false at the end.
    mutating func advance() throws(InspectionError) -> Bool {
      while true {
        switch try unsafe decoder.receive(into: &frame) {
        case .frame: return true
        case .ended: return false
        case .refused: throw AlphaTrack.damaged
        case .needsPacket:
          guard unsafe !isDrained else { return false }
          guard try unsafe readPacket() else {
            unsafe decoder.drain()
            unsafe isDrained = true
            continue
          }
          if try unsafe decoder.send(packet) != nil { throw AlphaTrack.damaged }
        }
      }
    }

    private mutating func readPacket() throws(InspectionError) -> Bool {
      while try unsafe demuxer.read(into: &packet) {
        if unsafe packet.streamIndex == stream.index, unsafe !packet.isEmpty { return true }
      }
      return false
    }
  }

  /// - Parameter frames: of the clip; a track with another number of frames is not its alpha.
  /// - Returns: `nil` for a clip without a matching alpha track.
  static func of(
    _ clip: InputFile, frames: Int, limits: Limits
  ) throws(InspectionError) -> AlphaTrack? {
    let input = InputFile(sharing: clip)
    guard let scanned = try unsafe Reading.open(input, limits),
      try unsafe PacketTable(scanning: scanned.demuxer, stream: scanned.stream).displayedCount
        == frames,
      let reading = try unsafe Reading.open(input, limits)
    else { return nil }
    return unsafe AlphaTrack(input, limits, reading)
  }

  private init(_ input: InputFile, _ limits: Limits, _ reading: consuming Reading) {
    (self.input, self.limits) = (input, limits)
    unsafe self.reading = unsafe reading
  }

  fileprivate static let damaged = InspectionError(
    .decodeFailed, "its track of transparency is damaged")

  /// The frame with the samples of picture `number` as its alpha; the frame unchanged if its format cannot have
  /// alpha.
  ///
  /// - Throws: `decode-failed` for a damaged picture, or one of another size; `out-of-memory`.
  func composed(_ frame: borrowing Frame, _ number: Int) throws(InspectionError) -> Frame {
    guard Self.format(adding: frame.format) != nil else { return try frame.shared() }
    if number < next - 1 {
      guard let fresh = try unsafe Reading.open(input, limits) else { throw Self.damaged }
      unsafe reading = unsafe fresh
      next = 0
    }
    while next <= number {
      guard try unsafe reading.advance() else { throw Self.damaged }
      next += 1
    }
    return try unsafe frame.addingAlpha(reading.frame)
  }

  /// The format with alpha for `format`; `nil` if there is none.
  static func format(adding format: AVPixelFormat) -> AVPixelFormat? {
    guard let name = unsafe av_get_pix_fmt_name(format).map({ unsafe String(cString: $0) }) else {
      return nil
    }
    let other: String
    switch name.prefix(3) {
    case "yuv" where name.hasPrefix("yuv4"): other = "yuva" + name.dropFirst(3)
    case "gbr" where name.hasPrefix("gbrp"): other = "gbrap" + name.dropFirst(4)
    default: return nil
    }
    let found = unsafe av_get_pix_fmt(other)
    return found == AV_PIX_FMT_NONE ? nil : found
  }
}

extension Frame {
  /// The frame with the first plane of `alpha` as its alpha plane, in the bit depth of its own samples.
  func addingAlpha(_ alpha: borrowing Frame) throws(InspectionError) -> Frame {
    guard let format = AlphaTrack.format(adding: format), alpha.width == width,
      alpha.height == height,
      let own = unsafe av_pix_fmt_desc_get(self.format)?.pointee.comp.0,
      let other = unsafe av_pix_fmt_desc_get(alpha.format)?.pointee.comp.0
    else { throw AlphaTrack.damaged }
    let result = try Frame.empty(size: PixelSize(width: width, height: height), format: format)
    guard unsafe av_frame_copy_props(result.pointer, pointer) == 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "decode")
    }
    let (source, target) = unsafe (pointer.pointee, result.pointer.pointee)
    let planes = unsafe [
      (source.data.0, source.linesize.0, target.data.0, target.linesize.0),
      (source.data.1, source.linesize.1, target.data.1, target.linesize.1),
      (source.data.2, source.linesize.2, target.data.2, target.linesize.2),
    ]
    let lines = unsafe av_pix_fmt_desc_get(self.format)?.pointee
    for index in unsafe planes.indices {
      let plane = unsafe planes[index]
      let shift = unsafe index == 0 ? 0 : Int32(lines?.log2_chroma_h ?? 0)
      let rows = -((-Int32(height)) >> shift)
      let bytes = av_image_get_linesize(self.format, Int32(width), Int32(index))
      unsafe av_image_copy_plane(plane.2, plane.3, plane.0, plane.1, bytes, rows)
    }
    guard let from = unsafe alpha.pointer.pointee.data.0, let into = unsafe target.data.3 else {
      throw AlphaTrack.damaged
    }
    let (fromRow, intoRow) = unsafe (Int(alpha.pointer.pointee.linesize.0), Int(target.linesize.3))
    let (fromMost, intoMost) = (1 << Int(other.depth) - 1, 1 << Int(own.depth) - 1)
    for y in 0..<height {
      let (line, written) = unsafe (
        UnsafeRawPointer(from + y * fromRow), UnsafeMutableRawPointer(into + y * intoRow)
      )
      for x in 0..<width {
        let value =
          unsafe other.depth > 8
          ? Int(line.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self))
          : Int(line.load(fromByteOffset: x, as: UInt8.self))
        let scaled = (min(value, fromMost) * intoMost + fromMost / 2) / fromMost
        if own.depth > 8 {
          unsafe written.storeBytes(
            of: UInt16(truncatingIfNeeded: scaled), toByteOffset: x * 2, as: UInt16.self)
        } else {
          unsafe written.storeBytes(
            of: UInt8(truncatingIfNeeded: scaled), toByteOffset: x, as: UInt8.self)
        }
      }
    }
    return result
  }
}

extension DecodedFormat {
  /// This format with alpha from a separate track.
  func addingAlpha() -> DecodedFormat {
    guard let format = unsafe AlphaTrack.format(adding: av_get_pix_fmt(pixelFormat)),
      let name = unsafe av_get_pix_fmt_name(format)
    else { return self }
    var result = self
    (result.hasAlpha, result.pixelFormat) = unsafe (true, String(cString: name))
    return result
  }
}
