import TestSupport

@testable import ArtworkMedia

/// WebM of a source whose last frame rests: at a constant rate, as long as the source.
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

  @Test("every frame lasts equally long, and all together as long", arguments: sources)
  func packets(source: [String]) throws {
    let clip = try Self.resting(source)
    let made = try BuiltTool.run(["export", clip.name, "-o", "a.webm"], in: clip.folder.root)
    #expect(made.status == 0 && made.output.contains("9 frames, 0.9 s"), "\(made)")
    let probed = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "packet=pts_time,duration_time:format=duration",
        "-of", "compact=p=0:nk=1", "a.webm",
      ], in: clip.folder.root)
    let lines = String(decoding: probed.output, as: UTF8.self).split(separator: "\n")
    let expected = (0..<9).map { "0.\($0)00000|0.100000" } + ["0.900000"]
    #expect(lines.count == 10 && zip(lines, expected).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    let copied = try BuiltTool.run(["import", "a.webm", "-o", "a.mp4"], in: clip.folder.root)
    #expect(copied.output.contains("9 frames, 0.9 s"), "\(copied)")
  }

  @Test("pictures of unequal times become as long a WebM, as the program says and to a millisecond")
  func unequal() throws {
    let clip = try MadeClip(
      named: "clip.gif",
      [
        "-f", "lavfi", "-i", "testsrc=s=96x64:r=10", "-frames:v", "4", "-vf",
        "settb=1/100,setpts='if(eq(N,0),0,if(eq(N,1),7,if(eq(N,2),10,21)))'", "-fps_mode", "vfr",
        "-final_delay", "25",
      ])
    let made = try BuiltTool.run(["export", clip.name, "-o", "a.webm"], in: clip.folder.root)
    #expect(made.status == 0, "\(made)")
    let seconds = try [clip.name, "a.webm"].map { name in
      let probed = try run(
        "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", name],
        in: clip.folder.root)
      return try #require(Double(String(decoding: probed.output, as: UTF8.self).dropLast()))
    }
    #expect(abs(seconds[0] - seconds[1]) <= 0.001 && made.output.contains(" \(seconds[0]) s"))
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
}
