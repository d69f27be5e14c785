import Foundation
import HostileMedia
import TestSupport
import Testing

@testable import ArtworkPipeline

/// Damaged files. `Scripts/fuzz` runs many more of them.
@Suite struct MutationTests {
  @Test("mutants of the clips: a result for each, the same twice, no crash and no hang")
  func mutants() throws {
    let count = Nightly.isOn ? 300 : 60
    let report = try MutationRun(count: count, seed: 1, tool: BuiltTool.find()).run()
    #expect(report.failures == [])
    #expect(report.mutants == count)
    // Mutants that are all refused at the door would test little.
    let inspected = ["pass", "warn", "fail"].reduce(0) { $0 + report.outcomes[$1, default: 0] }
    #expect(inspected > count / 5, "\(report.outcomes)")
    #expect(report.outcomes.count >= 6, "\(report.outcomes)")
  }
}
