import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

/// Runs that do not come to their end.
@Suite struct InterruptTests {
  /// A folder with a clip that takes long enough for a signal to come before the end.
  private static let clip = Result {
    let folder = try TemporaryFolder()
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=1080x1080:r=30", "-t", "4", "-c:v",
        "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "a.mp4",
      ], in: folder.root)
    try #require(made.status == 0)
    return folder
  }

  @Test(
    "commands that make a file report that they were interrupted, and leave none",
    arguments: [
      ["import", "a.mp4", "--size", "1080x1080", "-o", "x.mp4"],
      ["loop", "a.mp4", "-o", "x.mp4"], ["derive", "a.mp4", "--key", "3x4", "-o", "x.mp4"],
    ])
  func makers(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(at: Self.clip.get().url("a.mp4"), to: folder.url("a.mp4"))
    let process = Process()
    let error = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = arguments
    process.currentDirectoryURL = folder.root
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    try waitUntilCaught(SIGINT, by: process)
    // In the middle of the work, which takes seconds.
    usleep(300_000)
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let words = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(words == "artworkd: interrupted, no partial files are left\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["a.mp4"])
  }

  /// Under names of servers, files are made in a temporary folder first.
  @Test(
    "a bundle that is interrupted after its first file leaves none",
    arguments: [BundleNames.players, .jellyfin])
  func bundle(names: BundleNames) throws {
    let (folder, temporary) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.createDirectory(
      at: folder.url("song"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Fixture.named("good-1x1-2s.mp4").url, to: folder.url("song/1x1.mp4"))
    let process = Process()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["bundle", "song", "-o", "out", "--names", names.rawValue]
    process.currentDirectoryURL = folder.root
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": temporary.root.path]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    func made() -> [String] {
      [folder.url("out"), temporary.root].flatMap {
        FileManager.default.enumerator(atPath: $0.path)?.compactMap { $0 as? String } ?? []
      }
    }
    func hasVideo() -> Bool { made().contains { $0.hasSuffix("cover.mp4") } }
    while !hasVideo(), process.isRunning { usleep(1000) }
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(made() == [])
  }

  /// No one reads beyond the first line, so that the run cannot end: the results of all candidates are many times the
  /// capacity of a pipe. There are more jobs than processors.
  @Test(
    "a signal in the middle of a batch leaves no partial file",
    arguments: Nightly.isOn ? [SIGINT, SIGTERM, SIGHUP] : [SIGTERM])
  func signals(signal: Int32) throws {
    let (folder, previews) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.copyItem(
      at: Fixture.named("good-3x4.mp4").url, to: folder.url("0.mp4"))
    for number in 1..<90 {
      try FileManager.default.linkItem(
        at: folder.url("0.mp4"), to: folder.url("\(number).mp4"))
    }
    let process = Process()
    let output = Pipe()
    let error = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = [
      "check", "--format", "ndjson", "--jobs", "8", "--preview-dir", previews.root.path,
      folder.root.path,
    ]
    process.standardOutput = output
    process.standardError = error
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      line += try #require(
        try output.fileHandleForReading.read(upToCount: 1), "the run ended early")
    }
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let words = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let farewell =
      /artworkd: interrupted, no partial files are left\n(\d+) of 90 checked: \d+ pass, 0 warn, 0 fail, 0 error in [0-9.]+ s( \([0-9.]+ files\/s\))?, interrupted\n/
    let done = try #require(words.wholeMatch(of: farewell)?.1, "\(words)")
    #expect((1..<90).contains(Int(done) ?? 0))

    let files = try FileManager.default.contentsOfDirectory(atPath: previews.root.path)
    #expect(!files.isEmpty, "it was interrupted before it began")
    // A pipe holds about forty results: the signal was not left waiting until the jobs ran into that.
    #expect(files.count < 40)
    for file in files {
      #expect(file.hasSuffix(".3x4.png"))
      // The end of every PNG: an empty chunk and its checksum.
      let end = try Data(contentsOf: previews.url(file)).suffix(12)
      #expect([UInt8](end) == [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82])
    }
  }

  @Test("an interrupted text report has what was checked, and a summary at the end")
  func text() throws {
    let folder = try TemporaryFolder()
    // A slow file, after fast ones.
    for number in 0..<8 {
      try FileManager.default.copyItem(
        at: Fixture.named("broken-text.mp4").url, to: folder.url("a\(number).mp4"))
    }
    for number in 0..<100 {
      try FileManager.default.copyItem(
        at: Fixture.named("good-3x4.mp4").url, to: folder.url("b\(number).mp4"))
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["check", "--jobs", "1", "--no-cache", "--thorough", folder.root.path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = Data()
    // The first of the slow files: the run continues for seconds.
    while !String(decoding: text, as: UTF8.self).contains("b0.mp4") {
      let more = output.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the run ended early")
      text += more
    }
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    text += output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
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
    let folder = try TemporaryFolder()
    let process = Process()
    let (input, error) = (Pipe(), Pipe())
    process.executableURL = try BuiltTool.find()
    process.arguments = arguments
    process.currentDirectoryURL = folder.root
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    // More than a pipe holds: once it is written, the list is being read, and never ends.
    try input.fileHandleForWriting.write(contentsOf: Data(repeating: 10, count: 1 << 20))
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    let words = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    #expect(words == "artworkd: interrupted, no partial files are left\n")
  }

  @Test("a text report that nobody reads does not keep the run from ending")
  func unread() throws {
    let folder = try TemporaryFolder()
    for number in 0..<200 {
      try FileManager.default.copyItem(
        at: Fixture.named("broken-text.mp4").url, to: folder.url("\(number).mp4"))
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["check", folder.root.path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // One byte: the rest is more than a pipe holds.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    Thread.sleep(forTimeInterval: 0.5)
    #expect(kill(process.processIdentifier, SIGINT) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }

  @Test("a reader that goes away ends the run without a word")
  func brokenPipe() throws {
    let process = Process()
    let output = Pipe()
    let error = Pipe()
    process.executableURL = try BuiltTool.find()
    process.arguments = ["check", "--format", "ndjson", Fixture.named("good-1x1.mp4").url.path]
    process.standardOutput = output
    process.standardError = error
    try output.fileHandleForReading.close()
    try process.run()
    try output.fileHandleForWriting.close()
    let words = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 70)
    #expect(words == "")
  }

  @Test("a full disk under standard output is reported", arguments: ["text", "json", "ndjson"])
  func fullDisk(format: String) throws {
    let tool = try BuiltTool.find().path
    let file = Fixture.named("good-1x1.mp4").url.path
    let result = try run(
      "sh", ["-c", "\"$0\" check --format \(format) \"$1\" > /dev/full", tool, file])
    #expect(result.status == 70)
    #expect(result.error.hasPrefix("artworkd: cannot write the results: "))
  }

  @Test(
    "every command ends alike on a full disk",
    arguments: ["explain", "explain held", "profiles", "explain artwork.yml", "doctor"])
  func fullDiskElsewhere(command: String) throws {
    let tool = try BuiltTool.find().path
    let result = try run("sh", ["-c", "\"$0\" \(command) > /dev/full", tool])
    #expect(result.status == 70)
    #expect(result.error.hasPrefix("artworkd: cannot write the results: "), "\(result.error)")
  }
}
