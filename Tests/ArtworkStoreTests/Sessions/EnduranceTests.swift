import TestSupport

/// A short one of what Scripts/try/endure does at length.
@Suite("A random life of the store")
struct EnduranceTests {
  @Test("agrees with an oracle, step by step", arguments: Nightly.isOn ? [1, 2] : [1])
  func life(seed: Int) throws {
    // In memory where there is such a place: a step waits for the disk longer than it computes.
    let memory = URL(fileURLWithPath: "/dev/shm")
    let place =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    let folder = place.appendingPathComponent("life-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let trial = try BuiltTool.find().deletingLastPathComponent()
      .appendingPathComponent("store-trial")
    let steps = Nightly.isOn ? 3000 : 800
    let ended = try run(
      trial.path, ["endure", folder.path, "--steps", "\(steps)", "--seed", "\(seed)"])
    let output = String(decoding: ended.output, as: UTF8.self)
    #expect(ended.status == 0, "\(output) \(ended.error)")
    #expect(output.contains("\(steps) steps of seed \(seed) agree with the oracle"))
    // All kinds of steps were taken.
    for action in ["publish", "killService", "killClient", "evict", "changeSource", "forget"] {
      #expect(output.contains("\(action) "), "\(output)")
    }
  }
}
