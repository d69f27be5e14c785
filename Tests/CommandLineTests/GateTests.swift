import TestSupport

/// A report must not move a gate.
@Suite struct GateTests {
  private static let files = [
    "good-1x1.mp4", "loop-fade-both.mp4", "loop-jump.mp4", "look-flash.mp4", "look-blank-first.mp4",
  ]

  /// The exit code, and for each file its verdict, its findings and why it was decoded in full.
  private static func outcome(_ options: [String], in folder: TemporaryFolder) throws -> [String] {
    let report = folder.url("out.json").path
    let result = try BuiltTool.run(
      ["check", "in", "--no-cache", "--report", "json=\(report)"] + options, in: folder.root)
    let json = try LoopCommandTests.json(
      String(decoding: try Data(contentsOf: folder.url("out.json")), as: UTF8.self))
    let results = try #require(json["results"] as? [[String: Any]])
    return ["\(result.status)"]
      + results.map { result in
        let findings = (result["findings"] as? [[String: Any]] ?? []).map {
          "\($0["rule"] ?? "") \($0["severity"] ?? "") \($0["message"] ?? "")"
        }
        let decoding = result["decoding"] as? [String: Any]
        return
          "\(result["path"] ?? "") \(result["verdict"] ?? "") \(decoding?["fallback"] ?? "") \(findings)"
      }
  }

  @Test("verdicts, findings, exit codes and what is decoded are the same for every report")
  func reports() throws {
    let folder = try TemporaryFolder()
    for file in Self.files { try folder.copy(Fixture.named(file), to: "in/\(file)") }
    let plain = try Self.outcome(["--format", "text"], in: folder)
    #expect(plain.first == "1")
    let formats = ["ndjson", "json", "junit", "sarif", "github", "markdown", "html"]
    for format in Nightly.some(3, of: formats) {
      #expect(try Self.outcome(["--format", format], in: folder) == plain, "\(format)")
      let name = folder.url("report").path
      #expect(
        try Self.outcome(["--report", "\(format)=\(name)"], in: folder) == plain, "\(format)")
    }
    // Every frame is decoded if that is requested, and if the ends are inconclusive.
    #expect(plain.filter { $0.contains(" requested ") }.count < Self.files.count)
    let thorough = try Self.outcome(["--thorough"], in: folder)
    #expect(thorough.filter { $0.contains(" requested ") }.count == Self.files.count)
  }
}
