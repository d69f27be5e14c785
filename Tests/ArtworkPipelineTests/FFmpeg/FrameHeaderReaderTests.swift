@testable import ArtworkMedia

/// Decoding proves the answers from a frame's header: skipping droppable frames, and starting at entry points, must
/// not change a single bit of any other frame.
@Suite struct FrameHeaderReaderTests {
  struct Decoded {
    /// Digests by presentation time.
    var frames: [Int64: String] = [:]
    /// Presentation times of the packets in decoding order.
    var times: [Int64?] = []
    var droppable: [Int] = []
    var randomAccess: [Int] = []
  }

  /// Decodes those packets that `isSent` chooses by number and by whether they can be dropped.
  static func decode(_ path: FilePath, isSent: (Int, _ isDroppable: Bool) -> Bool) throws -> Decoded {
    try LogCapture.scope {
      let demuxer = try Demuxer.open(InputFile.open(path))
      let stream = try unsafe demuxer.selectVideo()
      let headers = unsafe FrameHeaderReader(stream: stream)
      var decoder = try unsafe VideoDecoder.open(stream: stream, reorderDepth: 4)
      var packet = try Packet()
      var frame = try Frame()
      var result = Decoded()
      func receive() throws {
        while case .frame = try decoder.receive(into: &frame) { if let time = frame.pts { result.frames[time] = frame.md5() } }
      }
      while try demuxer.read(into: &packet) {
        guard unsafe packet.streamIndex == stream.index else { continue }
        let number = result.times.count
        result.times.append(packet.pts)
        let isDroppable = unsafe packet.withBytes(headers.isDroppable)
        if isDroppable { result.droppable.append(number) }
        if unsafe packet.withBytes(headers.isRandomAccess) { result.randomAccess.append(number) }
        if isSent(number, isDroppable) {
          _ = try decoder.send(packet)
          try receive()
        }
      }
      decoder.drain()
      try receive()
      return result
    }
  }

  /// Not the clip whose timestamps contradict the decoder: its frames cannot be identified by them.
  static let interFrame = Fixture.decodable.filter {
    $0.file != "edit-decoding-order.mp4" && ["h264", "hevc"].contains($0.facts.codec) && !$0.label.expect.contains("truncated")
      && !$0.file.hasPrefix("duration") && !$0.file.hasPrefix("good-3x4-apple")
  }

  @Test(arguments: interFrame)
  func `leaving out what nothing refers to changes no other frame`(fixture: Fixture) throws {
    let whole = try Self.decode(fixture.path) { _, _ in true }
    let thinned = try Self.decode(fixture.path) { !$1 }
    let left = Set(whole.droppable.compactMap { whole.times[$0] })
    #expect(thinned.frames == whole.frames.filter { !left.contains($0.key) })
  }

  /// As many as `ffmpeg -skip_frame noref` leaves out.
  @Test(arguments: [
    ("h264-baseline", 0), ("h264-pyramid", 17), ("h264-open-gop", 23), ("h264-closed-gop", 14), ("h264-intra-refresh", 11),
    ("h264-no-restriction", 11), ("h264-interlaced", 7), ("hevc-hvc1", 8), ("hevc-open-gop", 23), ("hevc-temporal-layers", 11),
    ("codec-vp9", 0), ("codec-mpeg4", 0),
  ])
  func `what can be left out is found`(name: String, count: Int) throws {
    #expect(try Self.decode(Fixture.named(name + ".mp4").path) { _, _ in true }.droppable.count == count)
  }

  /// Some packets marked as keyframes are not: recovery points whose pictures assume that some frames are complete.
  @Test(arguments: [
    ("h264-closed-gop", [0, 24], 2), ("h264-open-gop", [0, 9, 21, 33], 4), ("h264-pyramid", [0], 1),
    ("h264-intra-refresh", [0], 3), ("hevc-open-gop", [0, 9, 21, 33], 4), ("edit-preroll", [0], 1),
  ])
  func `one can start at whole pictures only`(name: String, starts: [Int], keyPackets: Int) throws {
    let fixture = Fixture.named(name + ".mp4")
    #expect(fixture.facts.keyPackets == keyPackets)
    #expect(try Self.decode(fixture.path) { _, _ in true }.randomAccess == starts)
  }

  /// Without a table of keyframes, every packet counts as one.
  @Test(arguments: [
    ("h264-closed-gop", [0, 24]), ("h264-open-gop", [0, 9, 21, 33]), ("h264-pyramid", [0]), ("hevc-open-gop", [0, 9, 21, 33]),
  ])
  func `a container that takes every frame for a key frame is not believed`(name: String, starts: [Int]) throws {
    let fixture = Fixture.named(name + ".mp4")
    var bytes = try Data(contentsOf: fixture.url)
    bytes.replaceSubrange(try #require(bytes.range(of: Data("stss".utf8))), with: Data("free".utf8))
    let folder = try TemporaryFolder()
    try bytes.write(to: folder.url("liar.mp4"))
    let path = folder.path("liar.mp4")
    let table = try PacketTableTests.scanned(path, withoutData: true)
    #expect(table.packets.count { $0.isKey } == fixture.facts.packets, "the copy is no liar")

    #expect(try Self.decode(path) { _, _ in true }.randomAccess == starts)
    let expected = try #require(fixture.facts.frameMD5)
    let ends = try FrameReaderTests.digests(path).ends
    #expect(ends == FrameReaderTests.Ends(count: expected.count, first: expected.first, last: expected.last))
  }

  @Test(arguments: interFrame)
  func `every later frame is exact from wherever one can start`(fixture: Fixture) throws {
    let whole = try Self.decode(fixture.path) { _, _ in true }
    #expect(whole.randomAccess.first == 0)
    for start in whole.randomAccess where start > 0 {
      let shown = try #require(whole.times[start])
      let later = try Self.decode(fixture.path) { number, _ in number >= start }
      #expect(later.frames.filter { $0.key >= shown } == whole.frames.filter { $0.key >= shown })
    }
  }

  /// Calls `body` with a reader for a clip whose codec configuration declares four-byte lengths.
  static func withReader(_ file: String, _ body: (FrameHeaderReader) -> Void) throws {
    try LogCapture.scope {
      let demuxer = try Demuxer.open(InputFile.open(Fixture.named(file).path))
      unsafe body(FrameHeaderReader(stream: try demuxer.selectVideo()))
    }
  }

  static func units(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { [0, 0, 0, UInt8($0.count)] + $0 } }

  /// NAL unit headers of HEVC: the type in bits 1 to 6, the temporal layer plus one in the last three.
  @Test(
    "an HEVC picture nobody refers to in its layer may still be needed in a higher one",
    arguments: [
      // file (of two layers, of one), unit type, layer, droppable
      ("hevc-temporal-layers.mp4", 0, 0, false), ("hevc-temporal-layers.mp4", 0, 1, true),
      ("hevc-temporal-layers.mp4", 1, 1, false), ("hevc-temporal-layers.mp4", 8, 1, true), ("hevc-hvc1.mp4", 0, 0, true),
      ("hevc-hvc1.mp4", 1, 0, false), ("hevc-hvc1.mp4", 8, 0, true), ("hevc-hvc1.mp4", 9, 0, false),
      ("hevc-hvc1.mp4", 16, 0, false), ("hevc-hvc1.mp4", 20, 0, false),
    ] as [(String, UInt8, UInt8, Bool)])
  func layers(file: String, type: UInt8, layer: UInt8, isDroppable: Bool) throws {
    let slice: [UInt8] = [type << 1, layer + 1, 0x80]
    try Self.withReader(file) { reader in
      unsafe #expect(Self.units([slice]).withUnsafeBytes(reader.isDroppable) == isDroppable)
      // A message beside it changes nothing; a slice that is referred to does.
      let message: [UInt8] = [39 << 1, 1, 0]
      unsafe #expect(Self.units([message, slice]).withUnsafeBytes(reader.isDroppable) == isDroppable)
      unsafe #expect(!Self.units([slice, [1 << 1, layer + 1, 0x80]]).withUnsafeBytes(reader.isDroppable))
    }
  }

  @Test(
    arguments: [
      [], [0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 9, 1, 1], [0xff, 0xff, 0xff, 0xff, 1],
      // A good slice, then a unit of no length, one past the end, a stray byte.
      [0, 0, 0, 2, 0x01, 0x80, 0, 0, 0, 0], [0, 0, 0, 2, 0x01, 0x80, 0, 0, 0, 5, 1], [0, 0, 0, 2, 0x01, 0x80, 7],
      [0, 0, 0, 1, 0x09],
    ] as [[UInt8]])
  func `a malformed access unit is kept`(bytes: [UInt8]) throws {
    for file in ["h264-pyramid.mp4", "hevc-hvc1.mp4"] {
      try Self.withReader(file) { reader in
        unsafe #expect(!bytes.withUnsafeBytes(reader.isDroppable))
        unsafe #expect(!bytes.withUnsafeBytes(reader.isHidden))
        unsafe #expect(!bytes.withUnsafeBytes(reader.isRandomAccess))
      }
    }
    // The same slice alone is one that can be left out.
    try Self.withReader("h264-pyramid.mp4") { reader in
      unsafe #expect(Self.units([[0x01, 0x80]]).withUnsafeBytes(reader.isDroppable))
    }
  }

  /// show_frame and show_existing_frame (VP9 specification, 6.2), show_frame (RFC 6386, 9.1).
  @Test(
    arguments: [
      ("codec-vp9.webm", [0b1000_0010, 0], false), ("codec-vp9.webm", [0b1000_0000, 0], true),
      ("codec-vp9.webm", [0b1000_1000, 0], false), ("codec-vp9.webm", [0b1011_0001, 0], false),
      ("codec-vp9.webm", [0b1011_0000, 0], true), ("codec-vp9.webm", [0b1011_0100, 0], false),
      // A superframe ends with its index, between two equal markers; one marker alone is data.
      ("codec-vp9.webm", [0b1000_0000, 0b1100_0001, 1, 1, 0b1100_0001], false),
      ("codec-vp9.webm", [0b1000_0000, 0b1100_0010, 1, 1, 0b1100_0001], true),
      ("codec-vp9.webm", [0b1000_0000, 0b1100_0001], true),
      // Without the frame marker it is no VP9.
      ("codec-vp9.webm", [0, 0], false), ("codec-vp8.webm", [0x10, 0], false), ("codec-vp8.webm", [0x00, 0], true),
      ("codec-vp8.webm", [], false), ("h264-pyramid.mp4", [0, 0], false),
    ] as [(String, [UInt8], Bool)])
  func `hidden frames of VP8 and VP9 are recognized by their first byte`(file: String, bytes: [UInt8], isHidden: Bool) throws {
    try Self.withReader(file) { reader in unsafe #expect(bytes.withUnsafeBytes(reader.isHidden) == isHidden) }
  }
}
