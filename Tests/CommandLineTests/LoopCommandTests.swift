import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct LoopCommandTests {
  @Test("loop prints commands that write what it reports, and writes two pictures")
  func endToEnd() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264 + ["-g", "10"])
    let result = try BuiltTool.run(["loop", clip.name, "--format", "json"], in: clip.folder.root)
    #expect(result.status == 0 && result.error == "")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(json["answer"] as? String == "trim")
    #expect(json["strip"] as? String == "clip.loop-strip.png")
    #expect(json["animation"] as? String == "clip.loop.png")
    #expect(try PreviewCommandTests.size(of: clip.folder.url("clip.loop.png"))[0] == 128)
    let source = try clip.digests()
    let best = try #require((json["candidates"] as? [[String: Any]])?.first)
    let (start, end) = (
      try #require(best["startFrame"] as? Int), try #require(best["endFrame"] as? Int)
    )
    #expect(best["frameCount"] as? Int == 60)
    // At a keyframe, since there is one in the periodic part.
    #expect(best["lossless"] as? Bool == true)
    #expect(start % 10 == 0)
    #expect(best["losslessCommand"] as? String == best["command"] as? String)
    #expect(best["command"] as? String == "artworkd loop ./clip.mp4 --part 1 -o ./clip.loop1.mp4")
    let cut = try BuiltTool.run(
      ["loop", clip.name, "-o", "clip.loop1.mp4", "--part", "1"], in: clip.folder.root)
    #expect(cut.status == 0 && cut.output.contains("copied without encoding, seam seamless"))
    #expect(try clip.digests("clip.loop1.mp4") == Array(source[start..<end]))
    // The cut part loops, as predicted.
    #expect(Self.verdict(best["seam"]) == "seamless")
    #expect(try Self.check("clip.loop1.mp4", in: clip.folder) == "seamless")
    let again = try BuiltTool.run(
      ["loop", "clip.loop1.mp4", "--no-pictures"], in: clip.folder.root)
    #expect(again.output.contains("loops as it is"))
    let names = try FileManager.default.contentsOfDirectory(atPath: clip.folder.root.path)
    #expect(!names.contains("clip.loop1.loop.png"))
  }

  /// The circles of these fixtures come round every 24 frames; `Scripts/fixtures/structure.py` says which frames are dimmed.
  @Test(
    "without a fade, the part that loops is kept to the frame",
    arguments: [
      ("loop-fade-in.mp4", "frames 12 to 35 stay"), ("loop-fade-out.mp4", "frames 0 to 23 stay"),
      ("loop-fade-both.mp4", "frames 12 to 35 stay"),
    ])
  func fades(name: String, kept: String) throws {
    let folder = try TemporaryFolder()
    let made = try BuiltTool.run(
      ["repair", Fixture.named(name).path.string, "--unsafe", "-o", "new.mp4"], in: folder.root)
    #expect(made.status == 0 && made.output.contains(kept), "\(made)")
    #expect(try Self.check("new.mp4", in: folder) == "seamless")
  }

  @Test("a clip of more than a thousand frames is searched for loops")
  func manyFrames() throws {
    let clip = try MadeClip(
      ["-f", "lavfi", "-i", "testsrc2=r=60:s=64x64", "-frames:v", "1100"] + MadeClip.h264)
    let made = try BuiltTool.run(
      ["repair", clip.name, "--unsafe", "--dry-run", "--format", "json"], in: clip.folder.root)
    #expect(made.status <= 1 && !made.output.contains("\"code\""), "\(made)")
  }

  @Test("a dissolve of few frames is found in a clip of a low rate")
  func lowRate() throws {
    let light = "100+20*sin(X/9+N*N/7)+N"
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "nullsrc=r=2:s=160x160,geq=lum='\(light)':cb=128:cr=128",
        "-frames:v", "48", "-pix_fmt", "yuv420p",
      ] + MadeClip.h264)
    let made = try BuiltTool.run(
      ["repair", clip.name, "--unsafe", "-o", "new.mp4"], in: clip.folder.root)
    #expect(made.status == 0 && made.output.contains("dissolve into"), "\(made)")
  }

  @Test("where nothing loops, it reports that, and no cut loops")
  func nothing() throws {
    // Grows and wanders off, once.
    let clip = try MadeClip.leadIn(
      90, total: 90, encoder: ["-c:v", "libx264", "-crf", "12", "-g", "6", "-bf", "0"])
    let json = try Self.json(
      BuiltTool.run(
        ["loop", clip.name, "--format", "json", "--no-pictures"], in: clip.folder.root
      ).output)
    #expect(json["answer"] as? String == "none")
    #expect(json["crossFade"] != nil)
    #expect(
      try Self.check(clip.name, in: clip.folder)
        == Self.verdict((json["whole"] as? [String: Any])?["seam"]))
    let parts = try #require(json["candidates"] as? [[String: Any]])
    #expect(parts.contains { $0["lossless"] as? Bool == true })
    for part in parts {
      let predicted = try #require(Self.verdict(part["seam"]))
      #expect(!["seamless", "static"].contains(predicted))
    }
    let number = try #require(parts.firstIndex { $0["lossless"] as? Bool == true }) + 1
    let cut = try BuiltTool.run(
      ["loop", clip.name, "-o", "cut.mp4", "--part", "\(number)"], in: clip.folder.root)
    #expect(cut.status == 0 && cut.output.contains("copied without encoding"), "\(cut.error)")
    #expect(try Self.check("cut.mp4", in: clip.folder) == Self.verdict(parts[number - 1]["seam"]))
    // The best that can be had is a dissolve, which needs encoding.
    let dissolved = try BuiltTool.run(["loop", clip.name, "-o", "fade.mov"], in: clip.folder.root)
    #expect(
      dissolved.status == 0 && dissolved.output.contains("encoded again"), "\(dissolved.error)")
    let fade = try #require(json["crossFade"] as? [String: Any])
    let (start, end) = (fade["startFrame"] as? Int ?? 0, fade["endFrame"] as? Int ?? 0)
    #expect(try clip.digests("fade.mov").count == end - start)
  }

  static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  static func verdict(_ seam: Any?) -> String? { (seam as? [String: Any])?["verdict"] as? String }

  /// The seam verdict of `check --thorough` for a file.
  static func check(_ name: String, in folder: TemporaryFolder) throws -> String? {
    let result = try BuiltTool.run(
      ["check", name, "--key", "1x1", "--thorough", "--format", "json"], in: folder.root)
    let results = try json(result.output)["results"] as? [[String: Any]]
    return verdict(results?.first?["seam"])
  }
}
