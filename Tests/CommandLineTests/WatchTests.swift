import ArtworkService
import TestSupport

/// `check --watch` as a process.
@Suite struct WatchTests {
  @Test(
    "what is there is checked, then what comes and changes, and reports are written anew",
    .timeLimit(.minutes(5)))
  func watching() async throws {
    let folder = try TemporaryFolder()
    try folder.copy(.named("good-1x1.mp4"), to: "a.mp4")
    let process = Process()
    process.executableURL = try BuiltTool.find()
    process.arguments = [
      "check", folder.root.path, "--watch", "--format", "ndjson", "--report",
      "json=\(folder.url("report.json").path)",
    ]
    let output = folder.url("out.ndjson.txt")
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }

    /// Waits until the last line about `name` has this verdict.
    func wait(for name: String, toBe verdict: String) async throws {
      while true {
        let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
        let found = lines.compactMap { line -> String? in
          // The last line may be half there.
          let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          guard (object?["path"] as? String)?.hasSuffix(name) == true else { return nil }
          return object?["verdict"] as? String
        }
        if found.last == verdict { return }
        try await Task.sleep(for: .milliseconds(100))
      }
    }

    try await wait(for: "a.mp4", toBe: "pass")
    // Half of a file first: whatever is reported meanwhile, the result of the complete file comes last.
    let whole = try Data(contentsOf: Fixture.named("audio-aac.mp4").url)
    try whole.prefix(whole.count / 2).write(to: folder.url("b.mp4"))
    let handle = try FileHandle(forWritingTo: folder.url("b.mp4"))
    try handle.seekToEnd()
    for byte in whole.suffix(from: whole.count / 2).prefix(8) {
      try handle.write(contentsOf: Data([byte]))
      try await Task.sleep(for: .milliseconds(200))
    }
    try handle.write(contentsOf: whole.suffix(from: whole.count / 2 + 8))
    try handle.close()
    try await wait(for: "b.mp4", toBe: "pass")

    // Replaced by another: checked again.
    try FileManager.default.removeItem(at: folder.url("a.mp4"))
    try folder.copy(.named("rate-120.mp4"), to: "a.mp4")
    try await wait(for: "a.mp4", toBe: "fail")
    // The report is rewritten after the line.
    var verdicts: [String] = []
    while verdicts != ["fail", "pass"] {
      try await Task.sleep(for: .milliseconds(100))
      let report =
        try JSONSerialization.jsonObject(with: Data(contentsOf: folder.url("report.json")))
        as? [String: Any]
      verdicts = (report?["results"] as? [[String: Any]] ?? []).compactMap {
        $0["verdict"] as? String
      }.sorted()
    }

    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }
}
