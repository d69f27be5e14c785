import TestSupport

/// Clips that an editor's trial found judged wrongly, by the commands that made them there.
@Suite struct EditorTrialTests {
  private static let h264 =
    "-c:v libx264 -preset veryfast -pix_fmt yuv420p -colorspace bt709"

  /// The rules of warnings and errors that `check` raises.
  private static func faults(
    in clip: MadeClip, _ name: String = "clip.mp4", _ options: String = ""
  ) throws -> [String] {
    let run = try clip.artworkd(
      "check \(name) --no-cache --key 1x1 --format ndjson \(options)")
    let findings = try #require(try run.rows.first?["findings"], "\(run.error)").items
    return findings.filter { $0["severity"] != "info" }.compactMap { $0["rule"]?.text }
  }

  private static func expectNoFaults(_ clip: MadeClip) throws {
    #expect(try faults(in: clip).isEmpty)
    #expect(try faults(in: clip, "clip.mp4", "--thorough").isEmpty)
  }

  @Test("a light that goes out for a moment is motion, and a cut within it is no loop")
  func flicker() throws {
    let clip = try MadeClip(
      "-f lavfi -i smptebars=s=240x240:r=24 -t 3 "
        + "-vf eq=brightness='if(between(n,24,30),-0.4,0)':eval=frame \(Self.h264)")
    try Self.expectNoFaults(clip)
    let loop = try clip.artworkd("loop clip.mp4 --no-pictures")
    #expect(!loop.output.contains("wherever it is cut"), "\(loop.output)")
    // Cut while the light is out: it goes on at the loop point.
    try clip.folder.ffmpeg(
      "-i clip.mp4 -vf trim=start_frame=26,setpts=PTS-STARTPTS \(Self.h264) cut.mp4")
    #expect(try Self.faults(in: clip, "cut.mp4") == ["loop-seam"])
  }

  @Test("blurred copies beside a picture are bars", arguments: ["null", "transpose"])
  func blurredBars(turn: String) throws {
    func clip(_ filter: String) throws -> MadeClip {
      try MadeClip(
        "-f lavfi -i nullsrc=s=480x480:r=24,geq=lum='30+0.3*X+60*(1+sin(X/5)*sin(Y/7))':cb=128:cr=128 "
          + "-t 2 -vf trim=end_frame=1,loop=47:1:0,setpts=N/24/TB,scale=240:240,"
          + "rotate='0.03*sin(2*PI*n/48)',\(filter),\(turn) \(Self.h264)")
    }
    let bars = try clip("split[a][b];[a]gblur=sigma=12[a];[b]crop=240:135[b];[a][b]overlay=0:52")
    #expect(try Self.faults(in: bars).contains("letterbox"))
    #expect(try !Self.faults(in: clip("null")).contains("letterbox"))
  }

  @Test("pictures that stand and dissolve loop, however many frames are decoded", .nightly)
  func slideshow() throws {
    let inputs = ["mandelbrot", "smptebars", "testsrc", "mandelbrot"]
      .map { "-f lavfi -i \($0)=s=240x240:r=24" }.joined(separator: " ")
    let stills = (0..<4).map {
      "[\($0)]trim=end_frame=1,loop=71:1:0,setpts=N/24/TB,fps=24[p\($0)];"
    }.joined()
    try Self.expectNoFaults(
      MadeClip(
        "\(inputs) -filter_complex \(stills)[p0][p1]xfade=duration=1:offset=1[a];"
          + "[a][p2]xfade=duration=1:offset=3[b];"
          + "[b][p3]xfade=duration=1:offset=5,trim=end_frame=144 \(Self.h264)"))
  }

  @Test("a still that something crosses once is no freeze", .nightly)
  func passer() throws {
    try Self.expectNoFaults(
      MadeClip(
        "-f lavfi -i smptebars=s=240x240:r=24:d=8 -f lavfi -i color=c=white:s=24x24:r=24:d=8 "
          + "-filter_complex [0][1]overlay=x='-24+(t-3)*190':y=100:enable='between(t,3,4.4)' "
          + Self.h264))
  }

  @Test(
    "coding noise makes no error of an almost still loop", .nightly, arguments: [14, 18, 20, 23])
  func faint(crf: Int) throws {
    let clip = try MadeClip(
      "-f lavfi -i gradients=s=180x240:r=24:c0=0x203040:c1=0x8090a0:speed=0.00001 -t 4 "
        + "-vf format=gray,geq=lum='lum(X,Y)+1.5*sin(2*PI*(N/96+Y/60))' \(Self.h264) -crf \(crf)")
    let run = try clip.artworkd("check clip.mp4 --no-cache --key 3x4 --fail-on error")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("of a disc that is alike on both sides, the middle is taken, and that is reported")
  func disc() throws {
    let clip = try MadeClip(
      named: "fan_1x1.mp4",
      "-f lavfi -i color=c=0x101018:s=240x240:r=24 -t 1 -vf geq=lum='if(lt(hypot(X-120,Y-120),105),"
        + "if(gt(cos(5*(atan2(Y-120,X-120)-2*PI/5*N/24)),0),210,90),20)':cb=128:cr=128 \(Self.h264)"
    )
    let run = try clip.artworkd("derive fan_1x1.mp4 --key 3x4 --dry-run")
    #expect(run.status == 0 && run.output.contains(" 180x240 at 30,0 "), "\(run.output)")
    #expect(run.output.contains("so the centre is used"))
  }

  @Test("--longest bounds what a repair cuts out")
  func longest() throws {
    let clip = try MadeClip.leadIn(24, total: 160, size: "96x96", encoder: MadeClip.h264)
    // The circle goes round every 2 s, and 136 of its frames are there.
    for (options, seconds) in [("", 4), ("--longest 3", 2)] as [(String, JSONNode)] {
      let run = try clip.artworkd(
        "repair clip.mp4 --unsafe -o part\(options.count).mp4 --select loop-seam --shortest 1 "
          + "--format json \(options)")
      #expect(try run.json.at("results.0.newDurationSeconds") == seconds)
    }
  }
}
