@Suite struct SurroundingsTests {
  static let file = Fixture.named("good-1x1.mp4").path.string

  static func shell(_ script: String, _ arguments: [String] = []) throws -> BuiltTool.Result {
    try BuiltTool.run(through: "/bin/sh", ["-c", script], arguments)
  }

  @Test func `standard streams that are closed are not replaced by files and sockets`() throws {
    let (folder, clips) = (try TemporaryFolder(), try TemporaryFolder())
    // More than the jobs, so that several sockets are open at once.
    for number in 0..<12 { try clips.copy(.named(number == 0 ? "broken-text.mp4" : "frames-1.mp4"), to: "\(number).mp4") }
    let media = clips.root.path
    let output = folder.url("out.json")
    let silent = try Self.shell(
      #"exec "$0" check --format json --jobs 4 --output "$1" "$2" <&- >&- 2>&-"#, [output.path, media])
    #expect(silent.status == 2)
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: output))
    #expect(((document as? [String: Any])?["results"] as? [Any])?.count == 12)

    let closed = try Self.shell(#"exec "$0" check --format ndjson "$1" >&-"#, [media])
    #expect(closed.status == 70)
    #expect(closed.error.contains("cannot write the results"))

    let list = try Self.shell(#"exec "$0" check - <&-"#)
    #expect(list.status == 2)
    #expect(list.error.contains("cannot read the list"))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a file that is written to all the time has that error or, between two writes, none`() throws {
    let folder = try TemporaryFolder()
    let movie = folder.url("growing.mp4")
    try FileManager.default.copyItem(at: Fixture.named("good-1x1.mp4").url, to: movie)
    try folder.copy(.named("good-1x1.mp4"), to: "still.mp4")
    let result = try Self.shell(
      #"while :; do printf x; done >>"$1/growing.mp4" & for i in 1 2 3 4 5 6 7 8; do "$0" check --format ndjson "$1"; done; kill -KILL $!"#,
      [folder.root.path])
    let lines = result.output.split(separator: "\n")
    let growing = lines.filter { $0.contains("growing.mp4") }
    #expect(growing.count == 8)
    // The writer need not get a turn during every check.
    let noticed = growing.count { $0.contains(#""code":"changed-while-reading""#) }
    #expect(noticed > 0 && noticed + growing.count { $0.contains(#""verdict":"pass""#) } == 8, "\(growing)")
    let still = lines.filter { $0.contains("still.mp4") }
    #expect(still.count == 8)
    #expect(Set(still).count == 1 && still[0].contains(#""verdict":"pass""#))
  }

  @Test func `a worker knows nothing of the environment and has no capabilities`() throws {
    let secret = "artworkd-secret-\(UUID().uuidString)"
    let sleeper = try IsolationTests.Sleeper(
      fault: "sleep", ["--limit", "cpu=18446744074"], environment: ["ARTWORKD_TOKEN": secret])
    defer {
      kill(sleeper.process.processIdentifier, SIGKILL)
      sleeper.process.waitUntilExit()
    }
    func text(_ name: String, of process: pid_t) throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/\(name)")), as: UTF8.self)
    }
    #expect(try text("environ", of: sleeper.process.processIdentifier).contains(secret))
    #expect(try !text("environ", of: sleeper.worker).contains(secret))
    let status = try text("status", of: sleeper.worker)
    #expect(status.contains("CapEff:\t0000000000000000\n"))
    #expect(status.contains("CapPrm:\t0000000000000000\n"))
    // Times 10^9 this number of seconds is a third of a second in 64 bits. The limit may not be set yet.
    var seconds = ""
    for _ in 0..<12_000 where !seconds.contains("4294967296") {
      usleep(5000)
      seconds = try text("limits", of: sleeper.worker)
    }
    #expect(seconds.contains("4294967296"))
  }

  /// Whether this user may create private mounts.
  static let canMount = (try? run("/usr/bin/unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status) == 0

  @Test(.enabled(if: canMount))
  func `without /dev/null a worker still inherits nothing`() throws {
    let folder = try TemporaryFolder()
    try Data("ARTWORKD-FAULT sleep\n".utf8).write(to: folder.url("x.mp4"))
    let script = #"""
      mount -t tmpfs none /dev
      "$0" check --format ndjson "$1/x.mp4" <"$1/x.mp4" &
      run=$!
      for round in {1..1200}; do
        read spare zygote </proc/$run/task/$run/children
        [ -n "$zygote" ] && read worker </proc/${zygote% }/task/${zygote% }/children
        # It closes what it does not need before it looks at the file.
        [ -n "$worker" ] && [ -e /proc/${worker% }/fd/5 ] && ! [ -e /proc/${worker% }/fd/6 ] && break
        sleep 0.05
      done
      ls -l /proc/${worker% }/fd
      kill -9 $run
      exec "$0" check "$2"
      """#
    let (status, output, error) = try run(
      "/usr/bin/unshare", ["-m", "/bin/bash", "-c", script, BuiltTool.find().path, folder.root.path, Self.file])
    #expect(status == 0, "\(error)")
    let targets = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap {
      $0.split(separator: " -> ").dropFirst().first
    }
    #expect(targets.count == 6)
    #expect(targets.count { $0.hasPrefix("pipe:") } == 4, "\(targets)")
    #expect(Set(targets.prefix(3)).count == 1, "one pipe, of no other process")
  }

  @Test(.enabled(if: canMount))
  func `without /proc nothing is done, and that is no success`() throws {
    let (status, output, error) = try run(
      "/usr/bin/unshare",
      ["-m", "/bin/sh", "-c", #"umount -l /proc && exec "$0" check "$1""#, BuiltTool.find().path, Self.file])
    #expect(status == 70)
    #expect(output.isEmpty)
    #expect(error.contains("is /proc mounted?"))
  }
}
