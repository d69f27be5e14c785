import Fixtures
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkPipeline

/// The first and last frames, by the quick way and by decoding everything, against `ffmpeg -f framemd5`.
@Suite struct FrameReaderTests {
  struct Ends: Equatable {
    var count: Int
    var first: [String]
    var last: [String]
  }

  /// Digests of the end frames, read as the inspector reads them.
  static func digests(_ path: FilePath, everything: Bool = false, endCount: Int = 3) throws -> (
    ends: Ends, fallback: Inspection.FullDecode?, packetsDecoded: Int
  ) {
    try LogCapture.scope { try quietDigests(path, everything: everything, endCount: endCount) }
  }

  private static func quietDigests(_ path: FilePath, everything: Bool, endCount: Int) throws -> (
    ends: Ends, fallback: Inspection.FullDecode?, packetsDecoded: Int
  ) {
    let input = try InputFile.open(path)
    let demuxer = try Demuxer.open(input)
    let stream = try demuxer.selectVideo()
    let table = try PacketTable(scanning: demuxer, stream: stream)
    let reader = FrameReader<String>(endCount: endCount)
    let ends = try reader.read(
      demuxer: demuxer, stream: stream, table: table, everyFrame: everything
    ) { frame, _, _ in frame.md5() ?? "no digest" }
    return (
      Ends(count: ends.count, first: ends.first, last: ends.last), ends.fallback,
      ends.packetsDecoded
    )
  }

  @Test(
    "the quick way gives the frames that a full ffmpeg decode gives", arguments: Fixture.decodable)
  func quick(fixture: Fixture) throws {
    let expected = try #require(fixture.facts.frameMD5)
    let read = try Self.digests(fixture.path).ends
    #expect(
      read == Ends(count: expected.count, first: expected.first, last: expected.last))
  }

  @Test("decoding everything gives the same frames", arguments: Fixture.decodable)
  func full(fixture: Fixture) throws {
    let expected = try #require(fixture.facts.frameMD5)
    let read = try Self.digests(fixture.path, everything: true).ends
    #expect(
      read == Ends(count: expected.count, first: expected.first, last: expected.last))
  }

  @Test(
    "so do longer windows, of which a short clip holds all frames", arguments: Fixture.decodable)
  func windows(fixture: Fixture) throws {
    for endCount in [1, 5, 8, 16] {
      let quick = try Self.digests(fixture.path, endCount: endCount).ends
      #expect(quick == (try Self.digests(fixture.path, everything: true, endCount: endCount).ends))
      #expect(quick.last.count == min(endCount, quick.count))
    }
  }

  @Test(
    "real files give the frames that ffmpeg gives",
    .enabled(if: RealMedia.isPresent, RealMedia.absence),
    arguments: RealMedia.all.filter { $0.facts.framemd5_first != nil })
  func real(media: RealMedia) throws {
    let read = try Self.digests(media.path).ends
    #expect(read.count == media.facts.framemd5_count)
    #expect(read.first.first == media.facts.framemd5_first)
    #expect(read.last.last == media.facts.framemd5_last)
  }

  @Test("a full decode finds the reorder depth that neither stream nor container states")
  func unstatedReorderDepth() throws {
    let folder = try TemporaryFolder()
    let source = Fixture.named("h264-no-restriction.mp4")
    let remuxed = folder.url("remuxed.mkv")
    try run("ffmpeg", ["-v", "error", "-i", source.url.path, "-c", "copy", remuxed.path])
    let expected = try #require(source.facts.frameMD5)
    for everything in [false, true] {
      let ends = try Self.digests(FilePath(remuxed.path), everything: everything).ends
      #expect(
        ends == Ends(count: expected.count, first: expected.first, last: expected.last))
    }
  }

  @Test(
    "nothing that is not needed is decoded",
    arguments: [
      ("h264-closed-gop.mp4", 0.5), ("h264-pyramid.mp4", 0.75), ("h264-open-gop.mp4", 0.75),
      ("hevc-open-gop.mp4", 0.75),
    ])
  func thrift(file: String, atMost share: Double) throws {
    let fixture = Fixture.named(file)
    let read = try Self.digests(fixture.path)
    #expect(read.fallback == nil)
    #expect(Double(read.packetsDecoded) <= share * Double(read.ends.count))
  }
}
