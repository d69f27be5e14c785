import TestSupport

/// The commands of the documents run as printed, where README prepares the examples.
@Suite(.enabled(if: isComplete, "this build lacks optional libraries"))
struct DocumentBlockTests {
  /// The lines of the shell blocks that call the tool, without the service, and without placeholders.
  private static func commands(_ document: String) throws -> [String] {
    let text = try IntegrationsTests.text(document)
    var (isShell, commands) = (false, [String]())
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isShell = line == "```sh" && !isShell }
      let isService = line.hasPrefix("artworkd serve") || line.hasPrefix("artworkd publish")
      if isShell, line.hasPrefix("artworkd "), !isService, !line.contains("[") {
        commands.append(String(line))
      }
    }
    return commands
  }

  private static func run(_ document: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Checkout.root.appending(path: "Demo"), to: folder.url("artwork"))
    let tool = try BuiltTool.find().deletingLastPathComponent().path
    let commands = try commands(document)
    #expect(!commands.isEmpty)
    for command in commands {
      let ended = try folder.run(
        "/bin/sh -c", ["PATH=\(tool):$PATH; \(command)"],
        environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
      // 1 is what a finding gives.
      #expect(ended.status <= 1, "\(document): \(command): \(ended.error)\(ended.output)")
    }
  }

  @Test(
    "each command runs as printed",
    arguments: Nightly.isOn ? ["README.md", "docs/check.md", "docs/ci.md"] : ["README.md"])
  func quick(document: String) throws { try Self.run(document) }

  @Test(
    "each command that makes files runs as printed", .nightly,
    arguments: [
      "docs/repair.md", "docs/animate.md", "docs/export.md", "docs/loops.md", "docs/bundle.md",
      "docs/import.md", "docs/lottie.md",
    ])
  func slow(document: String) throws { try Self.run(document) }
}
