import ArgumentParser
import Fixtures
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import artworkd

/// Counts the inspections of an ``Inspector``.
private final class InspectionCounter: JobRunner {
  let count = Mutex(0)
  private let inspector = Inspector()
  var limits: Limits { inspector.limits }

  func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> (outcome: Work.Outcome, cost: InspectedCandidate.Cost?) {
    if job is InspectJob { count.withLock { $0 += 1 } }
    return try inspector.run(job, on: file, isCancelled: isCancelled, progress: progress)
  }
}

@Suite struct ImportCommandTests {
  private static func importing(
    _ fixture: String, _ options: [String], in folder: TemporaryFolder
  ) throws -> BuiltTool.Result {
    try BuiltTool.run(
      ["import", Fixture.named(fixture).url.path] + options, in: folder.root)
  }

  private static func probe(_ file: URL, _ entries: String) throws -> [String: String] {
    let result = try run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=\(entries)", "-of", "default=nw=1", file.path])
    return Dictionary(
      String(decoding: result.output, as: UTF8.self).split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test("the animations of a folder become videos at the same places, and videos stay")
  func folder() throws {
    let folder = try TemporaryFolder()
    for (fixture, name) in [
      ("image-anim.gif", "art/a/spin.gif"), ("image-anim.apng", "art/b/spin.apng"),
      ("good-1x1.mp4", "art/b/1x1.mp4"), ("loop-jump.mp4", "art/a/jump.mp4"),
    ] {
      try folder.copy(Fixture.named(fixture), to: name)
    }
    let result = try BuiltTool.run(["import", "art", "--output-dir", "art/new"], in: folder.root)
    #expect(result.error.contains("2 videos are skipped"))
    #expect(result.output.contains("2 checked: "), "\(result.output)")
    let made = try FileManager.default.subpathsOfDirectory(atPath: folder.url("art/new").path)
    #expect(made.filter { $0.hasSuffix(".mp4") }.sorted() == ["a/spin.mp4", "b/spin.mp4"])
    let facts = try Self.probe(folder.url("art/new/a/spin.mp4"), "codec_name,width,nb_frames")
    #expect(facts == ["codec_name": "h264", "width": "48", "nb_frames": "10"])
    // New videos are no sources, and nothing is replaced.
    let again = try BuiltTool.run(["import", "art", "--output-dir", "art/new"], in: folder.root)
    #expect(
      again.status == 2
        && again.error.components(separatedBy: "exists, and is not replaced").count == 3)
    for arguments in [["art"], ["a.gif", "b.gif", "-o", "x.mp4"]] {
      #expect(try BuiltTool.run(["import"] + arguments, in: folder.root).status == 64)
    }
  }

  @Test("an animation in a folder is not inspected, and its video once")
  func inspections() async throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("image-anim.gif"), to: "art/spin.gif")
    let command = try ImportCommand.parse([
      folder.url("art").path, "--output-dir", folder.url("new").path,
    ])
    let counter = InspectionCounter()
    try await MakingRun(pipeline: Pipeline(counter)).run(command)
    #expect(FileManager.default.fileExists(atPath: folder.url("new/spin.mp4").path))
    #expect(counter.count.withLock(\.self) == 1)
  }

  @Test("a GIF becomes a video that passes, with its frames and its length")
  func gif() throws {
    let folder = try TemporaryFolder()
    let result = try Self.importing(
      "image-anim.gif", ["--size", "320x320", "-o", "cover.mp4"], in: folder)
    #expect(result.status == 0 && result.error == "")
    #expect(result.output.contains("cover.mp4  made from "))
    #expect(result.output.contains("10 frames, 0.5 s"))
    #expect(result.output.contains("show the background: black (--background)"))
    #expect(result.output.contains("1 checked: 1 pass"))
    let facts = try Self.probe(
      folder.url("cover.mp4"),
      "codec_name,codec_tag_string,width,nb_frames,duration,color_space,start_time")
    #expect(
      facts == [
        "codec_name": "h264", "codec_tag_string": "avc1", "width": "320", "nb_frames": "10",
        "duration": "0.500000", "color_space": "bt709", "start_time": "0.000000",
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["cover.mp4"])
  }

  @Test("HEVC is made within the sandbox as well")
  func hevc() throws {
    let folder = try TemporaryFolder()
    let result = try Self.importing(
      "image-anim.gif", ["--size", "320x320", "-o", "cover.mp4", "--codec", "hevc"], in: folder)
    #expect(result.status == 0 && result.error == "")
    let facts = try Self.probe(folder.url("cover.mp4"), "codec_name,codec_tag_string,nb_frames")
    #expect(facts == ["codec_name": "hevc", "codec_tag_string": "hvc1", "nb_frames": "10"])
  }

  @Test("an APNG of 12 frames a second keeps that rate, also backward")
  func backward() throws {
    let folder = try TemporaryFolder()
    let result = try Self.importing(
      "image-anim.apng",
      ["--size", "64x96", "-o", "a.mov", "--loop-mode", "auto-reverse", "--background", "#ff0000"],
      in: folder)
    // The shape is neither of the keys.
    #expect(result.status == 1)
    #expect(result.output.contains("14 frames, 1.167 s of 8 frames, 0.667 s"))
    let facts = try Self.probe(folder.url("a.mov"), "avg_frame_rate,nb_frames")
    #expect(facts == ["avg_frame_rate": "12/1", "nb_frames": "14"])
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", folder.url("a.mov").path, "-f", "framemd5", "-",
      ])
    let digests = String(decoding: made.output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.count
    #expect(digests == 14)
  }

  @Test("an existing file is never replaced, and nothing else is left")
  func existing() throws {
    let folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: folder.url("a.mp4"))
    let result = try Self.importing(
      "image-anim.gif", ["--size", "64x64", "-o", "a.mp4"], in: folder)
    #expect(result.status == 2)
    #expect(result.error.contains("a.mp4 exists, and is not replaced"))
    #expect(try Data(contentsOf: folder.url("a.mp4")) == Data([1, 2, 3]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["a.mp4"])
  }

  @Test(
    "usage errors state what is wanted",
    arguments: [
      (["--size", "63x64", "-o", "a.mp4"], "use --size 64x64 instead of 63x64"),
      (["--size", "64x64", "-o", "a.webm"], "ends in .mp4 or .mov"),
      (["--size", "64x64", "-o", "-"], "name a file"),
      (["--size", "64x64", "-o", "a.mp4", "--fps", "61"], "--fps"),
      (["--size", "64x64", "-o", "a.mp4", "--loop-mode", "repeat:0"], "--loop-mode"),
      (["--size", "64x64", "-o", "a.mp4", "--speed", "0"], "--speed"),
      (
        [
          "--size", "64x64", "-o", "a.mp4", "--speed", "9223372036854775807/9223372036854775806",
        ], "--speed"
      ),
      (["--size", "64x64", "-o", "a.mp4", "--background", "blue"], "--background"),
      (["--size", "64x64", "-o", "a.mp4", "--from", "-1s"], "--from"),
    ])
  func usage(_ options: [String], _ message: String) throws {
    let folder = try TemporaryFolder()
    let result = try Self.importing("image-anim.gif", options, in: folder)
    #expect(result.status == 64)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test("a file that cannot be read leaves nothing")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let result = try Self.importing(
      "broken-text.mp4", ["--size", "64x64", "-o", "a.mp4"], in: folder)
    #expect(result.status == 2 && result.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test("a loop that does not close is reported with what would repair it")
  func openLoop() throws {
    let clip = try MadeClip.leadIn(
      60, total: 60, encoder: ["-c:v", "libx264", "-crf", "12", "-g", "6", "-bf", "0"])
    let result = try BuiltTool.run(
      ["import", clip.name, "--size", "96x96", "-o", "out.mp4", "--content-mode", "fill"],
      in: clip.folder.root)
    #expect(result.output.contains("To close the loop: artworkd loop clip.mp4 finds"))
    #expect(result.output.contains("--loop-mode auto-reverse"))
    let back = try BuiltTool.run(
      [
        "import", clip.name, "--size", "96x96", "-o", "back.mp4", "--loop-mode", "auto-reverse",
      ], in: clip.folder.root)
    #expect(!back.output.contains("--loop-mode auto-reverse"))
    #expect(
      try Self.probe(clip.folder.url("back.mp4"), "nb_frames") == ["nb_frames": "118"])
  }

  @Test("a full disk leaves nothing", .enabled(if: getuid() == 0, "only root can mount"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let result = try run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c",
        """
        mkdir full && mount -t tmpfs -o size=8k none full || exit 99
        "$0" import "$1" --size 320x320 -o full/a.mp4; echo "status $?"; ls -A full | wc -l
        """, try BuiltTool.find().path, Fixture.named("image-anim.gif").url.path,
      ], in: folder.root)
    if result.status == 99 { return }
    let output = String(decoding: result.output, as: UTF8.self)
    #expect(output == "status 2\n0\n")
    #expect(result.error.contains("cannot write full/a.mp4: no space left on device"))
  }
}
