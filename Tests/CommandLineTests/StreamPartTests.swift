import TestSupport

/// Headers and segments of HLS and DASH streams.
@Suite struct StreamPartTests {
  /// A folder with the stream, and a whole clip.
  private static func stream(_ options: String) throws -> MadeClip {
    let clip = try MadeClip(
      "-f lavfi -i testsrc2=s=64x64:r=30:d=2 -g 30 \(MadeClip.x264) -pix_fmt yuv420p")
    try clip.folder.make("parts")
    try clip.folder.ffmpeg("-i ../clip.mp4 -c copy \(options)", in: "parts")
    return clip
  }

  @Test(
    "a part names its playlist, and searches skip it",
    arguments: [
      (
        "-f hls -hls_time 1 -hls_segment_type fmp4 master.m3u8", "master.m3u8",
        ["init.mp4", "master0.m4s"]
      ),
      (
        "-f dash -seg_duration 1 cover.mpd", "cover.mpd",
        ["init-stream0.m4s", "chunk-stream0-00001.m4s"]
      ),
    ])
  func parts(options: String, playlist: String, names: [String]) throws {
    let clip = try Self.stream(options)
    func error(_ name: String) throws -> JSONNode {
      let result = try clip.artworkd("check --format ndjson parts/\(name)")
      let error = try #require(try result.rows.first?["error"])
      #expect(result.status == 2 && error["code"] == "stream-part", "\(name)")
      return error
    }
    // A segment without a type box, with the name of a movie.
    let segment = try [UInt8](clip.folder.data("parts/\(names[1])"))
    let place = try #require(segment.indices.first { segment[$0...].starts(with: "moof".utf8) })
    try clip.folder.write(segment[(place - 4)...], to: "parts/last.mp4")
    for name in names + ["last.mp4"] {
      let error = try error(name)
      #expect(error["message"]?.text?.contains(playlist) == true)
      #expect(error["help"]?.text?.contains(playlist) == true)
    }
    let found = try clip.artworkd("check --format ndjson .").rows
    #expect(found.compactMap { $0["path"]?.text } == ["./clip.mp4"])
    // Alone it has no playlist to name.
    try clip.folder.remove("parts/\(playlist)")
    #expect(
      try error(names[0])["message"]
        == "this is a part of a stream (HLS or DASH), not a whole movie")
  }

  @Test("import joins what a playlist names, and nothing else")
  func joined() throws {
    let clip = try Self.stream(
      "-f hls -hls_time 1 -hls_segment_type fmp4 -hls_playlist_type vod list.m3u8")
    let folder = clip.folder
    let text = try folder.text("parts/list.m3u8")
    func imported(_ text: String) throws -> (status: Int32, error: String) {
      try folder.write(text, to: "parts/list.m3u8")
      try? folder.remove("made.mp4")
      let run = try clip.artworkd("import parts/list.m3u8 -o made.mp4")
      return (run.status, run.error)
    }
    #expect(try imported(text).status < 2)
    #expect(try clip.times("made.mp4") == clip.times())
    // The same as parts of one file, of which the second segment follows the first.
    let parts = try ["init.mp4", "list0.m4s", "list1.m4s"].map { try folder.data("parts/\($0)") }
    try folder.write(parts.joined(), to: "parts/all of it.mp4")
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
    let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF"
    for (text, message) in [
      ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n", "names others: a.m3u8"),
      (text.replacing("list1.m4s", with: "../clip.mp4"), "leads out"),
      (text.replacing("list1.m4s", with: "/etc/passwd"), "leads out"),
      (text.replacing("list1", with: "https://example.com/a"), "nothing is fetched"),
      (ranges.replacing(":\(sizes[2])", with: ":\(sizes[2] + 1)"), ": it is cut"),
      (text.replacing("list1", with: "list9"), "list9.m4s: cannot open"),
      (text.replacing("#EXTINF", with: key), "encrypted"),
      (text + "#EXT-X-MAP:URI=\"list0.m4s\"\n", "several headers"),
      ("#EXTM3U\n", "names no parts"),
    ] {
      let refused = try imported(text)
      #expect(refused.status == 2 && refused.error.contains(message), "\(refused)")
    }
  }

  @Test("a whole fragmented movie is no part of a stream")
  func fragmented() throws {
    let rows = try MadeClip(
      "-f lavfi -i testsrc2=s=64x64:r=30:d=1 \(MadeClip.x264) -pix_fmt yuv420p "
        + "-movflags +frag_keyframe+empty_moov"
    ).artworkd("check --format ndjson .").rows
    #expect(rows.count == 2 && rows[0]["error"] == nil)
  }
}
