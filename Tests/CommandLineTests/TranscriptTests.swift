import TestSupport

@testable import ArtworkLottie

let isComplete = AnimationRenderer.isAvailable && FileFormat.webp.isAvailable

/// Everything that commands print and how they end, in Tests/Transcripts. The commands of a file are run by one shell in
/// a folder of their own. Commands begin with `$ ` and go on with `> `, comments begin with `# `; the rest is written by
/// the test: standard output, standard error after `2> `, and an exit code other than 0 in brackets.
@Suite(.enabled(if: isComplete, "this build lacks optional libraries"))
struct TranscriptTests {
  static let folder = Checkout.root.appendingPathComponent("Tests/Transcripts")

  static let names = Result {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }.sorted()
  }

  @Test("each command prints and ends as on file", arguments: try names.get())
  func transcript(name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let expected = try String(contentsOf: file, encoding: .utf8)
    let blocks = Self.blocks(expected)
    let outputs = try Self.outputs(of: blocks.compactMap(\.command))
    var rest = outputs[...]
    let text = blocks.map { $0.text + ($0.command == nil ? "" : rest.removeFirst()) }.joined()
    try Recorded.expect(text, in: file)
  }

  /// A comment, or a command with the lines that it goes on with.
  private struct Block {
    var text: String
    var command: String?
  }

  private static func blocks(_ transcript: String) -> [Block] {
    var blocks: [Block] = []
    var isCommand = false
    for line in transcript.components(separatedBy: "\n") {
      if line.hasPrefix("$ ") {
        blocks.append(Block(text: line + "\n", command: String(line.dropFirst(2))))
      } else if line.hasPrefix("> "), isCommand, let last = blocks.indices.last {
        blocks[last].text += line + "\n"
        blocks[last].command? += "\n" + line.dropFirst(2)
      } else if line.hasPrefix("# ") {
        blocks.append(Block(text: line + "\n"))
      }
      isCommand = line.hasPrefix("$ ") || isCommand && line.hasPrefix("> ")
    }
    return blocks
  }

  /// Functions for the commands. `wrong` prints the exit code and the message of a command, without the usage.
  private static let prelude = #"""
    fixture() { for name; do from=${name%%=*}; to=${name#*=}
      mkdir -p "$(dirname "$to")" && cp "$FIXTURES/$from" "$to" || exit 1; done; }
    wrong() { artworkd "$@" 2>"$LOGS/wrong"; echo "[$?] $(head -n 1 "$LOGS/wrong")" >&2; }
    pick() { python3 "$PICK" "$@"; }
    draw() { ffmpeg -v error -y "$@"; }

    """#

  private static func outputs(of commands: [String]) throws -> [String] {
    let (work, logs) = (try TemporaryFolder(), try TemporaryFolder())
    let tool = try BuiltTool.find()
    try FileManager.default.createSymbolicLink(at: logs.url("artworkd"), withDestinationURL: tool)
    let script = commands.enumerated().map { number, command in
      "{ \(command)\n} >\"$LOGS/\(number).out\" 2>\"$LOGS/\(number).err\" </dev/null\n"
        + "echo $? >\"$LOGS/\(number).status\"\n"
    }
    let ended = try work.run(
      "sh -c", [prelude + script.joined()],
      environment: [
        "FIXTURES": Fixture.folder.path, "LOGS": logs.root.path,
        "PICK": folder.appendingPathComponent("pick.py").path,
        "PATH": "\(logs.root.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
        "ARTWORKD_CACHE_DIR": logs.url("cache").path, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null", "COLUMNS": "100",
      ])
    try #require(ended.status == 0, "\(ended.error)")
    return try commands.indices.map { number in
      func text(_ kind: String) throws -> String {
        let text = try logs.text("\(number).\(kind)")
        return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
      }
      let error = try text("err").split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().map { $0.isEmpty ? "2>\n" : "2> \($0)\n" }.joined()
      let status = try text("status")
      let end = status == "0\n" ? "" : "[\(status.dropLast())]\n"
      return normalized(try text("out") + error + end, in: work) + "\n"
    }
  }

  /// Without places, times and versions, which differ from run to run, and sizes, which differ between encoders.
  private static func normalized(_ text: String, in work: TemporaryFolder) -> String {
    text.replacing(work.root.path, with: "$PWD")
      .replacing(Fixture.folder.path, with: "$FIXTURES")
      .replacing(#/ in [0-9.]+ s( \([0-9.]+ files\/s\))?/#, with: " in … s")
      .replacing(#/[0-9]+ bytes/#, with: "… bytes")
      .replacing(#/version [0-9]+\.[0-9]+\.[0-9]+/#, with: "version …")
      .replacing(#/"seconds" ?: ?[0-9.e-]+/#, with: "\"seconds\" : …")
  }
}
