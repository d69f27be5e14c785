/// Detects the transparency of HEVC, which is a second layer of the same track: Apple's "HEVC Video with Alpha".
/// FFmpeg 5.1 to 7.0 decode only the base layer.
enum AlphaLayer {
  /// The SEI message that defines the meaning of such a layer's samples (ITU-T H.265, F.14.2.8).
  private static let alphaChannelInfo = 165
  private static let prefixMessages: UInt8 = 39
  /// A first picture's parameter sets and messages are at its start.
  private static let searchedBytes = 65_536

  /// Whether the codec configuration or the first picture declares one.
  ///
  /// - Parameter setup: see ``MovieLayout/layers(track:)``.
  static func isIn(
    _ stream: VideoStream, _ table: PacketTable, _ input: InputFile, setup: [UInt8]
  ) -> Bool {
    guard unsafe stream.codecName == "hevc", let units = unsafe NALUnits(stream.parameters) else {
      return false
    }
    // `lhvC` lacks the profile of `hvcC`: six bytes precede its arrays there, 23 here.
    let further =
      setup.count > 6
      ? NALUnits(codec: .hevc, setupData: [1] + [UInt8](repeating: 0, count: 21) + setup[5...])?
        .setup ?? [] : []
    if (units.setup + further).contains(where: { unsafe $0.withUnsafeBytes(unsafe isAlpha) }) {
      return true
    }
    guard let first = table.packets.first, first.position >= 0, first.size > 0 else {
      return false
    }
    let bytes = input.bytes(at: first.position, count: min(first.size, searchedBytes))
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe units.leadingUnits(of: bytes).contains(where: unsafe isAlpha)
    }
  }

  /// Whether a unit is a message of alpha channel information that does not cancel an earlier one.
  private static func isAlpha(_ unit: UnsafeRawBufferPointer) -> Bool {
    guard unit.count > 4, unsafe unit[0] >> 1 & 0x3f == prefixMessages else { return false }
    // Messages follow each other: a type and a size, both in bytes of which 255 continues.
    var index = 2
    func number() -> Int? {
      var sum = 0
      while index < unit.count {
        let byte = unsafe unit[index]
        index += 1
        sum += Int(byte)
        if byte != 255 { return sum }
      }
      return nil
    }
    while index + 2 < unit.count, let type = number(), let size = number() {
      if type == alphaChannelInfo, index < unit.count { return unsafe unit[index] & 0x80 == 0 }
      index += size
    }
    return false
  }
}
