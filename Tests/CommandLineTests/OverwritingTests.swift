import TestSupport

/// No file that a command reads, or has just written, is replaced by another of its files.
@Suite struct OverwritingTests {
  /// Made once: no test changes it.
  private static let made = Result {
    let folder = try TemporaryFolder()
    try folder.copy(.named("good-1x1.mp4"), to: "art/al/1x1.mp4")
    try folder.copy(.named("good-1x1.mp4"), to: "art/al/1x1.png")
    try Data("artworkID,1x1\nal,art/al/1x1.mp4\n".utf8).write(to: folder.url("list.csv"))
    try Data("manifest: list.csv\n".utf8).write(to: folder.url("artwork.yml"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("link.json").path, withDestinationPath: "art/al/1x1.mp4")
    for name in ["one", "two"] {
      let run = try BuiltTool.run(
        ["check", "art", "--shard", "1/1", "--format", "ndjson", "--output", "\(name).ndjson"],
        in: folder.root)
      try #require(run.status <= 1, "\(run.error)")
    }
    let known = try BuiltTool.run(
      ["check", "art", "--write-baseline", "known.json"], in: folder.root)
    try #require(known.status == 0)
    return folder
  }

  private let folder: TemporaryFolder

  init() throws { folder = try Self.made.get() }

  @Test(
    "a report is not written over what the run reads, nor over another report",
    arguments: [
      "check art --report json=art/al/1x1.mp4", "check art --report json=./art/../art/al/1x1.mp4",
      "check art --format json --output link.json", "check art --report json=art/al/1x1.png",
      "check art --report json=list.csv", "check art --report json=artwork.yml",
      "check art --baseline known.json --report json=known.json",
      "check art --report json=a.txt --report html=./a.txt",
      "check art --report json=a.txt --write-baseline a.txt",
      "merge one.ndjson --report json=one.ndjson",
      "merge one.ndjson --baseline known.json --report json=known.json",
    ])
  func refused(_ command: String) throws {
    func contents() throws -> [String: Data] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.root.path)
      return Dictionary(
        uniqueKeysWithValues: names.compactMap { name in
          (try? Data(contentsOf: folder.url(name))).map { (name, $0) }
        })
    }
    let before = try contents()
    let run = try BuiltTool.run(command.split(separator: " ").map(String.init), in: folder.root)
    #expect(run.status == 64, "\(run.output)\(run.error)")
    #expect(run.error.contains("write a report over") || run.error.contains("share the file"))
    #expect(try contents() == before)
  }

  @Test("a baseline may replace itself, and devices take several reports")
  func allowed() throws {
    for arguments in [
      ["--baseline", "known.json", "--write-baseline", "known.json"],
      ["--report", "json=/dev/null", "--report", "html=/dev/null"],
    ] {
      let run = try BuiltTool.run(["check", "art"] + arguments, in: folder.root)
      #expect(run.status <= 1, "\(run.error)")
    }
  }
}
