import Fixtures
import Foundation

/// One check of all fixtures, with workers, for all tests that only look at its result.
package enum CheckedFixtures {
  /// Lines of NDJSON, the summary last.
  package static func lines() throws -> [String] { try checked.get() }

  private static let checked = Result {
    try BuiltTool.run(["check", "--format", "ndjson", "--jobs", "4", Fixture.folder.path]).lines
  }
}
