import Fixtures
import Foundation
import TestSupport
import Testing

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

  @Test("a repaired rule is not left as well, and the seconds are reported")
  func mendedOnce() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let run = try BuiltTool.run(
      ["repair", clip.name, "--unsafe", "--output-dir", "fixed", "--select", "loop-seam"],
      in: clip.folder.root)
    let lines = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains { $0.hasPrefix("repaired: loop-seam") }, "\(run.output)")
    #expect(!lines.contains { $0.hasPrefix("left:") && $0.contains("loop-seam") })
    #expect(lines.contains { $0.contains(" s becomes ") })
  }

  @Test("what a repaired rule leaves as a remark is reported as one, not as left")
  func remarks() throws {
    let folder = try TemporaryFolder()
    // Odd sides become even ones; the picture stays small.
    try folder.copy(Fixture.named("codec-vp9-odd.webm"), to: "a.webm")
    let (status, result) = try Self.repair("a.webm", in: folder)
    func findings(_ part: String) -> [String] {
      (result[part] as? [[String: Any]] ?? []).map { "\($0["severity"] ?? "") \($0["rule"] ?? "")" }
    }
    #expect(status == 0 && result["status"] as? String == "repaired")
    #expect(result["repaired"] as? [String] == ["container", "codec", "dimensions"])
    #expect(result["remaining"] as? [String] == [] && result["needsEncoding"] as? [String] == [])
    #expect(findings("remarks") == ["info dimensions"] && findings("findings").isEmpty)
    let text = try BuiltTool.run(
      ["repair", "a.webm", "--unsafe", "--output-dir", "text"], in: folder.root
    ).output
    #expect(text.contains("a remark is left: the picture is small") && !text.contains("left: dim"))
  }

  @Test("a dry run prints what it would do, and writes nothing")
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
