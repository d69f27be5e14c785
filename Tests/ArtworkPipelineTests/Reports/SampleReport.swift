/// Reports to be rendered, made by hand.
enum SampleReport {
  /// Names that break careless code: markup, ends of scripts and sections, terminal sequences, line breaks,
  /// separators of tables and commands, reversed text, bytes that are not text.
  static let hostileNames: [FilePath] = [
    "plain.mp4", "a,b:c%d.mp4", "]]>.mp4", "<img src=x onerror=alert(1)>.mp4",
    "</script><script>document.title='gotcha'</script>.mp4", "esc\u{1b}[2J\u{7}.mp4", "line\nbreak\r\n::error::forged.mp4",
    "pipe|tick`star*_under_.mp4", "@octocat #12.mp4", "\u{202e}4pm.gnp\u{2028}.mp4", "ü 音 🎵 & \"quotes\" 'n' such.mp4",
    "{{data}} $& $1.mp4", "\u{fffe}\u{ffff}.mp4", "##[error]old.mp4", FilePath(bytes: Array("caf".utf8) + [0xe9, 0x2e]),
  ]

  static func finding(
    _ rule: String = "frame-rate", _ severity: Finding.Severity = .error, _ message: String = "too fast",
    help: String = "slow down", measured: String? = nil, limit: String? = nil, profile: String = "now-playing"
  ) -> Finding {
    Finding(rule: rule, severity: severity, message: message, help: help, measured: measured, limit: limit, profile: profile)
  }

  static func result(
    _ path: FilePath, _ findings: [Finding] = [], profiles: [Profile] = [.nowPlaying], seam: SeamJudgement.Verdict = .seamless,
    _ change: (inout MediaFacts) -> Void = { _ in }
  ) -> CandidateReport {
    CandidateReport(
      path: path, key: .square, inspection: .sample(facts: .sample(change)), seam: .sample(seam), findings: findings,
      profiles: profiles.map(\.name))
  }

  /// A clip, of a release if that is named.
  static func clip(_ path: FilePath, release: String? = nil, _ findings: [Finding] = []) -> CandidateReport {
    var report = result(path, findings)
    report.key = ArtworkKey(fileName: path.lastComponent?.string ?? "") ?? .square
    report.artworkID = release
    report.release = release.map { Release.Name(folder: FilePath("/srv/art/\($0)"), artworkID: $0) }
    return report
  }

  /// A finding that `artworkd repair` fixes.
  static func repaired(
    _ rule: String, _ path: String, _ kind: RepairKind, options: String = "", severity: Finding.Severity = .error
  ) -> Finding {
    var finding = finding(rule, severity, "\(rule) is wrong", help: "mend it")
    let unsafe = kind == .unsafe ? " --unsafe" : ""
    finding.repair = kind
    finding.command = "artworkd repair ./\(path) --in-place\(unsafe)\(options)"
    return finding
  }

  static func error(_ path: FilePath, _ code: InspectionError.Code = .notAMovie, profiles: [Profile] = [.nowPlaying])
    -> CandidateReport
  { CandidateReport(path: path, error: InspectionError(code, "this is no video"), profiles: profiles.map(\.name)) }

  static func report(_ results: [CandidateReport], profiles: [Profile] = [.nowPlaying]) -> CheckReport {
    CheckReport(results: results, summary: Summary(results, seconds: 2), profiles: profiles)
  }

  /// Each hostile name as a folder, a file, and in messages.
  static let hostile = report(
    hostileNames.flatMap { name in
      let text = name.string
      let inside = FilePath("covers").appending(name.components).appending("1x1.mp4")
      return [
        result(
          name,
          [
            finding("codec", .error, "not \(text)", help: "use \(text)", measured: text),
            finding("color", .warning, text, help: text, limit: text),
          ]), result(inside, [finding("frame-rate", .info, text, help: text)]),
        CandidateReport(path: FilePath("broken").appending(name.components), error: InspectionError(.notAMovie, text)),
      ]
    })

  static let setting = ReportSetting(currentFolder: "/srv/art", toolVersion: "1.2.3")
}
