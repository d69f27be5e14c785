@Suite struct WholeReportTests {
  static let folder = Checkout.root.appendingPathComponent("Tests/Fixtures/reports")

  /// Two destinations; releases that are ready, that one command repairs, that need a command for each file, work by
  /// hand, or cannot be read; a folder of clips; limits that differ, a remark, a baseline, markup in a name, a clip that
  /// lacks what most have, and a preview that was not written.
  static let report: CheckReport = {
    let profiles = [Profile.nowPlaying, .web]
    var known = SampleReport.clip("art/old/1x1.mp4", release: "old")
    known.known = [SampleReport.finding("codec", .error, "VP9", help: "export it")]
    var tall = SampleReport.clip(
      "art/neon/3x4.mp4", release: "neon",
      [
        SampleReport.repaired("codec-tag", "art/neon/3x4.mp4", .lossless, options: " --unsafe"),
        SampleReport.repaired("letterbox", "art/neon/3x4.mp4", .unsafe, severity: .warning),
        SampleReport.finding("audio-track", .info, "sound", profile: "web"),
      ])
    tall.inspection?.facts.setDisplay(2048, 2732)
    tall.inspection?.facts.setRate(30000, 1001)
    tall.inspection?.facts.durationSeconds = 9.5
    var results = [
      SampleReport.clip("art/amber/1x1.mp4", release: "amber"), SampleReport.clip("art/amber/3x4.mp4", release: "amber"), known,
      SampleReport.clip(
        "art/neon/1x1.mp4", release: "neon",
        [
          SampleReport.repaired("codec-tag", "art/neon/1x1.mp4", .lossless),
          SampleReport.finding(
            "frame-rate", .error, "too fast, <61> fps", measured: "61 fps", limit: "at most 60 fps", profile: "web"),
          SampleReport.finding("duration", .warning, "long", limit: "30 s"),
          SampleReport.finding("duration", .warning, "long", limit: "20 s", profile: "web"),
        ]), tall,
      SampleReport.clip(
        "art/a,b:c/100%_1x1.mp4", release: "river",
        [SampleReport.finding("flash", .error, "it flashes", help: "export it again")]), SampleReport.error("art/torn.mp4"),
      SampleReport.clip(
        "art/delta/1x1.mp4", release: "delta",
        [SampleReport.repaired("codec-tag", "art/delta/1x1.mp4", .lossless, options: " --key 3x4")]),
      SampleReport.clip(
        "art/delta/3x4.mp4", release: "delta", [SampleReport.repaired("codec-tag", "art/delta/3x4.mp4", .lossless)]),
    ]
    for name in ["1x1.mp4", "3x4.mp4"] {
      var unreadable = SampleReport.error(FilePath("art/lost/\(name)"))
      unreadable.release = Release.Name(folder: "/srv/art/lost", artworkID: "lost")
      results.append(unreadable)
    }
    for number in 0..<5 {
      let path = "clips/take-\(number).mp4"
      let finding = SampleReport.repaired("codec-tag", path, .lossless)
      results.append(SampleReport.clip(FilePath(path), number == 4 ? [] : [finding]))
    }
    var jump = SampleReport.finding("loop-seam", .error, "it jumps", help: "cut out a loop")
    jump.command = "artworkd loop /jump.mp4"
    var bare = SampleReport.result("/jump.mp4", [jump]) { ($0.frameRate, $0.frameRateRatio) = (nil, nil) }
    (bare.key, bare.seam) = (nil, nil)
    var accepted = SampleReport.error("accepted.mp4")
    accepted.errorIsKnown = true
    var unwritten = SampleReport.result("b/unwritten.mp4", [SampleReport.finding()])
    unwritten.error = InspectionError(.previewNotWritten, "no space")
    var written = SampleReport.result("written.mp4")
    written.preview = "previews/written.1x1.png"
    results += [bare, accepted, unwritten, written]
    for index in results.indices { results[index].profiles = profiles.map(\.name) }
    return SampleReport.report(results, profiles: profiles)
  }()

  @Test(arguments: ReportFormat.allCases)
  func `each format writes the whole report that is on file`(format: ReportFormat) throws {
    var setting = SampleReport.setting
    setting.places = ["art"]
    // The style and the script of the page are separate files.
    let text = try format.render(Self.report, setting).replacing(#/<(style|script)>[^\0]*?</(style|script)>/#) {
      "<\($0.1)></\($0.1)>"
    }.replacing(#/sha256-[A-Za-z0-9+/=]+/#, with: "sha256-")
    try Recorded.expect(text, in: Self.folder.appendingPathComponent("report.\(format.rawValue)"))
  }
}
