import TestSupport

/// A report must not move a gate.
@Suite struct GateTests {
  private static let files = [
    "good-1x1.mp4", "loop-fade-both.mp4", "loop-jump.mp4", "look-flash.mp4", "look-blank-first.mp4",
  ]

  /// The exit code, and for each file its verdict, its findings and why it was decoded in full.
  private static func outcome(_ options: String, in folder: TemporaryFolder) throws -> [JSONNode] {
    let result = try folder.artworkd("check in --no-cache --report json=out.json \(options)")
    let results = try #require(try JSONNode.read(folder.text("out.json"))["results"]).items
    return [.number(Double(result.status))]
      + results.map { result in
        .list(["path", "verdict", "findings", "decoding"].map { result[$0] ?? .null })
      }
  }

  private static func requested(_ outcome: [JSONNode]) -> Int {
    outcome.count { $0[3]?["fallback"] == "requested" }
  }

  @Test("verdicts, findings, exit codes and what is decoded are the same for every report")
  func reports() throws {
    let folder = try TemporaryFolder()
    for file in Self.files { try folder.copy(file, to: "in/\(file)") }
    let plain = try Self.outcome("--format text", in: folder)
    #expect(plain.first == 1)
    let formats = ["ndjson", "json", "junit", "sarif", "github", "markdown", "html"]
    for format in Nightly.some(3, of: formats) {
      for option in ["--format \(format)", "--report \(format)=report"] {
        #expect(try Self.outcome(option, in: folder) == plain, "\(option)")
      }
    }
    // Every frame is decoded if that is requested, and if the ends are inconclusive.
    #expect(Self.requested(plain) < Self.files.count)
    #expect(try Self.requested(Self.outcome("--thorough", in: folder)) == Self.files.count)
  }
}
