import TestSupport

@testable import ArtworkService

/// `script` of util-linux, which runs a command in a new terminal.
enum TerminalMaker {
  static let path = "/usr/bin/script"
  static let isPresent = FileManager.default.isExecutableFile(atPath: path)
  static let absence: Comment = "there is no script from util-linux to make a terminal"

  /// Runs a line of the shell in a terminal, in which `artworkd` is `$T`.
  static func run(
    _ line: String, in folder: TemporaryFolder? = nil, environment: [String: String] = [:]
  ) throws -> BuiltTool.Result {
    let more = ["TERM": "xterm", "NO_COLOR": "", "T": try BuiltTool.find().path]
    return try execute(
      "\(path) -qec", [line, "/dev/null"], in: folder?.root,
      environment: more.merging(environment) { $1 })
  }
}

/// The output for a person at a terminal.
@Suite(.enabled(if: TerminalMaker.isPresent, TerminalMaker.absence)) struct TerminalTests {
  /// Everything that is drawn, and the exit code.
  static func run(_ arguments: String, environment: [String: String] = [:]) throws -> (
    String, Int32
  ) {
    let files = ["good-1x1.mp4", "loop-jump.mp4"].map { "\(Fixture.named($0).path)" }
    let result = try TerminalMaker.run(
      "$T check \(arguments) \(files[0]) \(files[1])", environment: environment)
    return (result.output, result.status)
  }

  @Test("a terminal gets colours and a line of progress that goes away")
  func colours() throws {
    let (text, status) = try Self.run("--jobs 1")
    #expect(status == 1)
    #expect(
      text.contains("\u{1b}[32m✓ pass \u{1b}[0m") && text.contains("\u{1b}[31m✗ fail \u{1b}[0m"))
    #expect(text.contains("\r\u{1b}[K1/2 checked"))
    // Drawn, then removed before the results.
    let parts = text.components(separatedBy: "\r\u{1b}[K")
    #expect(parts.last?.contains("/2 checked") == false)
    #expect(parts.last?.contains("2 checked:") == true)
  }

  @Test("a line reports that files of the same size are compared, and goes away")
  func comparison() throws {
    let folder = try TemporaryFolder(["a/1x1.mp4": "good-1x1.mp4", "b/1x1.mp4": "good-1x1.mp4"])
    let (text, _) = try Self.run("'\(folder.root.path)'")
    let line = "\r\u{1b}[Kcomparing files of the same size: 1"
    #expect(text.components(separatedBy: line).count == 2)
    let after = text.components(separatedBy: line).last ?? ""
    #expect(after.hasPrefix("\r\u{1b}[K"), "\(after)")
  }

  @Test("whoever refuses colours gets none", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func refused(environment: [String: String]) throws {
    let (text, _) = try Self.run("--quiet", environment: environment)
    #expect(!text.contains("\u{1b}"))
    #expect(text.contains("✗ fail "))
    // An empty NO_COLOR is no refusal (https://no-color.org).
    #expect(try Self.run("--quiet", environment: ["NO_COLOR": ""]).0.contains("\u{1b}[31m"))
  }

  @Test("a PNG is not written to a terminal", arguments: ["preview", "seam"])
  func png(command: String) throws {
    let result = try TerminalMaker.run(
      "$T \(command) \(Fixture.named("good-1x1.mp4").path) -o -")
    #expect(result.status == 64)
    #expect(result.output.contains("Error: Refusing to write PNG to a terminal: name a file.\r\n"))
  }

  @Test(
    "quiet runs and lines for machines draw no progress", arguments: ["--quiet", "--format ndjson"])
  func noProgress(arguments: String) throws {
    #expect(try !Self.run(arguments).0.contains("\u{1b}[K"))
  }
}
