import Foundation
import Testing

/// Whole texts on file. With `ARTWORKD_WRITE_EXPECTED=1` in the environment the tests write them again; review the
/// changes before committing them.
package enum Recorded {
  package static func expect(_ text: String, in file: URL) throws {
    if ProcessInfo.processInfo.environment["ARTWORKD_WRITE_EXPECTED"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    let lines = text.components(separatedBy: "\n")
    let wanted = expected.components(separatedBy: "\n")
    let first = zip(lines, wanted).enumerated().first { $1.0 != $1.1 }
    let number = first?.offset ?? min(lines.count, wanted.count)
    #expect(
      text == expected,
      """
      \(file.lastPathComponent):\(number + 1) is not what it was
      on file: \(wanted.indices.contains(number) ? wanted[number] : "nothing")
      now:     \(lines.indices.contains(number) ? lines[number] : "nothing")
      """)
  }
}
