import Foundation
import Testing

/// The executable that was built with the tests.
package enum BuiltTool {
  private static let url: URL? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    for _ in 0..<5 {
      folder.deleteLastPathComponent()
      let tool = folder.appendingPathComponent("artworkd")
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: tool.path, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        return tool
      }
    }
    return nil
  }()

  /// Beside the test bundle, or beside the bundle it is in.
  package static func find() throws -> URL { try #require(url, "artworkd is not beside the tests") }

  package struct Result {
    package var status: Int32
    /// Standard output.
    package var data: Data
    package var error: String

    package init(_ ended: (status: Int32, output: Data, error: String)) {
      (status, data, error) = ended
    }

    package var output: String { String(decoding: data, as: UTF8.self) }

    package var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The JSON objects of NDJSON output.
    package func objects() throws -> [[String: Any]] {
      try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
  }

  /// Runs the tool to its end. `line` is split at spaces; `more` are the arguments after them.
  package static func run(_ line: String, _ more: [String] = []) throws -> Result {
    try run(line.split(separator: " ").map(String.init) + more)
  }

  /// Runs the tool to its end.
  package static func run(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:],
    input: String? = nil
  ) throws -> Result {
    let tool = try find()
    return Result(
      try TestSupport.run(tool.path, arguments, in: folder, environment: environment, input: input))
  }

  /// The environment in which the tool inspects files in its own process.
  package static let withoutIsolation = ["ARTWORKD_NO_ISOLATION": "1"]

  /// Has `program` run the tool: its arguments are `script`, the tool's path, and the others.
  package static func run(
    through program: String, _ script: [String], _ arguments: [String]
  ) throws -> Result { Result(try TestSupport.run(program, script + [find().path] + arguments)) }
}
