import CFFmpeg

/// Parameter sets of H.264 or HEVC that are among the frames, to be moved into the header, where `avc1` and `hvc1`
/// require them (ISO/IEC 14496-15, 5.4.2.1 and 8.4.1).
struct ParameterSets: Equatable {
  private let isHEVC: Bool
  /// Parameter sets in the order of their first appearance.
  private let units: [[UInt8]]

  /// A first picture's parameter sets are at its start.
  private static let searchedBytes = 65_536

  /// Reads those of the first packet.
  ///
  /// - Returns: `nil` if a kind that decoding needs is not among them, and for extradata in another format.
  init?(first stream: VideoStream, _ table: PacketTable, _ input: InputFile) {
    isHEVC = unsafe stream.codecID == AV_CODEC_ID_HEVC
    guard unsafe isHEVC || stream.codecID == AV_CODEC_ID_H264, unsafe stream.setupData.first == 1,
      let layout = unsafe NALUnits(stream.parameters), let packet = table.packets.first,
      packet.position >= 0, packet.size > 0
    else { return nil }
    let isSet = unsafe Self.isSet(isHEVC: isHEVC)
    var found: [[UInt8]] = []
    unsafe input.bytes(at: packet.position, count: min(packet.size, Self.searchedBytes))
      .withUnsafeBytes { bytes in
        let units = unsafe layout.leadingUnits(of: bytes)
        for index in unsafe units.indices where unsafe isSet(units[index]) {
          let unit = unsafe units[index]
          if !found.contains(where: { unsafe unit.elementsEqual($0) }) {
            unsafe found.append(Array(unit))
          }
        }
      }
    units = found
    guard
      Self.kinds(isHEVC: isHEVC).allSatisfy({ kind in
        found.contains { Self.kind($0[0], isHEVC: isHEVC) == kind }
      })
    else { return nil }
  }

  /// Sequence and picture parameter sets, and those of video before them in HEVC (ITU-T H.264 and H.265, table 7-1).
  private static func kinds(isHEVC: Bool) -> [UInt8] { isHEVC ? [32, 33, 34] : [7, 8] }

  /// Returns the type of a NAL unit that begins with this byte.
  private static func kind(_ first: UInt8, isHEVC: Bool) -> UInt8 {
    isHEVC ? first >> 1 & 0x3f : first & 0x1f
  }

  fileprivate static func isSet(isHEVC: Bool) -> (UnsafeRawBufferPointer) -> Bool {
    let kinds = kinds(isHEVC: isHEVC)
    return { unit in
      unsafe unit.first.map { kinds.contains(kind($0, isHEVC: isHEVC)) } ?? false
    }
  }

  /// Their types in the syntax of libavcodec's `filter_units`.
  var types: String { isHEVC ? "32-34" : "7-8" }

  /// Whether all parameter sets of a packet are among these, so that removing them changes nothing.
  func cover(_ packet: borrowing Packet, of layout: NALUnits) -> Bool {
    let isSet = unsafe Self.isSet(isHEVC: isHEVC)
    return unsafe packet.withBytes { bytes in
      unsafe layout.units(of: bytes)?.allSatisfy { unit in
        unsafe !isSet(unit) || units.contains { unsafe unit.elementsEqual($0) }
      } ?? false
    }
  }

  /// The extradata of a track with these sets, each after a start code, which libavformat converts to `avcC` or
  /// `hvcC`.
  var setupData: [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }
}

/// Finds the first packet with parameter sets that neither the header nor the first packet has. A track with them in its
/// sample entry has none among its frames (ISO/IEC 14496-15), so decoders that take them from there fail.
@unsafe struct ParameterSetWatch {
  private let layout: NALUnits
  private let isSet: (UnsafeRawBufferPointer) -> Bool
  private var known: [[UInt8]]
  private var isFirst = true
  private(set) var changedPacket: Int?

  /// Parameter sets are at the start of a packet.
  static let searchedBytes = 4096

  /// `nil` for codecs without parameter sets.
  init?(_ stream: VideoStream) {
    let isHEVC = unsafe stream.codecID == AV_CODEC_ID_HEVC
    guard unsafe isHEVC || stream.codecID == AV_CODEC_ID_H264,
      let layout = unsafe NALUnits(stream.parameters)
    else { return nil }
    unsafe (self.layout, known) = (layout, layout.setup)
    unsafe isSet = unsafe ParameterSets.isSet(isHEVC: isHEVC)
  }

  /// - Parameter bytes: the start of a key packet, in decoding order.
  mutating func add(_ bytes: UnsafeRawBufferPointer, number: Int) {
    guard unsafe changedPacket == nil else { return }
    let start = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.searchedBytes))
    let units = unsafe layout.leadingUnits(of: start)
    for index in unsafe units.indices where unsafe isSet(units[index]) {
      let unit = unsafe units[index]
      if unsafe known.contains(where: { unsafe unit.elementsEqual($0) }) { continue }
      guard unsafe isFirst else {
        unsafe changedPacket = number
        return
      }
      unsafe known.append(Array(unit))
    }
    unsafe isFirst = false
  }
}
