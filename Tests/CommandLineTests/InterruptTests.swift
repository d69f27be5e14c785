import TestSupport

/// Runs that do not come to their end.
@Suite struct InterruptTests {
  /// A folder with a clip that takes long enough for a signal to come before the end.
  private static let clip = Result {
    try MadeClip(
      named: "a.mp4",
      "-f lavfi -i testsrc2=s=1080x1080:r=30 -t 4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
  }

  private static let farewell = "artworkd: interrupted, no partial files are left\n"

  @Test(
    "commands that make a file report that they were interrupted, and leave none",
    arguments: [
      ["import", "a.mp4", "--size", "1080x1080", "-o", "x.mp4"],
      ["loop", "a.mp4", "-o", "x.mp4"], ["derive", "a.mp4", "--key", "3x4", "-o", "x.mp4"],
    ])
  func makers(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.clip.get().folder.data("a.mp4"), to: "a.mp4")
    let run = try RunningTool(arguments, in: folder)
    try waitUntilCaught(SIGINT, by: run.process)
    // In the middle of the work, which takes seconds.
    usleep(300_000)
    #expect(run.end(SIGINT) == 130)
    #expect(run.error == Self.farewell)
    #expect(folder.names() == ["a.mp4"])
  }

  /// Under names of servers, files are made in a temporary folder first.
  @Test(
    "a bundle that is interrupted after its first file leaves none",
    arguments: [BundleNames.players, .jellyfin])
  func bundle(names: BundleNames) throws {
    let folder = try TemporaryFolder(["song/1x1.mp4": "good-1x1-2s.mp4"])
    try folder.make("tmp")
    let run = try RunningTool(
      ["bundle", "song", "-o", "out", "--names", names.rawValue], in: folder,
      environment: ["TMPDIR": folder.url("tmp").path])
    func made() -> [String] {
      ["out", "tmp"].flatMap {
        FileManager.default.enumerator(atPath: folder.url($0).path)?.compactMap { $0 as? String }
          ?? []
      }
    }
    while !made().contains(where: { $0.hasSuffix("cover.mp4") }), run.process.isRunning {
      usleep(1000)
    }
    #expect(run.end(SIGINT) == 130)
    #expect(made() == [])
  }

  /// No one reads beyond the first line, so that the run cannot end: the results of all candidates are many times the
  /// capacity of a pipe. There are more jobs than processors.
  @Test(
    "a signal in the middle of a batch leaves no partial file",
    arguments: Nightly.isOn ? [SIGINT, SIGTERM, SIGHUP] : [SIGTERM])
  func signals(signal: Int32) throws {
    let folder = try TemporaryFolder(["0.mp4": "good-3x4.mp4"])
    for number in 1..<90 {
      try FileManager.default.linkItem(at: folder.url("0.mp4"), to: folder.url("\(number).mp4"))
    }
    let (previews, output) = (try TemporaryFolder(), Pipe())
    let run = try RunningTool(
      [
        "check", "--format", "ndjson", "--jobs", "8", "--preview-dir", previews.root.path,
        folder.root.path,
      ], output: output)
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      line += try #require(
        try output.fileHandleForReading.read(upToCount: 1), "the run ended early")
    }
    #expect(run.end(signal) == 130 && run.process.terminationReason == .exit)
    let farewell =
      /artworkd: interrupted, no partial files are left\n(\d+) of 90 checked: \d+ pass, 0 warn, 0 fail, 0 error in [0-9.]+ s( \([0-9.]+ files\/s\))?, interrupted\n/
    let done = try #require(run.error.wholeMatch(of: farewell)?.1, "\(run.error)")
    #expect((1..<90).contains(Int(done) ?? 0))
    let files = previews.names()
    #expect(!files.isEmpty, "it was interrupted before it began")
    // A pipe holds about forty results: the signal was not left waiting until the jobs ran into that.
    #expect(files.count < 40)
    for file in files {
      #expect(file.hasSuffix(".3x4.png"))
      // The end of every PNG: an empty chunk and its checksum.
      let end = try previews.data(file).suffix(12)
      #expect([UInt8](end) == [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
    }
  }

  @Test("an interrupted text report has what was checked, and a summary at the end")
  func text() throws {
    let folder = try TemporaryFolder()
    // Slow files after fast ones.
    for number in 0..<8 { try folder.copy("broken-text.mp4", to: "a\(number).mp4") }
    for number in 0..<100 { try folder.copy("good-3x4.mp4", to: "b\(number).mp4") }
    let output = Pipe()
    let run = try RunningTool(
      ["check", "--jobs", "1", "--no-cache", "--thorough", folder.root.path], output: output)
    var text = Data()
    // The first of the slow files: the run continues for seconds.
    while !String(decoding: text, as: UTF8.self).contains("b0.mp4") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the run ended early")
      text += more
    }
    run.send(SIGINT)
    text += output.fileHandleForReading.readDataToEndOfFile()
    #expect(run.status == 130)
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    let last = try #require(lines.last)
    let match = try #require(
      last.wholeMatch(
        of: /(\d+) of 108 checked: (\d+) pass, 0 warn, 0 fail, 8 error in .*, interrupted/),
      "\(last)")
    #expect(lines.count { $0.hasPrefix("✗ error  a") } == 8)
    #expect(lines.count { $0.hasPrefix("✓ pass   b") } == Int(match.2))
    #expect((9..<108).contains(Int(match.1) ?? 0))
  }

  @Test(
    "a signal while candidates are still searched ends the run with its message",
    arguments: [
      ["check", "-"], ["repair", "-", "--output-dir", "new"],
      ["import", "-", "--output-dir", "new"],
    ])
  func search(arguments: [String]) throws {
    let input = Pipe()
    let run = try RunningTool(arguments, in: TemporaryFolder(), input: input)
    // More than a pipe holds: once it is written, the list is being read, and never ends.
    try input.fileHandleForWriting.write(contentsOf: Data(repeating: 10, count: 1 << 20))
    #expect(run.end(SIGINT) == 130 && run.process.terminationReason == .exit)
    #expect(run.error == Self.farewell)
  }

  @Test("a text report that nobody reads does not keep the run from ending")
  func unread() throws {
    let folder = try TemporaryFolder()
    for number in 0..<200 { try folder.copy("broken-text.mp4", to: "\(number).mp4") }
    let output = Pipe()
    let run = try RunningTool(["check", folder.root.path], output: output)
    // One byte: the rest is more than a pipe holds.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    Thread.sleep(forTimeInterval: 0.5)
    #expect(run.end(SIGINT) == 130)
  }

  @Test("a reader that goes away ends the run without a word")
  func brokenPipe() throws {
    let output = Pipe()
    try output.fileHandleForReading.close()
    let run = try RunningTool(
      ["check", "--format", "ndjson", Fixture.named("good-1x1.mp4").url.path], output: output)
    try output.fileHandleForWriting.close()
    #expect(run.status == 70 && run.process.terminationReason == .exit)
    #expect(run.error == "")
  }

  @Test(
    "every command ends alike on a full disk under standard output",
    arguments: [
      "check --format text FILE", "check --format json FILE", "check --format ndjson FILE",
      "explain", "explain held", "profiles", "explain artwork.yml", "doctor",
    ])
  func fullDisk(line: String) throws {
    let line = line.replacing("FILE", with: Fixture.named("good-1x1.mp4").url.path)
    let result = try execute("sh -c", ["\"$0\" \(line) > /dev/full", BuiltTool.find().path])
    #expect(result.status == 70)
    #expect(result.error.hasPrefix("artworkd: cannot write the results: "), "\(result.error)")
  }
}
