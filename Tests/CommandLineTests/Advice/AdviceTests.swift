import TestSupport

/// The command of a finding is run as printed: the result breaks no rule of a finding with that command, and none
/// that the clip did not break.
@Suite struct AdviceTests {
  struct Checked {
    var findings: [JSONNode]
    var facts: JSONNode

    /// Rules with their severities.
    var broken: Set<String> {
      Set(findings.map { "\($0["rule"]?.text ?? "") \($0["severity"]?.text ?? "")" })
    }

    func finding(_ rule: String) -> JSONNode? { findings.first { $0["rule"]?.text == rule } }
  }

  static func check(_ file: String, for profile: String, in folder: TemporaryFolder) throws
    -> Checked
  {
    let result = try folder.artworkd(
      ["check", file, "--thorough", "--format", "json", "--quiet"]
        + (profile == "tiny" ? [] : ["--profile", profile]))
    let first = try #require(try result.json.at("results.0"))
    return Checked(
      findings: try #require(first["findings"]).items,
      facts: try #require(first["facts"], "\(file): \(result.output)"))
  }

  /// The clip, which breaks its rule, and the command for that.
  private static func broken(
    _ clip: BrokenClip, in folder: TemporaryFolder
  ) throws -> (before: Checked, command: String) {
    let before = try check(clip.file, for: clip.profile, in: folder)
    let finding = try #require(before.finding(clip.rule), "it does not break the rule")
    return (before, try #require(finding["command"]?.text))
  }

  /// Runs a command as a user would, with `artworkd` in the path.
  static func shell(_ command: String, in folder: TemporaryFolder) throws -> BuiltTool.Result {
    let tools = try BuiltTool.find().deletingLastPathComponent().path
    return try folder.run("sh -c", ["PATH=\(tools):$PATH; \(command)"])
  }

  /// The words of a command.
  static func words(_ command: String) throws -> [String] {
    try execute("sh -c", ["printf '%s\\n' \(command)"]).lines
  }

  private static let byDay: Set<String> = [
    "hev1", "too tall, with odd sides", "too short, with longer sound", "a GIF", "the first frame again",
    "24 in 30 fps, every frame a keyframe",
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
    guard !Self.beyondRepair.contains(clip.what) else {
      let finding = try #require(
        try Self.check(clip.file, for: clip.profile, in: folder).finding(clip.rule))
      #expect(finding["repair"] == nil && finding["command"] == nil, "it can be repaired now")
      return
    }
    let (before, command) = try Self.broken(clip, in: folder)
    let repaired = before.findings.filter { $0["command"]?.text == command }
    #expect(before.findings.allSatisfy { $0["repair"] == nil || $0["command"]?.text == command })
    let original = try folder.data(clip.file)
    let frames = try Self.digests(clip.file, in: folder)
    let done = try Self.shell(command, in: folder)
    #expect(done.status < 2, "\(command)\n\(done.error)")
    let words = try Self.words(command)
    #expect(words.prefix(2) == ["artworkd", "repair"])
    // Beside the animation, or in the place of the video.
    let stem = (clip.file as NSString).deletingPathExtension
    let output = try #require(["mp4", "mov"].map { "\(stem).\($0)" }.first(where: folder.has))
    let after = try Self.check(output, for: clip.profile, in: folder)
    for finding in repaired {
      #expect(
        after.finding(finding["rule"]?.text ?? "") == nil, "\(command)\n\(after.broken)")
    }
    #expect(after.broken.isSubset(of: before.broken), "\(command)\n\(after.broken)")
    // Packets that are copied are all there.
    if !words.contains("--unsafe") {
      #expect(after.facts["frameCount"] == before.facts["frameCount"])
      #expect(try Self.digests(output, in: folder) == frames)
    }
    if clip.rule == "judder" {
      #expect(words.contains("--unsafe"))
      #expect(after.facts["frameRate"] == 24 && after.facts["frameCount"] == 48)
    }
    let undone = try folder.artworkd("repair --undo .")
    #expect(undone.status == 0, "\(undone.error)")
    #expect(try folder.data(clip.file) == original)
  }

  private static func digests(_ file: String, in folder: TemporaryFolder) throws -> [Substring] {
    try folder.run(
      "ffmpeg -v error -i",
      [file, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
    ).lines.filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  @Test("artworkd loop prints commands that repair what it is for", arguments: BrokenClip.loops)
  func loops(_ clip: BrokenClip) throws {
    let folder = try clip.made()
    let (before, command) = try Self.broken(clip, in: folder)
    let found = try Self.shell(command + " --no-pictures --format json", in: folder)
    #expect(found.status == 0, "\(command)\n\(found.error)")
    let cut = try #require(try found.json.at("candidates.0.command")?.text)
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
        "ffmpeg \(BrokenClip.spin()) \(BrokenClip.x264) a.mp4; ffmpeg -f lavfi -i color=red:s=\(size) "
          + "-frames:v 1 \(name)"
      )
      let folder = try clip.made()
      let (before, command) = try Self.broken(clip, in: folder)
      let old = try folder.data(name)
      #expect(try Self.shell(command, in: folder).status == 0, "\(command)")
      let words = try Self.words(command)
      #expect(words.prefix(2) == ["artworkd", "repair"] && words.contains("./a.mp4"))
      #expect(try folder.data(".artworkd/originals/\(name)") == old)
      let after = try Self.check("a.mp4", for: clip.profile, in: folder)
      #expect(after.finding(rule) == nil && after.broken.isSubset(of: before.broken))
    }
  }

  @Test("a square that is named tall is checked as a square")
  func otherKey() throws {
    let clip = BrokenClip(
      "aspect-ratio", "", file: "3x4.mp4",
      "ffmpeg \(BrokenClip.spin()) \(BrokenClip.x264) 3x4.mp4")
    let folder = try clip.made()
    let command = try Self.broken(clip, in: folder).command
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
    for (size, matrix) in [("64x64", "bt601"), ("128x720", "bt709")] {
      let folder = try MadeClip(
        named: "1x1.mp4",
        "-f lavfi -i testsrc2=s=\(size):r=24 -frames:v 12 -pix_fmt yuv420p \(BrokenClip.x264)"
      ).folder
      let repaired = try folder.artworkd("repair 1x1.mp4 --select color -o 1x1.fixed.mp4")
      #expect(repaired.output.contains("repaired: color"), "\(repaired.output)")
      for (file, picture) in [("1x1.mp4", "a.png"), ("1x1.fixed.mp4", "b.png")] {
        let made = try folder.artworkd("preview \(file) -o \(picture)")
        #expect(made.status == 0, "\(made.error)")
      }
      #expect(try folder.data("a.png") == folder.data("b.png"))
      // The same matrix as ffmpeg's, stated explicitly.
      let scale =
        "scale=in_color_matrix=\(matrix):flags=accurate_rnd+full_chroma_int+full_chroma_inp"
      let shown = try folder.ffmpeg(
        "-i 1x1.mp4 -frames:v 1 -vf \(scale),format=rgb24 -f rawvideo -")
      let ours = try folder.ffmpeg("-i a.png -pix_fmt rgb24 -f rawvideo -")
      #expect(ours.count == shown.count && !ours.isEmpty)
      let difference = zip(ours, shown).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) }
      // The other matrix is off by more than 3 on average.
      #expect(difference / Double(max(1, ours.count)) < 1, "\(size)")
    }
  }
}
