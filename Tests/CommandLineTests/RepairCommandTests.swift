import HostileMedia
import TestSupport

@Suite struct RepairCommandTests {
  @Test("memory does not grow with the new files", .nightly)
  func memory() throws {
    let folder = try MadeClip(
      named: "0.mp4",
      "-f lavfi -i testsrc2=s=480x480:r=24,noise=alls=60:allf=t -frames:v 24 -pix_fmt yuv420p "
        + "-c:v libx264 -preset ultrafast -qp 8"
    ).folder
    let bytes = try folder.data("0.mp4")
    let (few, many) = (2, 12)
    for number in 1..<many { try folder.write(bytes, to: "\(number).mp4") }
    let peaks = try [few, many].map { count in
      let run = try MeasuredProcess.run(
        BuiltTool.find().path,
        ["repair", "--output-dir", "new-\(count)"] + (0..<count).map { "\($0).mp4" },
        in: folder.root, limit: 300)
      #expect(folder.names("new-\(count)").count { $0.hasSuffix(".mp4") } == count, "\(run.error)")
      return run.peakBytes
    }
    #expect(peaks[1] - peaks[0] < bytes.count * (many - few) / 2)
  }

  @Test(
    "whatever a worker does, the command ends with a message and writes nothing",
    arguments: ["leave", "garbage", "half", "flood", "segv"])
  func faults(fault: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("ARTWORKD-FAULT \(fault)\n", to: "fault.mp4")
    let result = try folder.artworkd("repair fault.mp4 --output-dir fixed")
    #expect(result.status == 2 && result.output.contains("→"))
    #expect(folder.names("fixed").isEmpty)
  }
}
