import TestSupport

/// No file that a command reads, or has just written, is replaced by another of its files.
@Suite struct OverwritingTests {
  /// Made once: no test changes it.
  private static let made = Result {
    let folder = try TemporaryFolder([
      "art/al/1x1.mp4": "good-1x1.mp4", "art/al/1x1.png": "good-1x1.mp4",
    ])
    try folder.write("artworkID,1x1\nal,art/al/1x1.mp4\n", to: "list.csv")
    try folder.write("manifest: list.csv\n", to: "artwork.yml")
    try folder.link("link.json", to: "art/al/1x1.mp4")
    let run = try folder.artworkd("check art --shard 1/1 --format ndjson --output one.ndjson")
    try #require(run.status <= 1, "\(run.error)")
    let known = try folder.artworkd("check art --write-baseline known.json")
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
    let before = try folder.files()
    let run = try folder.artworkd(command)
    #expect(run.status == 64, "\(run.output)\(run.error)")
    #expect(run.error.contains("write a report over") || run.error.contains("share the file"))
    #expect(try folder.files() == before)
  }

  @Test("a baseline may replace itself, and devices take several reports")
  func allowed() throws {
    for options in [
      "--baseline known.json --write-baseline known.json",
      "--report json=/dev/null --report html=/dev/null",
    ] {
      let run = try folder.artworkd("check art \(options)")
      #expect(run.status <= 1, "\(run.error)")
    }
  }
}
