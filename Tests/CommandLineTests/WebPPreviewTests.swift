import ArtworkCompanion
import TestSupport

@testable import ArtworkMedia
@testable import ArtworkPipeline

/// Previews as WebP. Without the package trait `WebP`, most of these tests are skipped.
@Suite struct WebPPreviewTests {
  static let isAvailable = FileFormat.webp.isAvailable
  static let absence: Comment = "this build lacks libwebp: the package trait WebP is off"

  @Test("a WebP has the pixels of the PNG, and no more bytes", .enabled(if: isAvailable, absence))
  func samePixels() throws {
    let folder = try TemporaryFolder()
    /// Decoded by ffmpeg, which has its own WebP decoder.
    func pixels(_ name: String) throws -> Data {
      try folder.ffmpeg("-i \(name) -pix_fmt rgba -f rawvideo -")
    }
    for fixture in [
      "good-1x1.mp4", "good-3x4.mp4", "aspect-odd-444.mp4", "codec-vp9-odd.webm", "rotate-90.mp4",
      "codec-qtrle-alpha.mov", "prores-4444-alpha.mov", "color-hlg.mp4", "image-anim.gif",
    ] {
      let file = Fixture.named(fixture).path
      for picture in ["out.webp", "out.png"] {
        let result = try folder.artworkd("preview \(file) -o \(picture)")
        try #require(result.status == 0, "\(fixture): \(result.error)")
        #expect(result.output == picture + "\n")
      }
      let bytes = [UInt8](try folder.data("out.webp"))
      #expect(WebPFile.isWellFormed(bytes), "\(fixture): one picture, not an animation")
      #expect(try pixels("out.webp") == pixels("out.png"), "\(fixture)")
      #expect(bytes.count <= (try folder.data("out.png").count), "\(fixture)")
    }
  }

  @Test(
    "a worker writes what this process would write, whatever the case of the name",
    .enabled(if: isAvailable, absence))
  func sameFile() throws {
    let folder = try TemporaryFolder()
    let line = "preview \(Fixture.named("prores-4444-alpha.mov").path) -o"
    let direct = try folder.artworkd(
      "\(line) direct.webp", environment: BuiltTool.withoutIsolation)
    #expect(direct.status == 0)
    #expect(try folder.artworkd("\(line) isolated.WebP").status == 0)
    let bytes = try folder.data("direct.webp")
    #expect(bytes.count > 1000)
    #expect(try folder.data("isolated.WebP") == bytes)
  }

  @Test(
    "a picture wider than WebP allows is an error that names the limit, and leaves no file",
    .enabled(if: isAvailable, absence))
  func tooWide() throws {
    let clip = try MadeClip(
      named: "wide.mov", "-f lavfi -i color=teal:s=256x2:r=10:d=0.5 -c:v png")
    let line = "preview wide.mov -o wide.webp --size"
    let refused = try clip.artworkd("\(line) 16384x16384")
    #expect(refused.status == 2 && refused.output == "")
    #expect(refused.error.contains("at most 16383 pixels a side, and this one has 16384x128"))
    #expect(refused.error.contains("→ make it smaller (--size), or write PNG\n"))
    #expect(!clip.folder.has("wide.webp"))
    #expect(try clip.artworkd("\(line) 16383x16383").status == 0)
    #expect(
      try clip.folder.probe("wide.webp", "stream=codec_name,width,height") == "webp,16383,128")
  }

  @Test(
    "a build without libwebp refuses the name and suggests PNG",
    .enabled(if: !isAvailable, "this build has libwebp"))
  func missing() throws {
    let folder = try TemporaryFolder()
    let result = try folder.artworkd(
      "preview \(Fixture.named("good-1x1.mp4").path) -o a/cover.webp")
    #expect(result.status == 64)
    #expect(
      result.error.contains("Error: This artworkd was built without WebP: use -o a/cover.png.\n"))
    #expect(folder.names().isEmpty)
  }

  @Test("a worker cannot answer with another format than was asked for")
  func lyingWorker() throws {
    let inspection = try Inspector().inspect(Fixture.named("good-1x1.mp4").path).inspection
    let reply = InspectJob.Reply(inspection: inspection)
    let pixel = PixelImage(size: PixelSize(width: 1, height: 1), channels: .rgb, bytes: [1, 2, 3])
    let png = try PNGEncoder.encode(pixel)
    for format in FileFormat.previews {
      let job = InspectJob(request: InspectionRequest(preview: .original, previewFormat: format))
      let outcome = job.outcome(of: JobAnswer(value: reply, bytes: png))
      #expect((outcome != nil) == (format == .png))
    }
  }

  @Test("doctor names each optional library, and the tool needs those that it has")
  func doctor() throws {
    let lines = try BuiltTool.run("doctor").lines
    // The libraries that the tool itself loads; FFmpeg's libraries load others.
    let needed = try execute("readelf -d \(BuiltTool.find().path)")
    try #require(needed.status == 0)
    try #require(needed.output.contains("[libpng16.so"))
    #expect(needed.output.contains("[libwebp.so") == Self.isAvailable)
    #expect(needed.output.contains("[libsystemd.so") == OptionalLibrary.desktopPlayers.isPresent)
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
