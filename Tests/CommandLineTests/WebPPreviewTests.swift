import ArtworkCompanion
import TestSupport

@testable import ArtworkMeasuring
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline

/// Previews as WebP. Without the package trait `WebP`, most of these tests are skipped.
@Suite struct WebPPreviewTests {
  static let isAvailable = FileFormat.webp.isAvailable
  static let absence: Comment = "this build lacks libwebp: the package trait WebP is off"

  /// The pixels of a file decoded by ffmpeg, which has its own WebP decoder.
  static func pixels(_ file: URL) throws -> Data {
    let decoded = try run(
      "ffmpeg",
      ["-v", "error", "-i", file.path, "-pix_fmt", "rgba", "-f", "rawvideo", "-"])
    try #require(decoded.status == 0, "\(decoded.error)")
    return decoded.output
  }

  /// Width and height, by ffprobe.
  static func size(_ file: URL) throws -> String {
    let result = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
        file.path,
      ])
    return String(decoding: result.output, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  @Test("a WebP has the pixels of the PNG, and no more bytes", .enabled(if: isAvailable, absence))
  func samePixels() throws {
    let folder = try TemporaryFolder()
    for fixture in [
      "good-1x1.mp4", "good-3x4.mp4", "aspect-odd-444.mp4", "codec-vp9-odd.webm", "rotate-90.mp4",
      "codec-qtrle-alpha.mov", "prores-4444-alpha.mov", "color-hlg.mp4", "image-anim.gif",
    ] {
      let file = Fixture.named(fixture).path.string
      let (png, webp) = (folder.url("out.png"), folder.url("out.webp"))
      let result = try BuiltTool.run(["preview", file, "-o", webp.path])
      try #require(result.status == 0, "\(fixture): \(result.error)")
      #expect(result.output == webp.path + "\n")
      try #require(try BuiltTool.run(["preview", file, "-o", png.path]).status == 0)
      let bytes = [UInt8](try Data(contentsOf: webp))
      #expect(WebPFile.isWellFormed(bytes), "\(fixture): one picture, not an animation")
      #expect(try Self.pixels(webp) == Self.pixels(png), "\(fixture)")
      #expect(bytes.count <= (try Data(contentsOf: png).count), "\(fixture)")
    }
  }

  @Test(
    "a worker writes what this process would write, whatever the case of the name",
    .enabled(if: isAvailable, absence))
  func sameFile() throws {
    let folder = try TemporaryFolder()
    let file = Fixture.named("prores-4444-alpha.mov").path.string
    let direct = folder.url("direct.webp")
    let isolated = folder.url("isolated.WebP")
    #expect(
      try BuiltTool.run(
        ["preview", file, "-o", direct.path], environment: BuiltTool.withoutIsolation
      ).status == 0)
    #expect(try BuiltTool.run(["preview", file, "-o", isolated.path]).status == 0)
    let bytes = try Data(contentsOf: direct)
    #expect(bytes.count > 1000)
    #expect(try Data(contentsOf: isolated) == bytes)
  }

  @Test(
    "--size is a box to fit in", .enabled(if: isAvailable, absence),
    arguments: [("600x800", "600,800"), ("51x50", "38,50"), ("1x1", "1,1"), ("97x1000", "97,129")])
  func size(box: String, size: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.url("out.webp")
    let result = try BuiltTool.run([
      "preview", Fixture.named("good-3x4.mp4").path.string, "--size", box, "-o", file.path,
    ])
    #expect(result.status == 0)
    #expect(try Self.size(file) == "webp,\(size)")
  }

  @Test(
    "a picture wider than WebP allows is an error that names the limit, and leaves no file",
    .enabled(if: isAvailable, absence))
  func tooWide() throws {
    let clip = try MadeClip(
      named: "wide.mov", ["-f", "lavfi", "-i", "color=teal:s=256x2:r=10:d=0.5", "-c:v", "png"])
    let target = clip.folder.url("wide.webp")
    let command = ["preview", clip.path.string, "-o", target.path]
    let refused = try BuiltTool.run(command + ["--size", "16384x16384"])
    #expect(refused.status == 2)
    #expect(refused.output == "")
    #expect(refused.error.contains("at most 16383 pixels a side, and this one has 16384x128"))
    #expect(refused.error.contains("→ make it smaller (--size), or write PNG\n"))
    #expect(!FileManager.default.fileExists(atPath: target.path))
    #expect(try BuiltTool.run(command + ["--size", "16383x16383"]).status == 0)
    #expect(try Self.size(target) == "webp,16383,128")
  }

  @Test("a video that cannot be read leaves no file", .enabled(if: isAvailable, absence))
  func unreadable() throws {
    let folder = try TemporaryFolder()
    for name in ["broken-text.mp4", "image-png-renamed.mp4"] {
      let file = Fixture.folder.appendingPathComponent(name).path
      let result = try BuiltTool.run(["preview", file, "-o", folder.url("out.webp").path])
      #expect(result.status == 2)
      #expect(result.error.hasPrefix("artworkd: \(file): "))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test(
    "a build without libwebp refuses the name and suggests PNG",
    .enabled(if: !isAvailable, "this build has libwebp"))
  func missing() throws {
    let folder = try TemporaryFolder()
    let result = try BuiltTool.run(
      ["preview", Fixture.named("good-1x1.mp4").path.string, "-o", "a/cover.webp"], in: folder.root)
    #expect(result.status == 64)
    #expect(
      result.error.contains("Error: This artworkd was built without WebP: use -o a/cover.png.\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test("a worker cannot answer with another format than was asked for")
  func lyingWorker() throws {
    let inspection = try Inspector().inspect(Fixture.named("good-1x1.mp4").path).inspection
    let reply = InspectJob.Reply(inspection: inspection)
    let pixel = PixelImage(
      size: PixelSize(width: 1, height: 1), channels: .rgb, bytes: [1, 2, 3])
    let png = try PNGEncoder.encode(pixel)
    for format in FileFormat.previews {
      let job = InspectJob(request: InspectionRequest(preview: .original, previewFormat: format))
      let outcome = job.outcome(of: JobAnswer(value: reply, bytes: png))
      #expect((outcome != nil) == (format == .png))
    }
  }

  @Test("doctor names each optional library, and the tool needs those that it has")
  func doctor() throws {
    let lines = try BuiltTool.run(["doctor"]).lines
    // The libraries that the tool itself loads; FFmpeg's libraries load others.
    let needed = try run("readelf", ["-d", BuiltTool.find().path])
    try #require(needed.status == 0)
    let libraries = String(decoding: needed.output, as: UTF8.self)
    try #require(libraries.contains("[libpng16.so"))
    #expect(libraries.contains("[libwebp.so") == Self.isAvailable)
    #expect(libraries.contains("[libsystemd.so") == OptionalLibrary.desktopPlayers.isPresent)
    for library in [OptionalLibrary.desktopPlayers, .webP] {
      let line = try #require(lines.first { $0.hasPrefix("\(library.trait) ") })
      if library.isPresent {
        let version = library.version.map { " \($0)" } ?? ""
        #expect(version.isEmpty || version.contains(/^ \d+\.\d+\.\d+$/))
        #expect(line.hasSuffix("✓ \(library.library)\(version)"))
      } else {
        #expect(line.contains("✗ built without \(library.library), which "))
      }
    }
  }
}
