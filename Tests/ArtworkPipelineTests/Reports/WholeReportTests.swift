import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

/// Whole reports in Tests/Fixtures/reports, byte for byte.
@Suite struct WholeReportTests {
  static let folder = Checkout.root.appendingPathComponent("Tests/Fixtures/reports")

  /// Two destinations; a release that is ready, one that a command repairs, one that needs work by hand, a warning, a
  /// remark, findings in a baseline, markup in a name, and a file that is not a video.
  static let report: CheckReport = {
    let profiles = [Profile.nowPlaying, .web]
    var known = BriefTextTests.clip("art/old/1x1.mp4", release: "old")
    known.known = [SampleReport.finding("codec", .error, "VP9", help: "export it")]
    var tall = BriefTextTests.clip(
      "art/neon/3x4.mp4", release: "neon",
      [
        BriefTextTests.repaired("codec-tag", "art/neon/3x4.mp4", .lossless, options: " --unsafe"),
        BriefTextTests.repaired("letterbox", "art/neon/3x4.mp4", .unsafe, severity: .warning),
        SampleReport.finding("audio-track", .info, "sound", profile: "web"),
      ])
    tall.inspection?.facts.setDisplay(2048, 2732)
    tall.inspection?.facts.setRate(30000, 1001)
    tall.inspection?.facts.durationSeconds = 9.5
    var results = [
      BriefTextTests.clip("art/amber/1x1.mp4", release: "amber"),
      BriefTextTests.clip("art/amber/3x4.mp4", release: "amber"), known,
      BriefTextTests.clip(
        "art/neon/1x1.mp4", release: "neon",
        [
          BriefTextTests.repaired("codec-tag", "art/neon/1x1.mp4", .lossless),
          SampleReport.finding(
            "frame-rate", .error, "too fast, <61> fps", measured: "61 fps", limit: "at most 60 fps",
            profile: "web"),
        ]), tall,
      BriefTextTests.clip(
        "art/a,b:c/100%_1x1.mp4", release: "river",
        [SampleReport.finding("flash", .error, "it flashes", help: "export it again")]),
      SampleReport.error("art/torn.mp4", profiles: profiles),
    ]
    for index in results.indices { results[index].profiles = profiles.map(\.name) }
    return SampleReport.report(results, profiles: profiles)
  }()

  @Test("each format writes the whole report that is on file", arguments: ReportFormat.allCases)
  func whole(format: ReportFormat) throws {
    var setting = SampleReport.setting
    setting.places = ["art"]
    // The style and the script of the page are separate files.
    let text = try format.render(Self.report, setting)
      .replacing(#/<(style|script)>[^\0]*?</(style|script)>/#) { "<\($0.1)></\($0.1)>" }
      .replacing(#/sha256-[A-Za-z0-9+/=]+/#, with: "sha256-")
    try Recorded.expect(text, in: Self.folder.appendingPathComponent("report.\(format.rawValue)"))
  }
}
