import Fixtures
import Foundation

/// One check of all fixtures, with workers, for all tests that only look at its result.
package enum CheckedFixtures {
  /// Lines of NDJSON, the summary last.
  package static func lines() throws -> [String] { try checked.get() }

  /// The runs of Scripts/test share one.
  private static let checked = Result {
    let shared = ProcessInfo.processInfo.environment["ARTWORKD_TEST_SHARE"].map {
      URL(fileURLWithPath: $0).appendingPathComponent("checked-fixtures.ndjson")
    }
    if let shared, let text = try? String(contentsOf: shared, encoding: .utf8) {
      return text.split(separator: "\n").map(String.init)
    }
    let checked = try BuiltTool.run([
      "check", "--format", "ndjson", "--jobs", "4", Fixture.folder.path,
    ])
    if let shared { try Data(checked.output.utf8).write(to: shared, options: .atomic) }
    return checked.lines
  }
}
