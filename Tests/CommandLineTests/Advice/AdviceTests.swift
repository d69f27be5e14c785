import TestSupport

@testable import ArtworkJudging
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline

/// The command of a finding is run as printed: the result breaks no rule of a finding with that command, and none
/// that the clip did not break.
@Suite struct AdviceTests {
  struct Checked {
    var findings: [[String: Any]]
    var facts: [String: Any]

    /// Rules with their severities.
    var broken: Set<String> {
      Set(findings.map { "\($0["rule"] ?? "") \($0["severity"] ?? "")" })
    }

    func finding(_ rule: String) -> [String: Any]? {
      findings.first { $0["rule"] as? String == rule }
    }
  }

  static func check(_ file: String, for profile: String, in folder: TemporaryFolder) throws
    -> Checked
  {
    let result = try BuiltTool.run(
      ["check", file, "--thorough", "--format", "json", "--quiet"]
        + (profile == "tiny" ? [] : ["--profile", profile]), in: folder.root)
    let results = try LoopCommandTests.json(result.output)["results"] as? [[String: Any]]
    let first = try #require(results?.first)
    return Checked(
      findings: try #require(first["findings"] as? [[String: Any]]),
      facts: try #require(first["facts"] as? [String: Any], "\(file): \(result.output)"))
  }

  /// Runs a command as a user would, with `artworkd` in the path.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> BuiltTool.Result {
    let tools = try BuiltTool.find().deletingLastPathComponent().path
    return BuiltTool.Result(
      try run("sh", ["-c", "PATH=\(tools):$PATH; \(command)"], in: folder.root))
  }

  /// The words of a command.
  static func words(_ command: String) throws -> [String] {
    let result = try run("sh", ["-c", "printf '%s\\n' \(command)"])
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static let byDay: Set<String> = [
    "hev1", "too tall, with odd sides", "120 fps", "too short, with longer sound", "a GIF",
    "the first frame again", "no matrix, H.264", "24 in 30 fps, every frame a keyframe",
  ]

  /// Findings that neither a copy nor encoding repairs.
  private static let beyondRepair: Set<String> = [
    "BT.601 for a distributor", "H.264 for an artist page", "P3", "no matrix, ProRes",
    "too short, ProRes",
  ]

  @Test(
    "one command repairs all that it has, and breaks nothing",
    arguments: BrokenClip.all.filter { Nightly.isOn || byDay.contains($0.what) })
  func commands(_ clip: BrokenClip) throws {
    let folder = try clip.made()
    let before = try Self.check(clip.file, for: clip.profile, in: folder)
    let finding = try #require(before.finding(clip.rule), "it does not break the rule")
    guard !Self.beyondRepair.contains(clip.what) else {
      #expect(finding["repair"] == nil && finding["command"] == nil, "it can be repaired now")
      return
    }
    let command = try #require(finding["command"] as? String)
    let repaired = before.findings.filter { $0["command"] as? String == command }
    #expect(
      before.findings.allSatisfy { $0["repair"] == nil || $0["command"] as? String == command })
    let original = try Data(contentsOf: folder.url(clip.file))
    let frames = try Self.digests(clip.file, in: folder)
    let done = try Self.shell(command, in: folder)
    #expect(done.status < 2, "\(command)\n\(done.error)")
    let words = try Self.words(command)
    #expect(words.prefix(2) == ["artworkd", "repair"])
    // Beside the animation, or in the place of the video.
    let stem = (clip.file as NSString).deletingPathExtension
    let output = try #require(
      ["mp4", "mov"].map { "\(stem).\($0)" }.first {
        FileManager.default.fileExists(atPath: folder.url($0).path)
      })
    let after = try Self.check(output, for: clip.profile, in: folder)
    for finding in repaired {
      #expect(
        after.finding(finding["rule"] as? String ?? "") == nil, "\(command)\n\(after.broken)")
    }
    #expect(after.broken.isSubset(of: before.broken), "\(command)\n\(after.broken)")
    // Packets that are copied are all there.
    if words[1] == "repair", !words.contains("--unsafe") {
      let new = try Self.digests(output, in: folder)
      #expect(after.facts["frameCount"] as? Int == before.facts["frameCount"] as? Int)
      #expect(new == frames)
    }
    if clip.rule == "judder" {
      #expect(words.contains("--unsafe"))
      #expect(after.facts["frameRate"] as? Double == 24)
      #expect(after.facts["frameCount"] as? Int == 48)
    }
    guard words[1] == "repair" else { return }
    let undone = try BuiltTool.run(["repair", "--undo", "."], in: folder.root)
    #expect(undone.status == 0, "\(undone.error)")
    #expect(try Data(contentsOf: folder.url(clip.file)) == original)
  }

  private static func digests(_ file: String, in folder: TemporaryFolder) throws -> [Substring] {
    let result = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", file, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5",
        "-",
      ],
      in: folder.root)
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  @Test("artworkd loop prints commands that repair what it is for", arguments: BrokenClip.loops)
  func loops(_ clip: BrokenClip) throws {
    let folder = try clip.made()
    let before = try Self.check(clip.file, for: clip.profile, in: folder)
    let finding = try #require(before.finding(clip.rule), "it does not break the rule")
    let command = try #require(finding["command"] as? String)
    let found = try Self.shell(command + " --no-pictures --format json", in: folder)
    #expect(found.status == 0, "\(command)\n\(found.error)")
    let parts = try #require(
      try LoopCommandTests.json(found.output)["candidates"] as? [[String: Any]])
    let cut = try #require(parts.first?["command"] as? String)
    let done = try Self.shell(cut, in: folder)
    #expect(done.status == 0, "\(cut)\n\(done.error)")
    let words = try Self.words(cut)
    let output = words[try #require(words.firstIndex(of: "-o")) + 1]
    let after = try Self.check(output, for: clip.profile, in: folder)
    #expect(after.finding(clip.rule) == nil, "\(cut)\n\(after.broken)")
    #expect(after.broken.isSubset(of: before.broken), "\(cut)\n\(after.broken)")
  }

  @Test("previews are made anew, also in place of a JPEG", arguments: ["a.png", "a.jpg"])
  func previews(name: String) throws {
    // By day, each rule with one of the two names.
    let rules = [("preview-aspect", "40x90"), ("preview-match", "90x90")]
    for (rule, size) in Nightly.isOn ? rules : [rules[name == "a.png" ? 0 : 1]] {
      let clip = BrokenClip(
        rule, name,
        "ffmpeg \(BrokenClip.spin()) \(BrokenClip.x264) a.mp4; ffmpeg -f lavfi -i color=red:s=\(size) -frames:v 1 \(name)"
      )
      let folder = try clip.made()
      let before = try Self.check("a.mp4", for: clip.profile, in: folder)
      let finding = try #require(before.finding(rule))
      let command = try #require(finding["command"] as? String)
      let old = try Data(contentsOf: folder.url(name))
      #expect(try Self.shell(command, in: folder).status == 0, "\(command)")
      let words = try Self.words(command)
      #expect(words.prefix(2) == ["artworkd", "repair"] && words.contains("./a.mp4"))
      #expect(try Data(contentsOf: folder.url(".artworkd/originals/\(name)")) == old)
      let after = try Self.check("a.mp4", for: clip.profile, in: folder)
      #expect(after.finding(rule) == nil)
      #expect(after.broken.isSubset(of: before.broken))
    }
  }

  @Test("a square that is named tall is checked as a square")
  func otherKey() throws {
    let clip = BrokenClip(
      "aspect-ratio", "", file: "3x4.mp4",
      "ffmpeg \(BrokenClip.spin()) \(BrokenClip.x264) 3x4.mp4")
    let folder = try clip.made()
    let before = try Self.check(clip.file, for: clip.profile, in: folder)
    let command = try #require(before.finding(clip.rule)?["command"] as? String)
    #expect(command == "artworkd check --key 1x1 ./3x4.mp4")
    let after = try Self.shell(command, in: folder)
    #expect(after.status == 0 && !after.output.contains("aspect-ratio"))
  }

  @Test("no page of a rule asks for another program")
  func documents() throws {
    for rule in Rules.catalogue {
      let page = rule.page
      for part in [page.meaning, page["Why"], page["Measured"], page["Fix"]] {
        #expect(!part.contains("ffmpeg"), "\(rule.id)")
      }
    }
  }

  @Test("a clip that states no matrix looks the same when its matrix is stated")
  func sameColors() throws {
    for size in ["64x64", "128x720"] {
      let clip = BrokenClip(
        "color", size, file: "1x1.mp4",
        "ffmpeg -f lavfi -i testsrc2=s=\(size):r=24 -frames:v 12 -pix_fmt yuv420p \(BrokenClip.x264) 1x1.mp4"
      )
      let folder = try clip.made()
      let repaired = try BuiltTool.run(
        ["repair", clip.file, "--select", "color", "-o", "1x1.fixed.mp4"], in: folder.root)
      #expect(repaired.output.contains("repaired: color"), "\(repaired.output)")
      for (file, picture) in [("1x1.mp4", "a.png"), ("1x1.fixed.mp4", "b.png")] {
        let made = try BuiltTool.run(["preview", file, "-o", picture], in: folder.root)
        #expect(made.status == 0, "\(made.error)")
      }
      #expect(try Data(contentsOf: folder.url("a.png")) == Data(contentsOf: folder.url("b.png")))
      // The same matrix as ffmpeg's, stated explicitly.
      let matrix = size == "64x64" ? "bt601" : "bt709"
      let shown = try run(
        "ffmpeg",
        [
          "-v", "error", "-i", "1x1.mp4", "-frames:v", "1", "-vf",
          "scale=in_color_matrix=\(matrix):flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24",
          "-f", "rawvideo", "-",
        ], in: folder.root
      ).output
      let ours = try run(
        "ffmpeg", ["-v", "error", "-i", "a.png", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"],
        in: folder.root
      ).output
      #expect(ours.count == shown.count && !ours.isEmpty)
      let difference = zip(ours, shown).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) }
      // The other matrix is off by more than 3 on average.
      #expect(difference / Double(max(1, ours.count)) < 1, "\(size)")
    }
  }
}
