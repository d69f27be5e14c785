import ArtworkService
import TestSupport

/// The files in `Integrations/`, run as far as that is possible without GitHub and GitLab: with a stand-in for
/// artworkd that records its arguments.
@Suite struct IntegrationsTests {
  static let root = ReportSchema.url.deletingLastPathComponent().deletingLastPathComponent()
  static func file(_ name: String) -> URL { root.appendingPathComponent(name) }

  static let hasYAML = (try? run(ReportSchema.python, ["-c", "import yaml"]).status) == 0
  static let hasShellcheck = (try? run("shellcheck", ["--version"]).status) == 0
  static let absence: Comment = "install python3-yaml and shellcheck: Scripts/bootstrap does"

  /// A file of YAML as JSON.
  static func yaml(_ name: String) throws -> Any {
    let script = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
    let result = try run(ReportSchema.python, ["-c", script, file(name).path])
    try #require(result.status == 0, "\(result.error)")
    return try JSONSerialization.jsonObject(with: result.output)
  }

  static func steps() throws -> [[String: Any]] {
    let action = try #require(try yaml("Integrations/github/action.yml") as? [String: Any])
    let runs = try #require(action["runs"] as? [String: Any])
    #expect(runs["using"] as? String == "composite")
    return try #require(runs["steps"] as? [[String: Any]])
  }

  static func gitlabScript() throws -> [String] {
    let file = try #require(
      try yaml("Integrations/gitlab/artworkd.gitlab-ci.yml") as? [String: Any])
    let job = try #require(file["artworkd"] as? [String: Any])
    return try #require(job["script"] as? [String])
  }

  /// A folder with an artworkd on its own `bin` that writes its arguments to `arguments`, one a line, makes
  /// the reports that it is asked for, and ends with the status in `STATUS`.
  static func standIn() throws -> (folder: TemporaryFolder, path: String) {
    let folder = try TemporaryFolder()
    // Another thread that forks meanwhile would keep a file that this process writes open, and thereby busy.
    _ = try run(
      "install", ["-D", "-m", "755", "/dev/stdin", folder.url("bin/artworkd").path],
      input: """
        #!/bin/sh
        printf '%s\\n' "$@" > "$RECORD"
        for argument; do
          case $argument in
            *=*) echo "made for $argument" > "${argument#*=}" ;;
          esac
        done
        exit "${STATUS:-0}"
        """)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (folder, folder.url("bin").path + ":" + path)
  }

  static func text(_ url: URL) throws -> String {
    String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  /// Runs the step of the action with this id.
  static func runStep(
    _ id: String, in folder: TemporaryFolder, environment: [String: String]
  ) throws -> (status: Int32, outputs: [String: String], error: String) {
    let step = try #require(try steps().first { $0["id"] as? String == id })
    #expect(step["shell"] as? String == "bash")
    let script = try #require(step["run"] as? String)
    #expect(!script.contains("${{"), "a value in a script is code")
    // Every external input of the step is given here.
    let taken = Set((step["env"] as? [String: String] ?? [:]).keys)
    #expect(taken.isSubset(of: environment.keys))
    let output = folder.url("output-\(id)")
    try Data().write(to: output)
    let result = try run(
      "bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], in: folder.root,
      environment: environment.merging([
        "GITHUB_OUTPUT": output.path, "GITHUB_STEP_SUMMARY": folder.url("summary").path,
        "RECORD": folder.url("arguments").path,
      ]) { $1 })
    let lines = try text(output).split(separator: "\n").map {
      $0.split(separator: "=", maxSplits: 1)
    }
    let outputs = Dictionary(
      lines.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }, uniquingKeysWith: { $1 })
    return (result.status, outputs, result.error)
  }

  @Test(
    "GitHub's action checks with what it was given and keeps the exit code",
    .enabled(if: hasYAML, absence))
  func action() throws {
    let (folder, path) = try Self.standIn()
    let given = [
      "ARTWORKD": "", "SOURCE": "/nowhere", "PATH": path, "VERSION": "", "BUILD": "false",
      "RELEASES": "",
    ]
    let none = try Self.runStep(
      "tool", in: folder, environment: given.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    #expect(none.status == 1 && none.error.contains("set version"))
    let tool = try Self.runStep("tool", in: folder, environment: given)
    #expect(tool.status == 0, "\(tool.error)")
    #expect(tool.outputs["path"] == folder.url("bin/artworkd").path)
    let found = try #require(tool.outputs["path"])

    var environment = [
      "ARTWORKD": found, "CHECKED": "a b\n\n-c; $(touch made)\n", "PROFILE": "", "CONFIG": "",
      "BASELINE": "", "FAIL_ON": "", "REPORTS": "the reports", "STATUS": "1",
    ]
    let plain = try Self.runStep("check", in: folder, environment: environment)
    #expect(plain.status == 1)
    #expect(plain.outputs == ["status": "1", "sarif": "the reports/artworkd.sarif"])
    let reports = [
      "--report", "sarif=the reports/artworkd.sarif", "--report", "junit=the reports/junit.xml",
      "--report", "html=the reports/index.html", "--report", "markdown=the reports/summary.md",
    ]
    #expect(
      try Self.text(folder.url("arguments")).split(separator: "\n").map(String.init)
        == ["check", "--format", "github", "--portable-cache"] + reports + [
          "--", "a b", "-c; $(touch made)",
        ])
    #expect(
      try Self.text(folder.url("summary")) == "made for markdown=the reports/summary.md\n")
    #expect(!FileManager.default.fileExists(atPath: folder.url("made").path))

    environment.merge([
      "PROFILE": "web,now-playing", "CONFIG": "an artwork.yml", "BASELINE": "b.json",
      "FAIL_ON": "warning", "STATUS": "0",
    ]) { $1 }
    let full = try Self.runStep("check", in: folder, environment: environment)
    #expect(full.status == 0 && full.outputs["status"] == "0")
    #expect(
      try Self.text(folder.url("arguments")).split(separator: "\n").map(String.init)
        == ["check", "--format", "github", "--portable-cache"] + reports + [
          "--profile", "web,now-playing", "--config", "an artwork.yml", "--baseline", "b.json",
          "--fail-on", "warning", "--", "a b", "-c; $(touch made)",
        ])
  }

  @Test(
    "GitHub's action installs a release only if its checksum is right",
    .enabled(if: hasYAML, absence), arguments: [true, false])
  func release(isRight: Bool) throws {
    let (folder, path) = try Self.standIn()
    let releases = folder.url("releases/v9.9.9")
    try FileManager.default.createDirectory(at: releases, withIntermediateDirectories: true)
    let machine = String(decoding: try run("uname", ["-m"]).output, as: UTF8.self)
    let name = "artworkd-9.9.9-portable-linux-\(machine.dropLast())"
    let tool = folder.url("\(name)/artworkd")
    try FileManager.default.createDirectory(
      at: tool.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("#!/bin/sh\necho 9.9.9\n".utf8).write(to: tool)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
    let package = releases.appendingPathComponent("\(name).tar.xz").path
    _ = try run("tar", ["-cJf", package, name], in: folder.root)
    let sum = String(
      decoding: try run("sha256sum", ["\(name).tar.xz"], in: releases).output, as: UTF8.self)
    let wrong = (sum.first == "0" ? "1" : "0") + sum.dropFirst()
    try Data((isRight ? sum : wrong).utf8).write(
      to: releases.appendingPathComponent("SHA256SUMS"))
    let result = try Self.runStep(
      "tool", in: folder,
      environment: [
        "ARTWORKD": "", "SOURCE": "/nowhere", "PATH": path, "VERSION": "9.9.9", "BUILD": "false",
        "RELEASES": "file://\(folder.url("releases").path)", "HOME": folder.root.path,
      ])
    let kept = folder.url(".cache/artworkd-release/\(name)/artworkd").path
    #expect(FileManager.default.fileExists(atPath: kept) == isRight)
    #expect((result.status == 0 && result.outputs["path"] == kept) == isRight)
    if !isRight { #expect(result.status == 1 && result.error.contains("checksum")) }
  }

  @Test("the tool, the changelog and what is installed agree on the version")
  func version() throws {
    let printed = try BuiltTool.run(["--version"]).output.dropLast()
    let headings = try Self.text(Self.file("CHANGELOG.md")).matches(of: #/\n## ([0-9][^ \n]*)/#)
    #expect(headings.first.map { String($0.1) } == String(printed))
    #expect(try Self.text(Self.file("docs/ci.md")).contains(printed))
  }

  @Test(
    "each input of GitHub's action is used, and what it uses is one", .enabled(if: hasYAML, absence)
  )
  func inputs() throws {
    let action = try #require(try Self.yaml("Integrations/github/action.yml") as? [String: Any])
    let inputs = Set(try #require(action["inputs"] as? [String: Any]).keys)
    let text = try Self.text(Self.file("Integrations/github/action.yml"))
    let used = text.matches(of: #/inputs\.([a-z-]+)/#).map { String($0.1) }
    #expect(Set(used) == inputs)
    let steps = Set(try Self.steps().compactMap { $0["id"] as? String })
    let referred = text.matches(of: #/steps\.([a-z-]+)\.outputs/#).map { String($0.1) }
    #expect(Set(referred).isSubset(of: steps) && !referred.isEmpty)
    let documented = try Self.text(Self.file("docs/ci.md"))
    for input in inputs { #expect(documented.contains("`\(input)`"), "\(input)") }
  }

  @Test(
    "GitLab's job checks with its variables and keeps the exit code", .enabled(if: hasYAML, absence)
  )
  func gitlab() throws {
    let (folder, path) = try Self.standIn()
    let script = try Self.gitlabScript().joined(separator: "\n")
    let file = try #require(
      try Self.yaml("Integrations/gitlab/artworkd.gitlab-ci.yml") as? [String: Any])
    let job = try #require(file["artworkd"] as? [String: Any])
    let defaults = try #require(job["variables"] as? [String: String])
    func check(_ variables: [String: String]) throws -> (status: Int32, arguments: [String]) {
      let environment = defaults.merging(variables) { $1 }.merging([
        "PATH": path, "RECORD": folder.url("arguments").path,
      ]) { $1 }
      let result = try run("sh", ["-e", "-c", script], in: folder.root, environment: environment)
      return (
        result.status,
        try Self.text(folder.url("arguments")).split(separator: "\n").map(String.init)
      )
    }
    let reports = [
      "check", "--portable-cache", "--report", "junit=artworkd-reports/junit.xml", "--report",
      "html=artworkd-reports/index.html",
    ]
    let plain = try check(["STATUS": "2"])
    #expect(plain.status == 2 && plain.arguments == reports + ["--", "."])
    let full = try check([
      "ARTWORKD_PATHS": "a *", "ARTWORKD_PROFILE": "web", "ARTWORKD_CONFIG": "a b.yml",
      "ARTWORKD_BASELINE": "b.json", "ARTWORKD_FAIL_ON": "never",
    ])
    #expect(full.status == 0)
    #expect(
      full.arguments == reports + [
        "--fail-on", "never", "--baseline", "b.json", "--config", "a b.yml", "--profile", "web",
        "--", "a", "*",
      ])
    // The job keeps the files that it writes.
    let artifacts = try #require(job["artifacts"] as? [String: Any])
    let junit = try #require((artifacts["reports"] as? [String: String])?["junit"])
    #expect(FileManager.default.fileExists(atPath: folder.url(junit).path))
  }

  @Test("the git hook checks what is staged, and stops the commit when that fails")
  func hook() throws {
    let repository = try Repository()
    let (folder, path) = try Self.standIn()
    let hooks = repository.folder.url(".git/hooks")
    try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.file("Integrations/git/pre-commit"),
      to: hooks.appendingPathComponent("pre-commit"))
    try repository.write("in/a.mp4", "a")
    try repository.git(["add", "."])
    func commit(_ environment: [String: String]) throws -> (status: Int32, error: String) {
      let result = try run(
        "git", ["commit", "--quiet", "-m", "m", "--allow-empty"], in: repository.folder.url("in"),
        environment: Repository.environment.merging([
          "RECORD": folder.url("arguments").path, "PATH": path,
        ]) { $1 }.merging(environment) { $1 })
      return (result.status, result.error)
    }
    #expect(try commit(["STATUS": "1"]).status == 1)
    #expect(try Self.text(folder.url("arguments")) == "check\n--quiet\n-\n")
    #expect(try commit(["STATUS": "0"]).status == 0)
    // Without a staged video, nothing is checked.
    #expect(try commit(["STATUS": "1"]).status == 0)
    let missing = try commit(["ARTWORKD": "no-such-artworkd"])
    #expect(missing.status == 1)
    #expect(missing.error.hasPrefix("pre-commit: artworkd is not on the PATH"))
  }

  @Test("with artworkd itself, the git hook lets good clips pass and stops others")
  func realHook() throws {
    let repository = try Repository()
    let folder = try TemporaryFolder()
    let hooks = repository.folder.url(".git/hooks")
    try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.file("Integrations/git/pre-commit"),
      to: hooks.appendingPathComponent("pre-commit"))
    func commit() throws -> Int32 {
      try repository.git(["add", "."])
      return try run(
        "git", ["commit", "--quiet", "-m", "m"], in: repository.folder.root,
        environment: Repository.environment.merging([
          "ARTWORKD": try BuiltTool.find().path, "TMPDIR": folder.root.path,
        ]) { $1 }
      ).status
    }
    try repository.folder.copy(Fixture.named("good-1x1.mp4"), to: "night drive/1x1.mp4")
    try repository.folder.copy(Fixture.named("good-3x4.mp4"), to: "night drive/3x4.mp4")
    #expect(try commit() == 0)
    try repository.folder.copy(Fixture.named("codec-vp9.webm"), to: "tide/1x1.webm")
    #expect(try commit() == 1)
    try repository.write("artwork.yml", "rules: {codec: [off]}\n")
    #expect(try commit() == 1)
    try repository.write("artwork.yml", "fail-on: never\n")
    #expect(try commit() == 0)
    // What is removed or no video is not checked.
    try repository.write("artwork.yml", "fail-on: warning\n")
    try FileManager.default.removeItem(at: repository.folder.url("tide/1x1.webm"))
    try repository.write("night drive/notes \n.txt", "text")
    #expect(try commit() == 0)
    try repository.folder.copy(Fixture.named("codec-vp9.webm"), to: "tide/new \n line.MP4")
    #expect(try commit() == 1)
  }

  @Test(
    "with artworkd itself, GitHub's action makes its reports", .enabled(if: hasYAML, absence))
  func realAction() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("good-1x1.mp4"), to: "in/1x1.mp4")
    try folder.copy(Fixture.named("codec-vp9.webm"), to: "in/bad.webm")
    let result = try Self.runStep(
      "check", in: folder,
      environment: [
        "ARTWORKD": try BuiltTool.find().path, "CHECKED": "in", "PROFILE": "", "CONFIG": "",
        "BASELINE": "", "FAIL_ON": "error", "REPORTS": "reports",
      ])
    #expect(result.status == 1 && result.outputs["status"] == "1")
    for name in ["artworkd.sarif", "junit.xml", "index.html", "summary.md"] {
      #expect(try Self.text(folder.url("reports/\(name)")).contains("bad.webm"), "\(name)")
    }
    #expect(try Self.text(folder.url("summary")).contains("bad.webm"))
  }

  @Test("the hooks for pre-commit name what the tool knows", .enabled(if: hasYAML, absence))
  func preCommit() throws {
    let hooks = try #require(try Self.yaml(".pre-commit-hooks.yaml") as? [[String: Any]])
    try #require(hooks.map { $0["id"] as? String } == ["artworkd"])
    let entry = try #require(hooks[0]["entry"] as? String).split(separator: " ").map(String.init)
    #expect(entry.starts(with: ["artworkd", "check"]) && entry.last == "--")
    #expect(hooks[0]["language"] as? String == "system")
    let pattern = try Regex(try #require(hooks[0]["files"] as? String))
    for name in ["a.mp4", "b/C.MOV", "d e.gif"] { #expect(name.contains(pattern)) }
    for name in ["a.mp4.txt", "cover.jpg", "mp4"] { #expect(!name.contains(pattern)) }
  }

  @Test("shell code has no known mistakes", .enabled(if: hasYAML && hasShellcheck, absence))
  func shellcheck() throws {
    var scripts = [("sh", try Self.gitlabScript().joined(separator: "\n"))]
    scripts += try Self.steps().compactMap { ($0["run"] as? String).map { ("bash", $0) } }
    #expect(scripts.count == 3)
    for (shell, script) in scripts {
      let result = try run("shellcheck", ["--shell", shell, "-"], input: script)
      #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))")
    }
    for name in ["Integrations/git/pre-commit", "Scripts/package"] {
      let result = try run("shellcheck", [Self.file(name).path])
      #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))")
    }
  }
}

/// A git repository for a test, with its own identity and without the machine's settings.
struct Repository {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try git(["init", "--quiet", "--initial-branch=main"])
  }

  func git(_ arguments: [String], in subfolder: String = "") throws {
    let result = try run("git", arguments, in: folder.url(subfolder), environment: Self.environment)
    try #require(result.status == 0, "git \(arguments): \(result.error)")
  }

  static let environment = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
  ]

  func write(_ name: String, _ text: String) throws {
    let url = folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }
}
