import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline

/// `repair --unsafe`: what takes encoding is mended, told, and believed only after a check.
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

  private static let byDay: Set<String> = [
    "HEVC in Matroska", "10 bits", "too tall, with odd sides", "bars above and below", "120 fps",
    "the first frame again",
  ]

  /// What neither a copy nor encoding mends.
  private static let beyondRepair: Set<String> = [
    "BT.601 for a distributor", "H.264 for an artist page", "P3", "a GIF", "no matrix, ProRes",
    "too short, ProRes",
  ]

  @Test(
    "every clip whose finding says that it can be mended is mended, and breaks nothing else",
    arguments: BrokenClip.all.filter { Nightly.isOn || byDay.contains($0.what) })
  func clips(_ clip: BrokenClip) throws {
    let folder = try clip.made()
    let before = try AdviceTests.check(clip.file, for: clip.profile, in: folder)
    let finding = try #require(before.finding(clip.rule), "it does not break the rule")
    guard !Self.beyondRepair.contains(clip.what) else {
      #expect(finding["repair"] == nil, "\(clip.what) can be mended now")
      return
    }
    try #require(finding["repair"] != nil, "\(clip.what) cannot be mended")
    // HDR is encoded only where it may become SDR.
    let rules = clip.what.hasPrefix("HLG") ? "\(clip.rule),color" : clip.rule
    let (status, result) = try Self.repair(
      clip.file, in: folder,
      ["--select", rules] + (clip.profile == "tiny" ? [] : ["--profile", clip.profile]))
    let reason = "\(clip.what): \(result["reason"] ?? result["error"] ?? "")"
    #expect(status == 0, "\(reason)")
    let output = try #require(result["output"] as? String, "\(reason)")
    let after = try AdviceTests.check(output, for: clip.profile, in: folder)
    #expect(after.finding(clip.rule) == nil, "\(after.broken)")
    #expect(after.broken.isSubset(of: before.broken), "\(after.broken)")
    if finding["repair"] as? String == "unsafe" {
      #expect(result["method"] as? String == "encode")
      #expect((result["changes"] as? [String])?.first?.hasPrefix("encodes the video again") == true)
    }
  }

  @Test("a clip with a lead-in becomes its loop, and what is dropped is counted")
  func loop() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let plain = try BuiltTool.run(["check", clip.name, "--no-cache"], in: clip.folder.root)
    #expect(plain.output.contains("by encoding, with --unsafe"), "\(plain.output)")
    let safe = try BuiltTool.run(
      ["repair", clip.name, "--output-dir", "copied"], in: clip.folder.root)
    #expect(
      safe.output.contains("with --unsafe, which encodes it again: aspect-ratio, loop-seam"),
      "\(safe.output)")
    let (status, result) = try Self.repair(clip.name, in: clip.folder, ["--select", "loop-seam"])
    let changes = try #require(result["changes"] as? [String])
    #expect(status == 0, "\(result["reason"] ?? "")")
    #expect(changes.contains { $0.contains("of 96 frames are dropped") }, "\(changes)")
    let after = try AdviceTests.check("fixed/\(clip.name)", for: "now-playing", in: clip.folder)
    #expect(after.finding("loop-seam") == nil)
  }

  @Test("a dry run says what it would do, and writes nothing")
  func plan() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Fixture.named("rate-120.mp4").url, to: folder.url("rate-120.mp4"))
    let run = try BuiltTool.run(
      ["repair", "rate-120.mp4", "--unsafe", "--dry-run"], in: folder.root)
    #expect(run.output.contains("encodes the video again"))
    #expect(run.output.contains("shows 60 fps"))
    #expect(!FileManager.default.fileExists(atPath: folder.url("fixed").path))
  }

  @Test("a repair that would take more away than was asked for is refused, and the reason is told")
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
