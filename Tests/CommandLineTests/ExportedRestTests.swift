import TestSupport

@testable import ArtworkMedia

/// WebM whose last frame lasts as long as in the source, where readers would guess.
@Suite struct ExportedRestTests {
  /// Three frames: 0.1 s, 0.1 s, and a rest of 0.7 s.
  private static func resting(_ encoder: [String]) throws -> MadeClip {
    try MadeClip(
      named: "clip.\(encoder[0])",
      [
        "-f", "lavfi", "-i", "testsrc=s=96x64:r=10", "-frames:v", "3", "-vf", "format=rgb24",
      ] + encoder.dropFirst())
  }

  private static let sources = [
    ["gif", "-final_delay", "70"], ["png", "-plays", "0", "-final_delay", "7/10", "-f", "apng"],
  ]

  @Test("the last frame states its duration, and the command prints it", arguments: sources)
  func packets(source: [String]) throws {
    let clip = try Self.resting(source)
    let made = try BuiltTool.run(["export", clip.name, "-o", "a.webm"], in: clip.folder.root)
    #expect(made.status == 0 && made.output.contains("3 frames, 0.9 s"), "\(made)")
    let probed = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "packet=pts_time,duration_time,flags:format=duration",
        "-of", "compact=p=0:nk=1", "a.webm",
      ], in: clip.folder.root)
    let lines = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("0.200000|0.700000|__") }, "\(lines)")
    #expect(lines.last == "0.900000", "\(lines)")
    let copied = try BuiltTool.run(["import", "a.webm", "-o", "a.mp4"], in: clip.folder.root)
    #expect(copied.output.contains("3 frames, 0.9 s"), "\(copied)")
  }

  @Test(
    "Chromium plays it to its end", .enabled(if: Browser.isInstalled, Browser.absence))
  func played() throws {
    let clip = try Self.resting(Self.sources[0])
    #expect(
      try BuiltTool.run(["export", clip.name, "-o", "a.webm"], in: clip.folder.root).status == 0)
    let data = try Data(contentsOf: clip.folder.url("a.webm")).base64EncodedString()
    try Data("<!doctype html><title>clip</title>".utf8).write(to: clip.folder.url("page.html"))
    let seen = try Browser.see(
      clip.folder.url("page.html").absoluteString, helpers: "",
      steps: [
        """
        const video = document.createElement('video');
        video.muted = true;
        video.src = 'data:video/webm;base64,\(data)';
        let start;
        video.onplaying = () => { start ??= performance.now(); };
        const end = new Promise(done => { video.onended = () => done(performance.now() - start); });
        await video.play();
        return Math.round(await end) + ' ' + Math.round(video.duration * 1000);
        """
      ])
    let numbers = try #require(seen.values.first).split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 2, "\(seen.values)")
    #expect((880...1200).contains(numbers[0]) && numbers[1] == 900, "\(numbers)")
  }

  @Test(
    "the index still leads to the cues behind the cluster, also where their place needs another byte",
    arguments: [100, 65_500, 70_000])
  func cues(place: Int) throws {
    func made(_ comment: Int) throws -> (clip: MadeClip, bytes: [UInt8]) {
      let clip = try MadeClip(
        named: "clip.webm",
        [
          "-f", "lavfi", "-i", "testsrc=s=32x32:r=10", "-frames:v", "3", "-c:v", "libvpx-vp9",
          "-metadata", "comment=" + String(repeating: "a", count: comment),
        ])
      return (clip, Array(try Data(contentsOf: clip.folder.url("clip.webm"))))
    }
    /// The place that the index states, and the cues' own.
    func places(_ bytes: [UInt8]) throws -> (stated: Int, own: Int) {
      let cues: [UInt8] = [0x1c, 0x53, 0xbb, 0x6b]
      let found = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual(cues) }
      let index = try #require(found.first)
      let count = Int(bytes[index + 6] & 0x7f)
      let segment = try #require(
        bytes.indices.dropLast(4).first {
          bytes[$0..<$0 + 4].elementsEqual([0x18, 0x53, 0x80, 0x67])
        })
      return (
        bytes[index + 7..<index + 7 + count].reduce(0) { $0 << 8 | Int($1) } + segment + 12,
        try #require(found.last)
      )
    }
    let first = try made(1)
    var (clip, bytes) = try made(max(1, place - (try places(first.bytes).own)))
    let before = try places(bytes)
    #expect(before.stated == before.own)
    #expect(LastBlock.state(milliseconds: 1234, in: &bytes))
    let after = try places(bytes)
    #expect(after.stated == after.own && after.own > before.own)
    try Data(bytes).write(to: clip.folder.url("b.webm"))
    let probed = try run(
      "ffprobe",
      ["-v", "warning", "-show_entries", "packet=duration_time", "-of", "csv=p=0", "b.webm"],
      in: clip.folder.root)
    #expect(String(decoding: probed.output, as: UTF8.self).contains("1.234000"))
    #expect(probed.error == "")
    #expect(try clip.digests("b.webm") == clip.digests())
  }
}
