import ArgumentParser
import Synchronization
import TestSupport

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
  ) throws(InspectionError) -> Work.Outcome {
    if job is InspectJob { count.withLock { $0 += 1 } }
    return try inspector.run(job, on: file, isCancelled: isCancelled, progress: progress)
  }
}

@Suite struct ImportCommandTests {
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
