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

  @Test("import joins what a playlist names, and nothing else")
  func joined() throws {
    let clip = try Self.stream([
      "-f", "hls", "-hls_time", "1", "-hls_segment_type", "fmp4", "-hls_playlist_type", "vod",
      "list.m3u8",
    ])
    let list = clip.folder.url("parts/list.m3u8")
    let text = try String(contentsOf: list, encoding: .utf8)
    func imported(_ text: String) throws -> (status: Int32, error: String) {
      try text.write(to: list, atomically: true, encoding: .utf8)
      try? FileManager.default.removeItem(at: clip.folder.url("made.mp4"))
      let run = try BuiltTool.run(
        ["import", "parts/list.m3u8", "-o", "made.mp4"], in: clip.folder.root)
      return (run.status, run.error)
    }
    #expect(try imported(text).status < 2)
    #expect(try clip.times("made.mp4") == clip.times())
    // The same as parts of one file, of which the second segment follows the first.
    let names = ["init.mp4", "list0.m4s", "list1.m4s"]
    let parts = try names.map { try Data(contentsOf: clip.folder.url("parts/\($0)")) }
    try Data(parts.joined()).write(to: clip.folder.url("parts/all of it.mp4"))
    let sizes = parts.map(\.count)
    let ranges = """
      #EXTM3U
      #EXT-X-MAP:URI="all%20of%20it.mp4",BYTERANGE="\(sizes[0])@0"
      #EXT-X-BYTERANGE:\(sizes[1])@\(sizes[0])
      all%20of%20it.mp4
      #EXT-X-BYTERANGE:\(sizes[2])
      all%20of%20it.mp4
      """
    #expect(try imported(ranges).status < 2)
    #expect(try clip.times("made.mp4") == clip.times())
    for (text, message) in [
      ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", "names others: a.m3u8"),
      (text.replacingOccurrences(of: "list1.m4s", with: "../\(clip.name)"), "leads out"),
      (text.replacingOccurrences(of: "list1.m4s", with: "/etc/passwd"), "leads out"),
      (text.replacingOccurrences(of: "list1", with: "https://example.com/a"), "nothing is fetched"),
      (ranges.replacingOccurrences(of: ":\(sizes[2])", with: ":\(sizes[2] + 1)"), ": it is cut"),
      (text.replacingOccurrences(of: "list1", with: "list9"), "list9.m4s: cannot open"),
      (
        text.replacingOccurrences(
          of: "#EXTINF", with: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF"), "encrypted"
      ),
      (text + "#EXT-X-MAP:URI=\"list0.m4s\"\n", "several headers"),
      ("#EXTM3U\n", "names no parts"),
    ] {
      let refused = try imported(text)
      #expect(refused.status == 2 && refused.error.contains(message), "\(refused)")
    }
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
