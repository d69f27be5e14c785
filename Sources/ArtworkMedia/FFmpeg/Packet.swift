import CFFmpeg

/// One compressed access unit.
@safe struct Packet: ~Copyable {
  fileprivate(set) var pointer: UnsafeMutablePointer<AVPacket>

  init() throws(InspectionError) {
    guard let pointer = unsafe av_packet_alloc() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "read packets")
    }
    unsafe self.pointer = unsafe pointer
  }

  /// A packet of its own with these bytes.
  ///
  /// - Throws: `out-of-memory`.
  static func copy(of bytes: [UInt8]) throws(InspectionError) -> Packet {
    let packet = try Packet()
    guard unsafe av_new_packet(packet.pointer, Int32(clamping: bytes.count)) == 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "read packets")
    }
    unsafe UnsafeMutableRawPointer(packet.pointer.pointee.data).copyMemory(
      from: bytes, byteCount: bytes.count)
    unsafe packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
    return packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }

  var streamIndex: Int { unsafe Int(pointer.pointee.stream_index) }
  var pts: Int64? {
    unsafe pointer.pointee.pts == artwork_no_timestamp() ? nil : pointer.pointee.pts
  }
  var dts: Int64? {
    unsafe pointer.pointee.dts == artwork_no_timestamp() ? nil : pointer.pointee.dts
  }
  var duration: Int64 { unsafe pointer.pointee.duration }
  var position: Int64 { unsafe pointer.pointee.pos }
  var isKey: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  var isDiscarded: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  var isDamaged: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  var isEmpty: Bool { size <= 0 }
  var size: Int { unsafe Int(pointer.pointee.size) }
  /// Carries a palette or new extradata that the decoder must not miss.
  var changesSetup: Bool { unsafe artwork_packet_changes_setup(pointer) == 1 }

  /// Audio samples at the end that only fill the last frame of the codec.
  var paddingSamples: Int { unsafe Int(artwork_packet_padding(pointer)) }

  /// Another owner of the same bytes, which are not copied.
  ///
  /// - Throws: `out-of-memory`.
  func shared() throws(InspectionError) -> Packet {
    let other = try Packet()
    guard unsafe av_packet_ref(other.pointer, pointer) == 0 else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "read packets")
    }
    return other
  }

  mutating func clear() { unsafe av_packet_unref(pointer) }

  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(
      UnsafeRawBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
  }
}
