import HostileMedia
import TestSupport

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

  @Test("memory does not grow with the new files", .nightly)
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
