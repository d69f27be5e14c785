@Suite struct IsolationTests {
  /// One line for each file, without what differs from run to run.
  static func results(_ arguments: [String], environment: [String: String] = [:]) throws -> [String] {
    let result = try BuiltTool.run(["check", "--format", "ndjson", "--jobs", "4"] + arguments, environment: environment)
    return result.lines.dropLast().sorted()
  }

  @Test func `a worker reports of a fixture what an inspection in this process reports`() throws {
    let fixtures = Nightly.some(8, of: Fixture.all.filter { $0.file != "cover.jpg" })
    let direct = try Self.results(fixtures.map(\.path.string), environment: BuiltTool.withoutIsolation)
    #expect(direct.count == fixtures.count)
    #expect(Set(direct).isSubset(of: try CheckedFixtures.lines()))
  }

  @Test func `a worker's preview is the same file`() throws {
    let file = Fixture.named("prores-4444-alpha.mov").path.string
    let isolated = try run(BuiltTool.find().path, ["preview", file, "-o", "-"])
    let direct = try run(BuiltTool.find().path, ["preview", file, "-o", "-"], environment: BuiltTool.withoutIsolation)
    #expect(isolated.status == 0)
    #expect(isolated.output.count > 1000)
    #expect(isolated.output == direct.output)
    let small = try run(BuiltTool.find().path, ["preview", file, "-o", "-", "--size", "20x20"])
    #expect(small.output.count < isolated.output.count)
    // The width in the header of a PNG.
    #expect([UInt8](small.output)[16..<20] == [0, 0, 0, 20])
  }

  /// A run that waits for a worker that sleeps, and the processes below it.
  struct Sleeper {
    let process = Process()
    let folder: TemporaryFolder
    var zygote: pid_t = 0
    var worker: pid_t = 0

    init(fault: String, _ arguments: [String] = [], command: [String] = ["check", "."], environment: [String: String] = [:])
      throws
    {
      folder = try TemporaryFolder()
      try Data("ARTWORKD-FAULT \(fault)\n".utf8).write(to: folder.url("fault.mp4"))
      process.executableURL = try BuiltTool.find()
      process.currentDirectoryURL = folder.root
      process.arguments = command + arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      // A background job of a shell ignores the signal, and so would its children.
      signal(SIGINT, SIG_DFL)
      try process.run()
      for _ in 0..<12_000 where worker == 0 {
        usleep(5000)
        // Its spare comes first.
        zygote = Self.children(of: process.processIdentifier).last ?? 0
        worker = zygote == 0 ? 0 : Self.children(of: zygote).first ?? 0
      }
      try #require(worker != 0, "no worker was started")
    }

    static func children(of process: pid_t) -> [pid_t] {
      let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      return tasks.flatMap { task -> [pid_t] in
        let list = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
      }
    }

    /// Whether a process exists and is not a zombie.
    static func isAlive(_ process: pid_t) -> Bool {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let state = text.split(separator: ")").last?.split(separator: " ").first
      else { return false }
      return state != "Z" && state != "X"
    }

    static func ends(_ process: pid_t) -> Bool {
      for _ in 0..<6000 {
        if !isAlive(process) { return true }
        usleep(10_000)
      }
      return false
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `nothing outlives a run that is killed`() throws {
    let sleeper = try Sleeper(fault: "sleep")
    kill(sleeper.process.processIdentifier, SIGKILL)
    #expect(Sleeper.ends(sleeper.worker))
    #expect(Sleeper.ends(sleeper.zygote))
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: [("spin", ["check", "."]), ("sleep", ["import", "fault.mp4", "--size", "64x64", "-o", "out.mp4"])])
  func `nothing outlives a run that is interrupted, and it leaves nothing`(fault: String, command: [String]) throws {
    let sleeper = try Sleeper(fault: fault, command: command)
    kill(sleeper.process.processIdentifier, SIGINT)
    sleeper.process.waitUntilExit()
    #expect(sleeper.process.terminationStatus == 130)
    #expect(Sleeper.ends(sleeper.worker))
    #expect(Sleeper.ends(sleeper.zygote))
    #expect(try FileManager.default.contentsOfDirectory(atPath: sleeper.folder.root.path) == ["fault.mp4"])
  }

  @Test(.timeLimit(.minutes(5)))
  func `workers end with the process that starts them, which is replaced once`() throws {
    let sleeper = try Sleeper(fault: "sleep")
    kill(sleeper.zygote, SIGKILL)
    #expect(Sleeper.ends(sleeper.worker))
    var (spare, worker): (pid_t, pid_t) = (0, 0)
    for _ in 0..<12_000 where worker == 0 {
      usleep(5000)
      spare = Sleeper.children(of: sleeper.process.processIdentifier).last ?? 0
      worker = spare == 0 ? 0 : Sleeper.children(of: spare).first ?? 0
    }
    try #require(worker != 0 && spare != sleeper.zygote, "the file is tried again")
    kill(spare, SIGKILL)
    #expect(Sleeper.ends(worker))
    sleeper.process.waitUntilExit()
    #expect(sleeper.process.terminationStatus == 2, "the file has its error and the run its end")
  }

  @Test("a worker has the descriptors that were agreed and nothing else", .timeLimit(.minutes(5)))
  func descriptors() throws {
    let sleeper = try Sleeper(fault: "sleep")
    defer {
      kill(sleeper.process.processIdentifier, SIGKILL)
      sleeper.process.waitUntilExit()
    }
    let folder = "/proc/\(sleeper.worker)/fd"
    var targets: [String: String] = [:]
    // It may be seen before it has closed what its parent had.
    for _ in 0..<12_000 where targets["3"]?.hasSuffix("/fault.mp4") != true || targets.count > 6 {
      usleep(5000)
      targets = [:]
      for number in try FileManager.default.contentsOfDirectory(atPath: folder) {
        targets[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")
      }
    }
    #expect(targets.keys.sorted() == ["0", "1", "2", "3", "4", "5"])
    for number in ["0", "1", "2"] { #expect(targets[number] == "/dev/null") }
    #expect(targets["3"]?.hasSuffix("/fault.mp4") == true)
    #expect(targets["4"]?.hasPrefix("/memfd:") == true)
    #expect(targets["5"]?.hasPrefix("pipe:") == true)
  }

  @Test func `a run ends with as many descriptors as it began with, and leaves no zombies`() throws {
    // A run that does not end: no one reads the last line.
    let folder = try TemporaryFolder()
    for number in 0..<60 { try folder.copy(.named("good-1x1.mp4"), to: "\(number).mp4") }
    try Data("ARTWORKD-FAULT sleep\n".utf8).write(to: folder.url("z.mp4"))
    let process = Process()
    let output = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["check", "--format", "ndjson", "--jobs", "2", folder.root.path]
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd").count
    }
    var lines = 0
    var counts: [Int] = []
    while lines < 60 {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the run ended early")
      lines += data.count { $0 == UInt8(ascii: "\n") }
      counts.append(try descriptors())
    }
    // Each of two jobs has a candidate, a reply, and a status with its other end.
    #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 8)
    // Its spare comes first.
    let zygote = try #require(Sleeper.children(of: process.processIdentifier).last)
    // The last worker may not have been started yet, nor the others have been waited for.
    for _ in 0..<1200 where Sleeper.children(of: zygote).count != 1 { usleep(50_000) }
    #expect(Sleeper.children(of: zygote).count == 1, "only the last worker is left")
  }
}
