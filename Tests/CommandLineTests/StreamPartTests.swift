import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

/// Headers and segments of HLS and DASH streams.
@Suite struct StreamPartTests {
  /// A folder with the stream, and a whole clip.
  private static func stream(_ options: [String]) throws -> MadeClip {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=2", "-g", "30"] + MadeClip.h264
        + ["-pix_fmt", "yuv420p"])
    try FileManager.default.createDirectory(
      at: clip.folder.url("parts"), withIntermediateDirectories: true)
    let made = try run(
      "ffmpeg", ["-v", "error", "-i", "../\(clip.name)", "-c", "copy"] + options,
      in: clip.folder.url("parts"))
    try #require(made.status == 0, "\(made.error)")
    return clip
  }

  @Test(
    "a part names its playlist, and searches skip it",
    arguments: [
      (
        ["-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4", "master.m3u8"], "master.m3u8",
        ["init.mp4", "master0.m4s"]
      ),
      (
        ["-f", "dash", "-seg_duration", "1", "cover.mpd"], "cover.mpd",
        ["init-stream0.m4s", "chunk-stream0-00001.m4s"]
      ),
    ])
  func parts(options: [String], playlist: String, names: [String]) throws {
    let clip = try Self.stream(options)
    // A segment without a type box, with the name of a movie.
    let segment = try [UInt8](Data(contentsOf: clip.folder.url("parts/\(names[1])")))
    let place = try #require(segment.indices.first { segment[$0...].starts(with: "moof".utf8) })
    try Data(segment[(place - 4)...]).write(to: clip.folder.url("parts/last.mp4"))
    for name in names + ["last.mp4"] {
      let result = try BuiltTool.run(
        ["check", "--format", "ndjson", "parts/\(name)"], in: clip.folder.root)
      let error = try #require(try result.objects().first?["error"] as? [String: String])
      #expect(result.status == 2 && error["code"] == "stream-part", "\(name)")
      #expect(error["message"]?.contains(playlist) == true)
      #expect(error["help"]?.contains(playlist) == true)
    }
    let found = try BuiltTool.run(["check", "--format", "ndjson", "."], in: clip.folder.root)
    #expect(try found.objects().compactMap { $0["path"] as? String } == ["./\(clip.name)"])
    // Alone it has no playlist to name.
    try FileManager.default.removeItem(at: clip.folder.url("parts/\(playlist)"))
    let alone = try BuiltTool.run(
      ["check", "--format", "ndjson", "parts/\(names[0])"], in: clip.folder.root)
    let error = try #require(try alone.objects().first?["error"] as? [String: String])
    #expect(error["message"] == "this is a part of a stream (HLS or DASH), not a whole movie")
  }

  @Test("a whole fragmented movie is no part of a stream")
  func fragmented() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=30:d=1"] + MadeClip.h264
        + ["-pix_fmt", "yuv420p", "-movflags", "+frag_keyframe+empty_moov"])
    let result = try BuiltTool.run(["check", "--format", "ndjson", "."], in: clip.folder.root)
    #expect(try result.objects().first?["error"] == nil)
    #expect(try result.objects().count == 2)
  }
}
