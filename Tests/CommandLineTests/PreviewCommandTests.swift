import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkClients
@testable import ArtworkCore
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct PreviewCommandTests {
  static func path(_ fixture: String) -> String { Fixture.named(fixture).url.path }

  /// Width and height from the PNG's header.
  static func size(of png: URL) throws -> [Int] {
    let header = [UInt8](try Data(contentsOf: png).prefix(24))
    try #require(header.starts(with: [0x89, 0x50, 0x4e, 0x47]) && header.count == 24)
    return [16, 20].map { header[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test("the preview is named after the video, in this folder, and its path printed")
  func defaultName() throws {
    let folder = try TemporaryFolder()
    let result = try BuiltTool.run(["preview", Self.path("rotate-90.mp4")], in: folder.root)
    #expect(result.status == 0)
    #expect(result.output == "rotate-90.png\n")
    #expect(result.error == "")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["rotate-90.png"])
    #expect(try Self.size(of: folder.url("rotate-90.png")) == [96, 128])
  }

  @Test("no picture replaces the file that it shows, whatever the names")
  func ownInput() throws {
    let folder = try TemporaryFolder()
    try folder.copy(.named("image-anim.apng"), to: "anim.png")
    try folder.copy(.named("good-1x1.mp4"), to: "clip.mp4")
    try folder.copy(.named("good-1x1.mp4"), to: "odd.bin")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("link.png").path, withDestinationPath: "clip.mp4")
    let names = ["anim.png", "clip.mp4", "odd.bin"]
    let before = try names.map { try Data(contentsOf: folder.url($0)) }
    let named = try BuiltTool.run(["preview", "anim.png"], in: folder.root)
    #expect(named.status == 0 && named.output == "anim.preview.png\n")
    for arguments in [
      ["preview", "anim.png", "-o", "./anim.png"], ["preview", "clip.mp4", "-o", "clip.mp4"],
      ["preview", "clip.mp4", "-o", "link.png"], ["seam", "odd.bin", "-o", "odd.bin"],
      ["loop", "clip.mp4", "--strip", "clip.mp4"], ["loop", "clip.mp4", "--animation", "link.png"],
      ["loop", "clip.mp4", "--strip", "a.png", "--animation", "./a.png"],
    ] {
      let run = try BuiltTool.run(arguments, in: folder.root)
      #expect(run.status == 64 && run.output.isEmpty, "\(arguments): \(run.error)")
    }
    #expect(try names.map { try Data(contentsOf: folder.url($0)) } == before)
  }

  @Test("an output file is replaced, not appended to", arguments: ["-o", "--output"])
  func output(option: String) throws {
    let folder = try TemporaryFolder()
    try Data(repeating: 7, count: 1_000_000).write(to: folder.url("out.png"))
    let result = try BuiltTool.run([
      "preview", Self.path("good-1x1.mp4"), option, folder.url("out.png").path,
    ])
    #expect(result.output == folder.url("out.png").path + "\n")
    #expect(try Data(contentsOf: folder.url("out.png")).count < 100_000)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path) == ["out.png"])
  }

  @Test(
    "a size is a box to fit in",
    arguments: [
      ("600x800", [600, 800]), ("50x50", [38, 50]), ("1x1", [1, 1]), ("96x1000", [96, 128]),
    ])
  func size(box: String, size: [Int]) throws {
    let folder = try TemporaryFolder()
    let result = try BuiltTool.run(
      ["preview", "--size", box, Self.path("good-3x4.mp4")], in: folder.root)
    #expect(result.status == 0)
    #expect(try Self.size(of: folder.url("good-3x4.png")) == size)
  }

  @Test(
    "sizes that are none are usage errors",
    arguments: [
      "0x100", "100x0", "-1x5", "100", "100x", "x100", "100x100x100", "99999x1", "1e3x5", "",
    ])
  func badSize(size: String) throws {
    let folder = try TemporaryFolder()
    let result = try BuiltTool.run(
      ["preview", "--size=\(size)", Self.path("good-1x1.mp4")], in: folder.root)
    #expect(result.status == 64)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test(
    "what has no first frame leaves no file, and the file is named",
    arguments: ["broken-text.mp4", "broken-empty.mp4", "audio-only.mp4", "missing.mp4"])
  func failures(file: String) throws {
    let folder = try TemporaryFolder()
    let path = Fixture.folder.appendingPathComponent(file).path
    let result = try BuiltTool.run(["preview", path], in: folder.root)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.error.hasPrefix("artworkd: \(path): "))
    #expect(result.error.contains("→"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test("a target that cannot be written is named")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let target = folder.url("no/such/out.png").path
    let result = try BuiltTool.run(["preview", Self.path("good-1x1.mp4"), "-o", target])
    #expect(result.status == 2)
    #expect(result.error.contains(target))
  }

  @Test("the preview of the command line is the inspector's")
  func samePicture() throws {
    let folder = try TemporaryFolder()
    for file in ["good-1x1.mp4", "image-anim.gif", "color-hlg.mp4"] {
      let png = folder.url("\(file).png")
      try #require(try BuiltTool.run(["preview", Self.path(file), "-o", png.path]).status == 0)
      let image = try preview(Fixture.named(file))
      #expect(try [UInt8](Data(contentsOf: png)) == PNGEncoder.encode(image))
    }
  }

  @Test(
    "another format is refused, with what to do",
    arguments: [("out.jpg", "out.png"), ("a/cover.JPEG", "a/cover.png"), ("x.avif", "x.png")])
  func otherFormat(name: String, png: String) throws {
    let folder = try TemporaryFolder()
    let result = try BuiltTool.run(
      ["preview", Self.path("good-1x1.mp4"), "-o", name], in: folder.root)
    #expect(result.status == 64)
    let formats = PreviewFormat.webp.isAvailable ? "PNG and WebP" : "PNG"
    #expect(result.error.contains("Error: Only \(formats) can be written, not ."))
    #expect(result.error.contains(": use -o \(png).\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.root.path).isEmpty)
  }

  @Test("a file is required")
  func usage() throws {
    let result = try BuiltTool.run(["preview"])
    #expect(result.status == 64)
    #expect(result.error.contains("Usage: artworkd preview"))
  }
}
