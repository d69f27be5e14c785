import TestSupport

/// `repair --unsafe`: findings that need encoding are repaired, reported, and accepted only after a check.
@Suite struct UnsafeRepairTests {
  private static func repair(_ clip: MadeClip, _ options: String) throws -> (
    status: Int32, result: JSONNode
  ) {
    let run = try clip.artworkd(
      "repair clip.mp4 --unsafe --output-dir fixed --format json --select loop-seam \(options)")
    return (run.status, try #require(try run.json.at("results.0"), "\(run.error)"))
  }

  @Test("a clip with a lead-in becomes its loop, and what is dropped is counted")
  func loop() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let plain = try clip.artworkd("check clip.mp4 --no-cache --format full")
    #expect(plain.output.contains("by encoding, with --unsafe"), "\(plain.output)")
    let safe = try clip.artworkd("repair clip.mp4 --output-dir copied")
    #expect(
      safe.output.contains("with --unsafe, which encodes it again: aspect-ratio, loop-seam"),
      "\(safe.output)")
    let (status, result) = try Self.repair(clip, "--shortest 1")
    let changes = result.texts("changes")
    #expect(status == 0, "\(result)")
    #expect(changes.contains { $0.contains("of 96 frames are dropped") }, "\(changes)")
    let (before, now) = try (
      #require(result["durationSeconds"]?.number), #require(result["newDurationSeconds"]?.number)
    )
    #expect(
      changes.contains("\(decimal(before, places: 2)) s becomes \(decimal(now, places: 2)) s"),
      "\(changes)")
    // ffprobe agrees with the new length.
    let seconds = try #require(Double(try clip.folder.probe("fixed/clip.mp4", "format=duration")))
    #expect(abs(seconds - now) < 0.05)
    let after = try AdviceTests.check("fixed/clip.mp4", for: "now-playing", in: clip.folder)
    #expect(after.finding("loop-seam") == nil)
  }

  @Test("no more than a tenth of a clip is given up unless --shortest allows it")
  func length() throws {
    let clip = try MadeClip.leadIn(24, total: 96, encoder: MadeClip.h264)
    let (_, result) = try Self.repair(clip, "")
    let before = try #require(result["durationSeconds"]?.number)
    #expect((result["newDurationSeconds"]?.number ?? before) > 0.89 * before)
    #expect(Set(result.texts("repaired")).isDisjoint(with: result.texts("remaining")))
  }

  @Test(
    "a repair that would take more away than was asked for is refused, and the reason is reported")
  func refusal() throws {
    let clip = try MadeClip(
      "-f lavfi -i testsrc2=s=96x96:r=24 -frames:v 48 -pix_fmt yuv420p10le -c:v libx265 "
        + "-preset ultrafast -x265-params log-level=none -tag:v hvc1 "
        + "-colorspace bt2020nc -color_primaries bt2020 -color_trc arib-std-b67")
    let (status, result) = try Self.repair(clip, "")
    #expect(status == 1 && result["status"] == "refused")
    #expect(result["reason"]?.text?.contains("it is HDR") == true)
    #expect(!clip.folder.has("fixed/clip.mp4"))
  }
}
