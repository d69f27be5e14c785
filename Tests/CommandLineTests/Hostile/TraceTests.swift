import HostileMedia
import TestSupport

@testable import ArtworkService

/// The files and connections that a program opened, according to strace.
struct Trace {
  private var calls: [Substring]

  /// Runs `program` under strace with all its children and threads.
  static func of(_ program: String, _ arguments: [String], in folder: URL) throws -> Trace {
    let scratch = try TemporaryFolder()
    let process = try MeasuredProcess.run(
      "strace",
      [
        "-f", "-qq", "-s", "4096", "-e", "trace=open,openat,openat2,socket,connect", "-o",
        scratch.url("trace").path, program,
      ] + arguments, in: folder, limit: 300)
    try #require(!process.timedOut, "\(process.error)")
    let text = try scratch.text("trace")
    try #require(text.contains("libc.so"), "strace saw nothing: \(process.error)")
    return Trace(calls: text.split(separator: "\n"))
  }

  /// How often a file of this name was opened, or tried to, in whichever folder.
  func opens(_ name: String) -> Int {
    calls.count {
      $0.contains(" open") && ($0.contains("\"\(name)\"") || $0.contains("/\(name)\""))
    }
  }

  var reachesNetwork: Bool { calls.contains { $0.contains("AF_INET") } }

  static let isPresent: Bool = {
    let works = (try? execute("strace -qq -o /dev/null true").status) == 0
    if !works {
      FileHandle.standardError.write(
        Data("SKIPPED: no strace that works, nobody watches what is opened\n".utf8))
    }
    return works
  }()
  static let absence: Comment = "strace is not there, or may not trace"
}

/// A1 and A3: files named in a file are not opened, and no connection is made.
@Suite(.enabled(if: Trace.isPresent, Trace.absence)) struct TraceTests {
  static let files = HostileFile.all.filter { ["A1", "A3"].contains($0.row) }.map(\.name)

  private static let ours = Result {
    try Trace.of(
      BuiltTool.find().path, ["check", "--format", "ndjson", "--jobs", "2"] + files,
      in: HostileFolder.folder.get().root)
  }

  @Test("each file is opened once, and nothing that it names", arguments: files)
  func once(file: String) throws { #expect(try Self.ours.get().opens(file) == 1) }

  @Test("neither the canary nor an address")
  func canary() throws {
    let trace = try Self.ours.get()
    #expect(trace.opens("canary.mov") == 0)
    #expect(!trace.reachesNetwork)
  }

  /// Without this the tests above could not fail: FFmpeg with all protocols but those for files
  /// forbidden does follow these.
  @Test(
    "control: ffprobe opens the canary where only protocols are restricted",
    arguments: [
      "hls-relative.mp4", "hls-url.mp4", "hls-absolute.mov", "hls-master.mp4", "hls-init.mp4",
      "dash-relative.mp4", "dash-absolute.mov", "dash-url.mp4", "concat-relative.mp4",
    ])
  func followed(file: String) throws {
    let trace = try Trace.of(
      "ffprobe", ["-v", "error", "-protocol_whitelist", "file,crypto,data", "a1-" + file],
      in: HostileFolder.folder.get().root)
    #expect(trace.opens("canary.mov") > 0)
  }

  @Test(
    "control: ffprobe opens the canary of an external reference when allowed to",
    arguments: ["alias-relative.mov", "alias-absolute.mov"])
  func references(file: String) throws {
    let trace = try Trace.of(
      "ffprobe",
      ["-v", "error", "-enable_drefs", "1", "-use_absolute_path", "1", "-i", "a3-" + file],
      in: HostileFolder.folder.get().root)
    #expect(trace.opens("canary.mov") > 0)
  }

  @Test(
    "control: ffprobe reaches for the network", .nightly,
    arguments: ["sdp.mp4", "hls-http.mp4"])
  func network(file: String) throws {
    let trace = try Trace.of(
      "timeout",
      [
        "10", "ffprobe", "-v", "error", "-protocol_whitelist", "file,crypto,data,tcp,udp,rtp,http",
        "a1-" + file,
      ], in: HostileFolder.folder.get().root)
    #expect(trace.reachesNetwork)
  }
}

/// The effect of the same files on FFmpeg's own programs: the files are as bad as claimed.
@Suite struct HostileControlTests {
  private static func measure(
    _ program: String, _ arguments: [String], limit: Double = 60
  ) throws -> MeasuredProcess {
    try MeasuredProcess.run(program, arguments, in: HostileFolder.folder.get().root, limit: limit)
  }

  @Test("A1: ffmpeg makes a picture of the canary from a playlist named .mp4")
  func playlist() throws {
    let scratch = try TemporaryFolder()
    let process = try Self.measure(
      "ffmpeg",
      [
        "-v", "error", "-protocol_whitelist", "file,crypto,data", "-i", "a1-hls-url.mp4",
        "-frames:v", "1", scratch.url("out.png").path,
      ])
    #expect(process.status == 0, "\(process.error)")
    #expect(try hasCanaryColor(scratch.url("out.png")))
  }

  @Test("A6: ten million samples in 600 bytes cost ffprobe 200 MB")
  func samples() throws {
    // It has them for a tenth of a second, which a sample on a busy machine may miss.
    var peak = 0
    for _ in 0..<5 where peak <= 200 << 20 {
      peak = try Self.measure(
        "ffprobe", ["-v", "quiet", "-show_format", "a6-stsz-10000000.mov"]
      ).peakBytes
    }
    #expect(peak > 200 << 20)
  }

  @Test("A4: a picture of 15000x15000 in 218 kB costs ffprobe 200 MB")
  func picture() throws {
    let process = try Self.measure("ffprobe", ["-v", "quiet", "-show_frames", "a4-png-15000.mov"])
    #expect(process.peakBytes > 200 << 20)
  }

  @Test("A11: ffprobe opens 900 tracks")
  func tracks() throws {
    let process = try Self.measure(
      "ffprobe",
      ["-v", "quiet", "-show_entries", "format=nb_streams", "-of", "csv=p=0", "a11-tracks-900.mp4"])
    #expect(String(decoding: process.output, as: UTF8.self).contains("900"))
  }

  @Test(
    "A12: ffmpeg is not done with the skipped frames after two seconds of processor time",
    .nightly)
  func skippedFrames() throws {
    let folder = try TemporaryFolder()
    let file = SlowFile.file
    try file.data(in: folder.root).write(to: folder.url(file.name))
    let process = try MeasuredProcess.run(
      "ffmpeg", ["-v", "error", "-threads", "1", "-t", "15", "-i", file.name, "-f", "null", "-"],
      in: folder.root, limit: 300)
    #expect(process.status == 0 && process.error == "", "the frames are good: \(process.error)")
    #expect(process.processorSeconds > 2)
  }
}
