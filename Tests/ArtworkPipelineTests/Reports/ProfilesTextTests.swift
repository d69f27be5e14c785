import TestSupport

@testable import ArtworkCore
@testable import ArtworkModel
@testable import ArtworkPipeline

/// The text report with several profiles, on narrow terminals and with a baseline.
@Suite struct ProfilesTextTests {
  static let six = Array(Profile.all.prefix(6))

  static func text(
    _ results: [CandidateReport], profiles: [Profile], width: Int? = nil, onlyProblems: Bool = false
  ) -> String {
    TextReport(style: .plain, layout: .full, onlyProblems: onlyProblems, width: width)
      .render(results, summary: Summary(results, seconds: 2), profiles: profiles)
  }

  @Test("what two profiles have in common is printed once; then comes the matrix")
  func merged() {
    let profiles = [Profile.nowPlaying, .web]
    let results = [
      SampleReport.result(
        "a/1x1.mp4",
        [
          SampleReport.finding("codec", .error, "VP9", help: "export it"),
          SampleReport.finding("color", .warning, "no matrix", help: "state it"),
          SampleReport.finding("frame-rate", .warning, "fast", limit: "60 fps"),
          SampleReport.finding("codec", .error, "VP9", help: "export it", profile: "web"),
          SampleReport.finding("frame-rate", .warning, "fast", limit: "30 fps", profile: "web"),
        ], profiles: profiles),
      SampleReport.result("a/3x4.mp4", profiles: profiles),
      SampleReport.error("b.mp4", profiles: profiles),
    ]
    #expect(
      Self.text(results, profiles: profiles) == """
        a/
          ✗ fail   1x1.mp4  1x1  1080x1080     30 fps      10 s  seamless
                   error    codec  VP9
                            for now-playing, web
                            → export it
                   warning  color  no matrix
                            for now-playing
                            → state it
                   warning  frame-rate  fast
                            for now-playing, web
                            limit 60 fps for now-playing
                            limit 30 fps for web
                            → slow down
          ✓ pass   3x4.mp4  1x1  1080x1080     30 fps      10 s  seamless

        ./
          ✗ error  b.mp4
                   error    not-a-movie  this is no video
                            → export the artwork as an H.264 .mp4

        destinations  now-playing    web
        a/1x1.mp4     ✗ codec +2     ✗ codec +1
        a/3x4.mp4     ✓              ✓
        b.mp4         ✗ not-a-movie  ✗ not-a-movie

        1 codec, 1 frame-rate, 1 color
        3 checked: 1 pass, 0 warn, 1 fail, 1 error in 2 s (1.5 files/s)

        """)
  }

  @Test("the matrix of six profiles fits 80 columns, whatever the names", arguments: [5, 30, 90])
  func narrowMatrix(length: Int) {
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
    let text = MatrixText(style: .plain, width: 80).render(results, profiles: Self.six)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 && $0.last != " " })
    // Nothing hides that there is more.
    #expect(text.split(separator: "\n").count { $0.contains("✗ f") && $0.contains("+1") } == 5)
    for word in ["spotify", "album", "playing"] { #expect(text.contains(word)) }
  }

  @Test(
    "names of destinations are whole where there is room, and in a pipe", arguments: [nil, 200])
  func headings(width: Int?) {
    let results = [SampleReport.result("a.mp4", profiles: Self.six)]
    let text = MatrixText(style: .plain, width: width).render(results, profiles: Self.six)
    let words = text.split(separator: "\n").first?.split(separator: " ").map(String.init)
    #expect(words == ["destinations"] + Self.six.map(\.name))
  }

  @Test("the text report has a row for each release, with the worst of its files")
  func releases() {
    let clips = ["1x1", "3x4"].map { key in
      var clip = BriefTextTests.clip(
        FilePath("art/neon/\(key).mp4"), release: "neon",
        key == "1x1"
          ? [SampleReport.finding("color", .warning, profile: Self.six[0].name)]
          : [SampleReport.finding("flash", .error, profile: Self.six[0].name)])
      clip.profiles = Self.six.map(\.name)
      return clip
    }
    let text = TextReport(style: .plain).render(
      clips, summary: Summary(clips, seconds: 1), profiles: Self.six)
    let row = text.split(separator: "\n").first { $0.hasPrefix("art/neon/ ") }
    #expect(row?.contains("✗ flash +1") == true)
    #expect(row?.components("✓") == 5)
    #expect(!text.contains("\nart/neon/1x1.mp4  "))
  }

  @Test("a wide terminal has the whole reasons")
  func wideMatrix() {
    let result = SampleReport.result(
      "a.mp4", Self.six.map { SampleReport.finding("frame-rate-mode", .error, profile: $0.name) },
      profiles: Self.six)
    let text = MatrixText(style: .plain, width: 200).render([result], profiles: Self.six)
    #expect(text.split(separator: "\n").last?.components("✗ frame-rate-mode") == 6)
    #expect(!text.contains("…"))
  }

  @Test(
    "text fits the terminal, and what is to be copied stays whole", arguments: [40, 60, 80, 120])
  func wrapped(width: Int) {
    let command = "artworkd repair IN -o OUT.mp4 --key 1x1"
    let path = "/a/very/long/path/that/nobody/wants/to/see/broken/into/two/lines.mp4"
    let result = SampleReport.result(
      "a.mp4",
      [
        SampleReport.finding(
          "codec-tag", .error,
          "Apple systems do not play HEVC with the sample entry hev1, only with hvc1, see \(path)",
          help:
            "remux it without encoding: \(command), or export it again; `artworkd loop FILE` helps",
          measured: "hev1 in a file that has been written by some program with old defaults")
      ])
    let text = Self.text([result], profiles: [.nowPlaying], width: width)
    for part in [command, path, "`artworkd loop FILE`"] { #expect(text.contains(part)) }
    let whole = Self.text([result], profiles: [.nowPlaying])
    #expect(
      text.split(whereSeparator: \.isWhitespace) == whole.split(whereSeparator: \.isWhitespace))
    for line in text.split(separator: "\n").dropFirst(2).dropLast(2) {
      // Wider only where a single piece is.
      let isWhole = line.contains(command) || line.contains(path)
      #expect(line.count <= width || isWhole, "\(line)")
      #expect(line.hasPrefix("           "))
    }
  }

  @Test(
    "pieces that stay together",
    arguments: [
      (
        "drop it: artworkd loop IN, or not",
        ["drop", "it:", "artworkd loop IN,", "or", "not"]
      ),
      ("see `a b` and `c`", ["see", "`a b`", "and", "`c`"]),
      ("with artworkd -r 30", ["with", "artworkd -r 30"]),
      ("an `open quote", ["an", "`open quote"]), ("", []),
    ])
  func pieces(text: String, pieces: [String]) {
    #expect(TextWrap.pieces(text) == pieces)
  }

  @Test("what a baseline knows is counted, not shown; a known error is no new problem")
  func known() {
    var result = SampleReport.result("a.mp4")
    result.known = [SampleReport.finding("codec", .error, "hidden")]
    var broken = SampleReport.error("b.mp4")
    broken.errorIsKnown = true
    let text = Self.text([result, broken], profiles: [.nowPlaying])
    #expect(!text.contains("hidden"))
    #expect(text.contains("not-a-movie  this is no video (known)"))
    #expect(
      text.hasSuffix(
        "\n1 known finding left out, 1 known error not counted (baseline)\n2 checked: 1 pass, 0 warn, 0 fail, 1 error in 2 s (1 files/s)\n"
      ))
    let quiet = Self.text([result, broken], profiles: [.nowPlaying], onlyProblems: true)
    #expect(!quiet.contains("not-a-movie"))
  }

  @Test("a preview that was not written hides no finding")
  func previewError() {
    var result = SampleReport.result("a.mp4", [SampleReport.finding()])
    result.error = InspectionError(.previewNotWritten, "no space")
    let text = Self.text([result], profiles: [.nowPlaying])
    #expect(text.contains("preview-not-written  no space") && text.contains("frame-rate  too fast"))
  }
}

extension Substring {
  fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
