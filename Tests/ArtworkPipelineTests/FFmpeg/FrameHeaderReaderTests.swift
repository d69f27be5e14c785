import Fixtures
import Foundation
import SystemPackage
import Testing

@testable import ArtworkPipeline

/// What a frame's header says is proved by decoding: leaving out what can be left out, and starting
/// where one can start, must not change a single bit of any other frame.
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
  static func decode(
    _ path: FilePath, isSent: (Int, _ isDroppable: Bool) -> Bool
  ) throws -> Decoded {
    try LogCapture.scope {
      let demuxer = try Demuxer.open(InputFile.open(path))
      let stream = try demuxer.selectVideo()
      let headers = FrameHeaderReader(stream: stream)
      var decoder = try VideoDecoder.open(stream: stream, reorderDepth: 4)
      var packet = try Packet()
      var frame = try Frame()
      var result = Decoded()
      func receive() {
        while case .frame = decoder.receive(into: &frame) {
          if let time = frame.pts { result.frames[time] = frame.md5() }
        }
      }
      while demuxer.read(into: &packet) {
        guard packet.streamIndex == stream.index else { continue }
        let number = result.times.count
        result.times.append(packet.pts)
        let isDroppable = packet.withBytes(headers.isDroppable)
        if isDroppable { result.droppable.append(number) }
        if packet.withBytes(headers.isRandomAccess) { result.randomAccess.append(number) }
        if isSent(number, isDroppable) {
          _ = decoder.send(packet)
          receive()
        }
      }
      decoder.drain()
      receive()
      return result
    }
  }

  /// Not the clip whose timestamps contradict the decoder: frames cannot be told by them.
  static let interFrame = Fixture.decodable.filter {
    $0.file != "edit-decoding-order.mp4" && ["h264", "hevc"].contains($0.facts.codec)
      && !$0.label.expect.contains("truncated")
      && !$0.file.hasPrefix("duration") && !$0.file.hasPrefix("good-3x4-apple")
  }

  @Test("leaving out what nothing refers to changes no other frame", arguments: interFrame)
  func droppable(fixture: Fixture) throws {
    let whole = try Self.decode(fixture.path) { _, _ in true }
    let thinned = try Self.decode(fixture.path) { !$1 }
    let left = Set(whole.droppable.compactMap { whole.times[$0] })
    #expect(thinned.frames == whole.frames.filter { !left.contains($0.key) })
  }

  /// As many as `ffmpeg -skip_frame noref` leaves out.
  @Test(
    "what can be left out is found",
    arguments: [
      ("h264-baseline", 0), ("h264-pyramid", 17), ("h264-open-gop", 23), ("h264-closed-gop", 14),
      ("h264-intra-refresh", 11), ("h264-no-restriction", 11), ("h264-interlaced", 7),
      ("hevc-hvc1", 8), ("hevc-open-gop", 23), ("hevc-temporal-layers", 11), ("codec-vp9", 0),
      ("codec-mpeg4", 0),
    ])
  func droppableCount(name: String, count: Int) throws {
    let decoded = try Self.decode(Fixture.named(name + ".mp4").path) { _, _ in true }
    #expect(decoded.droppable.count == count)
  }

  /// Some key packets are none: recovery points from which the picture takes some frames to be whole.
  @Test(
    "one can start at whole pictures only",
    arguments: [
      ("h264-closed-gop", [0, 24], 2), ("h264-open-gop", [0, 9, 21, 33], 4),
      ("h264-pyramid", [0], 1),
      ("h264-intra-refresh", [0], 3), ("hevc-open-gop", [0, 9, 21, 33], 4),
      ("edit-preroll", [0], 1),
    ])
  func starts(name: String, starts: [Int], keyPackets: Int) throws {
    let fixture = Fixture.named(name + ".mp4")
    #expect(fixture.facts.keyPackets == keyPackets)
    #expect(try Self.decode(fixture.path) { _, _ in true }.randomAccess == starts)
  }

  /// Without a table of key frames every packet counts as one.
  @Test(
    "a container that takes every frame for a key frame is not believed",
    arguments: [
      ("h264-closed-gop", [0, 24]), ("h264-open-gop", [0, 9, 21, 33]), ("h264-pyramid", [0]),
      ("hevc-open-gop", [0, 9, 21, 33]),
    ])
  func withoutTable(name: String, starts: [Int]) throws {
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
    #expect(
      ends
        == FrameReaderTests.Ends(
          count: expected.count, first: expected.first, last: expected.last))
  }

  @Test("every later frame is exact from wherever one can start", arguments: interFrame)
  func randomAccess(fixture: Fixture) throws {
    let whole = try Self.decode(fixture.path) { _, _ in true }
    #expect(whole.randomAccess.first == 0)
    for start in whole.randomAccess where start > 0 {
      let shown = try #require(whole.times[start])
      let later = try Self.decode(fixture.path) { number, _ in number >= start }
      #expect(later.frames.filter { $0.key >= shown } == whole.frames.filter { $0.key >= shown })
    }
  }
}
