import TestSupport

/// Remarks on pictures that an encoder, or too few levels, left with squares and steps.
@Suite struct DamagedPictureTests {
  private static let h264 = [
    "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-c:v", "libx264", "-preset", "veryfast", "-crf",
    "15",
  ]
  private static let fractal = ["-f", "lavfi", "-i", "mandelbrot=s=320x320:r=12:maxiter=400"]
  private static let sky = [
    "-f", "lavfi", "-i",
    "gradients=s=320x320:r=12:c0=0x203060:c1=0x90b0d0:x0=0:y0=0:x1=319:y1=319:nb_colors=2:speed=0.00001",
  ]

  /// Which of the two remarks `check` makes.
  private static func remarks(_ clip: MadeClip) throws -> Set<String> {
    let run = try BuiltTool.run(
      ["check", clip.name, "--no-cache", "--key", "1x1", "--format", "ndjson"],
      in: clip.folder.root)
    let line = try LoopCommandTests.json(try #require(run.lines.first, "\(run.error)"))
    let findings = try #require(line["findings"] as? [[String: Any]])
    let rules = findings.filter { $0["severity"] as? String == "info" }
      .compactMap { $0["rule"] as? String }
    return Set(rules).intersection(["blockiness", "banding"])
  }

  @Test("squares of a starved encoder show, also after a better one; edges of the picture do not")
  func blocks() throws {
    let starved = try MadeClip(
      named: "starved.avi", Self.fractal + ["-frames:v", "6", "-c:v", "mpeg4", "-q:v", "31"])
    let again = try MadeClip(["-i", starved.folder.url(starved.name).path] + Self.h264)
    #expect(try Self.remarks(again) == ["blockiness"])
    #expect(try Self.remarks(MadeClip(Self.fractal + ["-frames:v", "6"] + Self.h264)).isEmpty)
    let drawn = ["-f", "lavfi", "-i", "testsrc=s=320x320:r=12", "-frames:v", "6"]
    #expect(try Self.remarks(MadeClip(drawn + Self.h264)).isEmpty)
  }

  @Test("a gradient of few levels shows steps; one of all levels does not")
  func bands() throws {
    let few = ["-frames:v", "6", "-vf", "format=gray,geq=lum='floor(lum(X,Y)/6)*6'"]
    #expect(try Self.remarks(MadeClip(Self.sky + few + Self.h264)) == ["banding"])
    let all = ["-frames:v", "6", "-vf", "format=gray"]
    #expect(try Self.remarks(MadeClip(Self.sky + all + Self.h264)).isEmpty)
  }
}
