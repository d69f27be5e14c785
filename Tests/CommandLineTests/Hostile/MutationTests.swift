import HostileMedia
import TestSupport

/// Damaged files. `Scripts/nightly` runs many more of them through `Scripts/try/fuzz`.
@Suite struct MutationTests {
  @Test("mutants of the clips: a result for each, the same twice, no crash and no hang")
  func mutants() throws {
    let count = Nightly.isOn ? 300 : 24
    let report = try MutationRun(count: count, seed: 1, tool: BuiltTool.find()).run()
    #expect(report.failures == [])
    #expect(report.mutants == count)
    // Mutants that are all refused at once would test little.
    let inspected = ["pass", "warn", "fail"].reduce(0) { $0 + report.outcomes[$1, default: 0] }
    #expect(inspected > count / 5, "\(report.outcomes)")
    #expect(report.outcomes.count >= 6, "\(report.outcomes)")
  }

  /// rlottie may crash or never return; its worker contains it, and the tool continues.
  @Test(
    "mutants of animations",
    arguments: Nightly.some(3, of: ["gif", "apng", "webp", "json", "lottie", "tgs"]))
  func animations(format: String) throws {
    let folder = try TemporaryFolder()
    var run = MutationRun(count: Nightly.isOn ? 300 : 4, seed: 1, tool: try BuiltTool.find())
    if ["gif", "apng", "webp"].contains(format) {
      try folder.copy("image-anim.\(format)", to: "image-anim.\(format)")
    } else {
      try folder.write(LottieCommandTests.document, to: "square.json")
      run.packing = Packing(rawValue: format)
      run.tolerated = ["decoder-crashed", "timed-out"]
      run.options = ["--limit", "cpu=2s"]
    }
    run.folder = folder.root
    let report = try run.run()
    #expect(report.failures == [])
    #expect(report.mutants == run.count)
  }
}
