import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkClients
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct LoopCommandTests {
  @Test("the parts are printed, also where the pictures cannot be written")
  func partsFirst() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264)
    for format in ["text", "json"] {
      let result = try BuiltTool.run(
        ["loop", clip.name, "--strip", "nowhere/strip.png", "--format", format],
        in: clip.folder.root)
      #expect(result.status == 2 && result.error.contains("cannot write nowhere/strip.png"))
      #expect(result.output.contains("artworkd loop ./clip.mp4 --part 1"))
    }
  }

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

  @Test("a part is never written over a file, and a part that is not there is said")
  func refusals() throws {
    let clip = try MadeClip.leadIn(40, total: 130, encoder: MadeClip.h264)
    try Data("kept".utf8).write(to: clip.folder.url("kept.mp4"))
    let kept = try BuiltTool.run(["loop", clip.name, "-o", "kept.mp4"], in: clip.folder.root)
    #expect(kept.status == 2 && kept.error.contains("exists, and is not replaced"))
    #expect(try Data(contentsOf: clip.folder.url("kept.mp4")) == Data("kept".utf8))
    let missing = try BuiltTool.run(
      ["loop", clip.name, "-o", "new.mp4", "--part", "20"], in: clip.folder.root)
    #expect(missing.status == 2 && missing.error.contains("there is no part 20"))
    // Without keyframes inside, the part is encoded, with exactly its frames.
    let made = try BuiltTool.run(
      ["loop", clip.name, "-o", "new.mp4", "--format", "json"], in: clip.folder.root)
    #expect(made.status == 0)
    let facts = try #require(try Self.json(made.output)["facts"] as? [String: Any])
    #expect(facts["frameCount"] as? Int == 60 && facts["codec"] as? String == "h264")
    #expect(Self.verdict(try Self.json(made.output)["seam"]) == "seamless")
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

  @Test(
    "text has at most 100 columns, but for commands",
    arguments: [
      "loop-jump.mp4", "loop-held.mp4", "good-1x1.mp4", "loop-static.mp4", "frames-2.mp4",
      "frames-1.mp4",
    ])
  func text(fixture: String) throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named(fixture), to: "a.mp4")
    let result = try BuiltTool.run(["loop", "a.mp4"], in: folder.root)
    #expect(result.status == 0)
    #expect(!result.output.contains("ffmpeg"))
    for line in result.lines where !line.contains("artworkd loop ") {
      #expect(line.cells <= 100, "\(line)")
    }
    #expect(result.lines.first?.hasPrefix("a.mp4  ") == true)
  }

  @Test("limits hold: --count, --longest, --shortest")
  func limits() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("loop-jump.mp4"), to: "a.mp4")
    let result = try BuiltTool.run(
      [
        "loop", "a.mp4", "--count", "2", "--longest", "1.5", "--shortest", "0.5", "--no-pictures",
        "--format", "json",
      ],
      in: folder.root)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let parts = try #require(json["candidates"] as? [[String: Any]])
    #expect(parts.count <= 2)
    for part in parts {
      let seconds = try #require(part["durationSeconds"] as? Double)
      #expect(seconds < 1.5 && seconds >= 0.499)
    }
    #expect(json["strip"] == nil)
  }

  @Test(
    "usage errors exit with 64",
    arguments: [
      ["loop"], ["loop", "a", "--count", "0"], ["loop", "a", "--count", "21"],
      ["loop", "a", "--longest", "0"],
      ["loop", "a", "--shortest", "3", "--longest", "2"], ["loop", "a", "--longest", "nan"],
      ["loop", "a", "--strip", "-"],
      ["loop", "a", "--no-pictures", "--strip", "x.png"], ["seam"],
      ["loop", "a", "--longest", "inf"], ["loop", "a", "--part", "2"],
      ["loop", "a", "-o", "b.webm"], ["loop", "a", "-o", "b.mp4", "--part", "0"],
    ])
  func usage(arguments: [String]) throws {
    #expect(try BuiltTool.run(arguments).status == 64)
  }

  @Test("seam writes <name>.seam.png here and prints its name, or where -o states")
  func seam() throws {
    let folder = try TemporaryFolder()
    try folder.copy(Fixture.named("loop-jump.mp4"), to: "videos/it's a.mp4")
    let result = try BuiltTool.run(["seam", "videos/it's a.mp4"], in: folder.root)
    #expect(result.status == 0 && result.output == "it's a.seam.png\n")
    #expect(try PreviewCommandTests.size(of: folder.url("it's a.seam.png"))[0] == 1240)
    let direct = try run(
      BuiltTool.find().path, ["seam", "videos/it's a.mp4", "-o", "-"], in: folder.root)
    #expect(try direct.output == Data(contentsOf: folder.url("it's a.seam.png")))
    let refused = try BuiltTool.run(
      ["seam", "videos/it's a.mp4", "-o", "no/such/folder.png"], in: folder.root)
    #expect(refused.status == 2 && refused.error.contains("cannot write no/such/folder.png"))
  }
}
