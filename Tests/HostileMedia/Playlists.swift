/// A1: texts that libavformat takes for playlists. Followed, they open other files and sockets.
enum Playlists {
  static let files: [HostileFile] =
    hls + [
      playlist("dash-relative.mp4", "DASH with a relative file") { _ in dash(Canary.path) },
      playlist("dash-absolute.mov", "DASH with an absolute path") { dash("\($0)/\(Canary.path)") },
      playlist("dash-url.mp4", "DASH with a file:// address") { dash("file://\($0)/\(Canary.path)") },
      playlist("concat-relative.mp4", "ffconcat with a relative file") { _ in "ffconcat version 1.0\nfile \(Canary.path)\n" },
      playlist("concat-absolute.mov", "ffconcat with an absolute path") {
        "ffconcat version 1.0\nfile '\($0)/\(Canary.path)'\n"
      },
      playlist("concat-url.mp4", "ffconcat with a file:// address") {
        "ffconcat version 1.0\nfile 'file://\($0)/\(Canary.path)'\n"
      },
      playlist("sdp.mp4", "SDP: listens on a socket") { _ in
        """
        v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=stream\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r
        m=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n
        """
      },
      playlist("vobsub.mov", "VobSub index: opens the .sub beside it") { _ in
        "# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n"
      }, playlist("rtsp-text.mov", "QuickTime's RTSP text: connects") { _ in "RTSPtext\r\nrtsp://127.0.0.1:9/video\r\n" },
    ]

  private static let hls: [HostileFile] = [
    playlist("hls-relative.mp4", "HLS with a relative file") { _ in media(Canary.path) },
    playlist("hls-absolute.mov", "HLS with an absolute path") { media("\($0)/\(Canary.path)") },
    playlist("hls-url.mp4", "HLS with a file:// address") { media("file://\($0)/\(Canary.path)") },
    playlist("hls-http.mp4", "HLS with an http:// address") { _ in media("http://127.0.0.1:9/video.ts") },
    playlist("hls-master.mp4", "HLS with another playlist") { _ in
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000\na1-hls-relative.mp4\n"
    }, playlist("hls-concat.mov", "HLS with the concat protocol") { _ in media("concat:\(Canary.path)|\(Canary.path)") },
    playlist("hls-key.mp4", "HLS that reads a key file") { _ in
      media(Canary.path, "#EXT-X-KEY:METHOD=AES-128,URI=\"\(Canary.path)\"")
    },
    playlist("hls-init.mp4", "HLS that reads an init segment") { _ in media(Canary.path, "#EXT-X-MAP:URI=\"\(Canary.path)\"") },
    playlist("hls-byte-order-mark.mp4", "HLS behind a byte order mark") { _ in "\u{feff}" + media(Canary.path) },
  ]

  private static func playlist(_ name: String, _ reason: String, _ text: @escaping @Sendable (String) -> String) -> HostileFile
  { HostileFile("A1", name, .error("not-a-movie"), reason) { Bytes(text($0).utf8) } }

  private static func media(_ address: String, _ tag: String = "#EXT-X-VERSION:3") -> String {
    """
    #EXTM3U
    #EXT-X-VERSION:3
    #EXT-X-TARGETDURATION:10
    #EXT-X-MEDIA-SEQUENCE:0
    \(tag)
    #EXTINF:1.0,
    \(address)
    #EXT-X-ENDLIST

    """
  }

  private static func dash(_ address: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" \
    minBufferTime="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
    <Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="100000" width="64" \
    height="64"><BaseURL>\(address)</BaseURL></Representation></AdaptationSet></Period></MPD>

    """
  }
}

/// A3: movies that declare their data to be in another file.
enum ExternalReferences {
  static let files: [HostileFile] = [
    file("alias-relative.mov", .error("no-frames"), "an alias to the canary in the same folder") { folder in
      alias(path: Canary.path, folder: folder)
    },
    file("alias-absolute.mov", .error("no-frames"), "an alias with an absolute path") { folder in
      alias(path: "\(folder)/\(Canary.path)", folder: folder)
    },
    file("url.mov", .error("decode-failed"), "a data entry with a file:// address") { folder in
      fullBox("url ", Bytes("file://\(folder)/\(Canary.path)\0".utf8))
    },
    HostileFile("A3", "reference-movie.mov", .error("no-video"), "a reference movie: only an address, no track") { folder in
      let address = Bytes("file://\(folder)/\(Canary.path)\0".utf8)
      let reference = fullBox("rdrf", Bytes("url ".utf8), be32(address.count), address)
      return box("ftyp", Bytes("qt  ".utf8), be32(0x200), Bytes("qt  ".utf8)) + box("moov", box("rmra", box("rmda", reference)))
    },
  ]

  /// A movie with the canary's tables and without data: any output can only be the canary's.
  private static func file(
    _ name: String, _ label: HostileFile.Label, _ reason: String, _ entry: @escaping @Sendable (String) -> Bytes
  ) -> HostileFile {
    HostileFile("A3", name, label, reason) { folder in
      let data = MovieFile(bytes: Canary.bytes)
      let blank = Bytes(repeating: 0, count: data.payload("mdat").count)
      return data.with("mdat", payload: blank).with("moov/trak/mdia/minf/dinf/dref", payload: be32([0, 1]) + entry(folder))
        .bytes
    }
  }

  /// A Mac OS alias record as libavformat reads it: fixed fields, then typed strings. Type 2 is the
  /// path from the volume, type 18 the POSIX path; `nlvl` fields say how far to go up and down.
  private static func alias(path: String, folder: String) -> Bytes {
    func text(_ type: Int, _ value: String) -> Bytes {
      let bytes = Bytes(value.utf8)
      return be16(type) + be16(bytes.count) + bytes + zeros(bytes.count % 2)
    }
    let volume = Bytes("volume".utf8)
    let name = Bytes("canary.mov".utf8)
    let record =
      zeros(10) + [UInt8(volume.count)] + volume + zeros(27 - volume.count) + zeros(12) + [UInt8(name.count)] + name
      + zeros(63 - name.count) + zeros(16) + be16(1) + be16(2) + zeros(16) + text(2, path.replacing("/", with: ":"))
      + text(18, path) + be16(0xffff) + be16(0)
    return fullBox("alis", record)
  }
}

extension MovieFile { init(bytes: Bytes) { self.bytes = bytes } }
