import Fixtures
import Foundation
import HostileMedia
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline

@Suite struct RepairCommandTests {
  private static func names(_ folder: TemporaryFolder, _ sub: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.url(sub).path)) ?? []).sorted()
  }

  private static func folder(_ fixtures: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in fixtures {
      try FileManager.default.copyItem(at: Fixture.named(name).url, to: folder.url(name))
    }
    return folder
  }

  @Test("memory does not grow with the new files", .enabled(if: Nightly.isOn, Nightly.absence))
  func memory() throws {
    let noise = ["-f", "lavfi", "-i", "testsrc2=s=480x480:r=24,noise=alls=60:allf=t"]
    let clip = try MadeClip(
      named: "0.mp4",
      noise + ["-frames:v", "24", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast"]
        + ["-qp", "8"])
    let folder = clip.folder
    let bytes = try Data(contentsOf: folder.url("0.mp4"))
    let (few, many) = (2, 12)
    for number in 1..<many { try bytes.write(to: folder.url("\(number).mp4")) }
    let peaks = try [few, many].map { count in
      let names = (0..<count).map { "\($0).mp4" }
      let run = try MeasuredProcess.run(
        BuiltTool.find().path, ["repair", "--output-dir", "new-\(count)"] + names, in: folder.root,
        limit: 300)
      #expect(Self.names(folder, "new-\(count)").count == count, "\(run.error)")
      return run.peakBytes
    }
    #expect(peaks[1] - peaks[0] < bytes.count * (many - few) / 2)
  }

  @Test("what check marks is repaired in new files, and the rest is reported")
  func endToEnd() throws {
    let folder = try Self.folder("codec-hev1.mp4", "good-1x1.mp4", "loop-jump.mp4")
    let brief = try BuiltTool.run(["check", "."], in: folder.root)
    #expect(brief.output.contains("\n→ artworkd repair . --output-dir fixed --unsafe\n"))
    let checked = try BuiltTool.run(["check", ".", "--format", "full"], in: folder.root)
    #expect(checked.output.contains("codec-tag [*]  HEVC tagged hev1 does not play"))
    #expect(checked.output.contains("artworkd repair --output-dir DIR PATH...\n"))
    let planned = try BuiltTool.run(["repair", ".", "--dry-run"], in: folder.root)
    #expect(planned.output.contains("planned") && planned.output.contains("to repair: codec-tag"))
    let result = try BuiltTool.run(
      ["repair", ".", "--output-dir", "fixed", "--format", "json"], in: folder.root)
    // A copy does not repair a jump.
    #expect(result.status == 1 && result.error == "")
    let results = try #require(
      try LoopCommandTests.json(result.output)["results"] as? [[String: Any]])
    let repaired = try #require(results.first { $0["path"] as? String == "./codec-hev1.mp4" })
    #expect(repaired["status"] as? String == "repaired")
    #expect(repaired["output"] as? String == "fixed/codec-hev1.mp4")
    #expect(repaired["framesDiffering"] as? Int == 0)
    #expect(
      repaired["framesCompared"] as? Int == Fixture.named("codec-hev1.mp4").facts.decodedFrames)
    #expect(repaired["needsNewArtworkID"] as? Bool == true)
    let jump = try #require(results.first { $0["path"] as? String == "./loop-jump.mp4" })
    #expect(jump["output"] == nil)
    #expect(Self.names(folder, "fixed").contains("codec-hev1.mp4"))
    let after = try BuiltTool.run(["check", "fixed/codec-hev1.mp4"], in: folder.root)
    #expect(after.status == 0 && !after.output.contains("codec-tag"))
  }

  @Test("the new file of one video gets the name and the container that -o states")
  func oneFile() throws {
    let folder = try Self.folder("codec-hev1.mp4", "good-1x1.mp4")
    let made = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "-o", "new/fixed.mov", "--no-cache"], in: folder.root)
    #expect(made.status == 0, "\(made.error)\(made.output)")
    let checked = try BuiltTool.run(
      ["check", "new/fixed.mov", "--format", "json", "--no-cache"], in: folder.root)
    let results = try #require(
      try LoopCommandTests.json(checked.output)["results"] as? [[String: Any]])
    let facts = try #require(results.first?["facts"] as? [String: Any])
    #expect(facts["codecTag"] as? String == "hvc1" && facts["container"] as? String == "mov")
    let bytes = try Data(contentsOf: folder.url("new/fixed.mov"))
    #expect(
      String(decoding: bytes[8..<12], as: UTF8.self) == "qt  ", "the major brand of QuickTime")
    // Nothing is replaced, and nothing is made of a sound video.
    let again = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "-o", "new/fixed.mov"], in: folder.root)
    #expect(again.status == 1 && again.output.contains("exists, and is not replaced"))
    #expect(try Data(contentsOf: folder.url("new/fixed.mov")) == bytes)
    let sound = try BuiltTool.run(
      ["repair", "good-1x1.mp4", "-o", "new/good.mp4"], in: folder.root)
    #expect(sound.status == 0 && Self.names(folder, "new") == ["fixed.mov"])
    for wrong in [
      ["repair", ".", "-o", "x.mp4"], ["repair", "codec-hev1.mp4", "-o", "x.webm"],
      ["repair", "codec-hev1.mp4", "good-1x1.mp4", "-o", "x.mp4"],
      ["repair", "codec-hev1.mp4", "-o", "-"],
      ["repair", "codec-hev1.mp4", "-o", "x.mp4", "--output-dir", "y"],
    ] {
      let refused = try BuiltTool.run(wrong, in: folder.root)
      #expect(refused.status == 64, "\(wrong): \(refused.error)")
    }
  }

  @Test(
    "a folder of new files below the one that is repaired is left out; what was not selected is no lack of repairs"
  )
  func ownOutput() throws {
    let folder = try Self.folder("codec-hev1.mp4", "loop-jump.mp4")
    for (round, count) in [("repaired", 1), ("again", 2)] {
      let run = try BuiltTool.run(["repair", ".", "--output-dir", round], in: folder.root)
      // The first folder is not the output of the second run.
      #expect(run.output.contains("\(count + 1) clips: "), "\(run.output)")
      #expect(run.output.contains("--unsafe, which encodes the video again, into another"))
    }
    let twice = try BuiltTool.run(["repair", ".", "--output-dir", "again"], in: folder.root)
    #expect(twice.output.contains("3 clips: "), "\(twice.output)")
    let other = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "--dry-run", "--select", "loop-seam"], in: folder.root)
    #expect(other.output.contains("not selected: codec-tag"), "\(other.output)")
  }

  @Test("a second run into the same folder prints what is done already, and only of the same bytes")
  func doneAlready() throws {
    let folder = try Self.folder("codec-hev1.mp4")
    func repair(_ options: String...) throws -> (status: Int32, entry: [String: Any]) {
      let run = try BuiltTool.run(
        ["repair", "codec-hev1.mp4", "--output-dir", "fixed", "--format", "json"] + options,
        in: folder.root, environment: ["ARTWORKD_CACHE_DIR": folder.url("cache").path])
      let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
      return (run.status, try #require(results?.first))
    }
    let first = try repair()
    #expect(first.entry["status"] as? String == "repaired")
    let made = try Data(contentsOf: folder.url("fixed/codec-hev1.mp4"))
    let second = try repair()
    #expect(second.status == first.status && second.entry["status"] as? String == "repaired")
    #expect(first.entry["isFromEarlierRun"] == nil)
    #expect(second.entry["isFromEarlierRun"] as? Bool == true)
    for part in ["repaired", "remaining", "findings", "remarks"] {
      #expect(second.entry[part] as? NSArray == first.entry[part] as? NSArray, "\(part)")
    }
    #expect(second.entry["output"] as? String == "fixed/codec-hev1.mp4")
    // Other options, another original and another new file are no repetition.
    #expect(try repair("--unsafe").entry["status"] as? String == "refused")
    #expect(try Data(contentsOf: folder.url("fixed/codec-hev1.mp4")) == made)
    try (made + Data(count: 8)).write(to: folder.url("fixed/codec-hev1.mp4"))
    #expect(try repair().entry["status"] as? String == "refused")
    try made.write(to: folder.url("fixed/codec-hev1.mp4"))
    #expect(try repair().entry["isFromEarlierRun"] as? Bool == true)
    try made.write(to: folder.url("codec-hev1.mp4"))
    #expect(try repair().entry["isFromEarlierRun"] == nil)
  }

  @Test("nothing is written over, neither a file nor a link that leads nowhere")
  func existing() throws {
    let folder = try Self.folder("codec-hev1.mp4")
    let source = try Data(contentsOf: folder.url("codec-hev1.mp4"))
    let inPlace = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "--output-dir", "."], in: folder.root)
    #expect(inPlace.status == 1 && inPlace.output.contains("exists, and is not replaced"))
    #expect(try Data(contentsOf: folder.url("codec-hev1.mp4")) == source)
    try FileManager.default.createDirectory(
      at: folder.url("fixed"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("fixed/codec-hev1.mp4").path, withDestinationPath: "nowhere.mp4")
    let linked = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "--output-dir", "fixed"], in: folder.root)
    #expect(linked.status == 1)
    #expect(Self.names(folder, "fixed") == ["codec-hev1.mp4"])
    #expect(Self.names(folder, ".").sorted() == ["codec-hev1.mp4", "fixed"])
  }

  @Test("colours are stated as players show them, and that is said; --select leaves them")
  func colors() throws {
    let folder = try Self.folder("color-untagged.mp4")
    let stated = try BuiltTool.run(
      ["repair", "color-untagged.mp4", "--output-dir", "a"], in: folder.root)
    #expect(stated.output.contains("repaired: color"))
    #expect(stated.output.contains("BT.601"))
    let after = try BuiltTool.run(
      ["check", "a/color-untagged.mp4", "--format", "json"], in: folder.root)
    #expect(!after.output.contains("the colour matrix is not stated"))
    let selected = try BuiltTool.run(
      ["repair", "color-untagged.mp4", "--output-dir", "b", "--select", "codec-tag"],
      in: folder.root)
    #expect(selected.status == 0 && Self.names(folder, "b").isEmpty)
  }

  @Test("every refusal has its exit code and its words, and writes nothing")
  func refusals() throws {
    let folder = try Self.folder("broken-truncated.mp4", "broken-text.mp4", "codec-hev1.mp4")
    let cut = try BuiltTool.run(
      ["repair", "broken-truncated.mp4", "--output-dir", "fixed"], in: folder.root)
    #expect(cut.status == 1)
    let text = try BuiltTool.run(
      ["repair", "broken-text.mp4", "--output-dir", "fixed"], in: folder.root)
    #expect(text.status == 2)
    #expect(try BuiltTool.run(["repair", "codec-hev1.mp4"], in: folder.root).status == 64)
    #expect(try BuiltTool.run(["repair", "--dry-run"], in: folder.root).status == 64)
    #expect(
      try BuiltTool.run(
        ["repair", "codec-hev1.mp4", "--dry-run", "--profile", "now-plaing"], in: folder.root
      ).status == 64)
    let missing = try BuiltTool.run(
      ["repair", "codec-hev1.mp4", "--output-dir", "/proc/nowhere"], in: folder.root)
    #expect(missing.status == 2 && missing.output.contains("cannot write"))
    #expect(Self.names(folder, "fixed").isEmpty)
  }

  @Test(
    "whatever a worker does, the command ends with a message and writes nothing",
    arguments: ["leave", "garbage", "half", "flood", "segv"])
  func faults(fault: String) throws {
    let folder = try TemporaryFolder()
    try Data("ARTWORKD-FAULT \(fault)\n".utf8).write(to: folder.url("fault.mp4"))
    let result = try BuiltTool.run(
      ["repair", "fault.mp4", "--output-dir", "fixed"], in: folder.root)
    #expect(result.status == 2 && result.output.contains("→"))
    #expect(Self.names(folder, "fixed").isEmpty)
  }

  @Test(
    "a full disk leaves nothing half", .enabled(if: getuid() == 0, "only root can mount"),
    arguments: [
      "repair codec-hev1.mp4 --output-dir full",
      "repair h264-high10.mp4 --unsafe --output-dir full",
      "derive good-1x1.mp4 --key 3x4 -o full/tall.mp4",
    ])
  func fullDisk(command: String) throws {
    let folder = try Self.folder("codec-hev1.mp4", "h264-high10.mp4", "good-1x1.mp4")
    let tool = try BuiltTool.find().path
    let result = try run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c",
        """
        mkdir full && mount -t tmpfs -o size=4k none full || exit 99
        "$0" \(command); echo "status $?"; ls -A full | wc -l
        """, tool,
      ], in: folder.root)
    let output = String(decoding: result.output, as: UTF8.self)
    if result.status == 99 { return }
    #expect(output.contains("status 2\n0"), "\(output)")
  }

  @Test(
    "a kill leaves no half file under a final name",
    arguments: [
      ["repair", "long.mp4", "--unsafe", "--output-dir", "."],
      ["derive", "long.mp4", "--key", "3x4", "-o", "new.mp4"],
    ])
  func kill(arguments: [String]) throws {
    for seconds in Nightly.isOn ? Array(stride(from: 0.1, to: 6, by: 0.2)) : [0.3, 1.2] {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(
        at: folder.url("in"), withIntermediateDirectories: false)
      try FileManager.default.copyItem(
        at: Fixture.named("duration-30.1s.mp4").url, to: folder.url("in/long.mp4"))
      let process = Process()
      process.executableURL = try BuiltTool.find()
      process.arguments = arguments.map { $0 == "long.mp4" ? "in/long.mp4" : $0 }
      process.currentDirectoryURL = folder.root
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: seconds)
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      for name in Self.names(folder, ".") where name.hasSuffix(".mp4") && !name.hasPrefix(".") {
        let checked = try BuiltTool.run(["check", name, "--thorough"], in: folder.root)
        #expect(checked.status != 2, "\(name) after \(seconds) s: \(checked.output)")
      }
    }
  }
}
