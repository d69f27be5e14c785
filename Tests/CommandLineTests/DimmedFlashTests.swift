import TestSupport

/// `repair --unsafe` takes flashes away by dimming them, where that keeps the clip.
@Suite struct DimmedFlashTests {
  private static let h264 = [
    "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
    "bt709", "-c:v", "libx264", "-preset", "veryfast", "-crf", "16",
  ]

  /// The mean luminance of each frame from 0 to 1, according to ffmpeg.
  private static func light(_ clip: MadeClip, _ name: String) throws -> [Double] {
    let made = try run(
      "ffmpeg",
      [
        "-v", "error", "-i", name, "-vf", "format=gray,scale=32:32:flags=area", "-f", "rawvideo",
        "-",
      ],
      in: clip.folder.root)
    let bytes = [UInt8](made.output)
    return stride(from: 0, to: bytes.count, by: 1024).map { start in
      bytes[start..<start + 1024].reduce(0) { $0 + pow(Double($1) / 255, 2.2) } / 1024
    }
  }

  /// Changes between neighbours that WCAG counts.
  private static func changes(_ light: [Double]) -> Int {
    zip(light, light.dropFirst()).count { abs($0 - $1) >= 0.1 && min($0, $1) < 0.8 }
  }

  private static func repair(_ clip: MadeClip) throws -> (status: Int32, result: [String: Any]) {
    let run = try BuiltTool.run(
      [
        "repair", clip.name, "--unsafe", "--select", "flash", "--key", "1x1", "-o", "new.mp4",
        "--format", "json",
      ], in: clip.folder.root)
    let results = try LoopCommandTests.json(run.output)["results"] as? [[String: Any]]
    return (run.status, try #require(results?.first, "\(run.error)"))
  }

  @Test("lightning becomes weaker, and everything else stays")
  func lightning() throws {
    let strikes = [20, 23, 26, 29, 32].map { "eq(n,\($0))" }.joined(separator: "+")
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "mandelbrot=s=160x160:r=24:end_scale=0.3:maxiter=200", "-frames:v",
        "60", "-vf", "eq=brightness='if(\(strikes),0.5,-0.1)':eval=frame",
      ] + Self.h264)
    let before = try Self.light(clip, clip.name)
    #expect(Self.changes(before) == 10)
    let (status, result) = try Self.repair(clip)
    try #require(status == 0 && result["status"] as? String == "repaired", "\(result)")
    let after = try Self.light(clip, "new.mp4")
    #expect(Self.changes(after) <= 6)
    try #require(after.count == 60)
    #expect(zip(before, after).allSatisfy { $1 <= $0 + 0.01 })
    // Between the strikes nothing is dimmed.
    for frame in [5, 21, 25, 50] { #expect(abs(after[frame] - before[frame]) < 0.01, "\(frame)") }
    #expect(try clip.times("new.mp4") == clip.times())
    let dimming = try #require(result["dimming"] as? [String: Any])
    #expect(dimming["flashes"] as? Double == 5)
    #expect(try #require(dimming["newFlashes"] as? Double) <= 3)
    let lost = try #require(dimming["lightLost"] as? Double)
    let measured = zip(before, after).reduce(0) { $0 + 1 - $1.1 / $1.0 } / 60
    #expect(abs(lost - measured) < 0.03)
    let checked = try BuiltTool.run(
      ["check", "new.mp4", "--no-cache", "--thorough", "--select", "flash"], in: clip.folder.root)
    #expect(checked.status == 0 && !checked.output.contains("flash"), "\(checked.output)")
  }

  @Test("a strobe needs a person: half of it would go")
  func strobe() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x160:r=24", "-frames:v", "48", "-vf",
        "eq=brightness='if(lt(mod(n,6),3),0.4,-0.4)':eval=frame",
      ] + Self.h264)
    let (status, result) = try Self.repair(clip)
    #expect(status == 1 && result["status"] as? String == "unchanged", "\(result)")
    #expect(!FileManager.default.fileExists(atPath: clip.folder.url("new.mp4").path))
  }

  @Test("a small light that blinks is no flash, and stays")
  func blinking() throws {
    let clip = try MadeClip(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x160:r=24", "-frames:v", "48", "-vf",
        "geq=lum='if(lt(X,20)*lt(Y,20)*lt(mod(N,4),2),235,lum(X,Y)/3)':cb='cb(X,Y)':cr='cr(X,Y)'",
      ] + Self.h264)
    let (status, result) = try Self.repair(clip)
    #expect(status == 0 && result["status"] as? String == "unchanged", "\(result)")
  }
}
