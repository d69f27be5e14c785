import ArgumentParser
import TestSupport

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
  @Test("an animation in a folder is not inspected, and its video once")
  func inspections() async throws {
    let folder = try TemporaryFolder(["art/spin.gif": "image-anim.gif"])
    let command = try ImportCommand.parse([
      folder.url("art").path, "--output-dir", folder.url("new").path,
    ])
    let counter = InspectionCounter()
    try await MakingRun(pipeline: Pipeline(counter)).run(command)
    #expect(folder.has("new/spin.mp4"))
    #expect(counter.count.withLock(\.self) == 1)
  }

  @Test("a loop that does not close is reported with what would repair it")
  func openLoop() throws {
    let clip = try MadeClip.leadIn(
      60, total: 60, encoder: ["-c:v", "libx264", "-crf", "12", "-g", "6", "-bf", "0"])
    let result = try clip.artworkd("import clip.mp4 --size 96x96 -o out.mp4 --content-mode fill")
    #expect(result.output.contains("To close the loop: artworkd loop clip.mp4 finds"))
    #expect(result.output.contains("--loop-mode auto-reverse"))
    let back = try clip.artworkd(
      "import clip.mp4 --size 96x96 -o back.mp4 --loop-mode auto-reverse")
    #expect(!back.output.contains("--loop-mode auto-reverse"))
    #expect(try clip.folder.probe("back.mp4", "stream=nb_frames") == "118")
  }
}
