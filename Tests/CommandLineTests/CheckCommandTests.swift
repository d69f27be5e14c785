import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

/// The built tool, as a shell or a CI job sees it.
@Suite struct CheckCommandTests {
  static func path(_ fixture: String) -> String { Fixture.named(fixture).url.path }

  static func check(_ files: [String], _ options: String...) throws -> BuiltTool.Result {
    try BuiltTool.run(["check"] + options + files.map(path))
  }

  @Test(
    "the exit code is the worst that happened, against the level asked for",
    arguments: [
      // prores-422 is a warning, audio-aac an info, loop-jump an error, broken-text unreadable.
      (["good-1x1.mp4"], [], 0), (["prores-422.mov"], [], 0), (["loop-jump.mp4"], [], 1),
      (["broken-text.mp4"], [], 2), (["broken-text.mp4", "loop-jump.mp4", "good-1x1.mp4"], [], 2),
      (["good-1x1.mp4", "loop-jump.mp4"], [], 1),
      (["prores-422.mov"], ["--fail-on", "warning"], 1),
      (["audio-aac.mp4"], ["--fail-on", "warning"], 0),
      (["loop-jump.mp4"], ["--fail-on", "warning"], 1),
      (["loop-jump.mp4"], ["--fail-on", "never"], 0),
      (["broken-text.mp4"], ["--fail-on", "never"], 2),
    ] as [([String], [String], Int32)])
  func exitCodes(files: [String], options: [String], status: Int32) throws {
    #expect(try BuiltTool.run(["check"] + options + files.map(Self.path)).status == status)
  }

  @Test(
    "usage errors exit with 64 and are printed on standard error",
    arguments: [
      ["--format", "yaml"], ["--jobs", "0"], ["--jobs", "257"], ["--jobs", "many"],
      ["--key", "16x9"],
      ["--profile", ""], ["--fail-on", "everything"], ["--nonsense"],
      ["-", "-"],
      ["--output"], [""],
    ])
  func usage(arguments: [String]) throws {
    let result = try BuiltTool.run(["check"] + arguments, input: "")
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.error.contains("Usage: artworkd check"))
  }

  @Test("help and version are no errors")
  func help() throws {
    for arguments in [["--help"], ["check", "--help"], ["--version"]] {
      let result = try BuiltTool.run(arguments)
      #expect(result.status == 0)
      #expect(!result.output.isEmpty && result.error == "")
    }
    #expect(try BuiltTool.run(["check", "--help"]).output.contains("Exit codes:"))
  }

  @Test(
    "a list on standard input is read, whatever ends its lines",
    arguments: ["\n", "\r\n", "\0"], [true, false])
  func lists(separator: String, endsWithSeparator: Bool) throws {
    let paths = ["good-1x1.mp4", "loop-jump.mp4"].map(Self.path)
    let input = paths.joined(separator: separator) + (endsWithSeparator ? separator : "")
    let result = try BuiltTool.run(
      ["check", "--format", "ndjson", "--jobs", "1", "-"], input: input)
    #expect(result.status == 1)
    #expect(try result.objects().compactMap { $0["path"] as? String } == paths)
  }

  @Test("a NUL-separated list holds any name, line breaks too")
  func hostileList() throws {
    let folder = try TemporaryFolder()
    let name = "line\nbreak \\ \" é.mp4"
    try FileManager.default.copyItem(at: Fixture.named("good-1x1.mp4").url, to: folder.url(name))
    let input = folder.url(name).path + "\0" + Self.path("good-3x4.mp4") + "\0"
    let result = try BuiltTool.run(
      ["check", "--format", "ndjson", "--jobs", "1", "-"], input: input)
    #expect(result.status == 0)
    #expect(try result.objects().first?["path"] as? String == folder.url(name).path)
    #expect(result.lines.count == 3)
  }

  @Test("a list may stand among paths, and may be empty")
  func mixedList() throws {
    let result = try BuiltTool.run(
      [
        "check", "--format", "ndjson", "--jobs", "1", Self.path("good-1x1.mp4"), "-",
        Self.path("rate-24.mp4"),
      ],
      input: Self.path("good-3x4.mp4") + "\n\n")
    #expect(
      try result.objects().compactMap { $0["path"] as? String }
        == ["good-1x1.mp4", "good-3x4.mp4", "rate-24.mp4"].map(Self.path))
    let empty = try BuiltTool.run(["check", "-"], input: "")
    #expect(empty.status == 0)
    #expect(empty.output.contains("0 checked"))
  }

  @Test("standard output is the product, standard error the talk")
  func purity() throws {
    let files = ["good-1x1.mp4", "broken-text.mp4", "loop-jump.mp4"]
    let text = try Self.check(files)
    #expect(text.error == "")
    #expect(text.lines.last?.hasPrefix("3 checked: 1 pass, 0 warn, 1 fail, 1 error") == true)

    let json = try Self.check(files, "--format", "json")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
    #expect(json.error.hasPrefix("3 checked: 1 pass") && json.error.count { $0 == "\n" } == 1)

    let lines = try Self.check(files, "--format", "ndjson")
    #expect(try lines.objects().count == 4)
    #expect(lines.error.hasPrefix("3 checked: 1 pass"))

    for format in ["text", "json", "ndjson"] {
      #expect(try Self.check(files, "--format", format, "--quiet").error == "")
    }
  }

  @Test(
    "neither colour nor progress where there is no terminal", arguments: ["text", "json", "ndjson"])
  func noTerminal(format: String) throws {
    let result = try Self.check(
      ["good-1x1.mp4", "prores-422.mov", "loop-jump.mp4", "broken-text.mp4"], "--format", format)
    for stream in [result.output, result.error] {
      #expect(!stream.contains("\u{1b}") && !stream.contains("\r"))
    }
  }

  @Test("NDJSON has one line for each candidate and one summary, the last")
  func lines() throws {
    let objects = try CheckedFixtures.lines().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let paths = objects.dropLast().compactMap { $0["path"] as? String }
    let expected = Fixture.all.map(\.url.path).filter { !$0.hasSuffix("cover.jpg") }
    #expect(paths.count == expected.count && Set(paths) == Set(expected))
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    #expect(summary["total"] as? Int == expected.count)
    let counts = ["pass", "warn", "fail", "error"].compactMap { summary[$0] as? Int }
    #expect(counts.reduce(0, +) == expected.count)
    for (verdict, count) in zip(["pass", "warn", "fail", "error"], counts) {
      #expect(objects.count { $0["verdict"] as? String == verdict } == count)
    }
  }

  @Test("results go to the file that is named, whole and without colour")
  func outputFile() throws {
    let folder = try TemporaryFolder()
    for format in ["text", "json", "ndjson"] {
      let file = folder.url("report.\(format)")
      let result = try Self.check(
        ["good-1x1.mp4", "loop-jump.mp4"], "--format", format, "--output", file.path)
      #expect(result.status == 1)
      #expect(result.output == "")
      #expect(result.error.hasPrefix("2 checked: 1 pass, 0 warn, 1 fail"))
      let written = try String(contentsOf: file, encoding: .utf8)
      let printed = try Self.check(
        ["good-1x1.mp4", "loop-jump.mp4"], "--format", format, "--jobs", "1")
      // The time it took is the only difference.
      let seconds = /in [0-9.]+ s( \([0-9.]+ files\/s\))?|"seconds" ?: ?[0-9.e-]+/
      #expect(
        written.replacing(seconds, with: "").split(separator: "\n").sorted()
          == printed.output.replacing(seconds, with: "").split(separator: "\n").sorted())
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root.path).sorted()
        == ["report.json", "report.ndjson", "report.text"])
  }

  @Test("output that cannot be written is an internal error")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let result = try Self.check(["good-1x1.mp4"], "--output", folder.url("no/such/report").path)
    #expect(result.status == 70)
    #expect(result.error.contains(folder.url("no/such/report").path))
    #expect(result.output == "")
  }

  @Test("previews are written as a tree below the folder that is named")
  func previews() throws {
    let (tree, folder) = (try TemporaryFolder(), try TemporaryFolder())
    for (name, fixture) in [
      ("a/1x1.mp4", "good-1x1.mp4"), ("a/3x4.mp4", "good-3x4.mp4"),
      ("b/cover.mp4", "rotate-90.mp4"),
      ("b/text.mp4", "broken-text.mp4"),
    ] {
      try FileManager.default.createDirectory(
        at: tree.url(name).deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Fixture.named(fixture).url, to: tree.url(name))
    }
    let result = try BuiltTool.run([
      "check", "--format", "ndjson", "--preview-dir", folder.url("p").path, tree.root.path,
    ])
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url("p").path)
    #expect(
      Set(files) == ["a", "b", "a/1x1.1x1.png", "a/3x4.3x4.png", "b/cover.3x4.png"])
    let reported = try result.objects().compactMap { $0["preview"] as? String }
    #expect(
      Set(reported) == Set(files.filter { $0.contains("png") }.map { folder.url("p/\($0)").path }))
  }

  @Test("previews of several folders keep their releases")
  func previewsOfSeveral() throws {
    let (tree, folder) = (try TemporaryFolder(), try TemporaryFolder())
    for name in ["a", "b"] {
      try tree.copy(.named("good-1x1.mp4"), to: "\(name)/1x1.mp4")
    }
    for (target, paths) in [("folders", ["a", "b"]), ("files", ["a/1x1.mp4", "b/1x1.mp4"])] {
      _ = try BuiltTool.run(
        ["check", "--preview-dir", folder.url(target).path] + paths, in: tree.root)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url(target).path)
      #expect(Set(files) == ["a", "b", "a/1x1.1x1.png", "b/1x1.1x1.png"])
    }
    _ = try BuiltTool.run(["check", "--preview-dir", folder.url("one").path, "a"], in: tree.root)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url("one").path)
        == ["1x1.1x1.png"])
  }

  @Test("rules can be selected and ignored: findings, counts and the exit code follow")
  func selection() throws {
    // prores-422.mov has a warning of `codec`, loop-jump.mp4 an error of `loop-seam`.
    let files = ["prores-422.mov", "loop-jump.mp4"]
    func rules(_ options: String...) throws -> (counts: [String: Int], status: Int32) {
      let result = try BuiltTool.run(
        ["check", "--format", "ndjson"] + options + files.map(Self.path))
      let objects = try result.objects()
      let found = objects.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
        .compactMap { $0["rule"] as? String }
      let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
      let summary = try #require(objects.last?["summary"] as? [String: Any])
      #expect(summary["rules"] as? [String: Int] == counts)
      return (counts, result.status)
    }
    let all = try rules()
    #expect(all.counts["codec"] == 1 && all.counts["loop-seam"] == 1 && all.status == 1)
    let codec = try rules("--select", "codec,color", "--ignore", "color")
    #expect(codec.counts == ["codec": 1] && codec.status == 0)
    let seam = try rules("--select", "codec", "--select", "loop-seam")
    #expect(seam.counts == ["codec": 1, "loop-seam": 1] && seam.status == 1)
    let others = try rules("--ignore", "loop-seam")
    #expect(others.counts["loop-seam"] == nil && others.counts["codec"] == 1 && others.status == 0)
    let text = try Self.check(files, "--select", "codec,loop-seam")
    #expect(text.output.contains("\n1 codec, 1 loop-seam\n"))
    #expect(text.output.contains("\n2 checked: 0 pass, 1 warn, 1 fail"))
    let quiet = try Self.check(["good-1x1.mp4"], "--quiet")
    #expect(quiet.lines.count == 1)
  }

  @Test(
    "an unknown rule is a usage error with a suggestion", arguments: ["--select", "--ignore"])
  func unknownRule(option: String) throws {
    let result = try BuiltTool.run(["check", option, "loop-seem"])
    #expect(result.status == 64)
    #expect(result.error.contains("Unknown rule 'loop-seem'; did you mean `loop-seam`?"))
    #expect(
      try BuiltTool.run(["check", option, "codec", "--write-baseline", "b.json"]).status == 64)
  }

  @Test("text has the files in the order of the arguments, however many run in parallel")
  func order() throws {
    let files = [
      "loop-jump.mp4", "good-1x1.mp4", "broken-text.mp4", "rate-24.mp4", "rate-60.mp4",
      "audio-aac.mp4", "prores-422.mov",
    ]
    let result = try Self.check(files, "--jobs", "8", "--no-cache")
    let names = result.lines.filter { line in "✓!✗".contains { line.first == $0 } }
      .compactMap { line in files.first { line.contains("\($0)") } }
    #expect(names == files)
  }

  @Test("a release has its line, one command, and the end states what to do next")
  func releases() throws {
    let folder = try TemporaryFolder()
    try folder.copy(.named("codec-hev1.mp4"), to: "art/amber/1x1.mp4")
    try folder.copy(.named("good-1x1.mp4"), to: "art/noise/1x1.mp4")
    try folder.copy(.named("broken-text.mp4"), to: "art/torn/1x1.mp4")
    let options = ["check", "art", "--ignore", "pair,duplicate-content"]
    let brief = try BuiltTool.run(options, in: folder.root)
    let command = "artworkd repair ./art/amber/1x1.mp4 -o ./art/amber/1x1.fixed.mp4"
    let lines = brief.lines
    #expect(lines.first?.hasPrefix("✗ fail   art/amber/1x1.mp4") == true, "\(brief.output)")
    #expect(lines.first?.contains("codec-tag") == true)
    #expect(lines.dropFirst(2).first == "         " + command)
    #expect(brief.output.contains("✓ pass   art/noise/1x1.mp4  1x1\n"))
    #expect(brief.output.contains("\n1 release ready, 1 fixable, 0 to re-export, 1 unreadable\n"))
    let whole = "artworkd repair ./art --output-dir fixed"
    #expect(
      brief.output.contains("\n→ \(whole)\n  fixes every warning and error in 1 release without"))
    // The printed commands can be run, and have the stated effect.
    for text in [command, whole] {
      let words = text.split(separator: " ").dropFirst().map(String.init)
      let run = try BuiltTool.run(words, in: folder.root)
      #expect(run.status == (text == whole ? 2 : 0), "\(run.output) \(run.error)")
    }
    for fixed in ["art/amber/1x1.fixed.mp4", "fixed/amber/1x1.mp4"] {
      #expect(FileManager.default.fileExists(atPath: folder.url(fixed).path), "\(fixed)")
    }
  }

  @Test("--verbose and --format full print all; concise has a line for each finding")
  func layouts() throws {
    let files = ["loop-jump.mp4", "audio-aac.mp4", "broken-text.mp4"]
    let brief = try Self.check(files).output
    #expect(!brief.contains("measured ") && !brief.contains("audio-track"))
    let full = try Self.check(files, "--format", "full").output
    #expect(full.contains("measured ") && full.contains("audio-track"))
    let verbose = try Self.check(files, "--verbose").output
    func words(_ text: String) -> [String] { text.components(separatedBy: " in ").dropLast() }
    #expect(words(verbose) == words(full))
    let concise = try Self.check(files, "--format", "concise")
    #expect(concise.status == 2)
    let starts = concise.lines.dropLast().map { $0.prefix { $0 != ":" } }
    #expect(Set(starts) == Set(files.map { Self.path($0)[...] }))
    #expect(concise.output.contains("\(Self.path("loop-jump.mp4")): error loop-seam "))
    #expect(concise.output.contains("\(Self.path("audio-aac.mp4")): info audio-track "))
    #expect(concise.lines.last?.hasPrefix("3 checked: ") == true)
  }

  @Test("the key can be forced")
  func key() throws {
    let forced = try Self.check(["good-1x1.mp4"], "--format", "ndjson", "--key", "3x4")
    #expect(forced.status == 1)
    #expect(try forced.objects().first?["key"] as? String == "3x4")
    let auto = try Self.check(["good-1x1.mp4"], "--format", "ndjson", "--key", "auto")
    #expect(try auto.objects().first?["key"] as? String == "1x1")
  }

  @Test("a missing file is named, and does not stop the others")
  func missing() throws {
    let result = try BuiltTool.run(["check", "/nowhere/missing.mp4", Self.path("good-1x1.mp4")])
    #expect(result.status == 2)
    #expect(result.output.contains("✗ error  /nowhere/missing.mp4"))
    #expect(result.output.contains("not-found"))
    #expect(result.output.contains("1 pass, 0 warn, 0 fail, 1 error"))
  }

  @Test("a folder without candidates is reported, and is not an error")
  func emptyFolder() throws {
    let folder = try TemporaryFolder()
    try Data("notes".utf8).write(to: folder.url("notes.txt"))
    let result = try BuiltTool.run(["check"], in: folder.root)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("0 checked"))
    #expect(result.error == "artworkd: no candidate videos in this folder\n")
  }

  @Test("quiet text leaves out what passes; a thorough check prints the same")
  func quietAndThorough() throws {
    let quiet = try Self.check(["good-1x1.mp4", "loop-jump.mp4"], "--quiet")
    #expect(!quiet.output.contains("good-1x1.mp4") && quiet.output.contains("loop-jump.mp4"))
    let thorough = try Self.check(["good-1x1-2s.mp4"], "--thorough", "--format", "ndjson")
    let effort = try thorough.objects().first?["decoding"] as? [String: Any]
    #expect(effort?["fallback"] as? String == "requested")
    #expect(effort?["packetsDecoded"] as? Int == 48)
    let normal = try Self.check(["look-letterbox.mp4"], "--format", "ndjson")
    let usual = try #require(try normal.objects().first?["decoding"] as? [String: Any])
    #expect(usual["fallback"] == nil)
  }

  @Test("a page changes no result, and every frame gives the loop fixtures the verdicts of a few")
  func pageIsNoGate() throws {
    let folder = try TemporaryFolder()
    let loops = Fixture.all.filter { $0.file.hasPrefix("loop-") }
    for fixture in loops { try folder.copy(fixture, to: fixture.file) }
    // Damage in the middle, which only a full decode detects.
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x96:r=24", "-frames:v", "300",
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "veryfast", "-g", "10", "a.mp4",
      ], in: folder.root)
    try #require(made.status == 0, "\(made.error)")
    var bytes = try Data(contentsOf: folder.url("a.mp4"))
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 600, with: Data(repeating: 0xa5, count: 600))
    try bytes.write(to: folder.url("a.mp4"))

    func check(_ options: String...) throws -> (status: Int32, results: [[String: Any]]) {
      let result = try BuiltTool.run(
        ["check", ".", "--format", "json", "--fail-on", "warning", "--no-cache", "--key", "1x1"]
          + options, in: folder.root)
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let results = try #require(json["results"] as? [[String: Any]])
      #expect(results.count == loops.count + 1)
      return (result.status, results)
    }
    let plain = try check()
    let page = try check("--report", "html=page.html")
    #expect(FileManager.default.fileExists(atPath: folder.url("page.html").path))
    #expect(page.status == plain.status)
    #expect(page.results as NSArray == plain.results as NSArray, "the same packets are decoded")

    let thorough = try check("--thorough")
    #expect(thorough.status == plain.status)
    for (all, few) in zip(thorough.results, plain.results).dropFirst() {
      #expect(LoopCommandTests.verdict(all["seam"]) == LoopCommandTests.verdict(few["seam"]))
      #expect(all["findings"] as? NSArray == few["findings"] as? NSArray)
    }
    #expect(thorough.results as NSArray != plain.results as NSArray)
  }
}
