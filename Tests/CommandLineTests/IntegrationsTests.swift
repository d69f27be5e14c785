import TestSupport

/// The files in `Integrations/`, run as far as that is possible without GitHub and GitLab: with a stand-in for
/// artworkd that records its arguments.
@Suite struct IntegrationsTests {
  static func file(_ name: String) -> URL { Checkout.root.appendingPathComponent(name) }
  static func text(_ name: String) throws -> String {
    try String(contentsOf: file(name), encoding: .utf8)
  }

  static let hasYAML = (try? execute("\(ReportSchema.python) -c", ["import yaml"]).status) == 0
  static let hasShellcheck = (try? execute("shellcheck --version").status) == 0
  static let absence: Comment = "install python3-yaml and shellcheck: Scripts/bootstrap does"

  /// A file of YAML.
  static func yaml(_ name: String) throws -> JSONNode {
    let script = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout)"
    let result = try execute("\(ReportSchema.python) -c", [script, file(name).path])
    try #require(result.status == 0, "\(result.error)")
    return try result.json
  }

  static func action() throws -> JSONNode { try yaml("Integrations/github/action.yml") }
  static func gitlab() throws -> JSONNode {
    try #require(try yaml("Integrations/gitlab/artworkd.gitlab-ci.yml")["artworkd"])
  }

  /// A folder with an artworkd on its own `bin` that writes its arguments to `arguments`, one a line, makes
  /// the reports that it is asked for, and ends with the status in `STATUS`.
  private struct StandIn {
    let folder: TemporaryFolder
    let path: String
    var record: [String: String] { ["RECORD": folder.url("arguments").path] }

    init() throws {
      folder = try TemporaryFolder()
      // Another thread that forks meanwhile would keep a file that this process writes open, and thereby busy.
      try folder.run(
        "install -D -m 755 /dev/stdin bin/artworkd",
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
      let others = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      path = folder.url("bin").path + ":" + others
    }

    func arguments() throws -> [String] {
      try folder.text("arguments").split(separator: "\n").map(String.init)
    }
  }

  /// Runs the step of the action with this id.
  private static func runStep(
    _ id: String, in folder: TemporaryFolder, environment: [String: String]
  ) throws -> (status: Int32, outputs: [String: String], error: String) {
    #expect(try action().at("runs.using") == "composite")
    let step = try #require(try action().first("runs.steps", "id", id))
    #expect(step["shell"] == "bash")
    let script = try #require(step["run"]?.text)
    #expect(!script.contains("${{"), "a value in a script is code")
    // Every external input of the step is given here.
    let taken = step["env"]?.fieldNames ?? []
    #expect(Set(taken).isSubset(of: environment.keys))
    let output = "output-\(id)"
    try folder.write("", to: output)
    let result = try folder.run(
      "bash --noprofile --norc -e -o pipefail -c", [script],
      environment: environment.merging([
        "GITHUB_OUTPUT": folder.url(output).path,
        "GITHUB_STEP_SUMMARY": folder.url("summary").path,
        "RECORD": folder.url("arguments").path,
      ]) { $1 })
    let lines = try folder.text(output).split(separator: "\n").map {
      $0.split(separator: "=", maxSplits: 1)
    }
    let outputs = Dictionary(
      lines.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }, uniquingKeysWith: { $1 })
    return (result.status, outputs, result.error)
  }

  @Test(
    "GitHub's action checks with what it was given and keeps the exit code",
    .enabled(if: hasYAML, absence))
  func check() throws {
    let standIn = try StandIn()
    let folder = standIn.folder
    let given = [
      "ARTWORKD": "", "SOURCE": "/nowhere", "PATH": standIn.path, "VERSION": "", "BUILD": "false",
      "RELEASES": "",
    ]
    let none = try Self.runStep(
      "tool", in: folder, environment: given.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    #expect(none.status == 1 && none.error.contains("set version"))
    let tool = try Self.runStep("tool", in: folder, environment: given)
    #expect(tool.status == 0, "\(tool.error)")
    #expect(tool.outputs["path"] == folder.url("bin/artworkd").path)

    var environment = [
      "ARTWORKD": try #require(tool.outputs["path"]), "CHECKED": "a b\n\n-c; $(touch made)\n",
      "PROFILE": "", "CONFIG": "", "BASELINE": "", "FAIL_ON": "", "REPORTS": "the reports",
      "STATUS": "1",
    ]
    let plain = try Self.runStep("check", in: folder, environment: environment)
    #expect(plain.status == 1)
    #expect(plain.outputs == ["status": "1", "sarif": "the reports/artworkd.sarif"])
    let reports = [
      "check", "--format", "github", "--portable-cache",
      "--report", "sarif=the reports/artworkd.sarif", "--report", "junit=the reports/junit.xml",
      "--report", "html=the reports/index.html", "--report", "markdown=the reports/summary.md",
    ]
    let checked = ["--", "a b", "-c; $(touch made)"]
    #expect(try standIn.arguments() == reports + checked)
    #expect(try folder.text("summary") == "made for markdown=the reports/summary.md\n")
    #expect(!folder.has("made"))

    environment.merge([
      "PROFILE": "web,now-playing", "CONFIG": "an artwork.yml", "BASELINE": "b.json",
      "FAIL_ON": "warning", "STATUS": "0",
    ]) { $1 }
    let full = try Self.runStep("check", in: folder, environment: environment)
    #expect(full.status == 0 && full.outputs["status"] == "0")
    let options = [
      "--profile", "web,now-playing", "--config", "an artwork.yml", "--baseline", "b.json",
      "--fail-on", "warning",
    ]
    #expect(try standIn.arguments() == reports + options + checked)
  }

  @Test(
    "GitHub's action installs a release only if its checksum is right",
    .enabled(if: hasYAML, absence), arguments: [true, false])
  func release(isRight: Bool) throws {
    let standIn = try StandIn()
    let folder = standIn.folder
    let machine = try execute("uname -m").output.dropLast()
    let name = "artworkd-9.9.9-portable-linux-\(machine)"
    try folder.write("#!/bin/sh\necho 9.9.9\n", to: "\(name)/artworkd")
    try folder.run("chmod 755 \(name)/artworkd")
    try folder.make("releases/v9.9.9")
    try folder.run("tar -cJf releases/v9.9.9/\(name).tar.xz \(name)")
    let sum = try folder.run("sha256sum \(name).tar.xz", in: "releases/v9.9.9").output
    let wrong = (sum.first == "0" ? "1" : "0") + sum.dropFirst()
    try folder.write(isRight ? sum : wrong, to: "releases/v9.9.9/SHA256SUMS")
    let result = try Self.runStep(
      "tool", in: folder,
      environment: [
        "ARTWORKD": "", "SOURCE": "/nowhere", "PATH": standIn.path, "VERSION": "9.9.9",
        "BUILD": "false", "RELEASES": "file://\(folder.url("releases").path)",
        "HOME": folder.root.path,
      ])
    let kept = ".cache/artworkd-release/\(name)/artworkd"
    #expect(folder.has(kept) == isRight)
    #expect((result.status == 0 && result.outputs["path"] == folder.url(kept).path) == isRight)
    if !isRight { #expect(result.status == 1 && result.error.contains("checksum")) }
  }

  @Test("the tool, the changelog and what is installed agree on the version")
  func version() throws {
    let printed = try BuiltTool.run("--version").output.dropLast()
    let headings = try Self.text("CHANGELOG.md").matches(of: #/\n## ([0-9][^ \n]*)/#)
    #expect(headings.first.map { String($0.1) } == String(printed))
    #expect(try Self.text("docs/ci.md").contains(printed))
  }

  @Test(
    "each input of GitHub's action is used, and what it uses is one", .enabled(if: hasYAML, absence)
  )
  func inputs() throws {
    let action = try Self.action()
    let inputs = Set(try #require(action["inputs"]).fieldNames)
    let text = try Self.text("Integrations/github/action.yml")
    #expect(Set(text.matches(of: #/inputs\.([a-z-]+)/#).map { String($0.1) }) == inputs)
    let referred = text.matches(of: #/steps\.([a-z-]+)\.outputs/#).map { String($0.1) }
    #expect(Set(referred).isSubset(of: action.texts("runs.steps.*.id")) && !referred.isEmpty)
    let documented = try Self.text("docs/ci.md")
    for input in inputs { #expect(documented.contains("`\(input)`"), "\(input)") }
  }

  @Test(
    "GitLab's job checks with its variables and keeps the exit code", .enabled(if: hasYAML, absence)
  )
  func gitlab() throws {
    let standIn = try StandIn()
    let job = try Self.gitlab()
    let script = job.texts("script").joined(separator: "\n")
    let variables = try #require(job["variables"])
    let defaults = Dictionary(
      uniqueKeysWithValues: variables.fieldNames.map { ($0, variables[$0]?.text ?? "") })
    func check(_ variables: [String: String]) throws -> (status: Int32, arguments: [String]) {
      let environment = defaults.merging(variables) { $1 }.merging(["PATH": standIn.path]) { $1 }
        .merging(standIn.record) { $1 }
      let result = try standIn.folder.run("sh -e -c", [script], environment: environment)
      return (result.status, try standIn.arguments())
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
    let junit = try #require(job.at("artifacts.reports.junit")?.text)
    #expect(standIn.folder.has(junit))
  }

  /// A git repository with the hook, and what `git commit` comes to.
  private struct HookedRepository {
    let repository: Repository
    var folder: TemporaryFolder { repository.folder }

    init() throws {
      repository = try Repository()
      try folder.make(".git/hooks")
      // A copy would be a program that was just written; see StandIn.
      try folder.link(".git/hooks/pre-commit", to: file("Integrations/git/pre-commit").path)
    }

    func commit(
      _ environment: [String: String], in subfolder: String = ""
    ) throws -> BuiltTool.Result {
      try repository.git(["add", "."])
      return try folder.run(
        "git commit --quiet -m m --allow-empty", in: subfolder,
        environment: Repository.environment.merging(environment) { $1 })
    }
  }

  @Test("the git hook checks what is staged, and stops the commit when that fails")
  func hook() throws {
    let (repository, standIn) = (try HookedRepository(), try StandIn())
    try repository.folder.write("a", to: "in/a.mp4")
    func commit(_ environment: [String: String]) throws -> BuiltTool.Result {
      let given = ["PATH": standIn.path].merging(standIn.record) { $1 }
      return try repository.commit(given.merging(environment) { $1 }, in: "in")
    }
    #expect(try commit(["STATUS": "1"]).status == 1)
    #expect(try standIn.arguments() == ["check", "--quiet", "-"])
    #expect(try commit(["STATUS": "0"]).status == 0)
    // Without a staged video, nothing is checked.
    #expect(try commit(["STATUS": "1"]).status == 0)
    let missing = try commit(["ARTWORKD": "no-such-artworkd"])
    #expect(missing.status == 1)
    #expect(missing.error.hasPrefix("pre-commit: artworkd is not on the PATH"))
  }

  @Test("with artworkd itself, the git hook lets good clips pass and stops others")
  func realHook() throws {
    let (repository, scratch) = (try HookedRepository(), try TemporaryFolder())
    let folder = repository.folder
    func commit() throws -> Int32 {
      try repository.commit([
        "ARTWORKD": try BuiltTool.find().path, "TMPDIR": scratch.root.path,
      ]).status
    }
    try folder.copy("good-1x1.mp4", to: "night drive/1x1.mp4")
    try folder.copy("good-3x4.mp4", to: "night drive/3x4.mp4")
    #expect(try commit() == 0)
    try folder.copy("codec-vp9.webm", to: "tide/1x1.webm")
    #expect(try commit() == 1)
    try folder.write("rules: {codec: [off]}\n", to: "artwork.yml")
    #expect(try commit() == 1)
    try folder.write("fail-on: never\n", to: "artwork.yml")
    #expect(try commit() == 0)
    // What is removed or no video is not checked.
    try folder.write("fail-on: warning\n", to: "artwork.yml")
    try folder.remove("tide/1x1.webm")
    try folder.write("text", to: "night drive/notes \n.txt")
    #expect(try commit() == 0)
    try folder.copy("codec-vp9.webm", to: "tide/new \n line.MP4")
    #expect(try commit() == 1)
  }

  @Test("with artworkd itself, GitHub's action makes its reports", .enabled(if: hasYAML, absence))
  func realAction() throws {
    let folder = try TemporaryFolder([
      "in/1x1.mp4": "good-1x1.mp4", "in/bad.webm": "codec-vp9.webm",
    ])
    let result = try Self.runStep(
      "check", in: folder,
      environment: [
        "ARTWORKD": try BuiltTool.find().path, "CHECKED": "in", "PROFILE": "", "CONFIG": "",
        "BASELINE": "", "FAIL_ON": "error", "REPORTS": "reports",
      ])
    #expect(result.status == 1 && result.outputs["status"] == "1")
    for name in ["artworkd.sarif", "junit.xml", "index.html", "summary.md"] {
      #expect(try folder.text("reports/\(name)").contains("bad.webm"), "\(name)")
    }
    #expect(try folder.text("summary").contains("bad.webm"))
  }

  @Test("the hooks for pre-commit name what the tool knows", .enabled(if: hasYAML, absence))
  func preCommit() throws {
    let hooks = try Self.yaml(".pre-commit-hooks.yaml")
    try #require(hooks.at("*.id") == ["artworkd"])
    let entry = try #require(hooks.at("0.entry")?.text).split(separator: " ").map(String.init)
    #expect(entry.starts(with: ["artworkd", "check"]) && entry.last == "--")
    #expect(hooks.at("0.language") == "system")
    let pattern = try Regex(try #require(hooks.at("0.files")?.text))
    for name in ["a.mp4", "b/C.MOV", "d e.gif"] { #expect(name.contains(pattern)) }
    for name in ["a.mp4.txt", "cover.jpg", "mp4"] { #expect(!name.contains(pattern)) }
  }

  @Test("shell code has no known mistakes", .enabled(if: hasYAML && hasShellcheck, absence))
  func shellcheck() throws {
    var scripts = [("sh", try Self.gitlab().texts("script").joined(separator: "\n"))]
    scripts += try Self.action().texts("runs.steps.*.run").map { ("bash", $0) }
    #expect(scripts.count == 3)
    for (shell, script) in scripts {
      let result = try execute("shellcheck --shell \(shell) -", input: script)
      #expect(result.status == 0, "\(result.output)")
    }
    for name in ["Integrations/git/pre-commit", "Scripts/package"] {
      let result = try execute("shellcheck \(Self.file(name).path)")
      #expect(result.status == 0, "\(result.output)")
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

  func git(_ arguments: [String]) throws {
    let result = try folder.run("git", arguments, environment: Self.environment)
    try #require(result.status == 0, "git \(arguments): \(result.error)")
  }

  static let environment = [
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
  ]
}
