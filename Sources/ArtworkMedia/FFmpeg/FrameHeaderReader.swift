import CFFmpeg

/// Reads the few header bits of a compressed frame that determine whether it can be skipped or decoding can start at
/// it. If the bits are inconclusive, the answer is the safe one.
struct FrameHeaderReader {
  private enum Kind {
    case h264(lengthSize: Int)
    case hevc(lengthSize: Int, highestLayer: Int)
    /// H.264 or HEVC without length prefixes: not read, so never left out and never started from.
    case byteStream
    case vp8
    case vp9
    case other
  }

  private let kind: Kind

  init(stream: VideoStream) {
    let setup = unsafe stream.setupData
    switch unsafe stream.codecID {
    case AV_CODEC_ID_H264 where setup.count >= 7 && setup[0] == 1:
      // avcC: the low two bits of byte 4 (ISO/IEC 14496-15, 5.3.3.1).
      kind = .h264(lengthSize: Int(setup[4] & 3) + 1)
    case AV_CODEC_ID_HEVC where setup.count >= 23 && setup[0] == 1:
      // hvcC: byte 21 holds constantFrameRate(2) numTemporalLayers(3) nested(1) lengthSize-1(2)
      // (ISO/IEC 14496-15, 8.3.3.1). Zero layers means unknown.
      let layers = Int(setup[21] >> 3 & 7)
      kind = .hevc(
        lengthSize: Int(setup[21] & 3) + 1, highestLayer: layers == 0 ? Int.max : layers - 1)
    case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC: kind = .byteStream
    case AV_CODEC_ID_VP8: kind = .vp8
    case AV_CODEC_ID_VP9: kind = .vp9
    default: kind = .other
    }
  }

  /// Whether no other frame references this one, so that dropping it changes nothing else.
  func isDroppable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .h264(let lengthSize):
      // nal_ref_idc is zero in every slice (ITU-T H.264, 7.4.1); types 1 to 5 are slices.
      return unsafe allSlices(in: bytes, lengthSize: lengthSize) { nal in
        let type = unsafe nal[0] & 0x1f
        guard (1...5).contains(type) else { return nil }
        return unsafe nal[0] & 0x60 == 0
      }
    case .hevc(let lengthSize, let highestLayer):
      // Sub-layer non-reference pictures have even types below 16 and may still be referred to from
      // higher temporal layers (ITU-T H.265, table 7-1); types below 32 are slices.
      return unsafe allSlices(in: bytes, lengthSize: lengthSize) { nal in
        guard unsafe nal.count >= 2 else { return false }
        let type = unsafe nal[0] >> 1 & 0x3f
        guard type < 32 else { return nil }
        return unsafe type < 16 && type % 2 == 0 && Int(nal[1] & 7) - 1 >= highestLayer
      }
    case .byteStream, .vp8, .vp9, .other: return false
    }
  }

  /// Whether decoding can start here and give every later frame exactly. Containers are sometimes
  /// wrong about it (no sample table means "all").
  func isRandomAccess(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .h264(let lengthSize):
      var found = false
      _ = unsafe allSlices(in: bytes, lengthSize: lengthSize) { nal in
        if unsafe nal[0] & 0x1f == 5 || (nal[0] & 0x1f == 6 && Self.isImmediateRecoveryPoint(nal)) {
          found = true
        }
        return true
      }
      return found
    case .hevc(let lengthSize, _):
      var found = false
      _ = unsafe allSlices(in: bytes, lengthSize: lengthSize) { nal in
        if unsafe (16...23).contains(nal[0] >> 1 & 0x3f) { found = true }
        return true
      }
      return found
    case .byteStream: return false
    case .vp8, .vp9, .other: return true
    }
  }

  /// Whether a frame is decoded but never displayed.
  func isHidden(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = unsafe bytes.first else { return false }
    switch kind {
    case .vp8: return first & 0x10 == 0  // show_frame (RFC 6386, 9.1)
    case .vp9:
      // frame_marker(2) profile(2, one more bit for profile 3) show_existing_frame(1)
      // frame_type(1) show_frame(1) (VP9 bitstream specification, 6.2). A superframe holds several
      // frames, the last of which is displayed.
      if unsafe Self.isSuperframe(bytes) { return false }
      guard first >> 6 == 2 else { return false }
      let isProfile3 = first & 0x30 == 0x30
      let showExisting = isProfile3 ? first & 0x04 : first & 0x08
      let showFrame = isProfile3 ? first & 0x01 : first & 0x02
      return showExisting == 0 && showFrame == 0
    case .h264, .hevc, .byteStream, .other: return false
    }
  }

  /// A superframe ends with an index that starts and ends with the same marker byte, 110 magnitude(2)
  /// frames(3) (VP9 bitstream specification, annex B).
  private static func isSuperframe(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let marker = unsafe bytes.last, marker & 0xe0 == 0xc0 else { return false }
    let size = 2 + (Int(marker >> 3 & 3) + 1) * (Int(marker & 7) + 1)
    return unsafe bytes.count >= size && bytes[bytes.count - size] == marker
  }

  /// Calls `judge` for each NAL unit; it answers `nil` for those that do not count. True when at least
  /// one counted and all that did agreed; false for a malformed access unit.
  private func allSlices(
    in bytes: UnsafeRawBufferPointer, lengthSize: Int,
    judge: (UnsafeRawBufferPointer.SubSequence) -> Bool?
  ) -> Bool {
    var offset = 0
    var counted = false
    while offset < bytes.count {
      guard bytes.count - offset > lengthSize else { return false }
      let length = unsafe bytes[offset..<offset + lengthSize].reduce(0) { $0 << 8 | Int($1) }
      offset += lengthSize
      guard length > 0, length <= bytes.count - offset else { return false }
      let unit = unsafe bytes[offset..<offset + length]
      let nal = unsafe UnsafeRawBufferPointer(rebasing: unit)
      if let agrees = unsafe judge(nal[...]) {
        guard agrees else { return false }
        counted = true
      }
      offset += length
    }
    return counted
  }

  /// A recovery point SEI message with recovery_frame_cnt 0 and exact_match_flag 1 (ITU-T H.264,
  /// D.1.8): everything after it in presentation order decodes exactly from here.
  private static func isImmediateRecoveryPoint(_ nal: UnsafeRawBufferPointer.SubSequence) -> Bool {
    var offset = unsafe nal.startIndex + 1
    while unsafe nal.endIndex - offset >= 3 {
      let (type, size) = unsafe (nal[offset], Int(nal[offset + 1]))
      guard type < 0xff, size < 0xff else { return false }
      // recovery_frame_cnt as ue(v), in which a leading one bit is zero; exact_match_flag; broken_link_flag.
      if type == 6 { return unsafe nal[offset + 2] & 0xe0 == 0xc0 }
      offset += 2 + size
    }
    return false
  }
}
