import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkAnalysis
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkReports
@testable import ArtworkRules
@testable import ArtworkSupport

/// What the printed commands do, with the real ffmpeg.
@Suite struct FFmpegCommandTests {
  static func part(_ start: Int, _ end: Int, _ times: [Double], lossless: Bool = true)
    -> TrimCandidate
  {
    TrimCandidate(
      startFrame: start, endFrame: end, startSeconds: times[start],
      endSeconds: end < times.count ? times[end] : times[end - 1] + 1 / 30, motion: 1,
      isLossless: lossless, seam: .sample())
  }

  static func report(
    _ count: Int, isVariable: Bool = false, rate: Rational? = Rational(30), hasOddSize: Bool = false
  )
    -> LoopReport
  {
    LoopReport(
      answer: .trim, candidates: [], whole: nil, crossFade: nil, frameCount: count, startSeconds: 0,
      endSeconds: Double(count) / 30, frameRate: rate, isVariableRate: isVariable, streamIndex: 0,
      hasOddSize: hasOddSize,
      damagedFrames: 0, below: 30)
  }

  static func shell(_ command: FFmpegCommand, in folder: URL) throws -> (
    status: Int32, output: Data, error: String
  ) {
    try run("sh", ["-c", "\(command.text) -v error -y"], in: folder)
  }

  static let bitExact = ["-c:v", "ffv1"]

  @Test(
    "a copied part is named by the container that it comes from",
    arguments: [
      ("a.mp4", "webm", "webm"), ("a.webm", "webm", "webm"), ("a.MOV", "mov", "mov"),
      ("a.mp4", "mov", "mov"), ("a.m4v", "mp4", "m4v"), ("a.avi", "avi", "avi"),
      ("a", "mp4", "mp4"),
    ])
  func copiedName(clip: String, container: String, suffix: String) {
    let file = LoopFiles(clip: FilePath(clip)).copied(1, container: container)
    #expect(file.string == "a.loop1-copy.\(suffix)")
  }

  @Test(
    "a trim holds exactly the frames that it names, and their times",
    arguments: [(0, 40), (13, 60), (31, 90)])
  func trim(start: Int, end: Int) throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-frames:v", "90"] + MadeClip.h264)
    let times = try clip.times()
    let command = FFmpegCommand.trim(
      FilePath(clip.name), Self.part(start, end, times), of: Self.report(90), to: "out.mkv",
      encoder: Self.bitExact)
    let result = try Self.shell(command, in: clip.folder.root)
    #expect(result.status == 0, "\(result.error)")
    #expect(try clip.digests("out.mkv") == Array(clip.digests()[start..<end]))
  }

  @Test("the command with its real encoder runs, and gives as many frames")
  func encoded() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-f", "lavfi", "-i", "sine=r=44100", "-t",
        "3",
      ] + MadeClip.h264)
    let command = FFmpegCommand.trim(
      FilePath(clip.name), Self.part(13, 60, try clip.times()), of: Self.report(90), to: "out.mp4")
    #expect(try Self.shell(command, in: clip.folder.root).status == 0)
    #expect(try clip.digests("out.mp4").count == 47)
    let streams = try run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", "out.mp4"],
      in: clip.folder.root)
    #expect(String(decoding: streams.output, as: UTF8.self) == "video\n")
  }

  @Test("RGB becomes BT.709 that says so")
  func colors() throws {
    let clip = try MadeClip(
      named: "a.mov",
      ["-f", "lavfi", "-i", "testsrc=s=64x48:r=30", "-frames:v", "60", "-c:v", "png"])
    let found = try Inspector().run(
      LoopJob(request: TrimRequest()), on: Candidate(path: clip.path))
    #expect(found.report.isRGB)
    let part = Self.part(0, 30, try clip.times())
    let command = FFmpegCommand.trim(
      FilePath(clip.name), part, of: found.report, to: "out.mp4")
    #expect(try Self.shell(command, in: clip.folder.root).status == 0)
    let stated = try run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=color_space", "-of", "csv=p=0", "out.mp4"],
      in: clip.folder.root)
    #expect(String(decoding: stated.output, as: UTF8.self) == "bt709\n")
  }

  @Test("a trim of uneven frames keeps their times")
  func variableRate() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-vf", "select='not(eq(mod(n,5),2))'",
        "-fps_mode", "vfr",
        "-frames:v", "60",
      ] + MadeClip.h264)
    let times = try clip.times()
    let command = FFmpegCommand.trim(
      FilePath(clip.name), Self.part(7, 41, times), of: Self.report(60, isVariable: true),
      to: "out.mp4")
    let result = try Self.shell(command, in: clip.folder.root)
    #expect(result.status == 0 && result.error == "", "\(result.error)")
    let shown = try clip.times("out.mp4")
    #expect(shown.count == 34)
    for (index, time) in shown.enumerated() {
      #expect(abs(time - (times[7 + index] - times[7])) < 0.0005)
    }
  }

  @Test("a dissolve is a loop: its frames, mixed at the end with those before its start")
  func crossFade() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-f", "lavfi", "-i", "sine=r=44100", "-t",
        "3",
      ] + MadeClip.h264)
    let fade = CrossFade(
      startFrame: 10, endFrame: 80, startSeconds: 0, endSeconds: 0, fadeFrames: 10)
    let command = FFmpegCommand.crossFade(
      FilePath(clip.name), fade, of: Self.report(90), to: "out.mkv", encoder: Self.bitExact)
    let result = try Self.shell(command, in: clip.folder.root)
    #expect(result.status == 0, "\(result.error)")
    let (source, made) = (try clip.digests(), try clip.digests("out.mkv"))
    #expect(made.count == 70)
    #expect(made.prefix(60) == source[10..<70])
    #expect(Set(made.suffix(10)).isDisjoint(with: source))
    let times = try clip.times("out.mkv")
    for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 0.001) }
    let encoded = FFmpegCommand.crossFade(
      FilePath(clip.name), fade, of: Self.report(90), to: "out.mp4")
    #expect(try Self.shell(encoded, in: clip.folder.root).status == 0)
    // The last frame is ten elevenths of the one before the start: the seam is like the steps of the mix.
    let exact = FFmpegCommand.crossFade(
      FilePath(clip.name), fade, of: Self.report(90), to: "exact.mp4",
      encoder: ["-c:v", "libx264", "-qp", "0"])
    #expect(try Self.shell(exact, in: clip.folder.root).status == 0)
    let inspected = try Inspector().inspect(clip.folder.path("exact.mp4"), everyFrame: true)
    let seam = try #require(inspected.inspection.seam)
    let own = try #require(seam.tailSteps.max())
    #expect(seam.seamStep < 2 * own)
  }

  @Test(
    "a shell gets every path as it is",
    arguments: [
      "plain.mp4", "two words.mp4", "it's.mp4", "-i.mp4", "a\nb.mp4", "$HOME `id` \\ \"x\".mp4",
      "*?[a].mp4",
      "concat:x.mp4", "'", "~", "#a;b|c&d", "ü 音.mp4",
    ])
  func quoting(name: String) throws {
    let printed = try run("sh", ["-c", "printf '%s\\n' \(ShellWord.quoted(name)) end"])
    #expect(String(decoding: printed.output, as: UTF8.self) == "\(name)\nend\n")
    let command = FFmpegCommand.trim(
      FilePath(name), Self.part(0, 5, (0..<9).map(Double.init)), of: Self.report(9), to: "out.mp4")
    let words = try run("sh", ["-c", "set -- \(command.text); printf '%s' \"$3\""])
    #expect(String(decoding: words.output, as: UTF8.self) == "./\(name)")
  }

  @Test("bytes that are no text survive a shell, too")
  func bytes() throws {
    let name = Array("caf".utf8) + [0xe9, 0x27, 0x20]
    let quoted = ShellWord.quoted(bytes: name)
    let scratch = try TemporaryFolder()
    try Data(Array("printf '%s' ".utf8) + quoted).write(to: scratch.url("script"))
    let printed = try run("sh", [scratch.url("script").path])
    #expect(Array(printed.output) == name)
  }

  @Test(
    "ffmpeg opens clips whose names look like something else",
    arguments: ["-y.mp4", "concat:a.mp4", "a'b \n%03d.mp4"])
  func names(name: String) throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-frames:v", "12"] + MadeClip.h264)
    try FileManager.default.moveItem(at: clip.folder.url(clip.name), to: clip.folder.url(name))
    let command = FFmpegCommand.trim(
      FilePath(name), Self.part(2, 7, (0..<12).map { Double($0) / 30 }), of: Self.report(12),
      to: "-o.mkv",
      encoder: Self.bitExact)
    #expect(try Self.shell(command, in: clip.folder.root).status == 0)
    #expect(try clip.digests("./-o.mkv").count == 5)
  }

  @Test("clips of odd sizes are encoded one row or column smaller")
  func oddSize() throws {
    let clip = try MadeClip(
      named: "odd.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30,scale=65:47", "-frames:v", "40", "-pix_fmt",
        "yuv444p",
      ]
        + MadeClip.h264)
    let found = try Inspector().run(
      LoopJob(request: TrimRequest(shortest: 0.3)), on: Candidate(path: clip.path))
    #expect(found.report.hasOddSize)
    let part = Self.part(3, 23, (0..<40).map { Double($0) / 30 })
    let fade = CrossFade(
      startFrame: 10, endFrame: 40, startSeconds: 0, endSeconds: 0, fadeFrames: 5)
    for (command, count) in [
      (FFmpegCommand.trim(FilePath(clip.name), part, of: found.report, to: "out.mp4"), 20),
      (FFmpegCommand.crossFade(FilePath(clip.name), fade, of: found.report, to: "out.mp4"), 30),
    ] {
      let result = try Self.shell(command, in: clip.folder.root)
      #expect(result.status == 0, "\(result.error)")
      #expect(try clip.digests("out.mp4").count == count)
    }
  }
}
