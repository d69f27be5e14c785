@testable import ArtworkPipeline

/// Decoders that crash, hang, take all memory or answer nonsense: each costs one result, always the same.
/// The files make a debug build misbehave, see `DecoderFault` and `WorkerFault`.
@Suite(.timeLimit(.minutes(5))) struct WorkerFaultTests {
  /// The error code of each kind of misbehaviour.
  static let codes = [
    "segv": "decoder-crashed", "ill": "decoder-crashed", "abort": "decoder-crashed", "bus": "decoder-crashed",
    "fpe": "decoder-crashed", "trap": "decoder-crashed", "overflow": "decoder-crashed", "kill": "out-of-memory",
    "allocate": "out-of-memory", "spin": "timed-out", "sleep": "timed-out", "stop": "timed-out", "leave": "worker-failed",
    "fail": "worker-failed", "garbage": "worker-failed", "half": "worker-failed", "flood": "worker-failed",
  ]

  static func write(_ fault: String, as name: String, in folder: TemporaryFolder) throws {
    try Data("ARTWORKD-FAULT \(fault)\n".utf8).write(to: folder.url(name))
  }

  /// Verdict or error code by file name.
  static func outcomes(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> (
    status: Int32, byName: [String: String]
  ) {
    let result = try BuiltTool.run(["check", "--format", "ndjson", folder.root.path] + arguments)
    var byName: [String: String] = [:]
    for object in try result.objects() {
      guard let path = object["path"] as? String, let verdict = object["verdict"] as? String else { continue }
      let error = object["error"] as? [String: Any]
      let name = URL(fileURLWithPath: path).lastPathComponent
      #expect(byName[name] == nil, "\(name) has two results")
      byName[name] = error?["code"] as? String ?? verdict
    }
    return (result.status, byName)
  }

  @Test func `each kind of misbehaviour has its code, at night twice, and good files beside it pass`() throws {
    let folder = try TemporaryFolder()
    for fault in Self.codes.keys { try Self.write(fault, as: "\(fault).mp4", in: folder) }
    for number in 0..<5 { try folder.copy(.named("good-1x1.mp4"), to: "good\(number).mp4") }
    // Less memory than one second fills.
    let arguments = ["--limit", "cpu=1s", "--limit", "memory=256MiB", "--jobs", "4"]
    let first = try Self.outcomes(folder, arguments)
    #expect(first.status == 2)
    #expect(first.byName.count == Self.codes.count + 5)
    for (fault, code) in Self.codes { #expect(first.byName["\(fault).mp4"] == code, "\(fault)") }
    for number in 0..<5 { #expect(first.byName["good\(number).mp4"] == "pass") }
    if Nightly.isOn { #expect(try Self.outcomes(folder, arguments).byName == first.byName) }
  }

  @Test func `a worker that is ended for its time says what it had of it`() throws {
    var usage = rusage()
    usage.ru_utime.tv_sec = 7
    let exit = WorkerExit(status: SIGKILL, usage: usage)
    let error = try #require(exit.failure(isLate: true, timeout: 200, cpuSeconds: 20, limits: Limits()))
    #expect(error.code == .timedOut)
    #expect(error.message == "not inspected within 200 s, of which it had a processor for 7 s: the machine was busy")
    #expect(error.help.contains("less busy"))
  }

  @Test(arguments: ["segv", "half", "garbage"])
  func `a crash while a preview is made leaves no file`(fault: String) throws {
    let (folder, previews) = (try TemporaryFolder(), try TemporaryFolder())
    try Self.write(fault, as: "x.mp4", in: folder)
    #expect(try Self.outcomes(folder, ["--preview-dir", previews.root.path]).status == 2)
    let preview = try BuiltTool.run(["preview", folder.url("x.mp4").path, "-o", previews.url("y.png").path])
    #expect(preview.status == 2)
    #expect(preview.error.contains("x.mp4: "))
    #expect(try FileManager.default.contentsOfDirectory(atPath: previews.root.path) == [])
  }

  /// The negative control: what happens to the run where files are not isolated.
  @Test(arguments: [SIGSEGV, SIGABRT])
  func `without workers the same file ends the whole run`(signal: Int32) throws {
    let folder = try TemporaryFolder()
    try Self.write(signal == SIGSEGV ? "segv" : "abort", as: "x.mp4", in: folder)
    let process = Process()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["check", folder.root.path]
    process.environment = BuiltTool.withoutIsolation.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
  }

  /// The same for those that do not end: the limit on processor time is a worker's.
  @Test(.nightly, arguments: ["spin", "sleep"])
  func `without workers the same file holds the whole run up`(fault: String) throws {
    let folder = try TemporaryFolder()
    try Self.write(fault, as: "x.mp4", in: folder)
    let process = Process()
    process.executableURL = try BuiltTool.find()
    let arguments = ["check", "--limit", "cpu=1s", folder.root.path]
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(BuiltTool.withoutIsolation) { $1 }
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // With workers, a run that begins later ends.
    #expect(try BuiltTool.run(arguments).status == 2)
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  @Test func `the budget is the one that was given`() throws {
    let folder = try TemporaryFolder()
    try folder.copy(.named("good-1x1.mp4"), to: "good.mp4")
    #expect(try Self.outcomes(folder, ["--limit", "file-size=100"]).byName["good.mp4"] == "too-large")
    // Its folder has no other shape.
    #expect(try Self.outcomes(folder).byName["good.mp4"] == "warn")
  }
}
