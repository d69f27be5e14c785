import TestSupport

/// WebM of a source whose last frame rests: at a constant rate, as long as the source.
@Suite struct ExportedRestTests {
  /// Three frames: 0.1 s, 0.1 s, and a rest of 0.7 s.
  private static func resting(_ ending: String, _ encoder: String) throws -> MadeClip {
    try MadeClip(
      named: "clip.\(ending)",
      "-f lavfi -i testsrc=s=96x64:r=10 -frames:v 3 -vf format=rgb24 \(encoder)")
  }

  @Test(
    "every frame lasts equally long, and all together as long",
    arguments: [("gif", "-final_delay 70"), ("png", "-plays 0 -final_delay 7/10 -f apng")])
  func packets(ending: String, encoder: String) throws {
    let clip = try Self.resting(ending, encoder)
    let made = try clip.artworkd("export \(clip.name) -o a.webm")
    #expect(made.status == 0 && made.output.contains("9 frames, 0.9 s"), "\(made)")
    let lines = try clip.folder.run(
      "ffprobe -v error -show_entries packet=pts_time,duration_time:format=duration "
        + "-of compact=p=0:nk=1 a.webm"
    ).lines
    let expected = (0..<9).map { "0.\($0)00000|0.100000" } + ["0.900000"]
    #expect(lines.count == 10 && zip(lines, expected).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    let copied = try clip.artworkd("import a.webm -o a.mp4")
    #expect(copied.output.contains("9 frames, 0.9 s"), "\(copied)")
  }

  @Test("pictures of unequal times become as long a WebM, as the program says and to a millisecond")
  func unequal() throws {
    let clip = try MadeClip(
      named: "clip.gif",
      "-f lavfi -i testsrc=s=96x64:r=10 -frames:v 4 "
        + "-vf settb=1/100,setpts='if(eq(N,0),0,if(eq(N,1),7,if(eq(N,2),10,21)))' "
        + "-fps_mode vfr -final_delay 25")
    let made = try clip.artworkd("export clip.gif -o a.webm")
    #expect(made.status == 0, "\(made)")
    let seconds = try ["clip.gif", "a.webm"].map {
      try #require(Double(try clip.folder.probe($0, "format=duration")))
    }
    #expect(abs(seconds[0] - seconds[1]) <= 0.001 && made.output.contains(" \(seconds[0]) s"))
  }

  @Test("Chromium plays it to its end", .enabled(if: Browser.isInstalled, Browser.absence))
  func played() throws {
    let clip = try Self.resting("gif", "-final_delay 70")
    #expect(try clip.artworkd("export clip.gif -o a.webm").status == 0)
    let data = try clip.folder.data("a.webm").base64EncodedString()
    try clip.folder.write("<!doctype html><title>clip</title>", to: "page.html")
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
