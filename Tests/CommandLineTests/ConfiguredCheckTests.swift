import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkService

/// `check` with configurations, baselines, several reports and git.
@Suite struct ConfiguredCheckTests {
  let folder: TemporaryFolder

  /// A folder with a sound clip, one with sound, and one too fast.
  init() throws {
    folder = try TemporaryFolder()
    try folder.copy(.named("good-1x1.mp4"), to: "good/clip.mp4")
    try folder.copy(.named("audio-aac.mp4"), to: "sound/clip.mp4")
    try folder.copy(.named("rate-61.mp4"), to: "drafts/fast.mp4")
  }

  private func configure(_ yaml: String) throws {
    try Data(yaml.utf8).write(to: folder.url("artwork.yml"))
  }

  private func check(_ arguments: String...) throws -> BuiltTool.Result {
    try BuiltTool.run(["check"] + arguments, in: folder.root)
  }

  private func verdicts(_ result: BuiltTool.Result) throws -> [String: String] {
    var verdicts: [String: String] = [:]
    for object in try result.objects() {
      guard let path = object["path"] as? String else { continue }
      verdicts[path] = object["verdict"] as? String
    }
    return verdicts
  }

  @Test("the configuration above the path decides on severities, files and the exit code")
  func configured() throws {
    try configure(
      """
      rules: {audio-track: error, flash: off}
      exclude: [drafts]
      """)
    let result = try check("--format", "ndjson")
    #expect(result.status == 1)
    #expect(
      try verdicts(result) == ["./good/clip.mp4": "pass", "./sound/clip.mp4": "fail"])
    // Named files are checked, whatever is excluded.
    #expect(
      try verdicts(try check("drafts/fast.mp4", "--format", "ndjson"))
        == ["drafts/fast.mp4": "fail"])
    // Found from a subfolder, and its `fail-on` determines the exit code.
    try configure("fail-on: never\n")
    #expect(try check("drafts").status == 0)
    #expect(try check("drafts", "--fail-on", "error").status == 1)
  }

  @Test("--exclude adds to the patterns of the file, --include takes their place, as for repair")
  func patterns() throws {
    try configure("exclude: [drafts]\n")
    let excluded = try check("--exclude", "sound/**", "--format", "ndjson")
    #expect(try verdicts(excluded) == ["./good/clip.mp4": "pass"])
    let included = try check("--include", "good/*.mp4", "--format", "ndjson")
    #expect(try verdicts(included).keys.sorted() == ["./good/clip.mp4"])
    // Named files are checked, whatever is excluded.
    #expect(
      try verdicts(check("good/clip.mp4", "--exclude", "good/**", "--format", "ndjson")).count == 1)
    let bad = try check("--exclude", "[a")
    #expect(bad.status == 64 && bad.error.contains("'[a' is no pattern"))
    let repaired = try BuiltTool.run(
      ["repair", ".", "--dry-run", "--exclude", "sound/**", "--exclude", "good"], in: folder.root)
    #expect(!repaired.output.contains("sound/") && !repaired.output.contains("good/"))
  }

  @Test("a bad configuration is reported with its lines, all at once, and ends with 64")
  func bad() throws {
    try configure("profles: [web]\nrules:\n  audio-trak: error\n  flash: maybe\n")
    let result = try check()
    #expect(result.status == 64 && result.output.isEmpty)
    for text in [
      "artwork.yml:1:1", "did you mean `profiles`?", "artwork.yml:3:3",
      "did you mean `audio-track`?", "artwork.yml:4:",
    ] {
      #expect(result.error.contains(text), "\(text) in \(result.error)")
    }
    #expect(try check("--config", "nowhere.yml").status == 64)
  }

  @Test("what is no baseline, or one of a later version, is not replaced by one")
  func foreignBaseline() throws {
    for text in [#"{"version":2,"findings":[]}"#, "my notes"] {
      try Data(text.utf8).write(to: folder.url("known.json"))
      let result = try check("--write-baseline", "known.json")
      #expect(result.status == 64 && result.error.contains("remove it"), "\(result.error)")
      #expect(try Data(contentsOf: folder.url("known.json")) == Data(text.utf8))
    }
  }

  @Test("several profiles and several reports come from one run")
  func several() throws {
    let result = try check(
      "--profile", "now-playing,spotify-canvas", "--report", "json=all.json", "--report",
      "junit=all.xml", "--report", "html=page.html", "--report", "markdown=all.md")
    #expect(result.status == 1)
    // A matrix: one row for each file.
    #expect(result.output.contains("spotify-canvas"))
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("all.json")))
        as? [String: Any])
    let results = try #require(document["results"] as? [[String: Any]])
    #expect(results.count == 3)
    for result in results {
      let destinations = try #require(result["destinations"] as? [String: String])
      #expect(Set(destinations.keys) == ["now-playing", "spotify-canvas"])
    }
    try ReportSchema.expectValid([
      String(contentsOf: folder.url("all.json"), encoding: .utf8)
    ])
    // The page has pictures of each: previews, strips and maps.
    let page = try String(contentsOf: folder.url("page.html"), encoding: .utf8)
    #expect(page.components(separatedBy: "data:image/jpeg").count - 1 == 9)
    #expect(page.components(separatedBy: "data:image/png").count - 1 == 0)
    for name in ["all.xml", "all.md"] {
      #expect(try Data(contentsOf: folder.url(name)).count > 100)
    }
    #expect(try check("--report", "pdf=x").status == 64)
    #expect(try check("--report", "json=a", "--report", "html=a").status == 64)
  }

  @Test("a baseline hides what is known, and only that")
  func baseline() throws {
    #expect(try check().status == 1)
    let written = try check("--write-baseline", "known.json")
    #expect(written.status == 0 && written.error.contains("known.json"))
    let known = try check("--baseline", "known.json")
    #expect(known.status == 0)
    #expect(known.output.contains("known"))
    try folder.copy(.named("rate-120.mp4"), to: "new/fast.mp4")
    #expect(try check("--baseline", "known.json").status == 1)
    // An error that is known is no reason to fail, either.
    try FileManager.default.removeItem(at: folder.url("new"))
    try folder.copy(.named("broken-text.mp4"), to: "broken.mp4")
    #expect(try check("--baseline", "known.json").status == 2)
    #expect(try check("--write-baseline", "known.json").status == 0)
    try configure("baseline: known.json\n")
    #expect(try check().status == 0)
    // Repaired files are reported.
    try FileManager.default.removeItem(at: folder.url("drafts/fast.mp4"))
    try FileManager.default.copyItem(
      at: Fixture.named("good-1x1.mp4").url, to: folder.url("drafts/fast.mp4"))
    let repaired = try check()
    let sentence =
      /artworkd: \d+ known findings? no longer occurs?; --write-baseline .*known\.json removes (it|them)\n/
    #expect(repaired.status == 0 && repaired.error.contains(sentence), "\(repaired.error)")
    #expect(try check("--baseline", "none.json").status == 64)
  }

  @Test("a baseline that a configuration names can be written the first time, and in parts")
  func firstBaseline() throws {
    try configure("baseline: known.json\n")
    #expect(try check().status == 64)
    #expect(try check("--write-baseline", "known.json").status == 0)
    #expect(try check().status == 0)
    // Checking a part of the catalogue keeps the known findings of the rest.
    #expect(try check("sound", "--write-baseline", "known.json").status == 0)
    #expect(try check().status == 0)
  }

  @Test("a report is not written over what is checked")
  func overwriting() throws {
    let before = try Data(contentsOf: folder.url("good/clip.mp4"))
    for option in ["--output", "--write-baseline"] {
      #expect(try check("good", option, "good/../good/clip.mp4").status == 64, "\(option)")
    }
    #expect(try check("good", "--report", "html=good/clip.mp4").status == 64)
    try configure("fail-on: error\n")
    #expect(try check("--output", "artwork.yml").status == 64)
    #expect(try Data(contentsOf: folder.url("good/clip.mp4")) == before)
  }

  @Test("a file that an override sends elsewhere has no verdict for the other destinations")
  func overrides() throws {
    try configure("overrides: [{paths: [good], profiles: [spotify-canvas]}]\n")
    let result = try check(
      "--format", "ndjson", "--report", "markdown=all.md", "--report", "junit=all.xml")
    var judged: [String: [String]] = [:]
    for object in try result.objects() {
      guard let path = object["path"] as? String else { continue }
      judged[path] = (object["destinations"] as? [String: String])?.keys.sorted()
    }
    #expect(judged["./good/clip.mp4"] == ["spotify-canvas"])
    #expect(judged["./sound/clip.mp4"] == ["now-playing"])
    #expect(try String(contentsOf: folder.url("all.md"), encoding: .utf8).contains("–"))
    let tests = try String(contentsOf: folder.url("all.xml"), encoding: .utf8)
    #expect(tests.contains("[spotify-canvas]") && tests.contains("tests=\"3\""))
  }

  @Test("JUnit fails what the run fails")
  func failing() throws {
    func failures(_ level: String) throws -> Bool {
      _ = try check("drafts", "--fail-on", level, "--report", "junit=level.xml")
      return try String(contentsOf: folder.url("level.xml"), encoding: .utf8)
        .contains("<failure")
    }
    try configure("rules: {frame-rate: warning}\n")
    #expect(try failures("warning"))
    #expect(try !failures("error"))
  }

  @Test("a manifest gives IDs and keys, and what it lists and is not there is an error")
  func manifest() throws {
    try configure(
      """
      artworks:
        - {artworkID: song, 1x1: good/clip.mp4, 3x4: good/tall.mp4}
      """)
    let result = try check("good", "--format", "ndjson")
    #expect(result.status == 2)
    let objects = try result.objects().filter { $0["path"] != nil }
    #expect(objects.map { $0["artworkID"] as? String } == ["song", "song"])
    #expect(objects.map { $0["key"] as? String } == ["1x1", "3x4"])
    #expect((objects.last?["error"] as? [String: Any])?["code"] as? String == "not-found")
  }

  @Test("staged videos are checked, and nothing else")
  func staged() throws {
    func git(_ arguments: String...) throws {
      let identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
      let ended = try run("git", identity + arguments, in: folder.root)
      try #require(ended.status == 0, "\(ended.error)")
    }
    try git("init", "-q")
    #expect(try check("--staged").status == 0)
    try Data("text".utf8).write(to: folder.url("readme.md"))
    try git("add", "good/clip.mp4", "drafts/fast.mp4", "readme.md")
    let result = try check("--staged", "--format", "ndjson")
    #expect(
      try verdicts(result) == ["drafts/fast.mp4": "fail", "good/clip.mp4": "pass"])
    #expect(result.status == 1)
    try FileManager.default.removeItem(at: folder.url("drafts/fast.mp4"))
    try folder.copy(.named("rate-60.mp4"), to: "drafts/fast.mp4")
    #expect(
      try check("--staged").error.contains(
        "drafts/fast.mp4 has unstaged changes; checking the file on disk\n"))
    #expect(try check("--staged", "good").status == 64)
    // A staged cover has its release checked, and a staged file that is gone is an error.
    try folder.copy(.named("good-1x1.mp4"), to: "song/1x1.mp4")
    try folder.copy(.named("good-3x4.mp4"), to: "song/3x4.mp4")
    try git("add", ".")
    try git("commit", "-qm", "all")
    try folder.copy(.named("cover.jpg"), to: "song/cover.jpg")
    try git("add", "song/cover.jpg")
    #expect(
      try verdicts(try check("--staged", "--format", "ndjson")).keys.sorted()
        == ["song/1x1.mp4", "song/3x4.mp4"])
    try folder.copy(.named("rate-24.mp4"), to: "song/other.mp4")
    try git("add", "song/other.mp4")
    try FileManager.default.removeItem(at: folder.url("song/other.mp4"))
    #expect(try check("--staged").status == 2)
    let outside = try TemporaryFolder()
    let none = try BuiltTool.run(
      ["check", "--staged"], in: outside.root, environment: ["GIT_CEILING_DIRECTORIES": "/"])
    #expect(none.status == 64 && none.error.contains("git repository"))
  }
}
