import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

/// The short text report: a line for each release, one command, and the next step.
@Suite struct BriefTextTests {
  static func clip(
    _ path: FilePath, release: String? = nil, _ findings: [Finding] = []
  ) -> CandidateReport {
    var report = SampleReport.result(path, findings)
    report.key = ArtworkKey(fileName: path.lastComponent?.string ?? "") ?? .square
    report.artworkID = release
    report.release = release.map { Release.Name(folder: FilePath("/srv/art/\($0)"), artworkID: $0) }
    return report
  }

  /// A finding that `artworkd repair` fixes.
  static func repaired(
    _ rule: String, _ path: String, _ kind: RepairKind, options: String = "",
    severity: Finding.Severity = .error
  ) -> Finding {
    var finding = SampleReport.finding(rule, severity, "\(rule) is wrong", help: "mend it")
    let stem = path.dropLast(4)
    let unsafe = kind == .unsafe ? " --unsafe" : ""
    finding.repair = kind
    finding.command = "artworkd repair ./\(path) -o ./\(stem).fixed.mp4\(unsafe)\(options)"
    return finding
  }

  static func text(
    _ reports: [CandidateReport], style: TextStyle = .plain, width: Int? = nil,
    onlyProblems: Bool = false
  ) -> String {
    TextReport(style: style, onlyProblems: onlyProblems, width: width, places: ["art"])
      .render(reports, summary: Summary(reports, seconds: 2), profiles: [.nowPlaying])
  }

  static let catalogue: [CandidateReport] = [
    clip("art/amber/1x1.mp4", release: "amber"), clip("art/amber/3x4.mp4", release: "amber"),
    clip(
      "art/neon/1x1.mp4", release: "neon", [repaired("codec-tag", "art/neon/1x1.mp4", .lossless)]),
    clip(
      "art/neon/3x4.mp4", release: "neon",
      [
        repaired("codec-tag", "art/neon/3x4.mp4", .lossless, options: " --unsafe"),
        repaired("letterbox", "art/neon/3x4.mp4", .unsafe, severity: .warning),
        SampleReport.finding("audio-track", .info, "sound"),
      ]),
    clip(
      "art/river/1x1.mp4", release: "river",
      [
        SampleReport.finding("flash", .error, "it flashes", help: "export it again"),
        repaired("codec-tag", "art/river/1x1.mp4", .lossless),
      ]),
    SampleReport.error("art/torn.mp4"),
  ]

  @Test("the last command leaves out named files that need nothing, and searches as the check did")
  func namedFiles() {
    let clips = [
      Self.clip("a.mp4"), Self.clip("b.mp4", [Self.repaired("codec-tag", "b.mp4", .lossless)]),
    ]
    let text = TextReport(
      style: .plain, places: ["./a.mp4", "b.mp4", "art"], search: ["--exclude", "old *"]
    ).render(clips, summary: Summary(clips, seconds: 1))
    #expect(
      text.contains("→ artworkd repair ./b.mp4 ./art --output-dir fixed --exclude 'old *'\n"))
  }

  @Test("clips of no release in one folder share one command")
  func heap() {
    let paths = (0..<5).map { "clips/take-\($0).mp4" }
    var clips = paths.map {
      Self.clip(FilePath($0), [Self.repaired("codec-tag", $0, .lossless)])
    }
    clips[4].findings = []
    let text = Self.text(clips)
    #expect(text.components(separatedBy: "artworkd repair ./clips --output-dir fixed\n").count == 2)
    #expect(text.hasPrefix("clips/\n✗ fail   take-0.mp4  codec-tag\n✗ fail   take-1.mp4  "))
    #expect(text.contains("✓ pass   take-4.mp4  1x1\n         artworkd repair ./clips"))
  }

  @Test("files that take different options have a command each")
  func options() {
    let text = Self.text([
      Self.clip(
        "art/neon/1x1.mp4", release: "neon",
        [Self.repaired("codec-tag", "art/neon/1x1.mp4", .lossless, options: " --key 3x4")]),
      Self.clip(
        "art/neon/3x4.mp4", release: "neon",
        [Self.repaired("codec-tag", "art/neon/3x4.mp4", .lossless)]),
    ])
    #expect(
      text.contains("  artworkd repair ./art/neon/1x1.mp4 -o ./art/neon/1x1.fixed.mp4 --key 3x4\n"))
    #expect(text.contains("  artworkd repair ./art/neon/3x4.mp4 -o ./art/neon/3x4.fixed.mp4\n"))
    #expect(!text.contains("→ artworkd repair"))
  }

  @Test("a command that only shows what can be done fixes nothing")
  func loops() {
    var finding = SampleReport.finding("loop-seam", .error, "it jumps", help: "cut out a loop")
    finding.command = "artworkd loop a.mp4"
    let text = Self.text([Self.clip("a.mp4", [finding])])
    #expect(text.contains("by hand: loop-seam"))
    #expect(text.contains("\n         artworkd loop a.mp4\n"))
    #expect(text.contains("0 releases ready, 0 fixable, 1 to re-export, 0 unreadable"))
  }

  @Test("of a release with files that cannot be read, these are named")
  func unreadable() {
    let reports = ["1x1.mp4", "3x4.mp4"].map { name in
      var report = SampleReport.error(FilePath("art/torn/\(name)"))
      report.release = Release.Name(folder: "/srv/art/torn", artworkID: "torn")
      return report
    }
    #expect(
      Self.text(reports).hasPrefix(
        "✗ error  art/torn/  not-a-movie (1x1.mp4), not-a-movie (3x4.mp4)\n         1x1.mp4: this"))
  }

  @Test("text fits the terminal but for commands and names", arguments: [80, 120])
  func wrapped(width: Int) {
    for line in Self.text(Self.catalogue, width: width).split(separator: "\n") {
      let isWhole =
        ["artworkd ", " checked: ", "/1x1.mp4", "unreadable"].contains { line.contains($0) }
      #expect(line.count <= width || isWhole, "\(line)")
      #expect(line.last != " ")
    }
  }

  @Test("colour changes nothing but colour; quiet leaves out what is ready")
  func styles() {
    let (plain, colored) = (
      Self.text(Self.catalogue), Self.text(Self.catalogue, style: .colored)
    )
    #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain && plain != colored)
    let quiet = Self.text(Self.catalogue, onlyProblems: true)
    #expect(!quiet.contains("amber") && quiet.contains("neon"))
    let nothing = Self.text([Self.clip("a.mp4")], onlyProblems: true)
    #expect(nothing == "1 checked: 1 pass, 0 warn, 0 fail, 0 error in 2 s (0.5 files/s)\n")
  }

  @Test("control characters in names reach no terminal, in no layout")
  func controls() {
    for format in [ReportFormat.text, .full, .concise] {
      let text = try? format.render(SampleReport.hostile, SampleReport.setting)
      #expect(
        text?.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e }
          == false)
    }
  }
}
