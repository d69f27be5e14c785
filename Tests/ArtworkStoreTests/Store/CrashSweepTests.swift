import Dispatch
import Logging
import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline
@testable import ArtworkService

/// Every write, rename, link, unlink and sync of a run over a store is once the last thing that the process does, and
/// once fails for want of space. Whatever was promised before must hold afterwards.
@Suite(.serialized, .enabled(if: Sweep.canInject, "strace cannot be used here"))
struct CrashSweepTests {
  /// What changes a disk, by the names that glibc uses on x86-64.
  static let calls = [
    "write", "pwrite64", "ftruncate", "fallocate", "fsync", "fdatasync", "rename", "renameat2",
    "linkat", "chmod", "unlink", "mkdir", "rmdir",
  ]
  static let byDay = Nightly.isOn ? calls : ["pwrite64", "fdatasync", "rename", "linkat", "unlink"]

  @Test("killed at any call, a store is as it was promised", arguments: byDay)
  func killed(call: String) throws {
    let sweep = try Sweep()
    defer { sweep.remove() }
    let count = try Sweep.count(of: call)
    try #require(count > 0, "\(call) is never made")
    let failures = try sweep.run(
      Nightly.some(2, of: Array(1...max(1, count))).map { "\(call):signal=SIGKILL:when=\($0)" })
    #expect(failures.isEmpty, "\(failures.prefix(5).joined(separator: "\n"))")
  }

  @Test("with a full disk at any call, a store is as it was promised", arguments: byDay)
  func full(call: String) throws {
    let sweep = try Sweep()
    defer { sweep.remove() }
    let count = try Sweep.count(of: call)
    let failures = try sweep.run(
      Nightly.some(2, of: Array(1...max(1, count))).flatMap { number in
        // From then on, and at night also for one call.
        ["\(call):error=ENOSPC:when=\(number)+"]
          + (Nightly.isOn ? ["\(call):error=ENOSPC:when=\(number)"] : [])
      })
    #expect(failures.isEmpty, "\(failures.prefix(5).joined(separator: "\n"))")
  }

  @Test(
    "a wrong order is caught",
    arguments: Nightly.isOn
      ? [("--promises-early", "rename"), ("--writes-in-place", "write")]
      : [("--writes-in-place", "write")])
  func wrongOrder(flag: String, call: String) throws {
    let sweep = try Sweep(flags: [flag])
    defer { sweep.remove() }
    let count = try sweep.counts()[call] ?? 0
    // One is enough.
    var failures: [String] = []
    for first in stride(from: 1, through: count, by: 4) where failures.isEmpty {
      failures = try sweep.run(
        (first...min(first + 3, count)).map { "\(call):signal=SIGKILL:when=\($0)" })
    }
    #expect(!failures.isEmpty)
  }
}

/// Runs of the trial, each with one fault, and what they leave.
private struct Sweep: Sendable {
  static let canInject =
    (try? execute("strace -f -e inject=openat2:error=ENOSYS true")
      .status) == 0

  let folder: URL
  let flags: [String]
  let tool: URL
  let sources: [String: [UInt8]] = [
    "a": Array("the first video".utf8), "b": Array("the second video".utf8),
    "c": Array("the third video".utf8),
  ]

  init(flags: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "sweep-\(UUID().uuidString)")
    self.flags = flags
    tool = try BuiltTool.find().deletingLastPathComponent().appendingPathComponent("store-trial")
    let place = folder.appendingPathComponent("sources")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (name, bytes) in sources { try Data(bytes).write(to: place.appendingPathComponent(name)) }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// How often each call is made by an undisturbed run.
  private static let counts = Result {
    let sweep = try Sweep()
    defer { sweep.remove() }
    return try sweep.counts()
  }

  static func count(of call: String) throws -> Int { try counts.get()[call] ?? 0 }

  func counts() throws -> [String: Int] {
    let (store, log) = (place(), folder.appendingPathComponent("log"))
    let ended = try execute(
      "strace -f -qq -o \(log.path) -e",
      [
        "trace=\(CrashSweepTests.calls.joined(separator: ","))", "-e", "signal=none", tool.path,
        "crash",
      ] + arguments(store))
    let problems = examine(store, printed: ended.output)
    #expect(ended.status == 0 && problems.isEmpty, "\(ended.error) \(problems)")
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: CrashSweepTests.calls.map { call in
        (call, lines.count { $0.contains(" \(call)(") })
      })
  }

  /// Runs the trial with each fault; returns what is wrong afterwards.
  func run(_ faults: [String]) throws -> [String] {
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: faults.count) { index in
      let (fault, store) = (faults[index], place())
      // Only what is traced is injected into.
      let call = fault.prefix { $0 != ":" }
      defer { try? FileManager.default.removeItem(at: store) }
      do {
        let ended = try execute(
          "strace -f -qq -o /dev/null -e trace=\(call) -e inject=\(fault) \(tool.path) crash",
          arguments(store))
        var problems = examine(store, printed: ended.output)
        if fault.contains("SIGKILL"), ended.status == 0 { problems.append("nobody was killed") }
        if !problems.isEmpty {
          failures.withLock { $0.append("\(fault): \(problems.joined(separator: "; "))") }
        }
      } catch {
        failures.withLock { $0.append("\(fault): \(error)") }
      }
    }
    return failures.withLock(\.self)
  }

  private func place() -> URL { folder.appendingPathComponent("store-\(UUID().uuidString)") }

  private func arguments(_ store: URL) -> [String] {
    [store.path, folder.appendingPathComponent("sources").path] + flags
  }

  /// Opens what a run left, as the next process would, and compares it with what the run printed.
  private func examine(_ store: URL, printed: String) -> [String] {
    var problems: [String] = []
    let lines = printed.split(separator: "\n").map(String.init)
    let done = Set(
      lines.filter { $0.hasPrefix("done ") }.map {
        $0.dropFirst(5).split(separator: "/", maxSplits: 1)[0].trimmingCharacters(in: .whitespaces)
      })
    let begun = Set(lines.filter { $0.hasPrefix("begin ") }.map { String($0.dropFirst(6)) })
    let core: StoreCore
    do {
      core = try StoreCore.open(
        FilePath(store.path), byteBudget: 1 << 20, profile: .nowPlaying,
        logger: Logger(label: "sweep") { _ in SwiftLogNoOpLogHandler() })
    } catch {
      return ["it does not open: \(error)"]
    }
    // Every artwork that is stated to have a video has it, and no file is half.
    let state = core.state.withLock { $0 }
    for (digest, asset) in state.assets {
      let path = core.layout.asset(digest).appending(asset.file)
      if StagedVideo.digest(of: path) != digest { problems.append("\(path) is not \(digest)") }
      let preview = core.layout.asset(digest).appending(StoreLayout.previewFile)
      if (FileState(of: preview)?.size ?? 0) != asset.previewBytes {
        problems.append("\(preview) is not whole")
      }
      if core.inspection(digest) == nil { problems.append("\(digest) has no inspection") }
    }
    // Index and folders agree.
    let index = core.writing.withLock { $0 }
    if (try? index.assets().keys.sorted()) != state.assets.keys.sorted() {
      problems.append("the index lists other assets")
    }
    if (try? index.artworks().mapValues(\.digest)) != state.artworks.mapValues(\.digest) {
      problems.append("the index lists other artworks")
    }
    // What was said to be done is done.
    for name in ["a", "b"] where done.contains("publish \(name)") {
      let digest = state.artworks[reference(name)]?.digest
      if digest == nil { problems.append("\(name) is forgotten") }
      if digest != nil, state.assets[digest ?? ""] == nil, !begun.contains("evict") {
        problems.append("the video of \(name) is gone")
      }
    }
    if done.contains("version b"), !begun.contains("evict"),
      !state.renditions.values.contains(where: { state.assets[$0] != nil })
    {
      problems.append("the version of b is gone")
    }
    // Leases: those promised are there until their release begins; all that are there are whole.
    for (session, name) in [("one", "a"), ("two", "a"), ("two", "b")] {
      let lease = state.leases.first {
        $0.key.session.id.text == session && $0.key.reference == reference(name)
      }
      let isPromised = done.contains("lease \(session) \(name)")
      let isReleased = done.contains("release \(session) \(name)")
      // A harmed one goes before the next is made.
      let isExcused =
        begun.contains("release \(session) \(name)") || begun.contains("lose folders")
        || begun.contains("harm \(session) \(name)")
      if isPromised, !isExcused, lease == nil {
        problems.append("the lease of \(session) on \(name) is lost")
      }
      if isReleased, lease != nil { problems.append("the lease of \(session) on \(name) is back") }
    }
    for name in ["a", "b"] where done.contains("lease three \(name)") {
      if !state.leases.keys.contains(where: {
        $0.session.id.text == "three" && $0.reference == reference(name)
      }) {
        problems.append("the lease of three on \(name) is lost")
      }
    }
    for lease in state.leases.values where StagedVideo.digest(of: lease.file) != lease.digest {
      problems.append("\(lease.file) is not what was leased")
    }
    // The sessions are the old ones or the new ones.
    let record = try? core.readSessions()
    if record == nil, done.contains("sessions 1") { problems.append("the sessions are lost") }
    if let record, done.contains("sessions 2"), !begun.contains("sessions 3"),
      record.board.sessions.count != 2
    {
      problems.append("the sessions are old")
    }
    if let record, done.contains("play"), !begun.contains("sessions 3"),
      !record.board.sessions.values.contains(where: \.isActive)
    {
      problems.append("nothing plays")
    }
    if (try? DurableFiles.names(in: core.layout.incoming))?.isEmpty != true {
      problems.append("something is left in incoming")
    }
    // With space again, it goes on.
    do {
      try core.register(reference("d"), .file(path: "/d"))
      _ = try core.commit(
        try core.prepareLease(
          .init(SessionReference("trial", try SessionSamples.id("three")), reference("b")),
          owner: SessionOwner())
      ).lease
    } catch {
      problems.append("it does not go on: \(error)")
    }
    return problems
  }

  private func reference(_ name: String) -> ArtworkReference {
    guard let id = ArtworkID(name) else { preconditionFailure("a name is an ID") }
    return ArtworkReference(id, .square)
  }
}
