import TestSupport

/// Remarks on pictures that an encoder, or too few levels, left with squares and steps.
@Suite struct DamagedPictureTests {
  private static let h264 =
    "-pix_fmt yuv420p -colorspace bt709 -c:v libx264 -preset veryfast -crf 15"
  private static let fractal = "-f lavfi -i mandelbrot=s=320x320:r=12:maxiter=400 -frames:v 6"
  private static let sky =
    "-f lavfi -i gradients=s=320x320:r=12:c0=0x203060:c1=0x90b0d0:x0=0:y0=0:x1=319:y1=319:nb_colors=2"
    + ":speed=0.00001 -frames:v 6 -vf format=gray"

  /// Which of the two remarks `check` makes.
  private static func remarks(_ options: String) throws -> Set<String> {
    let run = try MadeClip("\(options) \(h264)").artworkd(
      "check clip.mp4 --no-cache --key 1x1 --format ndjson")
    let findings = try #require(try run.rows.first?["findings"], "\(run.error)").items
    let rules = findings.filter { $0["severity"] == "info" }.compactMap { $0["rule"]?.text }
    return Set(rules).intersection(["blockiness", "banding"])
  }

  @Test("squares of a starved encoder show, also after a better one; edges of the picture do not")
  func blocks() throws {
    let starved = try MadeClip(named: "starved.avi", "\(Self.fractal) -c:v mpeg4 -q:v 31")
    #expect(try Self.remarks("-i \(starved.path)") == ["blockiness"])
    #expect(try Self.remarks(Self.fractal).isEmpty)
    #expect(try Self.remarks("-f lavfi -i testsrc=s=320x320:r=12 -frames:v 6").isEmpty)
  }

  @Test("a gradient of few levels shows steps; one of all levels does not")
  func bands() throws {
    #expect(try Self.remarks(Self.sky + ",geq=lum='floor(lum(X,Y)/6)*6'") == ["banding"])
    #expect(try Self.remarks(Self.sky).isEmpty)
  }
}
