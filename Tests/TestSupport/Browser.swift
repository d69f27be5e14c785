import Foundation
import Synchronization
package import Testing

/// The headless Chromium in which the tests of a process look at pages. It starts with the first page and ends with the
/// process, since a start takes longer than most tests.
package enum Browser {
  package static let isInstalled =
    (try? run(ReportSchema.python, ["-c", "import selenium"]).status) == 0
    && (try? run("which", ["chromium", "chromedriver"]).status) == 0
  package static let absence: Comment =
    "install chromium, chromium-driver and python3-selenium: nothing looks at the page"

  /// How a page is seen.
  package struct View {
    package var width = 1280
    package var height = 900
    /// `prefers-reduced-motion`.
    package var isCalm = false
    /// `prefers-color-scheme: dark`.
    package var isDark = false
    /// A PNG file that gets the page as it is after the last step.
    package var picture: URL?

    package init(width: Int = 1280, height: Int = 900, isCalm: Bool = false, isDark: Bool = false) {
      (self.width, self.height, self.isCalm, self.isDark) = (width, height, isCalm, isDark)
    }
  }

  /// The results of the steps, as text, and the console's messages.
  package struct Seen {
    package var values: [String]
    package var log: [String]
  }

  /// Opens a page in a new tab and runs steps in it; see `browser` beside this file.
  ///
  /// - Parameters:
  ///   - helpers: JavaScript declarations for each step.
  ///   - steps: bodies of asynchronous functions, or requests to the service behind the page.
  package static func see(
    _ page: String, _ view: View = View(), helpers: String, steps: [Any]
  ) throws -> Seen {
    var request: [String: Any] = [
      "page": page, "size": [view.width, view.height], "calm": view.isCalm, "dark": view.isDark,
      "helpers": helpers, "steps": steps,
    ]
    request["picture"] = view.picture?.path
    let line = try JSONSerialization.data(withJSONObject: request)
    let reply = try shared.withLock { browser in
      let process = try browser ?? BrowserProcess()
      browser = process
      guard let reply = try process.answer(line) else {
        browser = nil
        throw Failure(text: "the browser has ended")
      }
      return reply
    }
    let answer = try #require(try JSONSerialization.jsonObject(with: reply) as? [String: Any])
    if let error = answer["error"] as? String { throw Failure(text: error) }
    return Seen(
      values: try #require(answer["values"] as? [Any]).map { "\($0)" },
      log: try #require(answer["log"] as? [String]))
  }

  struct Failure: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
  }

  private static let shared = Mutex<BrowserProcess?>(nil)
}

/// `browser`, which ends when its input does.
private final class BrowserProcess {
  private let process = Process()
  private let requests = Pipe()
  private let answers = Pipe()
  private var received = Data()

  init() throws {
    process.executableURL = Validator.resource("browser")
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  /// - Returns: `nil` if the process has ended.
  func answer(_ request: Data) throws -> Data? {
    try requests.fileHandleForWriting.write(contentsOf: request + [0x0a])
    while true {
      if let end = received.firstIndex(of: 0x0a) {
        defer { received.removeSubrange(...end) }
        return Data(received[..<end])
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      received += more
    }
  }
}
