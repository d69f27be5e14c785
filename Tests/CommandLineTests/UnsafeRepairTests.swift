import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

/// `repair --unsafe`: findings that need encoding are repaired, reported, and accepted only after a check.
@Suite struct UnsafeRepairTests {
  private static func repair(
    _ file: String, in folder: TemporaryFolder, _ options: [String] = []
  ) throws -> (status: Int32, result: [String: Any]) {
    let run = try BuiltTool.run(
      ["repair", file, "--unsafe", "--output-dir", "fixed", "--format", "json"] + options,
      in: folder.root)
    let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
    return (run.status, try #require(results?.first, "\(run.error)"))
  }

  @Test("a clip with a lead-in becomes its loop, and what is dropped is counted")
  func loop() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let plain = try BuiltTool.run(
      ["check", clip.name, "--no-cache", "--format", "full"], in: clip.folder.root)
    #expect(plain.output.contains("by encoding, with --unsafe"), "\(plain.output)")
    let safe = try BuiltTool.run(
      ["repair", clip.name, "--output-dir", "copied"], in: clip.folder.root)
    #expect(
      safe.output.contains("with --unsafe, which encodes it again: aspect-ratio, loop-seam"),
      "\(safe.output)")
    let (status, result) = try Self.repair(
      clip.name, in: clip.folder, ["--select", "loop-seam", "--shortest", "1"])
    let changes = try #require(result["changes"] as? [String])
    #expect(status == 0, "\(result["reason"] ?? "")")
    #expect(changes.contains { $0.contains("of 96 frames are dropped") }, "\(changes)")
    let (before, now) = (
      try #require(result["durationSeconds"] as? Double),
      try #require(result["newDurationSeconds"] as? Double)
    )
    #expect(
      changes.contains("\(decimal(before, places: 2)) s becomes \(decimal(now, places: 2)) s"),
      "\(changes)")
    // ffprobe agrees with the new length.
    let probe = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
        clip.folder.url("fixed/\(clip.name)").path,
      ])
    let seconds = Double(
      String(decoding: probe.output, as: UTF8.self).trimmingCharacters(in: .newlines))
    #expect(abs((seconds ?? 0) - now) < 0.05)
    let after = try AdviceTests.check("fixed/\(clip.name)", for: "now-playing", in: clip.folder)
    #expect(after.finding("loop-seam") == nil)
  }

  @Test("no more than a tenth of a clip is given up unless --shortest allows it")
  func length() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let (_, result) = try Self.repair(clip.name, in: clip.folder, ["--select", "loop-seam"])
    if result["status"] as? String == "repaired" {
      let before = try #require(result["durationSeconds"] as? Double)
      let now = try #require(result["newDurationSeconds"] as? Double)
      #expect(now > 0.89 * before)
    }
    let rules = { (key: String) in Set(try #require(result[key] as? [String])) }
    #expect(try rules("repaired").isDisjoint(with: rules("remaining")))
  }

  @Test(
    "a repair that would take more away than was asked for is refused, and the reason is reported")
  func refusal() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=96x96:r=24", "-frames:v", "48", "-pix_fmt", "yuv420p10le",
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none", "-tag:v",
        "hvc1",
        "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", "arib-std-b67",
      ])
    let (status, result) = try Self.repair(clip.name, in: clip.folder, ["--select", "loop-seam"])
    #expect(status == 1)
    #expect(result["status"] as? String == "refused")
    #expect((result["reason"] as? String)?.contains("it is HDR") == true)
    #expect(!FileManager.default.fileExists(atPath: clip.folder.url("fixed/\(clip.name)").path))
  }
}
