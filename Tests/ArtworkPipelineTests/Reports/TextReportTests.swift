@testable import ArtworkJudging
@testable import ArtworkPipeline

/// The texts for people, in what ``WholeReportTests`` does not compare: widths, colour, and what is left out.
@Suite struct TextReportTests {
  static let formats = [ReportFormat.text, .full, .concise]
  static let six = Array(Profile.all.prefix(6))

  static func text(_ format: ReportFormat, _ report: CheckReport, _ change: (inout ReportSetting) -> Void = { _ in }) -> String
  {
    var setting = SampleReport.setting
    setting.places = ["art"]
    change(&setting)
    return TextReport.render(format, report, setting)
  }

  @Test func `columns line up whatever is in them, and one very long name does not push the others away`() throws {
    var results = (0..<20).map { number in
      SampleReport.result(FilePath("folder/" + String(repeating: "n", count: number * 2 + 1) + ".mp4")) {
        $0.setDisplay(number * 371 + 1, 1000)
        $0.durationSeconds = Double(number) * 7.31
      }
    }
    let long = String(repeating: "n", count: 200) + ".mp4"
    results.append(SampleReport.result(FilePath("folder/\(long)")))
    let text = Self.text(.full, SampleReport.report(results))
    let lines = text.split(separator: "\n").filter { $0.contains("x1000") }
    #expect(lines.count == 20)
    func places(of word: String) -> Set<Int> {
      Set(lines.map { line in line.range(of: word).map { line.distance(from: line.startIndex, to: $0.lowerBound) } ?? -1 })
    }
    #expect(places(of: "seamless").count == 1)
    #expect(places(of: "30 fps").count == 1)
    // Numbers end at the same place, so their parts before it start at different ones.
    #expect(places(of: "x1000").count == 1)
    #expect(Set(lines.map { $0.split(separator: " ").first { $0.hasSuffix("x1000") }?.count }).count > 1)
    #expect(text.contains("\(long)  1x1"))
  }

  @Test(arguments: formats)
  func `no control character reaches a terminal, and colour changes nothing else`(format: ReportFormat) {
    for report in [SampleReport.hostile, WholeReportTests.report] {
      let plain = Self.text(format, report)
      #expect(!plain.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e })
      #expect(plain.split(separator: "\n").allSatisfy { $0.last != " " })
      let colored = Self.text(format, report) { $0.style = .colored }
      #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain && plain != colored)
    }
  }

  @Test(arguments: formats)
  func `only problems means what needs attention`(format: ReportFormat) {
    let fine = SampleReport.result("fine.mp4", [SampleReport.finding("color", .info)])
    let warned = SampleReport.result("warned.mp4", [SampleReport.finding("codec", .warning)])
    var known = SampleReport.error("known.mp4")
    known.errorIsKnown = true
    let text = Self.text(format, SampleReport.report([fine, warned, known])) { $0.onlyProblems = true }
    #expect(!text.contains("fine.mp4") && text.contains("warned.mp4"))
    #expect(!text.contains("known.mp4") && text.contains("3 checked: 1 pass, 1 warn"))
    let nothing = Self.text(format, SampleReport.report([fine])) { $0.onlyProblems = true }
    #expect(nothing == "1 checked: 1 pass, 0 warn, 0 fail, 0 error in 2 s (0.5 files/s)\n")
  }

  @Test(
    "the summary is printed with its rate",
    arguments: [
      (0.0, "in 0.01 s"), (0.004, "in 0.01 s"), (0.09, "in 0.09 s"), (0.5, "in 0.5 s (6 files/s)"),
      (100, "in 100 s (0 files/s)"), (7, "in 7 s (0.4 files/s)"),
    ])
  func closing(seconds: Double, ending: String) {
    let results = ["a", "b", "c"].map { SampleReport.result(FilePath($0)) }
    let text = TextReport.closing(Summary(results, seconds: seconds), style: .plain)
    #expect(text == "3 checked: 3 pass, 0 warn, 0 fail, 0 error \(ending)\n")
  }

  @Test func `the last command leaves out named files that need nothing, and searches as the check did`() {
    let report = SampleReport.report([
      SampleReport.clip("a.mp4"), SampleReport.clip("b.mp4", [SampleReport.repaired("codec-tag", "b.mp4", .lossless)]),
    ])
    let text = Self.text(.text, report) {
      $0.places = ["./a.mp4", "b.mp4", "art"]
      $0.search = ["--exclude", "old *"]
    }
    #expect(text.contains("→ artworkd repair ./b.mp4 ./art --output-dir fixed --exclude 'old *'\n"))
  }

  @Test(
    "the last lines count releases: ready, by a command, and by a person",
    arguments: [
      ([RepairKind.lossless], false, "0 of 1 release is ready. One command can make 1 more ready: with the same picture."),
      ([.unsafe], false, "0 of 1 release is ready. One command can make 1 more ready: the picture changes."),
      (
        [.lossless, .unsafe], true,
        "0 of 3 releases are ready. One command can make 2 more ready: 1 with the same picture; in 1, it changes. 1 needs you."
      ), ([], true, "0 of 1 release is ready. 1 needs you."),
    ])
  func effect(kinds: [RepairKind], hasOther: Bool, effect: String) {
    var results = kinds.map { kind in
      let name = "\(kind).mp4"
      return SampleReport.clip(FilePath(name), release: name, [SampleReport.repaired("codec-tag", name, kind)])
    }
    let findings = [SampleReport.repaired("codec-tag", "o.mp4", .lossless), SampleReport.finding("flash")]
    if hasOther { results.append(SampleReport.clip("o.mp4", release: "o", findings)) }
    let text = Self.text(.text, SampleReport.report(results))
    #expect(text.contains("\n→ artworkd repair ./art --output-dir fixed"))
    #expect(text.contains("\n\(effect)\n"), "\(text)")
  }

  @Test func `what the repair of another finding removes needs nobody`() {
    func need(_ rule: String, beside repaired: [String]) -> Need {
      let findings = [SampleReport.finding(rule)] + repaired.map { SampleReport.repaired($0, "a.mp4", .unsafe) }
      let report = SampleReport.clip("a.mp4", release: "a", findings)
      return ReleaseResult(reports: [report]).need(of: findings[0], in: report)
    }
    #expect(need("complementary", beside: ["letterbox"]) == .changes)
    #expect(need("complementary", beside: ["loop-seam"]) == .you)
    #expect(need("blank-first-frame", beside: ["loop-seam"]) == .changes)
    #expect(need("pair", beside: []) == .you && need("flash", beside: ["loop-seam"]) == .you)
  }

  @Test(arguments: [5, 30, 90])
  func `the matrix of six profiles fits 80 columns, whatever the names`(length: Int) {
    let results = (0..<5).map { number in
      SampleReport.result(
        FilePath("\(number)" + String(repeating: "n", count: length) + ".mp4"),
        Self.six.flatMap { profile in
          [
            SampleReport.finding("frame-rate-mode", .error, profile: profile.name),
            SampleReport.finding("pixel-format", .warning, profile: profile.name),
          ]
        }, profiles: Self.six)
    }
    let text = DestinationMatrix(style: .plain, width: 80, profiles: Self.six).files(results)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 && $0.last != " " })
    // Nothing hides that there is more.
    #expect(text.split(separator: "\n").count { $0.contains("✗ f") && $0.contains("+1") } == 5)
    for word in ["spotify", "album", "playing"] { #expect(text.contains(word)) }
  }

  @Test(arguments: [nil, 200])
  func `destinations and reasons are whole where there is room, and in a pipe`(width: Int?) {
    let findings = Self.six.map { SampleReport.finding("frame-rate-mode", .error, profile: $0.name) }
    let lines = DestinationMatrix(style: .plain, width: width, profiles: Self.six).files([
      SampleReport.result("a.mp4", findings, profiles: Self.six)
    ]).split(separator: "\n")
    #expect(lines.first?.split(separator: " ").map(String.init) == ["destinations"] + Self.six.map(\.name))
    #expect(lines.last?.ranges(of: "✗ frame-rate-mode").count == 6)
  }

  @Test(arguments: [40, 60, 80, 120])
  func `text fits the terminal, and what is to be copied stays whole`(width: Int) {
    let command = "artworkd repair IN -o OUT.mp4 --key 1x1"
    let path = "/a/very/long/path/that/nobody/wants/to/see/broken/into/two/lines.mp4"
    let report = SampleReport.report([
      SampleReport.result(
        "a.mp4",
        [
          SampleReport.finding(
            "codec-tag", .error, "Apple systems do not play HEVC with the sample entry hev1, only with hvc1, see \(path)",
            help: "remux it without encoding: \(command), or export it again; `artworkd loop FILE` helps",
            measured: "hev1 in a file that has been written by some program with old defaults")
        ])
    ])
    let text = Self.text(.full, report) { $0.width = width }
    for part in [command, path, "`artworkd loop FILE`"] { #expect(text.contains(part)) }
    let whole = Self.text(.full, report)
    #expect(text.split(whereSeparator: \.isWhitespace) == whole.split(whereSeparator: \.isWhitespace))
    for line in text.split(separator: "\n").dropFirst(2).dropLast(2) {
      // Wider only where a single piece is.
      let isWhole = line.contains(command) || line.contains(path)
      #expect(line.count <= width || isWhole, "\(line)")
      #expect(line.hasPrefix("           "))
    }
    for line in Self.text(.text, WholeReportTests.report, { $0.width = width }).split(separator: "\n") where width >= 80 {
      let isWhole = ["artworkd ", " checked: ", "1x1.mp4", "unreadable"].contains { line.contains($0) }
      #expect(line.count <= width || isWhole, "\(line)")
    }
  }

  @Test(
    "pieces that stay together",
    arguments: [
      ("drop it: artworkd loop IN, or not", ["drop", "it:", "artworkd loop IN,", "or", "not"]),
      ("see `a b` and `c`", ["see", "`a b`", "and", "`c`"]), ("with artworkd -r 30", ["with", "artworkd -r 30"]),
      ("an `open quote", ["an", "`open quote"]), ("", []),
    ])
  func pieces(text: String, pieces: [String]) { #expect(TextWrap.pieces(text) == pieces) }
}
