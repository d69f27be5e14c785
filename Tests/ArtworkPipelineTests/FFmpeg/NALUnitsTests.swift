@testable import ArtworkMedia

@Suite struct NALUnitsTests {
  private static let sequence: [UInt8] = [0x67, 1, 2, 3]
  private static let picture: [UInt8] = [0x68, 9]

  private static func units(_ setup: [UInt8], _ packet: [UInt8]) -> [[UInt8]]? {
    NALUnits(codec: .h264, setupData: setup).flatMap { units in
      unsafe packet.withUnsafeBytes { bytes in unsafe units.units(of: bytes)?.map { unsafe Array($0) } }
    }
  }

  /// An avcC box with both parameter sets (ISO/IEC 14496-15, 5.3.3.1).
  private static func box(lengthSize: UInt8) -> [UInt8] {
    [1, 100, 0, 31, 0xfc | lengthSize - 1, 0xe1, 0, 4] + sequence + [1, 0, 2] + picture
  }

  @Test func `parameter sets and units are the same in both ways of writing them`() throws {
    let codes: [UInt8] = [0, 0, 0, 1] + Self.sequence + [0, 0, 1] + Self.picture
    let one = try #require(NALUnits(codec: .h264, setupData: Self.box(lengthSize: 4)))
    let two = try #require(NALUnits(codec: .h264, setupData: codes))
    #expect(one.setup == two.setup && one.setup == [Self.sequence, Self.picture])
    let wanted: [[UInt8]] = [[0x65, 0, 0, 3, 7], [0x41, 5]]
    #expect(Self.units(Self.box(lengthSize: 4), [0, 0, 0, 5, 0x65, 0, 0, 3, 7, 0, 0, 0, 2, 0x41, 5]) == wanted)
    #expect(Self.units(Self.box(lengthSize: 1), [5, 0x65, 0, 0, 3, 7, 2, 0x41, 5]) == wanted)
    #expect(Self.units(codes, [0, 0, 0, 1, 0x65, 0, 0, 3, 7, 0, 0, 1, 0x41, 5, 0, 0]) == wanted)
  }

  @Test func `lengths that lead past the end, and set-up data that ends early, are none`() {
    #expect(Self.units(Self.box(lengthSize: 4), [0, 0, 0, 9, 0x65]) == nil)
    #expect(Self.units(Self.box(lengthSize: 4), [0, 0]) == nil)
    for count in 1..<Self.box(lengthSize: 4).count {
      let cut = Array(Self.box(lengthSize: 4).prefix(count))
      #expect(NALUnits(codec: .h264, setupData: cut) == nil, "\(count) bytes")
    }
    for count in 1..<30 {
      let bytes = [1] + [UInt8](repeating: 0xff, count: count)
      #expect(NALUnits(codec: .hevc, setupData: bytes) == nil, "\(count) bytes")
    }
    #expect(Self.units([0, 0, 1, 0x67], []) == [])
  }
}
